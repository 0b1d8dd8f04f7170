import type { HandView, Last, Place, TableView } from "../net/protocol";

/**
 * Shows a settled round a step at a time: the dealer's cards one by one, then each place in order of action. What it came to is held
 * back until then, and not longer. It never holds anything up; players who arrive late, or want no motion, see the end at once.
 * A void round settles nothing.
 */
const STEP = 260;
const FIRST_TURN = 160;
const TURN = 180;
/** Before the last card, where it decides. */
const BREATH = 400;
/** From the last card to the first place. */
const SHOWN = 540;
const MOST = 3600;

export class SettlementReplay {
  /** How many places are settled on screen; -1 before the hands are turned. */
  settled = $state(Infinity);
  /** How many of the dealer's cards are face up. */
  turned = $state(Infinity);
  /** The last round that is settled on screen. */
  last = $state.raw<Last | undefined>(undefined);
  /** The places; while a round is settled, with the stacks from before it. */
  places = $state.raw<readonly Place[]>([]);
  #view: TableView | null = null;
  #timers: ReturnType<typeof setTimeout>[] = [];

  /** `onEnd`: the round that was shown is settled on screen. `decides`: whether the dealer's last card does. */
  constructor(
    readonly onEnd: () => void = () => undefined,
    readonly decides: (last: Last) => boolean = () => false,
  ) {}

  /** Take the newest view; the first one is known already, and the next deal ends what is shown of the last. */
  take(view: TableView) {
    const before = this.#view;
    this.#view = view;
    const last = view.last;
    if (before && last && last.end.round !== before.last?.end.round) {
      if (last.end.type === "round.voided/1") this.skip();
      else this.#begin(before, last);
    }
    if (view.phase === "deciding") this.stop();
    this.#show();
  }

  /** Turn the cards that were not up, then settle the places. */
  #begin(before: TableView, last: Last) {
    this.stop();
    if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const up = before.round?.dealer?.filter((card) => card !== null).length ?? 0;
    this.places = withPlayBets(this.places, before, last);
    [this.settled, this.turned] = [-1, up];
    const cards = last.round.dealer?.length ?? 0;
    let time = FIRST_TURN;
    for (let count = up + 1; count <= cards; count++) {
      if (count > up + 1) time += TURN;
      if (count === cards && this.decides(last)) time += BREATH;
      this.#after(time, () => (this.turned = count));
    }
    this.#after(time, () => (this.settled = 0));
    const [start, places] = [time + SHOWN, last.end.places?.length ?? 0];
    const step = Math.min(STEP, (MOST - start) / Math.max(1, places));
    for (let count = 1; count <= places; count++)
      this.#after(start + count * step, () => (this.settled = count));
    this.#after(start + places * step + 500, () => this.skip());
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

  #after(wait: number, act: () => void) {
    this.#timers.push(setTimeout(act, wait));
  }

  get running() {
    return this.settled !== Infinity;
  }

  /** Show nothing more a step at a time. */
  stop() {
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    this.settled = this.turned = Infinity;
  }

  /** Show the end. */
  skip() {
    const wasRunning = this.running;
    this.stop();
    this.#show();
    if (wasRunning) this.onEnd();
  }
}

/** The places without the Play bets of the moves that ended a round: those chips are on the felt. */
function withPlayBets(places: readonly Place[], before: TableView, { round, players }: Last) {
  const handIn = (hands: readonly HandView[] | undefined, place: number) =>
    hands?.find((hand) => hand.place === place);
  return places.map((seat) => {
    const hand = handIn(round.hands ?? [], seat.place);
    const isNew = hand?.move === "play" && !handIn(before.round?.hands, seat.place)?.move;
    if (!isNew || players[seat.place] !== seat.player) return seat;
    const ante = hand.wagers.find((bet) => bet.spot === "ante")?.cents ?? 0;
    return { ...seat, stack: seat.stack - ante };
  });
}
