/** The guided first hands: which step it is, what it says, and what leads to the next. */
import type { PokerRules } from "../net/rulebook";
import { boundsOf } from "../bets/stakes";
import { parseCards } from "../history/rounds";
import { PokerFelt } from "../poker/felt.svelte";
import { handName, kindName } from "../poker/hands";
import { sideBets } from "../poker/settlement";
import { list, wagerName } from "../text/format";
import * as text from "../../texts/learn";
import { ScriptedSession, type ScriptedHand } from "./scripted_session.svelte";

export const STEPS = [
  "hands",
  "ante",
  "side",
  "decide",
  "qualify",
  "again",
  "weak",
  "result",
  "end",
] as const;
export type Step = (typeof STEPS)[number];

/** A dealer who does not qualify, and one who does. */
export const GOOD: ScriptedHand = { cards: parseCards("8h 8s Kd"), dealer: parseCards("Jc 9d 4s") };
export const WEAK: ScriptedHand = { cards: parseCards("Js 7d 3c"), dealer: parseCards("9h 9c 5d") };

/** What a step points at on the felt. */
const POINTS: Partial<Record<Step, string>> = {
  ante: "ante",
  side: "side",
  decide: "own",
  qualify: "dealer",
  again: "ante",
  weak: "own",
  result: "dealer",
};

export class Lesson {
  step = $state<Step>("hands");
  /** What to say to a player who tried something else. */
  hint = $state("");
  readonly session: ScriptedSession;
  readonly felt: PokerFelt;
  readonly point = $derived(POINTS[this.step] ?? "");
  readonly number = $derived(STEPS.indexOf(this.step) + 1);

  constructor(
    readonly rules: PokerRules,
    player: string,
  ) {
    this.session = new ScriptedSession(rules, player);
    this.felt = new PokerFelt(this.session);
    this.felt.coach.receive = () => undefined; // there is no table that it could ask about
    this.session.onView = () => this.#onView();
    this.session.allows = (move) => {
      const isAllowed = this.step !== "decide" || move === "play";
      this.hint = isAllowed ? "" : text.tryPlay;
      return isAllowed;
    };
    this.session.deal(GOOD);
  }

  leave() {
    this.felt.leave();
  }

  // What leads to the next step

  /** Go on; where the step waits for the player to do something, do it for them. */
  async next() {
    const { slip } = this.felt;
    switch (this.step) {
      case "hands":
        return this.#go("ante");
      case "ante":
        this.felt.placeChip("ante");
        return this.follow();
      case "side":
        return slip.send(true);
      case "decide":
      case "weak":
        return void this.session.ask({
          type: "choose",
          round: this.session.view.round!.round,
          move: this.step === "weak" ? "fold" : "play",
        });
      case "qualify":
        this.felt.clear();
        this.session.deal(WEAK);
        return this.#go("again");
      case "again":
        if (!slip.stakes["ante"]) this.felt.placeChip("ante");
        return slip.send(true);
      case "result":
        return this.#go("end");
      case "end":
        return;
    }
  }

  /** Look at the chips on the felt: an Ante leads on, also one that came early. */
  follow() {
    const isWaiting = this.step === "hands" || this.step === "ante";
    if (isWaiting && this.felt.slip.stakes["ante"]) this.#go("side");
    else if (
      this.step === "side" &&
      !this.felt.slip.inHand &&
      this.session.view.phase === "betting"
    )
      this.#go("ante");
  }

  #onView() {
    this.felt.receive();
    const { phase, last } = this.session.view;
    if (phase === "deciding") this.#go(this.#isFirst ? "decide" : "weak");
    else if (phase === "between" && last) this.#go(this.#isFirst ? "qualify" : "result");
  }

  get #isFirst() {
    return STEPS.indexOf(this.step) < STEPS.indexOf("again");
  }

  #go(step: Step) {
    this.hint = "";
    this.step = step;
  }

  // What it says

  get qualifier() {
    return String(this.rules.document.qualifier);
  }
  get sideBet() {
    return wagerName(this.#side);
  }
  /** The hands that pay an Ante bonus: "straight, three of a kind and straight flush". */
  get bonusHands() {
    const { ante_bonus: bonus } = this.rules.document;
    return bonus ? list(Object.keys(bonus.pays).map(kindName)) : "";
  }
  get #side() {
    return sideBets(this.rules)[0] ?? "pair_plus";
  }

  readonly text = $derived.by((): text.StepText => {
    const least = boundsOf(this.rules.betting, "ante").min;
    const low = this.rules.document.ace_low ?? true;
    const stake = this.session.view.round?.hands[0]?.wagers.find((bet) => bet.spot === "ante");
    switch (this.step) {
      case "hands":
        return text.hands;
      case "ante":
        return text.ante(least);
      case "side":
        return text.side(this.sideBet);
      case "decide":
        return text.decide(handName(GOOD.cards, low), stake?.cents ?? least);
      case "qualify":
        return text.shortDealer(this.#outcome(GOOD));
      case "again":
        return text.anteAgain;
      case "weak":
        return text.decideWeak(handName(WEAK.cards, low));
      case "result": {
        const outcome = this.#outcome(WEAK);
        return this.session.view.last?.round.hands[0]?.move === "fold"
          ? text.folded(outcome)
          : text.beaten(outcome);
      }
      case "end":
        return text.end;
    }
  });

  #outcome({ cards, dealer }: ScriptedHand): text.Outcome {
    const low = this.rules.document.ace_low ?? true;
    const wagers = this.session.settled?.wagers ?? [];
    const net = (name: string) => wagers.find(({ wager }) => wager === name)?.net ?? 0;
    const side = wagers.find(({ wager }) => wager === this.#side);
    return {
      hand: handName(cards, low),
      dealer: handName(dealer, low),
      qualifier: this.qualifier,
      ante: net("ante"),
      play: net("play"),
      side: side ? { name: this.sideBet, net: side.net } : null,
      net: this.session.settled?.net ?? 0,
    };
  }
}
