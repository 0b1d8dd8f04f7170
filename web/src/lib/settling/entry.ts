/** A hand that was dealt with real cards, as it is entered; and as a line of the settle format. */
import { SIDES, type Betting, type PokerBook } from "../net/rulebook";
import { cardText } from "../poker/hands";
import { parseCards } from "../history/rounds";
import { isRecord } from "../ui/stored";
import type { Stakes } from "../bets/stakes";

export type Move = "play" | "fold";

export const KINDS = [
  "misdeal",
  "exposed_player",
  "exposed_dealer",
  "wrong_cards",
  "foul_deck",
  "outside_limits",
] as const;
export type Kind = (typeof KINDS)[number];

/** Something that went wrong: with the round, with a seat's hand, or with one of its wagers. */
export interface Irregularity {
  kind: Kind;
  seat?: number;
  wager?: string;
}

export interface EnteredSeat {
  seat: number;
  stakes: Stakes;
  /** None until they are entered; where nothing depends on them they may stay unknown. */
  cards: readonly number[];
  move?: Move;
}

export interface Entry {
  /** The up card first; none until they are entered. */
  dealer: readonly number[];
  /** Where a player banks. */
  bank?: number;
  /** The seat where action starts, where a player banks. */
  first: number;
  seats: readonly EnteredSeat[];
  irregularities: readonly Irregularity[];
}

/** What a desk needs of a rulebook: the file itself, and the terms of its bets. */
export interface DeskRules {
  document: PokerBook;
  betting: Betting;
}

const SPOTS = ["ante", ...SIDES] as const;

/** The spots of a rulebook, in the order in which a felt prints them. */
export const spotsOf = ({ betting }: DeskRules) => SPOTS.filter((spot) => betting.wagers[spot]);

/** The bets of a seat in that order. */
export const betsOf = (stakes: Stakes) =>
  SPOTS.filter((spot) => stakes[spot]).map((spot) => ({ spot, cents: stakes[spot]! }));

// The settle format

export interface SeatLine {
  seat: number;
  cards?: string;
  ante?: number;
  bonus?: number;
  pair_plus?: number;
  move?: Move;
}

/** A round as `queenhigh settle` reads it. */
export interface Line {
  id?: string;
  dealer?: string;
  bank?: number;
  first?: number;
  seats: SeatLine[];
  irregularities?: Irregularity[];
}

const written = (cards: readonly number[]) => cards.map(cardText).join(" ");

/** Return an entry in the settle format, without what was not entered. */
export function lineOf(entry: Entry): Line {
  const { dealer, bank, first, seats, irregularities } = entry;
  return {
    ...(dealer.length ? { dealer: written(dealer) } : {}),
    ...(bank === undefined ? {} : { bank, first }),
    seats: seats.map(({ seat, cards, stakes, move }) => ({
      seat,
      ...(cards.length ? { cards: written(cards) } : {}),
      ...Object.fromEntries(betsOf(stakes).map(({ spot, cents }) => [spot, cents])),
      ...(move ? { move } : {}),
    })),
    ...(irregularities.length ? { irregularities: [...irregularities] } : {}),
  };
}

/** Return a line of the settle format as an entry. */
export function entryOf(line: Line): Entry {
  return {
    dealer: parseCards(line.dealer),
    bank: line.bank,
    first: line.first ?? 1,
    seats: line.seats.map(({ seat, cards, move, ...stakes }) => ({
      seat,
      stakes: { ...stakes },
      cards: parseCards(cards),
      move,
    })),
    irregularities: line.irregularities ?? [],
  };
}

/** Whether a value has the form of a line that a desk writes, whether its hand is possible or not. */
export function isLine(value: unknown): value is Line {
  if (!isRecord(value)) return false;
  const { dealer, bank, first, seats, irregularities = [] } = value;
  if (!Array.isArray(seats) || !seats.every(isSeat)) return false;
  if (new Set(seats.map(({ seat }) => seat)).size < seats.length) return false;
  if (!Array.isArray(irregularities) || !irregularities.every(isIrregularity)) return false;
  return isHand(dealer) && [bank, first].every(isNumber);
}

const isText = (value: unknown) => value === undefined || typeof value === "string";
const isHand = (value: unknown) =>
  value === undefined || /^[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs])*$/.test(String(value));
const isNumber = (value: unknown) => value === undefined || typeof value === "number";

function isSeat(value: unknown): value is SeatLine {
  if (!isRecord(value)) return false;
  const { seat, cards, move, ...stakes } = value;
  const isMove = move === undefined || move === "play" || move === "fold";
  return (
    Number.isSafeInteger(seat) && isHand(cards) && isMove && Object.values(stakes).every(isNumber)
  );
}

const isIrregularity = (value: unknown): value is Irregularity =>
  isRecord(value) &&
  KINDS.includes(value["kind"] as Kind) &&
  isNumber(value["seat"]) &&
  isText(value["wager"]);
