/** A table without a server: it deals fixed hands and settles them by the real rules. */
import type { Ask } from "../bets/slip.svelte";
import type { Command, Move, Own, RoundView, TableView } from "../net/protocol";
import type { PokerRules } from "../net/rulebook";
import { settle, type Place } from "../proof/poker";
import type { SessionOf } from "../table/session.svelte";
import { TABLE_TITLE } from "../../texts/learn";

export interface ScriptedHand {
  cards: number[];
  dealer: number[];
}

/** The one place that is taken. */
const PLACE = 1;
const STACK = 10_000;
const PACE = { pause: 0, offer: 0, bets: 0, moves: 0 };

type Bets = Extract<Command, { type: "place_wagers" }>["wagers"];

export class ScriptedSession implements SessionOf<PokerRules> {
  view = $state.raw<TableView>()!;
  own = $state.raw<Own>({ place: PLACE });
  readonly late = "";
  readonly ruling = "";
  readonly skew = 0;
  #stack = STACK;
  #round = 0;
  #hand: ScriptedHand | null = null;
  #bets: NonNullable<Bets> = [];
  /** Called when the table has changed. */
  onView: () => void = () => undefined;
  /** Called before a move; a move that it refuses is not made. */
  allows: (move: Move) => boolean = () => true;
  /** Called when the player wants to leave the table. */
  onLeave: () => void = () => undefined;
  /** What the hand before came to. */
  settled = $state.raw<Place | null>(null);

  constructor(
    readonly rules: PokerRules,
    readonly player: string,
  ) {
    this.#show("between");
  }

  readonly rulesOf = () => this.rules;
  readonly onSettled = () => undefined;

  /** Open bets for a hand. */
  deal(hand: ScriptedHand) {
    this.#hand = hand;
    this.#bets = [];
    this.#round += 1;
    this.own = { place: PLACE };
    this.#show("betting", { round: this.#betting() });
  }

  readonly ask: Ask = async (command) => {
    if (command.type === "place_wagers" && this.view.phase === "betting")
      return this.#placeBets(command.wagers ?? []);
    if (command.type === "choose" && this.view.phase === "deciding")
      return this.allows(command.move) && this.#settle(command.move);
    if (command.type === "leave") this.onLeave();
    return false;
  };

  #placeBets(bets: NonNullable<Bets>): boolean {
    this.#bets = bets;
    this.#stack -= bets.reduce((sum, bet) => sum + bet.cents, 0);
    const { cards } = this.#hand!;
    this.own = { place: PLACE, hand: PLACE, cards };
    const up = this.rules.document.up ?? 0;
    const dealer = this.#hand!.dealer.map((card, index) => (index < up ? card : null));
    this.#show("deciding", { round: { ...this.#betting(), hands: [this.#handView()], dealer } });
    return true;
  }

  #settle(move: Move): boolean {
    const { cards, dealer } = this.#hand!;
    const hand = { place: PLACE, seat: PLACE, wagers: this.#bets, move };
    const { document: rulebook } = this.rules;
    const table = { rulebook, bank: null, first: null, places: [PLACE], hands: [hand] };
    const place = settle({ ...table, cards: [...cards, ...dealer] }).places[0]!;
    this.#stack += place.net + this.#bets.reduce((sum, bet) => sum + bet.cents, 0);
    this.settled = place;
    this.own = { place: PLACE, last_hand: PLACE, last_cards: cards };
    const round = { ...this.#betting(), hands: [{ ...this.#handView(), move }], dealer };
    const end = { round: this.#round, at: 0, seed: "", places: [place], net: -place.net };
    this.#show("between", {
      last: {
        round,
        end: { type: "round.settled/1", ...end },
        players: { [PLACE]: this.player },
      },
    });
    return true;
  }

  #betting(): RoundView {
    return { round: this.#round, commitment: `lesson/${this.#round}`, hands: [] };
  }

  #handView() {
    return { place: PLACE, seat: PLACE, wagers: this.#bets, cards: this.#hand!.cards };
  }

  #show(phase: TableView["phase"], change: Partial<TableView> = {}) {
    const { digest, game } = this.rules;
    this.view = {
      table: "learn",
      version: (this.view?.version ?? 0) + 1,
      title: TABLE_TITLE,
      game,
      digest,
      fees: [],
      settings: { places: 1, pace: PACE, silence: "fold", least_bank: 0, bots: false },
      phase,
      untimed: true,
      next_round: this.#round + 1,
      places: [{ place: PLACE, player: this.player, stack: this.#stack }],
      ...(this.view?.last && phase !== "between" ? { last: this.view.last } : {}),
      ...change,
    };
    this.onView();
  }
}
