/** What the coach says at a table, for as long as one is there: in its panel, on the felt, and to the live region. */
import { untrack } from "svelte";
import { amount, judge, suggest, why } from "./advice";
import { announcer } from "./announce.svelte";
import { payTable, type PokerRules } from "./rulebook";
import { choices, coachAt, type Coach } from "./coach.svelte";
import { handOf } from "./hands";
import type { Own, TableView } from "./protocol";
import { settings } from "./settings.svelte";
import { wagerName } from "./words";

/** What there is to see at the table; `settling`: the last round is not yet settled on screen. */
interface Seen {
  view: TableView;
  own: Own;
  player: string | null;
  rules: PokerRules;
  settling: boolean;
}

export class Coaching {
  readonly coach: Coach;
  #see: () => Seen;

  /** Whether one plays with bots only. */
  readonly practice = $derived.by(() => {
    const { view, own } = this.#see();
    return view.places.every((one) => one.bot || one.place === own.place);
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
      why(advice.hands, decision.up, advice.money.best) +
      (lost ? ` A fold also gives up the ${wagerName(side)} bet.` : "")
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
  /** The books without a round that is not yet settled on screen: they would tell how it ends. */
  totals = $state.raw<Pick<Coach, "visit" | "always"> | null>(null);

  /** Begin while a component is made; it ends with it. */
  constructor(see: () => Seen) {
    this.#see = see;
    this.coach = coachAt(see().view.table, see().player);
    $effect(() => {
      const { view, own, rules } = see();
      const seen = [view, own, rules.document.up ?? 0, this.on, choices.before] as const;
      untrack(() => this.coach.watch(...seen));
    });
    $effect(() => {
      const { visit, always } = this.coach;
      if (!see().settling) this.totals = { visit, always };
    });
    // A sentence and not the verdict, which is made anew with every view: it is told once.
    const spoken = $derived(
      this.verdict ? `Coach: ${this.verdict.says} ${this.verdict.why}`.trim() : this.hint,
    );
    $effect(() => announcer.tell(spoken));
  }
}
