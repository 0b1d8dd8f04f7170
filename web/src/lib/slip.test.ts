import { describe, expect, test } from "vitest";
import {
  BRING,
  chipSizes,
  freshStakes,
  merge,
  misfit,
  objection,
  Slip,
  stakesOf,
  sum,
} from "./slip.svelte";

const BOUNDS = { min: 100, max: 10_000, increment: 50 };
const RICH = { stack: 50_000, wallet: 50_000 };

test("stakes are added by spot", () => {
  const bets = [
    { spot: "red", cents: 100 },
    { spot: "odd", cents: 200 },
    { spot: "red", cents: 300, in_prison: true },
  ];
  expect(stakesOf(bets)).toEqual({ red: 400, odd: 200 });
  expect(freshStakes({ place: 1, seat: 1, wagers: bets })).toEqual({ red: 100, odd: 200 });
  expect(freshStakes(undefined)).toEqual({});
  expect(merge({ red: 1 }, {}, { red: 2, odd: 3 })).toEqual({ red: 3, odd: 3 });
  expect(sum({ red: 3, odd: 3 })).toBe(6);
});

describe("a slip", () => {
  test("takes back every change, one by one", () => {
    const slip = new Slip();
    expect(slip.changed).toBe(false);
    slip.put({ red: 100 });
    slip.put({ red: 200, odd: 0 });
    expect(slip.stakes).toEqual({ red: 200 });
    expect(slip.total).toBe(200);
    slip.undo();
    expect(slip.stakes).toEqual({ red: 100 });
    slip.undo();
    expect([slip.stakes, slip.changed]).toEqual([{}, false]);
    slip.undo();
    expect(slip.stakes).toEqual({});
  });

  test("has nothing to take back once its bets are down", () => {
    const slip = new Slip();
    slip.put({ red: 100 });
    slip.reset({ odd: 300 });
    slip.undo();
    expect([slip.stakes, slip.changed]).toEqual([{ odd: 300 }, false]);
  });

  test("remembers two hundred changes", () => {
    const slip = new Slip();
    for (let n = 1; n <= 250; n++) slip.put({ red: n });
    for (let n = 0; n < 250; n++) slip.undo();
    expect([slip.stakes, slip.changed]).toEqual([{ red: 50 }, false]);
  });
});

test.each([
  [100, 0, ""],
  [10_000, 0, ""],
  [9900, 100, ""],
  [9950, 100, "Red would have $100.50: the most on one bet here is $100.00."],
  [99, 0, "$0.99 on Red is too little: the least bet here is $1.00."],
  [120, 0, "$1.20 on Red does not fit: bets here are multiples of $0.50."],
])("%i cents beside %i: %s", (cents, down, why) => {
  expect(misfit(cents, down, BOUNDS, "Red")).toBe(why);
});

describe("against bets", () => {
  const object = (bets: Record<string, number>, means = RICH, down = {}) =>
    objection(bets, down, BOUNDS, means, (spot) => spot);

  test("there is nothing where they fit", () => {
    expect(object({ red: 100, odd: 10_000 })).toBe("");
    expect(object({})).toBe("");
  });

  test("what is down counts towards the limit of its spot", () => {
    expect(object({ red: 9_950 }, RICH, { red: 100 })).toMatch(/^red would have \$100\.50/);
    expect(object({ red: 9_950 }, RICH, { odd: 100 })).toBe("");
  });

  test("more than one has is refused, with what helps", () => {
    expect(object({ red: 600 }, { stack: 500, wallet: 100 })).toBe(
      `$6.00 is more than the $5.00 you have here: bet less, ${BRING}`,
    );
    expect(object({ red: 600 }, { stack: 500, wallet: 99 })).toBe(
      "$6.00 is more than the $5.00 you have here: bet less.",
    );
    expect(object({ red: 600 }, { stack: 600, wallet: 0 })).toBe("");
  });

  test("more than two hundred are refused", () => {
    const bets = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`, 100]));
    expect(object(bets(200))).toBe("");
    expect(object(bets(201))).toBe("That is more than 200 bets: put more chips on fewer spots.");
  });
});

test("chips begin with the least bet and fit the limits", () => {
  expect(chipSizes(BOUNDS)).toEqual([100, 500, 2500, 10_000]);
  expect(chipSizes({ min: 300, max: 2_000_000, increment: 1 })).toEqual([
    300, 500, 2500, 10_000, 50_000,
  ]);
  expect(chipSizes({ min: 700, max: 50_000, increment: 700 })).toEqual([700]);
});
