/** What the coach says at a table, for as long as the player is there: in its panel, on the felt, and to the live region. */
import { amount, judge, suggest, why } from "./text";
import { payTable, type PokerRules } from "../net/rulebook";
import { choices, coachAt, type Coach } from "./model.svelte";
import { handOf } from "../poker/hands";
import type { Own, TableView } from "../net/protocol";
import { settings } from "../ui/settings.svelte";
import * as texts from "../../texts/coach";

/** What there is to see at the table; `settling`: the last round is not yet settled on screen. */
interface Seen {
  view: TableView;
  own: Own;
  player: string | null;
  rules: PokerRules;
  settling: boolean;
}

export class CoachController {
  readonly coach: Coach;
  #see: () => Seen;

  /** Whether one plays with bots only. */
  readonly practice = $derived.by(() => {
    const { view, own } = this.#see();
    return view.places.every((seat) => seat.bot || seat.place === own.place);
  });
  readonly on = $derived.by(
    () => settings.coach === "always" || (settings.coach === "practice" && this.practice),
  );
  readonly deciding = $derived.by(() => this.coach.decision !== null && !this.coach.decision.move);

  readonly reason = $derived.by(() => {
    const { decision, advice } = this.coach;
    if (!decision || !advice) return "";
    const { document } = this.#see().rules;
    const side = Object.keys(decision.wagers).find((wager) => wager !== "ante");
    const lost =
      side &&
      payTable(document, side)?.on_fold === "forfeit" &&
      handOf(decision.cards, document.ace_low ?? true).kind !== "high_card";
    return (
      why(advice.hands, decision.up, advice.money.best) + (lost ? texts.foldLosesSideBet(side) : "")
    );
  });
  readonly verdict = $derived.by(() => {
    const { decision, advice, silent } = this.coach;
    return this.on && advice && decision?.move
      ? judge(decision.move, advice.money, this.reason, amount, { silent, short: decision.short })
      : null;
  });
  readonly hint = $derived.by(() => {
    const { decision, advice } = this.coach;
    return this.on && choices.before && this.deciding && decision && advice
      ? suggest(advice.money, amount, decision.short)
      : "";
  });
  /** What the coach says now, in a line, for where its column is out of sight. */
  readonly line = $derived.by(() => this.verdict?.line ?? this.hint);
  /** The same aloud: a sentence and not the verdict, which is made again with every view. */
  readonly spoken = $derived.by(() =>
    this.verdict ? texts.spoken(this.verdict.says, this.verdict.why) : this.hint,
  );
  /** The books without a round that is not yet settled on screen: they would tell how it ends. */
  totals = $state.raw<Pick<Coach, "visit" | "always"> | null>(null);

  constructor(see: () => Seen) {
    this.#see = see;
    this.coach = coachAt(see().view.table, see().player);
    this.coach.onChange = () => this.showTotals();
  }

  /** Stop following the coach, which is kept for the next visit to the table. */
  leave() {
    this.coach.onChange = () => undefined;
  }

  /** Look at the table, and at what is chosen, as they are now. */
  receive() {
    const { view, own, rules } = this.#see();
    const { up = 0, bank } = rules.document;
    this.coach.watch(view, own, up, this.on, choices.before, bank?.settle_order);
  }

  /** Show the books as they are, unless a round is still being settled on screen. */
  showTotals() {
    const { visit, always } = this.coach;
    if (!this.#see().settling) this.totals = { visit, always };
  }
}
