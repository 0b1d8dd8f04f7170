/** Names that other texts are made of: bets by their keys, the print on a layout, words that join. */

/** Bets of Three Card Poker, by the keys they are sent with. */
export const WAGERS: Record<string, string> = {
  ante: "Ante",
  play: "Play",
  bonus: "Bonus",
  pair_plus: "Pair Plus",
  ante_bonus: "Ante bonus",
};

const LOW = "1 to 18";
const HIGH = "19 to 36";
export const DOZENS = ["1st 12", "2nd 12", "3rd 12"] as const;

/** Bets of roulette that a layout prints differently from their keys. */
export const PRINTED: Record<string, string> = {
  low: LOW,
  high: HIGH,
  "dozen 1": DOZENS[0],
  "dozen 2": DOZENS[1],
  "dozen 3": DOZENS[2],
  five: "Five numbers",
};

/** Even-money bets as a layout prints them. */
export const CHANCES = { even: "Even", odd: "Odd", low: LOW, high: HIGH } as const;

/** A seat by its number, also where its player's name is not known. */
export const seatName = (place: number | string) => `Seat ${place}`;

/** "a, b and c": the end of a list. */
export const and = (others: string, last: string) => `${others} and ${last}`;
/** "16 to 18" */
export const range = (low: string, high: string) => `${low} to ${high}`;
