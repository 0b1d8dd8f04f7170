import { expect, test } from "vitest";
import { data } from "../../../testing/data";
import { count, usualMost } from "./statistics";

const { pockets } = data.rules["roulette-american"];
const counted = (numbers: string[]) =>
  Object.fromEntries(count(numbers, pockets).groups.map(({ group, count }) => [group, count]));

test("every number is counted in all its groups", () => {
  expect(counted(["17", "0", "00", "36", "12", "13", "18", "19"])).toEqual({
    red: 4,
    black: 2,
    zero: 2,
    even: 3,
    odd: 3,
    low: 4,
    high: 2,
    dozen1: 1,
    dozen2: 4,
    dozen3: 1,
  });
  expect(Object.values(counted([])).every((times) => times === 0)).toBe(true);
});

test("what is expected is each group's share of the wheel", () => {
  const { groups, expected, spins } = count(Array<string>(190).fill("7"), pockets);
  expect([spins, expected]).toEqual([190, 5]);
  expect(Object.fromEntries(groups.map(({ group, expected }) => [group, expected]))).toEqual({
    red: 90,
    black: 90,
    zero: 10,
    even: 90,
    odd: 90,
    low: 90,
    high: 90,
    dozen1: 60,
    dozen2: 60,
    dozen3: 60,
  });
});

test("the most and the least frequent numbers are named, all that are level", () => {
  const { most, least } = count(["7", "8", "7", "8", "00"], pockets);
  expect(most).toEqual({ count: 2, pockets: ["7", "8"] });
  expect(least.count).toBe(0);
  expect(least.pockets).toHaveLength(35);
  expect(least.pockets).not.toContain("00");
});

/** The range by going through all sequences of spins. */
function usualBySequences(spins: number, pockets: number) {
  const cases = pockets ** spins;
  const byMost = new Array<number>(spins + 1).fill(0);
  for (let n = 0; n < cases; n++) {
    const times = new Array<number>(pockets).fill(0);
    for (let spin = 0, rest = n; spin < spins; spin++, rest = Math.floor(rest / pockets))
      times[rest % pockets]! += 1;
    byMost[Math.max(...times)]! += 1;
  }
  const upTo = (most: number) => byMost.slice(0, most + 1).reduce((a, b) => a + b, 0) / cases;
  let [low, high] = [1, 1];
  while (upTo(low) <= 0.05) low += 1;
  while (upTo(high) < 0.95) high += 1;
  return { low, high };
}

test.each([
  [1, 3],
  [5, 3],
  [8, 4],
  [6, 6],
  [4, 10],
])("in %i spins of %i pockets the usual range is the one of all sequences", (spins, pockets) => {
  expect(usualMost(spins, pockets)).toEqual(usualBySequences(spins, pockets));
});

test("in 200 fair spins some number comes up about twice as often as expected", () => {
  expect(usualMost(200, 38)).toEqual({ low: 9, high: 13 });
});
