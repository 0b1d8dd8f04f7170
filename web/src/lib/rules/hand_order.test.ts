import { expect, test } from "vitest";
import type { PokerRules } from "../net/rulebook";
import { compare, handOf } from "../poker/hands";
import { handOrder } from "./hand_order";

const rules = (royal: boolean) => ({ document: { royal_flush: royal } }) as PokerRules;

test("every example is a hand of its class", () => {
  for (const { kind, cards } of handOrder(rules(true))) expect(handOf(cards).kind).toBe(kind);
});

test("each example beats the next", () => {
  const hands = handOrder(rules(true)).map(({ cards }) => cards);
  hands
    .slice(1)
    .forEach((cards, index) => expect(compare(hands[index]!, cards)).toBeGreaterThan(0));
});

test("a royal flush is listed only where it is a class of its own", () => {
  expect(handOrder(rules(true))).toHaveLength(7);
  expect(handOrder(rules(false)).map(({ kind }) => kind)[0]).toBe("straight_flush");
});
