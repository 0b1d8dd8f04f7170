import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { fanOf } from "./fan";
import { decimal, fraction, plain, times } from "../odds/fraction";
import {
  bankCommand,
  breakEven,
  correlation,
  evenBook,
  playersEdge,
  readTerms,
  usualInputs,
} from "./terms";

const { figures, books } = data.bank;
const usual = usualInputs(figures);
const terms = readTerms(usual, figures).terms!;
const full = books[1]!;

describe("the Bank tab", () => {
  test("starts with a full table at the least Ante", () => {
    expect(terms).toEqual({ seats: 10, ante: 500, side: 0, bank: null, rounds: 40, hours: 8 });
    expect(full.seats.length).toBe(10);
  });

  test("has the book that the command line prints", () => {
    const book = evenBook(figures, terms);
    expect(plain(book.mean)).toBe(plain(times(fraction(full.ev), 500)));
    expect(plain(breakEven(book, terms)!)).toBe(
      plain(times(fraction(full.break_even_antes!), 500)),
    );
    expect(correlation(figures, terms)).toBeCloseTo(
      Number(decimal(fraction(full.correlation), 12)),
    );
    expect(plain(playersEdge(book, terms))).toBe(full.player_edge_after_fee);
  });

  test("never breaks even where players have the edge", () => {
    const gift = { ...figures, ante: { ...figures.ante, mean: "-1/100" } };
    expect(breakEven(evenBook(gift, terms), terms)).toBeNull();
  });

  test.each([
    ["seats", "11", "1 to 10 seats."],
    ["seats", "", "1 to 10 seats."],
    ["ante", "4", "$5 to $1,000."],
    ["ante", "much", "$5 to $1,000."],
    ["side", "0.50", "$1 to $100."],
    ["bank", "-5", "Write an amount such as $5 or $2.50."],
    ["rounds", "0", "A whole number, 1 to 1000."],
    ["hours", "25", "A whole number, 1 to 24."],
  ] as const)("explains %s = “%s”", (field, text, problem) => {
    const read = readTerms({ ...usual, [field]: text }, figures);
    expect(read).toEqual({ terms: null, problems: { [field]: problem } });
  });

  test("names a gap between fee ranges", () => {
    const [first, ...rest] = figures.player_fees["ante"]!;
    const gap = {
      ...figures,
      player_fees: { ...figures.player_fees, ante: [{ ...first!, max: 900 }, ...rest] },
    };
    expect(readTerms({ ...usual, ante: "10" }, gap).problems.ante).toContain("No fee range");
  });

  test("takes no side bet where the rules have none", () => {
    const none = { ...figures, side_bet: null, side: null };
    expect(readTerms({ ...usual, side: "5" }, none).terms?.side).toBe(0);
  });

  test("takes no bank where the house banks", () => {
    const house = { ...figures, players_bank: false };
    expect(readTerms({ ...usual, bank: "500" }, house).terms?.bank).toBeNull();
  });

  test("writes the command line", () => {
    const odds = "queenhigh odds california --set tie=win";
    expect(bankCommand(odds, { ...terms, side: 100 })).toBe(
      "queenhigh bank california --set tie=win --seats 10 --ante 5.00 --bonus 1.00 --rounds-per-hour 40 --hours 8",
    );
  });
});

describe("the picture of a night", () => {
  const ends = (points: string) => points.split(" ").map((point) => point.split(",").map(Number));

  test("starts at zero and widens with the root of the rounds", () => {
    const { usual, wide, mean, zero } = fanOf(10, 100, 400, 320, 200);
    const last = ends(mean).at(-1)!;
    expect(ends(mean)[0]).toEqual([0, zero]);
    expect(last[0]).toBe(320);
    const half = ends(usual)[32]!;
    const whole = ends(wide)[32]!;
    expect((last[1]! - whole[1]!) / (last[1]! - half[1]!)).toBeCloseTo(2, 1);
    const quarter = ends(usual)[8]!;
    expect((ends(mean)[8]![1]! - quarter[1]!) / (last[1]! - half[1]!)).toBeCloseTo(0.5, 1);
  });

  test("stays within its box when the bank loses money", () => {
    const { wide } = fanOf(-479, 3156, 320, 320, 200);
    const heights = ends(wide).map(([, y]) => y!);
    expect(Math.min(...heights)).toBeGreaterThan(0);
    expect(Math.max(...heights)).toBeLessThan(200);
  });

  test("marks round amounts with zero among them", () => {
    const { ticks, zero } = fanOf(15, 4522, 320, 320, 200);
    expect(ticks.find((tick) => tick.cents === 0)!.y).toBe(zero);
    expect(ticks.length).toBeGreaterThan(3);
    expect(ticks.length).toBeLessThan(9);
    expect(Math.abs(ticks[0]!.cents % 10_000)).toBe(0);
  });

  test("of a bank that never varies still has a height", () => {
    const { zero, ticks } = fanOf(0, 0, 10, 320, 200);
    expect(zero).toBe(100);
    expect(ticks.every((tick) => Number.isFinite(tick.y))).toBe(true);
  });
});
