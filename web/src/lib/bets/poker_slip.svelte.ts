/** The slip at a table of Three Card Poker: all its chips go into the round at once. */
import type { PokerRules } from "../net/rulebook";
import { sideBets } from "../poker/settlement";
import { controls, slipText } from "../../texts/poker";
import { announcer } from "../ui/announcer.svelte";
import { BetSlip } from "./slip.svelte";
import {
  asBets,
  boundsOf,
  chipsFor,
  mostOn,
  needed,
  problem,
  shortfall,
  tooMuchTogether,
} from "./stakes";

export class PokerSlip extends BetSlip<PokerRules> {
  /** Whether the player's hand is in the round, or they are asked to bank. */
  #isEngaged = false;

  readonly sizes = $derived.by(() =>
    chipsFor(this.betting, ["ante", ...sideBets(this.context.rules)]),
  );

  /** Where the table has no such chip as the chosen one, choose one that makes an Ante. */
  fitChip() {
    const { sizes } = this;
    if (!sizes.includes(this.chip))
      this.chip =
        sizes.find((cents) => cents >= boundsOf(this.betting, "ante").min) ?? sizes.at(-1)!;
  }

  /** Whether more lies on the felt than the player has at the table. */
  get exceedsStack(): boolean {
    return needed(this.betting, this.stakes) > this.means.stack;
  }

  /** Put the chosen chip on a spot: on an empty one at least what is least there, and never more than is allowed. */
  placeChip(spot: string) {
    if (this.#isAway()) return;
    const { min, max } = boundsOf(this.betting, spot);
    const more = Math.max((this.stakes[spot] ?? 0) + this.chip, min);
    const most = mostOn(this.betting, this.stakes, spot);
    const tooMuch = tooMuchTogether(this.betting, { ...this.stakes, [spot]: Math.min(more, max) });
    if (most >= min) this.put({ ...this.stakes, [spot]: Math.min(more, most) });
    this.wrong =
      tooMuch ||
      (more > max ? slipText.most(spot, max) : shortfall(this.betting, this.stakes, this.means));
    this.#announce(spot);
  }

  clear() {
    if (!this.#isAway()) this.takeBack();
  }

  /** Have in hand again what lies on the felt, also if it is on its way. */
  takeBack() {
    if (this.inHand) announcer.tell(slipText.takenBack);
    this.reset();
    this.wrong = "";
  }

  /** Put down again what was bet last. */
  rebet() {
    if (this.#isAway()) return;
    if (this.last) this.put(this.last);
    this.wrong = shortfall(this.betting, this.stakes, this.means);
    this.#announce(...Object.keys(this.stakes));
  }

  /** Whether the chips are on their way to the room: until it answers they are not in hand. */
  #isAway(): boolean {
    if (this.sending) announcer.tell(this.context.late);
    return this.sending;
  }

  #announce(...spots: string[]) {
    const piles = spots.map((spot): [string, number] => [spot, this.stakes[spot] ?? 0]);
    announcer.tell(slipText.piles(piles, this.inHand));
  }

  /**
   * Take bets for a round, or with nothing for none. Chips on the felt that are in no round come
   * back, and what was wrong before is no longer.
   */
  follow(round: number | null, isEngaged: boolean) {
    if (round === this.round && isEngaged === this.#isEngaged) return;
    [this.round, this.#isEngaged] = [round, isEngaged];
    this.wrong = "";
    if (!this.sending) this.#comeBack();
  }

  #comeBack() {
    if (!this.inHand) return;
    const why = this.#isEngaged
      ? slipText.alreadyIn
      : problem(this.betting, this.stakes, this.means);
    this.reset();
    this.wrong = why ? slipText.returned(why) : slipText.tooLate;
  }

  /** Put the chips into the round; what is refused stays on the felt for as long as bets are open. */
  async send(ready: boolean) {
    const [round, stakes] = [this.round, this.stakes];
    if (this.sending || !this.inHand || round === null) return;
    const why = problem(this.betting, stakes, this.means);
    this.wrong = "";
    if (why) return this.refuse(why);
    this.sending = true;
    const wagers = asBets(stakes);
    const command = { type: "place_wagers", round, wagers, ready } as const;
    if (await this.context.ask(command, { name: controls.yourBet })) {
      this.remember(stakes);
      this.reset();
    }
    this.sending = false;
    if (round !== this.round || this.#isEngaged) this.#comeBack();
  }
}
