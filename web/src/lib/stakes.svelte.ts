/** The chips one has put on the felt and not yet sent: they stay until the round has them. */
import { announcer } from "./announce.svelte";
import type { PokerRules } from "./rulebook";
import { asBets, chipsFor, limitsOf, needed, problem, shortfall } from "./poker";
import { OnItsWay } from "./onitsway.svelte";
import type { Command } from "./protocol";
import { keepBets, lastBets } from "./rebet";
import { sum, type Means, type Stakes } from "./slip.svelte";
import { dollars, money, wagerName } from "./words";

/** What chips are put down by, and with: the rules, what one has at the table and beside it, and who takes them. */
export interface Purse extends Means {
  rules: PokerRules;
  ask: (command: Command) => Promise<boolean>;
}

export class Chips {
  stakes = $state.raw<Stakes>({});
  chip = $state(0);
  wrong = $state("");
  /** What was put down last, to put it down again. */
  readonly last = $derived.by((): Stakes | null => this.#last ?? lastBets(this.table));
  #last = $state.raw<Stakes | null>(null);
  /** What the room has not answered yet. */
  readonly way = new OnItsWay();
  #sending = false;
  /** The round that takes bets. */
  #round: number | null = null;
  #engaged = false;

  constructor(readonly table: string) {}

  /** Where the table has no such chip as the chosen one, choose one that makes an Ante. */
  fit(rules: PokerRules) {
    const sizes = chipsFor(rules);
    if (!sizes.includes(this.chip))
      this.chip = sizes.find((cents) => cents >= limitsOf(rules, "ante").min) ?? sizes.at(-1)!;
  }

  get total() {
    return sum(this.stakes);
  }

  /** Whether more lies on the felt than one has at the table. */
  exceed({ rules, stack }: Purse): boolean {
    return needed(rules, this.stakes) > stack;
  }

  /** Put the chosen chip on a spot: on an empty one at least what is least there, and never more than is allowed. */
  put(spot: string, purse: Purse) {
    if (this.#away()) return;
    const { min, max } = limitsOf(purse.rules, spot);
    const lies = this.stakes[spot] ?? 0;
    const more = Math.max(lies + this.chip, min);
    this.stakes = { ...this.stakes, [spot]: Math.min(more, max) };
    this.wrong =
      more > max
        ? `${wagerName(spot)} is ${dollars(max)} at most.`
        : shortfall(purse.rules, this.stakes, purse);
    this.#tell(spot);
  }

  clear() {
    if (!this.#away()) this.takeBack();
  }

  /** Have in hand again what lies on the felt, also if it is on its way. */
  takeBack() {
    if (this.total) announcer.tell("Your chips are back in your hand.");
    this.stakes = {};
    this.wrong = "";
  }

  again(purse: Purse) {
    if (this.#away()) return;
    if (this.last) this.stakes = this.last;
    this.wrong = shortfall(purse.rules, this.stakes, purse);
    this.#tell(...Object.keys(this.stakes));
  }

  /** Whether the chips are on their way to the room: until it answers they are not in hand. */
  #away(): boolean {
    if (this.#sending) announcer.tell(this.way.late);
    return this.#sending;
  }

  #tell(...spots: string[]) {
    const lies = spots.map((spot) => `${wagerName(spot)} ${money(this.stakes[spot] ?? 0)}`);
    announcer.tell(`${lies.join(", ")}. ${money(this.total)} in all.`);
  }

  /**
   * Take bets for a round, or with nothing for none; `engaged`: one's hand is in the round, or one is asked to bank. What
   * lies on the felt and is in no round comes back, and what was wrong before is so no more.
   */
  follow(round: number | null, engaged: boolean, purse: Purse) {
    if (round === this.#round && engaged === this.#engaged) return;
    [this.#round, this.#engaged] = [round, engaged];
    this.wrong = "";
    if (!this.#sending) this.#comeBack(purse);
  }

  #comeBack(purse: Purse) {
    if (!this.total) return;
    const why = this.#engaged
      ? "You are in this round already."
      : problem(purse.rules, this.stakes, purse);
    this.stakes = {};
    this.wrong = why ? `Your chips came back. ${why}` : "Too late: your chips came back.";
  }

  /** Put the chips into the round; what is refused stays on the felt for as long as bets are open. */
  async send(purse: Purse, ready: boolean) {
    const [round, sent] = [this.#round, this.stakes];
    if (this.#sending || !this.total || round === null) return;
    const why = problem(purse.rules, sent, purse);
    this.wrong = "";
    if (why) return queueMicrotask(() => (this.wrong = why)); // told again also if it was told before
    this.#sending = true;
    const asked = purse.ask({ type: "place_wagers", round, wagers: asBets(sent), ready });
    if (await this.way.follow("Your bet", asked)) {
      this.#last = sent;
      keepBets(this.table, sent);
      this.stakes = {};
    }
    this.#sending = false;
    if (round !== this.#round || this.#engaged) this.#comeBack(purse);
  }
}
