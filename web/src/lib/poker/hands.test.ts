import { describe, expect, test } from "vitest";
import { parseCards } from "../history/rounds";
import {
  cardName,
  cardsShown,
  cardText,
  compare,
  handName,
  handOf,
  namesApart,
  type Hand,
} from "./hands";

const DECK = Array.from({ length: 52 }, (_, card) => card);
const HANDS = DECK.flatMap((a) =>
  DECK.slice(a + 1).flatMap((b) => DECK.slice(b + 1).map((c) => [a, b, c])),
);

const count = (aceLow: boolean) => {
  const counts: Partial<Record<Hand["kind"], number>> = {};
  for (const cards of HANDS) {
    const { kind } = handOf(cards, aceLow);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};

test("there are as many hands of each kind as combinatorics says", () => {
  expect(HANDS).toHaveLength(22_100);
  const usual = { three_of_a_kind: 13 * 4, pair: 13 * 12 * 6 * 4, royal_flush: 4 };
  // Straights to every rank from the four, or from the three with an ace that counts low.
  expect(count(true)).toEqual({
    ...usual,
    straight_flush: 11 * 4,
    straight: 12 * (4 ** 3 - 4),
    flush: 4 * (286 - 12),
    high_card: (286 - 12) * (4 ** 3 - 4),
  });
  expect(count(false)).toEqual({
    ...usual,
    straight_flush: 10 * 4,
    straight: 11 * (4 ** 3 - 4),
    flush: 4 * (286 - 11),
    high_card: (286 - 11) * (4 ** 3 - 4),
  });
});

test("a hand is the same in any order of its cards", () => {
  for (const text of ["Kh Tc 4s", "9h 9c 4s", "As 2d 3h", "Ah Kh Qh"]) {
    const [a, b, c] = parseCards(text) as [number, number, number];
    for (const other of [
      [b, a, c],
      [c, b, a],
      [b, c, a],
    ])
      expect(handOf(other)).toEqual(handOf([a, b, c]));
  }
});

describe("from worst to best", () => {
  const ORDER = [
    "5h 3d 2c",
    "Qh 6d 4c",
    "Ah Kd Jc",
    "2h 2d 3c",
    "9h 9c 3s",
    "9s 9d 4h",
    "Ah Ad Kc",
    "5h 3h 2h",
    "Kc Tc 3c",
    "Ah Kh Jh",
    "Ah 2d 3c",
    "4h 3d 2c",
    "Ah Kd Qc",
    "2h 2d 2c",
    "Ah Ad Ac",
    "As 2s 3s",
    "Kh Qh Jh",
    "Ac Kc Qc",
  ].map(parseCards);

  test("each hand beats those before it, and is level with itself", () => {
    ORDER.forEach((one, n) =>
      ORDER.forEach((other, m) => expect(Math.sign(compare(one, other))).toBe(Math.sign(n - m))),
    );
  });

  test("an ace that does not count low makes no straight with a two and a three", () => {
    const wheel = parseCards("Ah 2d 3c");
    expect(compare(wheel, parseCards("2h 2d 3c"), false)).toBeLessThan(0);
    expect(compare(wheel, parseCards("Kh Qd Tc"), false)).toBeGreaterThan(0);
  });

  test("suits are equal", () => {
    expect(compare(parseCards("Kh 8d 4c"), parseCards("Ks 8s 4h"))).toBe(0);
  });
});

test.each([
  ["Ah Kh Qh", "a royal flush"],
  ["Kh Qh Jh", "a king-high straight flush"],
  ["Ah 2h 3h", "a three-high straight flush"],
  ["6h 6d 6c", "three of a kind, sixes"],
  ["Th 9d 8c", "a ten-high straight"],
  ["Ah Kd Qc", "an ace-high straight"],
  ["8h 7d 6c", "an eight-high straight"],
  ["Kh Th 3h", "a king-high flush"],
  ["Th Td 3c", "a pair of tens"],
  ["Qh 6d 4c", "queen-high"],
])("%s is %s", (text, name) => {
  expect(handName(parseCards(text))).toBe(name);
});

test.each([
  ["Kh 9d 4c", "Ks Ts 4h", "king-nine-four", "king-ten-four"],
  ["9h 9d 5c", "9s 9c 4h", "a pair of nines with a five", "a pair of nines with a four"],
  ["9h 9d 8c", "9s 9c 4h", "a pair of nines with an eight", "a pair of nines with a four"],
  ["2h 9h Kh", "3c Tc Kc", "a king-nine-two flush", "a king-ten-three flush"],
  ["Kh 8d 4c", "Ks 8s 4h", "king-high", "king-high"],
  ["Kh 8d 4c", "As 8s 4h", "king-high", "ace-high"],
])("%s and %s are told apart", (one, other, ...names) => {
  expect(namesApart(parseCards(one), parseCards(other))).toEqual(names);
});

test("cards are named, written and read", () => {
  expect(cardName(0)).toBe("two of clubs");
  expect(cardName(51)).toBe("ace of spades");
  expect(parseCards(DECK.map(cardText).join(" "))).toEqual(DECK);
  expect(parseCards(undefined)).toEqual([]);
  expect(cardsShown([])).toBe("");
  expect(cardsShown(parseCards("Ks"))).toBe("a king");
  expect(cardsShown(parseCards("As 8d"))).toBe("an ace and an eight");
});
