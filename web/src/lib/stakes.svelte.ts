/** The chips one has put on the felt and not yet sent: they stay until the round has them. */
import type { Rules } from "./api";
import { asBets, limitsOf, problem, total, type Stakes } from "./poker";
import type { Command } from "./protocol";
import { keepBets, lastBets } from "./rebet";
import { dollars, wagerName } from "./words";

const SIZES = [100, 500, 2_500, 10_000];

export class Chips {
  stakes = $state.raw<Stakes>({});
  chip = $state(500);
  wrong = $state("");
  /** What was put down last, to put it down again. */
  readonly last = $derived.by((): Stakes | null => this.#last ?? lastBets(this.table));
  #last = $state.raw<Stakes | null>(null);
  #sending = false;
  /** The round they were last touched in: chips that lie there from before do not bet themselves. */
  #round = 0;

  constructor(rules: Rules, readonly table: string) {
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
  put(spot: string, round: number, rules: Rules) {
    this.#round = round;
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

  again(round: number) {
    this.#round = round;
    if (this.last) this.stakes = this.last;
    this.wrong = "";
  }

  /** When bets close: put down what was laid on the felt in this round. Once; what is refused waits. */
  async sendLate(round: number, rules: Rules, stack: number, ask: (command: Command) => Promise<boolean>) {
    if (this.#round !== round) return;
    this.#round = 0;
    await this.send(round, rules, stack, false, ask);
  }

  /** Put the chips into the round; what is refused stays on the felt. */
  async send(round: number, rules: Rules, stack: number, ready: boolean, ask: (command: Command) => Promise<boolean>) {
    if (this.#sending || !this.total) return;
    this.wrong = problem(rules, this.stakes, stack);
    if (this.wrong) return;
    this.#sending = true;
    const sent = this.stakes;
    if (await ask({ type: "place_wagers", round, wagers: asBets(sent), ready })) {
      this.#last = sent;
      keepBets(this.table, sent);
      this.stakes = {};
    }
    this.#sending = false;
  }
}
