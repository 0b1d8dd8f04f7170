import { expect, test } from "vitest";
import { data } from "../../../testing/data";
import { along, drawTrack, NEIGHBOUR_COUNTS, neighbours } from "./racetrack";
import { around } from "./wheel";

const american = around(data.rules["roulette-american"].pockets);
const european = around(data.rules["roulette-european"].pockets);

test("neighbours lie beside a pocket on its own wheel, across the zero too", () => {
  expect(neighbours(european, "17", 2)).toEqual(["2", "25", "17", "34", "6"]);
  expect(neighbours(european, "0", 2)).toEqual(["3", "26", "0", "32", "15"]);
  expect(neighbours(european, "26", 1)).toEqual(["3", "26", "0"]);
  expect(neighbours(american, "17", 2)).toEqual(["20", "32", "17", "5", "22"]);
  expect(neighbours(american, "0", 1)).toEqual(["2", "0", "28"]);
});

test("every pocket has as many different neighbours as asked for", () => {
  for (const order of [european, american])
    for (const pocket of order)
      for (const each of NEIGHBOUR_COUNTS) {
        const numbers = neighbours(order, pocket, each);
        expect(new Set(numbers).size).toBe(2 * each + 1);
        expect(numbers[each]).toBe(pocket);
      }
});

test("arrow keys go all the way around, both ways", () => {
  for (const key of ["ArrowRight", "ArrowLeft"]) {
    const seen = new Set<string>();
    for (let pocket = "0"; !seen.has(pocket); pocket = along(european, pocket, key)!)
      seen.add(pocket);
    expect(seen.size).toBe(37);
  }
  expect(along(european, "0", "ArrowRight")).toBe("32");
  expect(along(european, "0", "ArrowLeft")).toBe("26");
  expect(along(european, "0", "Enter")).toBeUndefined();
});

test.each([
  [600, 200],
  [340, 340],
  [320, 320],
])("a track %i by %i keeps its cells apart and within its frame", (width, height) => {
  const { cells } = drawTrack(american, width, height, 36);
  expect(cells.map((cell) => cell.pocket)).toEqual(american);
  for (const { x, y } of cells) {
    expect(x).toBeGreaterThan(17);
    expect(x).toBeLessThan(width - 17);
    expect(y).toBeGreaterThan(17);
    expect(y).toBeLessThan(height - 17);
  }
  for (const [n, a] of cells.entries())
    for (const b of cells.slice(n + 1))
      expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(20);
});
