/** What cards and hands are called. */

export const RANK_NAMES = [
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "jack",
  "queen",
  "king",
  "ace",
] as const;

export const SUIT_NAMES = ["clubs", "diamonds", "hearts", "spades"] as const;

/** "two of spades" */
export const cardOf = (rank: string, suit: string) => `${rank} of ${suit}`;

/** "a king", "an eight" */
export const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

/** "sixes" */
export const plural = (rank: string) => (rank === "six" ? "sixes" : `${rank}s`);

export const high = (rank: string) => `${rank}-high`;
export const pairOf = (rank: string) => `pair of ${plural(rank)}`;
export const threeOf = (rank: string) => `three of a kind, ${plural(rank)}`;
export const straight = (top: string) => `${high(top)} straight`;
export const straightFlush = (top: string) => `${high(top)} straight flush`;
export const flush = (ranks: string) => `${ranks} flush`;
export const ROYAL_FLUSH = "royal flush";

/** "pair of tens with a four" */
export const withKicker = (pair: string, kicker: string) => `${pair} with ${withArticle(kicker)}`;

/** Kinds of hands as they stand in a sentence: "a pair", "three of a kind". */
export function oneOfKind(kind: string): string {
  const name = kind.replaceAll("_", " ");
  return kind === "three_of_a_kind" || kind === "high_card" ? name : withArticle(name);
}
