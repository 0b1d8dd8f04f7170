/**
 * Shows a settled round a step at a time: the showdown, then each place in order of action. It never
 * holds anything up; whoever arrives late, or wants no motion, sees the end at once.
 */
const STEP = 260;
const SHOWDOWN = 700;
const MOST = 3600;

export class Staging {
  /** How many places are settled on screen; -1 before the hands are turned. */
  settled = $state(Infinity);
  #round: number | null = null;
  #timers: ReturnType<typeof setTimeout>[] = [];

  /** Show the last round that ended, of so many places; the first one it is told of is known already. */
  begin(round: number, places: number) {
    if (round === this.#round) return;
    const first = this.#round === null;
    this.#round = round;
    this.skip();
    if (first || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const step = Math.min(STEP, (MOST - SHOWDOWN) / Math.max(1, places));
    this.settled = -1;
    this.#at(160, 0);
    for (let at = 1; at <= places; at++) this.#at(SHOWDOWN + at * step, at);
    this.#at(SHOWDOWN + places * step + 500, Infinity);
  }

  #at(wait: number, settled: number) {
    this.#timers.push(setTimeout(() => (this.settled = settled), wait));
  }

  get running() {
    return this.settled !== Infinity;
  }

  /** Show the end. */
  skip() {
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    this.settled = Infinity;
  }
}
