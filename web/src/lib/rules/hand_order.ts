/** The classes of hands that a rulebook ranks, best first, each with three cards as an example. */
import { parseCards } from "../history/rounds";
import type { PokerRules } from "../net/rulebook";

/** By the names that rulebooks use, best first. */
const EXAMPLES = [
  ["royal_flush", "As Ks Qs"],
  ["straight_flush", "Js Ts 9s"],
  ["three_of_a_kind", "7h 7c 7d"],
  ["straight", "6h 5s 4c"],
  ["flush", "Ad 9d 3d"],
  ["pair", "Qs Qh 8c"],
  ["high_card", "Kh 9c 4s"],
] as const;

export interface HandClass {
  kind: string;
  cards: number[];
}

export const handOrder = ({ document }: PokerRules): HandClass[] =>
  EXAMPLES.filter(([kind]) => kind !== "royal_flush" || document.royal_flush).map(
    ([kind, cards]) => ({ kind, cards: parseCards(cards) }),
  );
