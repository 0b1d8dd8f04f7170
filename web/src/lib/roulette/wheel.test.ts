import { expect, test } from "vitest";
import { data } from "../../../testing/data";
import type { SettledBet } from "../net/protocol";
import { aside, became, spotName } from "../text/wager_names";
import { around, colour, fate, namesNumbers, pocketList, pocketWords } from "./wheel";

const { rules } = data;
const wheels = [rules.roulette, rules["roulette-european"], rules["roulette-american"]];

test("a wheel has every pocket once, and red and black take turns but for the zeros", () => {
  for (const { pockets } of [
    ...wheels,
    {
      pockets: [
        "0",
        "00",
        "000",
        ...wheels[0]!.pockets.filter((pocket) => colour(pocket) !== "green"),
      ],
    },
  ]) {
    const order = around(pockets);
    expect([...order].sort()).toEqual([...pockets].sort());
    const colours = order.map(colour);
    for (const [n, one] of colours.entries()) {
      const next = colours[(n + 1) % colours.length]!;
      if (one !== "green" && next !== "green") expect(next).not.toBe(one);
    }
  }
});

test("colours are those of the rulebook's red and black", () => {
  const spots = rules["roulette-european"].spots;
  for (const name of ["red", "black"] as const) {
    const { pockets } = spots.find((spot) => spot.spot === name)!;
    expect(pockets).toHaveLength(18);
    expect(new Set(pockets.map(colour))).toEqual(new Set([name]));
  }
});

test("pockets have words", () => {
  expect(["17", "18", "19", "00"].map(pocketWords)).toEqual([
    "17, black, odd, low",
    "18, red, even, low",
    "19, red, odd, high",
    "00, green",
  ]);
});

test.each([
  [["17", "20"], "17 and 20"],
  [["16", "17", "18"], "16 to 18"],
  [["16", "17"], "16 and 17"],
  [["0", "00", "2"], "0, 00 and 2"],
  [["0", "1", "2", "3"], "0 and 1 to 3"],
  [["1", "2", "3", "7", "8", "9"], "1 to 3 and 7 to 9"],
])("%j is %s", (pockets, text) => {
  expect(pocketList(pockets)).toBe(text);
});

test("every spot of a rulebook has a name of its own", () => {
  for (const { spots } of wheels) {
    const names = spots.map((spot) => spotName(spot.spot));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Z0-9]/);
  }
  expect(
    ["low", "dozen 1", "split 17 20", "straight 0", "first_four", "pair_plus"].map(spotName),
  ).toEqual(["1 to 18", "1st 12", "Split 17 and 20", "Straight 0", "First four", "Pair Plus"]);
  const [split, red] = ["split 17 20", "red"].map((name) =>
    rules["roulette-european"].spots.find((spot) => spot.spot === name)!,
  );
  expect([namesNumbers(split!), namesNumbers(red!)]).toEqual([true, false]);
});

const bet = (change: Partial<SettledBet>): SettledBet => ({
  player: "1",
  bet: "red",
  stake: 500,
  net: 0,
  clause: "RO-10",
  ...change,
});

test.each([
  [{ net: 500 }, "wins $5.00", "wins $5.00", ""],
  [{ net: -500 }, "loses $5.00", "loses $5.00", ""],
  [
    { net: -250 },
    "loses $2.50, and $2.50 is returned",
    "loses $2.50, and $2.50 is returned",
    "$2.50 returned",
  ],
  [{ net: 0 }, "is returned: $5.00", "is returned: $5.00", "returned"],
  [{ net: 0, in_prison: true }, "is free: $5.00 is returned", "is returned: $5.00", "returned"],
  [
    { net: 0, held: 500 },
    "is held: the next spin frees its $5.00 or takes it",
    "is held for the next spin: $5.00",
    "held for the next spin",
  ],
])("a bet that came to %j", (change, sentence, line, beside) => {
  expect(fate(bet(change), rules["roulette-european"])).toBe(sentence);
  expect(became(bet(change))).toBe(line);
  expect(aside(bet(change))).toBe(beside);
});

test("a held bet says what a second zero does to it", () => {
  const says = (second_zero: "half" | "stay") => {
    const book = rules["roulette-european"];
    const zero = { ...book.document.zero!, second_zero };
    return fate(bet({ held: 500 }), { ...book, document: { ...book.document, zero } });
  };
  expect(says("half")).toBe(
    "is held: the next spin frees its $5.00, takes it, or on a zero takes half of it",
  );
  expect(says("stay")).toBe(
    "is held: the next spin frees its $5.00, takes it, or on a zero holds it again",
  );
});
