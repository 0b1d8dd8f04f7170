/** Three-card hands: what they are, in words, and which of two is better. */
import { list } from "../text/format";

export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"] as const;
const SUITS = ["clubs", "diamonds", "hearts", "spades"] as const;
export const RANK_NAMES = [
  "deuce",
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

/** From worst to best, by the names that rulebooks use. */
const KINDS = [
  "high_card",
  "pair",
  "flush",
  "straight",
  "three_of_a_kind",
  "straight_flush",
  "royal_flush",
] as const;
type Kind = (typeof KINDS)[number];

export const rank = (card: number) => card >> 2;
export const suit = (card: number) => card & 3;
const rankName = (card: number) => RANK_NAMES[rank(card)]!;
export const cardName = (card: number) => `${rankName(card)} of ${SUITS[suit(card)]}`;
/** A card as people and programs write it: `Qs`. */
export const cardText = (card: number) =>
  `${RANKS[rank(card)]!.replace("10", "T")}${SUITS[suit(card)]![0]}`;

/** Cards in a sentence about what is shown: "a king", "a king and an eight"; nothing for none. */
export const cardsShown = (cards: readonly number[]) => list(cards.map(rank).map(shown));

export interface Hand {
  kind: Kind;
  /** Ranks in the order they count, highest first. */
  ranks: number[];
}

export function handOf(cards: readonly number[], aceLow = true): Hand {
  const ranks = cards.map(rank).sort((a, b) => b - a);
  const [a, b, c] = ranks as [number, number, number];
  const flush = new Set(cards.map(suit)).size === 1;
  const wheel = aceLow && a === 12 && b === 1 && c === 0;
  const straight = wheel || (a === b + 1 && b === c + 1);
  if (flush && straight)
    return {
      kind: a === 12 && b === 11 ? "royal_flush" : "straight_flush",
      ranks: wheel ? [1, 0, -1] : ranks,
    };
  if (a === b && b === c) return { kind: "three_of_a_kind", ranks };
  if (straight) return { kind: "straight", ranks: wheel ? [1, 0, -1] : ranks };
  if (flush) return { kind: "flush", ranks };
  if (a === b) return { kind: "pair", ranks: [a, c] };
  if (b === c) return { kind: "pair", ranks: [b, a] };
  return { kind: "high_card", ranks };
}

/** More than 0 if the first hand is better, less if the second is, 0 if they are level. */
export function compare(cards: readonly number[], other: readonly number[], aceLow = true): number {
  const [a, b] = [handOf(cards, aceLow), handOf(other, aceLow)];
  // A royal flush is the best straight flush, whether or not it is paid by itself.
  const byKind = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
  if (byKind) return byKind;
  for (let index = 0; index < a.ranks.length; index++) {
    const apart = a.ranks[index]! - b.ranks[index]!;
    if (apart) return apart;
  }
  return 0;
}

const plural = (r: number) => (r === 4 ? "sixes" : `${RANK_NAMES[r]}s`);
/** What a rank is called in front of "-high" and in a straight from an ace that counts low. */
const name = (r: number) => RANK_NAMES[r < 0 ? 12 : r]!;

/** What three cards are, in words: "a pair of tens", "queen-high". */
export function handName(cards: readonly number[], aceLow = true): string {
  const { kind, ranks } = handOf(cards, aceLow);
  const top = ranks[0]!;
  switch (kind) {
    case "royal_flush":
      return "a royal flush";
    case "straight_flush":
      return `a straight flush to the ${name(top)}`;
    case "three_of_a_kind":
      return `three ${plural(top)}`;
    case "straight":
      return `a straight to the ${name(top)}`;
    case "flush":
      return `a flush, ${name(top)}-high`;
    case "pair":
      return `a pair of ${plural(top)}`;
    default:
      return `${name(top)}-high`;
  }
}

const shown = (r: number) => `${/^[ae]/.test(name(r)) ? "an" : "a"} ${name(r)}`;

/** A hand down to its last card: "king-ten-four", "a pair of tens with a four". */
function wholeName(cards: readonly number[], aceLow = true): string {
  const { kind, ranks } = handOf(cards, aceLow);
  if (kind === "pair") return `${handName(cards, aceLow)} with ${shown(ranks[1]!)}`;
  if (kind === "flush") return `a flush, ${ranks.map(name).join("-")}`;
  return kind === "high_card" ? ranks.map(name).join("-") : handName(cards, aceLow);
}

/** What two hands are called: by the cards that decide where both go by the same name. */
export function namesApart(
  cards: readonly number[],
  other: readonly number[],
  aceLow = true,
): [string, string] {
  const alike =
    handName(cards, aceLow) === handName(other, aceLow) && compare(cards, other, aceLow) !== 0;
  const named = alike ? wholeName : handName;
  return [named(cards, aceLow), named(other, aceLow)];
}

export const kindName = (kind: string) => kind.replaceAll("_", " ");
