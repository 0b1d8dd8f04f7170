/** The levels of the trainer, as data: what is dealt, and what is asked about it. */

/** What is asked of a seat, in this order; `bank_fee` is asked once, at the end of a round. */
export const ASKS = [
  "order",
  "outcome",
  "amount",
  "back",
  "ante_bonus",
  "side",
  "fee",
  "bank_fee",
] as const;
export type Ask = (typeof ASKS)[number];

/** What a round must have in it; rounds take turns at the aims of their level. */
export type Aim =
  | "ahead"
  | "behind"
  | "level"
  | "short_ahead"
  | "short_behind"
  | "short"
  | "every_rate"
  | "lost_in_part"
  | "paid_in_part"
  | "not_reached"
  | "forfeit"
  | "side_only"
  | "bonus_and_loss"
  | Kind;
/** Classes of hands that a bonus pays. */
export type Kind =
  "pair" | "flush" | "straight" | "three_of_a_kind" | "straight_flush" | "royal_flush";

/** Bets from one amount to another in steps, in cents. */
export type Stakes = readonly [min: number, max: number, step: number];

export interface CardLevel {
  id: number;
  game: "cards";
  /** Rounds take turns at the rulebooks. */
  books: readonly string[];
  /** Readings that differ from those of the rulebook. */
  set?: Record<string, string>;
  seats: number;
  /** Whether action starts at a seat that is drawn, rather than at seat 1. */
  drawnFirst?: boolean;
  asks: readonly Ask[];
  /** By rulebook: what players bet on the Ante and on the side bet, if they bet there. */
  ante: Record<string, readonly Stakes[]>;
  side?: Record<string, Stakes>;
  /** Of ten hands so many fold. */
  folds?: number;
  /** Whether the bank runs out. */
  shortBank?: boolean;
  /** By rulebook. */
  aims: Record<string, readonly Aim[]>;
}

export interface WheelLevel {
  id: number;
  game: "wheel";
  books: readonly string[];
  /** One bet at a time, or all bets around a number. */
  deals: "one" | "picture";
  /** How many are asked in a round. */
  spins: number;
  /** At most so many chips on a spot. */
  chips: number;
}
export type Level = CardLevel | WheelLevel;

/** So many rounds make a run, with a summary at its end. */
export const ROUNDS = 10;

const DUEL = ["ahead", "behind", "level", "short_ahead", "short_behind"] as const;
const CLASSES = ["pair", "flush", "straight", "three_of_a_kind", "straight_flush"] as const;
const california = { game: "cards", books: ["california"] } as const;
const FIVES = { california: [[500, 10_000, 500]] } as const;

export const LEVELS: readonly Level[] = [
  {
    ...california,
    id: 1,
    seats: 1,
    asks: ["outcome", "amount"],
    ante: FIVES,
    aims: { california: DUEL },
  },
  {
    ...california,
    id: 2,
    seats: 3,
    asks: ["outcome", "amount"],
    ante: FIVES,
    aims: { california: DUEL },
  },
  {
    ...california,
    id: 3,
    seats: 3,
    asks: ["outcome", "amount", "fee", "bank_fee"],
    ante: {
      california: [
        [500, 10_000, 500],
        [11_000, 30_000, 1_000],
        [35_000, 100_000, 5_000],
      ],
    },
    aims: { california: ["every_rate", ...DUEL] },
  },
  {
    ...california,
    id: 4,
    set: { "bank.first": "drawn" },
    seats: 10,
    drawnFirst: true,
    asks: ["order", "outcome", "amount"],
    ante: FIVES,
    aims: { california: ["ahead", "behind", "level", "short"] },
  },
  {
    ...california,
    id: 5,
    seats: 6,
    asks: ["outcome", "amount", "back"],
    ante: FIVES,
    folds: 2,
    shortBank: true,
    aims: { california: ["lost_in_part", "paid_in_part", "not_reached"] },
  },
  {
    ...california,
    id: 6,
    books: ["california", "house"],
    seats: 5,
    asks: ["ante_bonus", "side"],
    ante: { ...FIVES, house: [[100, 400, 100]] },
    side: { california: [500, 5_000, 500], house: [100, 400, 100] },
    folds: 2,
    aims: {
      california: [...CLASSES, "royal_flush", "forfeit"],
      house: [...CLASSES, "side_only", "bonus_and_loss"],
    },
  },
  {
    id: 7,
    game: "cards",
    books: ["house"],
    seats: 7,
    asks: ["outcome", "amount", "ante_bonus", "side"],
    ante: { house: [[100, 400, 50]] },
    side: { house: [100, 400, 50] },
    folds: 2,
    aims: { house: ["ahead", "behind", "level", "short", "side_only", "bonus_and_loss"] },
  },
  { id: 8, game: "wheel", books: ["roulette-european"], deals: "one", spins: 5, chips: 20 },
  { id: 9, game: "wheel", books: ["roulette-european"], deals: "picture", spins: 3, chips: 5 },
];

export const levelOf = (id: number) => LEVELS.find((level) => level.id === id);
