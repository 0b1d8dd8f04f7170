/** Rulebooks, and what a room says of them. docs/rulebook.md describes their keys. */
import type {
  AnteBonusTable,
  PokerDocument,
  RouletteDocument,
  SideBetTable,
} from "../../generated/rulebook";
import type * as server from "../../generated/server";

export type { BetRow, FeesTable, LimitsTable as Limits, RateRow } from "../../generated/rulebook";
export type {
  BettingTermsLine as Betting,
  SpotLine as Spot,
  WagerTermsLine as Terms,
} from "../../generated/server";

export type PokerBook = PokerDocument;
/** A wheel has no banker among its players, and no fees. */
export type WheelBook = RouletteDocument & { banker?: never; bank?: never; fees?: never };
export type Rulebook = PokerBook | WheelBook;

/** The side bets that a game may have, in the order the felt prints them. */
export const SIDES = ["bonus", "pair_plus"] as const;

/** A side bet, or a bonus: what it pays by the class of the hand. */
export type PayTable = SideBetTable | AnteBonusTable;

/** What a wager pays; nothing for one that has no pay table. */
export const payTable = (book: PokerBook, wager: string): PayTable | undefined =>
  wager === "bonus" || wager === "pair_plus" || wager === "ante_bonus" ? book[wager] : undefined;

/** What only the rules of a table have: how they differ from the standard ones, and its fees. */
type OfTable = Pick<
  server.TableRules,
  "settings" | "differences" | "standard" | "is_custom" | "schedule" | "edges" | "shipped_edges"
>;

/** A rulebook: `document` is the file itself; `clauses` and `assumptions` have their words as it reads them. */
type RulesOf<Document extends Rulebook> = Omit<server.Rules, "game" | "document" | "choices"> &
  Partial<OfTable> & {
    game: Document["game"];
    document: Document;
  };

export type PokerRules = RulesOf<PokerBook>;
/** The rules of a wheel list its pockets, zeros first, and every spot. */
export type WheelRules = RulesOf<WheelBook> & Required<Pick<server.Rules, "pockets" | "spots">>;
export type Rules = PokerRules | WheelRules;
