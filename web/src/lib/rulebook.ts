/** Rulebooks: of a document those keys of docs/rulebook.md that the page reads. */
import type { Rate } from "./protocol";

interface Range {
  min: number;
  max: number;
}

interface Common {
  source: string;
  clauses: { id: string; text: string }[];
  increment: number;
}

/** A side bet, or a bonus: what it pays by the class of the hand. */
export interface PayTable {
  clause: string;
  fold_clause?: string;
  on_fold?: "forfeit" | "resolve" | "pay";
  pays: Record<string, string>;
}

type Result = "win" | "push" | "lose" | "ahead";

export interface PokerBook extends Common {
  game: "three_card_poker";
  banker: "player" | "house";
  seats: number;
  up?: number;
  royal_flush?: boolean;
  ace_low?: boolean;
  qualifier: string;
  short_ante?: Result;
  tie?: Result;
  ante: { clause: string; required: boolean };
  fold: { clause: string };
  bonus?: PayTable;
  pair_plus?: PayTable;
  ante_bonus?: PayTable;
  limits?: Record<string, Range>;
  settlement: {
    clause: string;
    dealer: "short" | "qualified";
    player: ("behind" | "level" | "ahead")[];
    ante: Result | "short_ante" | "tie";
    play: Result | "short_ante" | "tie";
  }[];
  bank?: {
    clause: string;
    unmatched_clause: string;
    coverage: "action" | "net";
    first: "left" | "button" | "drawn";
  };
  fees?: {
    clause: string;
    fee_per: "round" | "wager";
    collect: "before" | "after";
    rates: Rate[];
  };
}

/** A bet on a wheel: on the same pockets always, on any place of a shape, or on one of some spots. */
export interface BetRule {
  name: string;
  aliases?: string[];
  pays: string;
  clause: string;
  covers?: (string | number)[];
  shape?: string;
  spots?: (string | number)[][];
}

export interface WheelBook extends Common {
  game: "roulette";
  banker?: never;
  bank?: never;
  fees?: never;
  zeros: number;
  limits: Range;
  bets: BetRule[];
  zero?: {
    on_zero: "lose" | "la_partage" | "en_prison";
    second_zero: "lose" | "half" | "stay";
    la_partage_clause: string;
    en_prison_clause: string;
  };
}

export type Rulebook = PokerBook | WheelBook;

/** The side bets that a game may have, in the order the felt prints them. */
export const SIDES = ["bonus", "pair_plus"] as const;

/** What a wager pays; nothing for one that has no pay table. */
export const payTable = (book: PokerBook, wager: string): PayTable | undefined =>
  wager === "bonus" || wager === "pair_plus" || wager === "ante_bonus" ? book[wager] : undefined;

// What a room says of a rulebook

/** A rulebook: `document` is the file itself, its clauses in `document.clauses`. */
interface RulesOf<Document extends Rulebook> {
  name: string;
  title: string;
  version: string;
  digest: string;
  game: Document["game"];
  /** What one wants to know before sitting down, in a line. */
  line: string;
  assumptions: {
    clause: string;
    says: string;
    key: string | null;
    value: unknown;
    others: unknown[];
  }[];
  document: Document;
}

export type PokerRules = RulesOf<PokerBook>;

/** A bet that is offered: `spot` is what a wager calls it, `bet` its kind. */
export interface Spot {
  spot: string;
  bet: string;
  pockets: string[];
  pays: string;
  clause: string;
}

/** The rules of a wheel list its pockets, zeros first, and every spot. */
export interface WheelRules extends RulesOf<WheelBook> {
  pockets: string[];
  spots: Spot[];
}

export type Rules = PokerRules | WheelRules;
