/** The chips one has put on the felt and not yet sent: they stay until the round has them. */
import type { Rules } from "./api";
import { asBets, asStakes, limitsOf, problem, total, type Stakes } from "./poker";
import type { Bet, Command } from "./protocol";
import { dollars, wagerName } from "./words";

const SIZES = [100, 500, 2_500, 10_000];

export class Chips {
  stakes = $state.raw<Stakes>({});
  chip = $state(500);
  wrong = $state("");
  /** What was put down last, to put it down again. */
  last = $state.raw<Stakes | null>(null);
  #sending = false;

  constructor(rules: Rules) {
    const { min } = limitsOf(rules, "ante");
    this.chip = SIZES.find((cents) => cents >= min) ?? SIZES[0]!;
  }

  static sizes(rules: Rules, spots: readonly string[]): number[] {
    const most = Math.max(...spots.map((spot) => limitsOf(rules, spot).max));
    return SIZES.filter((cents) => cents <= most);
  }

  get total() {
    return total(this.stakes);
  }

  /** Put the chosen chip on a spot: on an empty one at least what is least there, and never more than is allowed. */
  put(spot: string, rules: Rules) {
    const { min, max } = limitsOf(rules, spot);
    const lies = this.stakes[spot] ?? 0;
    const more = Math.max(lies + this.chip, min);
    this.wrong = more > max ? `${wagerName(spot)} is ${dollars(max)} at most.` : "";
    this.stakes = { ...this.stakes, [spot]: Math.min(more, max) };
  }

  clear() {
    this.stakes = {};
    this.wrong = "";
  }

  again() {
    if (this.last) this.stakes = this.last;
    this.wrong = "";
  }

  /** Take back chips that the round has, as chips that may be put down otherwise. */
  takeBack(bets: readonly Bet[]) {
    this.stakes = asStakes(bets);
  }

  /** Put the chips into the round; what is refused stays on the felt. */
  async send(round: number, rules: Rules, stack: number, ready: boolean, ask: (command: Command) => Promise<boolean>) {
    if (this.#sending || !this.total) return;
    this.wrong = problem(rules, this.stakes, stack);
    if (this.wrong) return;
    this.#sending = true;
    const sent = this.stakes;
    if (await ask({ type: "place_wagers", round, wagers: asBets(sent), ready })) {
      this.last = sent;
      this.stakes = {};
    }
    this.#sending = false;
  }
}
