import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { LEVELS, ROUNDS, type WheelLevel } from "./levels";
import { chipsPaid, dealSpins, kindOf, paidOf, type Spin } from "./picture";
import { drawFrom } from "./random";

const rules = data.rules["roulette-european"];
const [one, pictures] = LEVELS.filter((level): level is WheelLevel => level.game === "wheel") as [
  WheelLevel,
  WheelLevel,
];
const seeds = ["a", "b", "c"];
const spinsOf = (level: WheelLevel) =>
  seeds.flatMap((seed) => dealSpins(level, rules, ROUNDS, drawFrom(seed)).flat());

/** What a bet is paid by how many numbers it has, as dealers learn it. */
const PAYS: Record<number, number> = { 1: 35, 2: 17, 3: 11, 4: 8, 6: 5, 12: 2, 18: 1 };

/** Count chip by chip, from the name of a bet alone: nothing of the page is used. */
function slowCount({ pocket, piles }: Spin): number {
  let chips = 0;
  for (const { spot, chips: high } of piles) {
    const numbers = numbersOf(spot.spot);
    for (let chip = 0; chip < high; chip++)
      if (numbers.includes(pocket)) chips += PAYS[numbers.length]!;
  }
  return chips;
}

const RED = [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36];
const OUTSIDE: Record<string, (n: number) => boolean> = {
  red: (n) => RED.includes(n),
  black: (n) => !RED.includes(n),
  even: (n) => n % 2 === 0,
  odd: (n) => n % 2 === 1,
  low: (n) => n < 19,
  high: (n) => n > 18,
  "dozen 1": (n) => n < 13,
  "dozen 2": (n) => n > 12 && n < 25,
  "dozen 3": (n) => n > 24,
  "column 1": (n) => n % 3 === 1,
  "column 2": (n) => n % 3 === 2,
  "column 3": (n) => n % 3 === 0,
};
function numbersOf(name: string): string[] {
  const covers = OUTSIDE[name];
  if (covers)
    return Array.from({ length: 36 }, (_, n) => n + 1)
      .filter(covers)
      .map(String);
  if (name === "first_four") return ["0", "1", "2", "3"];
  return name.split(" ").slice(1);
}

/** The first spin that is counted otherwise. */
const firstDifference = (count: (spin: Spin) => number) =>
  [...spinsOf(one), ...spinsOf(pictures)].find((spin) => count(spin) !== slowCount(spin));

describe("chips that are paid", () => {
  test("are those of a slow count", () => {
    const different = firstDifference((spin) => chipsPaid(rules, spin));
    expect(different).toBeUndefined();
  });

  test("are found where they are one off, or a corner is paid as a street", () => {
    expect(firstDifference((spin) => chipsPaid(rules, spin) + 1)).toBeDefined();
    const asStreet = (spin: Spin) =>
      paidOf(rules, spin).reduce(
        (sum, { spot, chips, pays }) => sum + (pays && spot.bet === "corner" ? 11 * chips : pays),
        0,
      );
    expect(firstDifference(asStreet)).toBeDefined();
  });

  test("of one chip on all bets around a number come to a full complete", () => {
    const complete = (pocket: string): Spin => ({
      pocket,
      piles: rules.spots
        .filter(({ bet }) => ["straight", "split", "street", "corner", "line"].includes(bet))
        .filter(({ pockets }) => pockets.includes(pocket))
        .map((spot) => ({ spot, chips: 1 })),
    });
    expect(chipsPaid(rules, complete("17"))).toBe(35 + 4 * 17 + 11 + 4 * 8 + 2 * 5);
    expect(chipsPaid(rules, complete("20"))).toBe(156);
    expect(chipsPaid(rules, complete("34"))).toBe(35 + 2 * 17 + 11 + 8 + 5);
  });
});

describe("spins", () => {
  test("have every kind of bet equally often, and some that lose", () => {
    for (const seed of seeds) {
      const spins = dealSpins(one, rules, ROUNDS, drawFrom(seed)).flat();
      const kinds = spins.map(({ piles }) => kindOf(piles[0]!.spot));
      const all = new Set(rules.spots.map(kindOf));
      const counts = [...all].map((kind) => kinds.filter((each) => each === kind).length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      expect(spins.filter((spin) => chipsPaid(rules, spin) === 0).length).toBe(10);
    }
  });

  test("put chips only where they are offered, each spot once", () => {
    for (const { piles } of spinsOf(pictures)) {
      expect(new Set(piles.map(({ spot }) => spot.spot)).size).toBe(piles.length);
      for (const { spot, chips } of piles) {
        expect(rules.spots).toContain(spot);
        expect(chips).toBeGreaterThan(0);
      }
    }
  });

  test("of a run have ten full completes or more in thirty pictures of five kinds", () => {
    const spins = spinsOf(pictures);
    const whole = spins.filter(({ piles }) => new Set(piles.map(({ chips }) => chips)).size === 1);
    expect(whole.length).toBeGreaterThanOrEqual(spins.length / 5);
  });
});
