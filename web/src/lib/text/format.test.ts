import { expect, test } from "vitest";
import {
  bareName,
  chipFace,
  complaint,
  dollars,
  gain,
  list,
  money,
  readDollars,
  sentence,
  tableTitle,
  wagerName,
  within,
} from "./format";

test.each([
  [0, "$0.00", "$0"],
  [5, "$0.05", "$0.05"],
  [250, "$2.50", "$2.50"],
  [100_000, "$1,000.00", "$1,000"],
  [-1_234_567, "−$12,345.67", "−$12,345.67"],
])("%i cents are %s, and %s in a sentence", (cents, exact, short) => {
  expect(money(cents)).toBe(exact);
  expect(dollars(cents)).toBe(short);
});

test("a gain has its sign", () => {
  expect([150, 0, -150].map(gain)).toEqual(["+$1.50", "$0.00", "−$1.50"]);
});

test.each([
  ["5", 500],
  [" 5. ", 500],
  [".5", 50],
  ["2.5", 250],
  ["2,50", 250],
  ["12,50", 1250],
  ["1,00", 100],
  ["1,5", 150],
  ["$1,000", 100_000],
  ["$ 7", 700],
  ["1,234.5", 123_450],
  ["1,234,567.89", 123_456_789],
  ["1234567", 123_456_700],
  ["0", 0],
  ["0.505", 50.5],
])("%o is read as %d cents", (text, cents) => {
  expect(readDollars(text)).toBeCloseTo(cents, 6);
});

test.each([
  "0x10",
  "1e3",
  "1,000,50",
  "1.000,50",
  "1,0000",
  "0,500",
  "-5",
  "five",
  "",
  " ",
  "$",
  ".",
  "5 5",
  "1,23,456",
  "٥",
])("%o is no amount", (text) => {
  expect(readDollars(text)).toBeNaN();
});

test("what is written as money is read as that money", () => {
  const amounts = Array.from({ length: 20_000 }, (_, n) => 37 * n);
  expect(amounts.filter((cents) => readDollars(money(cents)) !== cents)).toEqual([]);
  expect(amounts.filter((cents) => readDollars(dollars(cents)) !== cents)).toEqual([]);
});

test("an amount is brought within its limits", () => {
  expect([50, 500, 5000].map((cents) => within(cents, 100, 1000))).toEqual([100, 500, 1000]);
  expect(within(50, 100, 20)).toBe(20); // where nothing is allowed, all there is
});

test("chips have short faces", () => {
  expect([25, 100, 250, 2500, 100_000, 150_000, 10_000_000].map(chipFace)).toEqual([
    "0.25",
    "1",
    "2.5",
    "25",
    "1k",
    "1.5k",
    "100k",
  ]);
});

test("words are joined as in a sentence", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(list)).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
});

test("what the room says becomes a sentence", () => {
  expect(complaint(new Error("there is no table 'x'"))).toBe("There is no table 'x'.");
  expect(complaint(new Error("Really?"))).toBe("Really?");
  expect(sentence("")).toBe("");
});

test("wagers and bots have names", () => {
  expect(["pair_plus", "ante_bonus", "split 1 2"].map(wagerName)).toEqual([
    "Pair Plus",
    "Ante bonus",
    "split 1 2",
  ]);
  expect(["Ann", "Bo (bot)", "(bot) Cy"].map(bareName)).toEqual(["Ann", "Bo", "(bot) Cy"]);
});

test.each([
  ["california", "California"],
  ["nora's table", "Nora's Table"],
  ["roulette-european", "Roulette-European"],
  ["The Late Game", "The Late Game"],
  ["élan 3", "Élan 3"],
])("a table called %s is written %s", (name, title) => {
  expect(tableTitle(name)).toBe(title);
});
