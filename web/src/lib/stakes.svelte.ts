/** The chips one has put on the felt and not yet sent: they stay until the round has them. */
import { announcer } from "./announce.svelte";
import type { Rules } from "./api";
import { asBets, chipsFor, limitsOf, needed, problem, total, type Stakes } from "./poker";
import { OnItsWay } from "./onitsway.svelte";
import type { Command } from "./protocol";
import { keepBets, lastBets } from "./rebet";
import { dollars, money, wagerName } from "./words";

/** What chips are put down by, and with: the rules, what one has at the table and beside it, and who takes them. */
export interface Purse {
  rules: Rules;
  stack: number;
  wallet: number;
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

  constructor(readonly table: string) {}

  /** Where the table has no such chip as the chosen one, choose one that makes an Ante. */
  fit(rules: Rules) {
    const sizes = chipsFor(rules);
    if (!sizes.includes(this.chip)) this.chip = sizes.find((cents) => cents >= limitsOf(rules, "ante").min) ?? sizes.at(-1)!;
  }

  get total() {
    return total(this.stakes);
  }

  /** Whether more lies on the felt than one has at the table. */
  exceed({ rules, stack }: Purse): boolean {
    return needed(rules, this.stakes) > stack;
  }

  /** Put the chosen chip on a spot: on an empty one at least what is least there, and never more than is allowed. */
  put(spot: string, { rules }: Purse) {
    if (this.#away()) return;
    const { min, max } = limitsOf(rules, spot);
    const lies = this.stakes[spot] ?? 0;
    const more = Math.max(lies + this.chip, min);
    this.stakes = { ...this.stakes, [spot]: Math.min(more, max) };
    this.wrong = more > max ? `${wagerName(spot)} is ${dollars(max)} at most.` : "";
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

  again() {
    if (this.#away()) return;
    if (this.last) this.stakes = this.last;
    this.wrong = "";
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

  /** Take bets for a round, or with nothing for none: what lies on the felt and is in no round comes back. */
  follow(round: number | null) {
    if (round === this.#round) return;
    this.#round = round;
    if (!this.#sending) this.#comeBack();
  }

  #comeBack() {
    if (!this.total) return;
    this.stakes = {};
    this.wrong = "Too late: your chips came back.";
  }

  /** Put the chips into the round; what is refused stays on the felt for as long as bets are open. */
  async send({ rules, stack, wallet, ask }: Purse, ready: boolean) {
    const [round, sent] = [this.#round, this.stakes];
    if (this.#sending || !this.total || round === null) return;
    this.wrong = problem(rules, sent, stack, wallet);
    if (this.wrong) return;
    this.#sending = true;
    if (await this.way.follow("Your bet", ask({ type: "place_wagers", round, wagers: asBets(sent), ready }))) {
      this.#last = sent;
      keepBets(this.table, sent);
      this.stakes = {};
    }
    this.#sending = false;
    if (round !== this.#round) this.#comeBack();
  }
}
