import type { Last, Place, TableView } from "../net/protocol";

/**
 * Shows a settled round a step at a time: the showdown, then each place in order of action. What it came to is held
 * back until then, and not longer. It never holds anything up; players who arrive late, or want no motion, see the end at once.
 */
const STEP = 260;
const SHOWDOWN = 700;
const MOST = 3600;

export class SettlementReplay {
  /** How many places are settled on screen; -1 before the hands are turned. */
  settled = $state(Infinity);
  /** The last round that is settled on screen. */
  last = $state.raw<Last | undefined>(undefined);
  /** The places; while a round is settled, with the stacks from before it. */
  places = $state.raw<readonly Place[]>([]);
  #view: TableView | null = null;
  #timers: ReturnType<typeof setTimeout>[] = [];

  /** `onEnd`: the round that was shown is settled on screen. */
  constructor(readonly onEnd: () => void = () => undefined) {}

  /** Take the newest view; the first one is known already, and the next deal ends what is shown of the last. */
  take(view: TableView) {
    const before = this.#view;
    this.#view = view;
    if (before && view.last && view.last.end.round !== before.last?.end.round)
      this.#begin(view.last.end.places?.length ?? 0);
    if (view.phase === "deciding") this.stop();
    this.#show();
  }

  #begin(places: number) {
    this.stop();
    if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const step = Math.min(STEP, (MOST - SHOWDOWN) / Math.max(1, places));
    this.settled = -1;
    this.#after(160, 0);
    for (let count = 1; count <= places; count++) this.#after(SHOWDOWN + count * step, count);
    this.#timers.push(setTimeout(() => this.skip(), SHOWDOWN + places * step + 500));
  }

  /** Show what may be seen: while it runs, the stacks as they were. */
  #show() {
    const view = this.#view;
    if (!view) return;
    const stacks = new Map(this.places.map((place) => [place.player, place.stack]));
    this.places = this.running
      ? view.places.map((place) => ({ ...place, stack: stacks.get(place.player) ?? place.stack }))
      : view.places;
    if (!this.running) this.last = view.last;
  }

  #after(wait: number, settled: number) {
    this.#timers.push(setTimeout(() => (this.settled = settled), wait));
  }

  get running() {
    return this.settled !== Infinity;
  }

  /** Show nothing more a step at a time. */
  stop() {
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    this.settled = Infinity;
  }

  /** Show the end. */
  skip() {
    const wasRunning = this.running;
    this.stop();
    this.#show();
    if (wasRunning) this.onEnd();
  }
}
