/** Three-card hands: what they are, in words, and which of two is better. */
import * as words from "../../texts/cards";
import { list } from "../text/format";

export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"] as const;
export const RANK_NAMES = words.RANK_NAMES;
const SUITS = words.SUIT_NAMES;

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
export const cardName = (card: number) => words.cardOf(rankName(card), SUITS[suit(card)]!);
/** A card as people and programs write it: `Qs`. */
export const cardText = (card: number) =>
  `${RANKS[rank(card)]!.replace("10", "T")}${SUITS[suit(card)]![0]}`;

/** Cards in a sentence about what is shown: "a king", "a king and an eight"; nothing for none. */
export const cardsShown = (cards: readonly number[]) =>
  list(cards.map((card) => words.withArticle(rankName(card))));

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

/** What a rank is called; below the two is an ace that counts low. */
const name = (r: number) => RANK_NAMES[r < 0 ? 12 : r]!;
const joined = (ranks: readonly number[]) => ranks.map(name).join("-");

/** Hands that are called by their ranks alone, or by a number, have no article. */
const HAS_ARTICLE: Record<Kind, boolean> = {
  high_card: false,
  pair: true,
  flush: true,
  straight: true,
  three_of_a_kind: false,
  straight_flush: true,
  royal_flush: true,
};

/** What three cards are without an article, for "your pair of tens", "the dealer's queen-high". */
export function bareHandName(cards: readonly number[], aceLow = true): string {
  const { kind, ranks } = handOf(cards, aceLow);
  const top = name(ranks[0]!);
  switch (kind) {
    case "royal_flush":
      return words.ROYAL_FLUSH;
    case "straight_flush":
      return words.straightFlush(top);
    case "three_of_a_kind":
      return words.threeOf(top);
    case "straight":
      return words.straight(top);
    case "flush":
      return words.flush(words.high(top));
    case "pair":
      return words.pairOf(top);
    default:
      return words.high(top);
  }
}

/** A hand down to its last card: "king-ten-four", "pair of tens with a four". */
function wholeName(cards: readonly number[], aceLow: boolean): string {
  const { kind, ranks } = handOf(cards, aceLow);
  const bare = bareHandName(cards, aceLow);
  if (kind === "pair") return words.withKicker(bare, name(ranks[1]!));
  if (kind === "flush") return words.flush(joined(ranks));
  return kind === "high_card" ? joined(ranks) : bare;
}

const withArticle = (cards: readonly number[], aceLow: boolean, bare: string) =>
  HAS_ARTICLE[handOf(cards, aceLow).kind] ? words.withArticle(bare) : bare;

/** What three cards are, in words: "a pair of tens", "queen-high", "a three-high straight". */
export const handName = (cards: readonly number[], aceLow = true): string =>
  withArticle(cards, aceLow, bareHandName(cards, aceLow));

/** What two hands are called, without articles: down to the last card where both go by one name. */
export function bareNamesApart(
  cards: readonly number[],
  other: readonly number[],
  aceLow = true,
): [string, string] {
  const alike =
    bareHandName(cards, aceLow) === bareHandName(other, aceLow) &&
    compare(cards, other, aceLow) !== 0;
  const named = alike ? wholeName : bareHandName;
  return [named(cards, aceLow), named(other, aceLow)];
}

/** The same with articles: "a pair of nines with a five". */
export function namesApart(
  cards: readonly number[],
  other: readonly number[],
  aceLow = true,
): [string, string] {
  const [mine, theirs] = bareNamesApart(cards, other, aceLow);
  return [withArticle(cards, aceLow, mine), withArticle(other, aceLow, theirs)];
}

export const kindName = (kind: string) => kind.replaceAll("_", " ");
