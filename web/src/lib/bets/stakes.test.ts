import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import type { Betting } from "../net/rulebook";
import {
  asBets,
  BRING,
  chipSizes,
  freshStakes,
  merge,
  misfit,
  objection,
  stakesOf,
  sum,
  boundsOf,
  chipsFor,
  feeFor,
  leastToBring,
  needed,
  problem,
  shortfall,
} from "./stakes";

const BOUNDS = { min: 100, max: 10_000, increment: 50 };
const BETTING: Betting = {
  least_stack: BOUNDS.min,
  most_wagers: 200,
  banker_fee: { least: 0, most: 0 },
  together: null,
  wagers: {},
  any: {
    increment: BOUNDS.increment,
    required: false,
    reserve: 0,
    min: BOUNDS.min,
    max: BOUNDS.max,
    ranges: [{ min: BOUNDS.min, max: BOUNDS.max, fee: 0, reserve_fee: 0 }],
  },
};
const RICH = { stack: 50_000, wallet: 50_000 };

test("only stakes become wagers", () => {
  expect(asBets({ ante: 500, bonus: 0 })).toEqual([{ spot: "ante", cents: 500 }]);
});

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

test.each([
  [100, 0, ""],
  [10_000, 0, ""],
  [9900, 100, ""],
  [9950, 100, "Red would be $100.50: the most on one bet here is $100.00."],
  [99, 0, "$0.99 on Red is too little: the smallest bet here is $1.00."],
  [120, 0, "$1.20 on Red doesn't work: bets here are multiples of $0.50."],
])("%i cents beside %i: %s", (cents, down, why) => {
  expect(misfit(cents, down, BOUNDS, "Red")).toBe(why);
});

describe("against bets", () => {
  const object = (bets: Record<string, number>, means = RICH, down = {}) =>
    objection(bets, down, BETTING, means, (spot) => spot);

  test("there is nothing where they fit", () => {
    expect(object({ red: 100, odd: 10_000 })).toBe("");
    expect(object({})).toBe("");
  });

  test("what is down counts towards the limit of its spot", () => {
    expect(object({ red: 9_950 }, RICH, { red: 100 })).toMatch(/^red would be \$100\.50/);
    expect(object({ red: 9_950 }, RICH, { odd: 100 })).toBe("");
  });

  test("more than one has is refused, with what helps", () => {
    expect(object({ red: 600 }, { stack: 500, wallet: 100 })).toBe(
      `$6.00 is more than your stack of $5.00: bet less or ${BRING}`,
    );
    expect(object({ red: 600 }, { stack: 500, wallet: 99 })).toBe(
      "$6.00 is more than your stack of $5.00: bet less.",
    );
    expect(object({ red: 600 }, { stack: 600, wallet: 0 })).toBe("");
  });

  test("more than two hundred are refused", () => {
    const bets = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`, 100]));
    expect(object(bets(200))).toBe("");
    expect(object(bets(201))).toBe("That's more than 200 bets: put more chips on fewer spots.");
  });
});

test("chips begin with the least bet and fit the limits", () => {
  expect(chipSizes(BOUNDS)).toEqual([100, 500, 2500, 10_000]);
  expect(chipSizes({ min: 300, max: 2_000_000, increment: 1 })).toEqual([
    300, 500, 2500, 10_000, 50_000,
  ]);
  expect(chipSizes({ min: 700, max: 50_000, increment: 700 })).toEqual([700]);
});

// Terms of Three Card Poker

const california = data.rules.california.betting;
const house = data.rules.house.betting;
const byWager = data.feePerWager.betting;
const MILLIONS = { stack: 1_000_000, wallet: 1_000_000 };

describe("limits and fees", () => {
  test("are those of the rulebook", () => {
    expect(boundsOf(house, "ante")).toEqual({ min: 100, max: 400, increment: 1 });
    expect(boundsOf(california, "ante")).toEqual({ min: 500, max: 100_000, increment: 1 });
    expect(boundsOf(california, "bonus")).toEqual({ min: 100, max: 10_000, increment: 1 });
    expect(boundsOf(byWager, "bonus").min).toBe(500); // where each wager pays a fee there is a rate for it
    expect(chipsFor(house, ["ante", "pair_plus"])).toEqual([100]);
    expect(chipsFor(california, ["ante", "bonus"])).toEqual([100, 500, 2500, 10_000, 50_000]);
  });

  test("are paid once by the Ante, or for each wager and Play", () => {
    expect(feeFor(house, { ante: 400, pair_plus: 400 })).toBe(0);
    expect(
      [500, 10_000, 10_001, 100_000].map((ante) => feeFor(california, { ante, bonus: 100 })),
    ).toEqual([100, 100, 200, 300]);
    expect(feeFor(byWager, { ante: 10_001, bonus: 500 })).toBe(200 + 100 + 200);
    expect(needed(california, { ante: 500, bonus: 100 })).toBe(500 + 100 + 500 + 100);
  });

  test("say what it takes to play a hand", () => {
    expect(california.least_stack).toBe(500 + 500 + 100);
    expect(house.least_stack).toBe(100); // Pair Plus may stand alone
    expect(leastToBring(california, 300)).toBe(300);
  });
});

test.each([
  [california, { ante: 500, bonus: 100 }, ""],
  [california, { ante: 499 }, "$4.99 on Ante is too little: the smallest Ante here is $5.00."],
  [california, { bonus: 500 }, "Ante comes first: place one too."],
  [
    california,
    { ante: 500, bonus: 10_001 },
    "Bonus would be $100.01: the most on one Bonus here is $100.00.",
  ],
  [house, { pair_plus: 100 }, ""],
  [house, { ante: 500 }, "Ante would be $5.00: the most on one Ante here is $4.00."],
] as const)("stakes are checked before they are sent: %#", (betting, stakes, says) => {
  expect(problem(betting, stakes, MILLIONS)).toBe(says);
});

test("a gap between rates is explained", () => {
  const ante = california.wagers["ante"]!;
  const ranges = [ante.ranges[0]!, ante.ranges[2]!];
  const gap = { ...california, wagers: { ...california.wagers, ante: { ...ante, ranges } } };
  expect(problem(gap, { ante: 20_000 }, MILLIONS)).toBe(
    "$200.00 on Ante has no fee posted: bet $5 to $100 and $300.01 to $1,000.",
  );
});

test("bounds begin where a rate does, or at the limits where there is none", () => {
  const ante = { ...california.wagers["ante"]!, min: 15_000 };
  const withAnte = (ranges: typeof ante.ranges) => ({
    ...california,
    wagers: { ...california.wagers, ante: { ...ante, ranges } },
  });
  const late = withAnte([ante.ranges[2]!]);
  expect(boundsOf(late, "ante")).toEqual({ min: 30_001, max: 100_000, increment: 1 });
  const never = withAnte([]);
  expect(boundsOf(never, "ante")).toEqual({ min: 15_000, max: 100_000, increment: 1 });
  expect(problem(never, { ante: 20_000 }, MILLIONS)).toBe("");
});

test("too few chips come with what to do", () => {
  const says = (stack: number, wallet: number) =>
    shortfall(california, { ante: 1000 }, { stack, wallet });
  expect(says(2100, 0)).toBe("");
  const needs = "These bets with Play and the fee need $21";
  expect(says(2000, 0)).toBe(`You have $20 here. ${needs}: bet less.`);
  expect(says(2000, 5)).toBe(`You have $20 here. ${needs}: bet less or add chips.`);
  expect(says(1000, 5)).toBe(`You have $10 here. ${needs}: add chips.`);
  expect(says(1000, 0)).toBe(`You have $10 here. ${needs}.`);
});

test("wagers keep to a limit for all of them together", () => {
  const betting = { ...data.rules.house.betting, together: 400 };
  expect(problem(betting, { ante: 100, pair_plus: 300 }, RICH)).toBe("");
  expect(problem(betting, { ante: 101, pair_plus: 300 }, RICH)).toBe(
    "All your bets together can be $4 at most.",
  );
  expect(problem(data.rules.house.betting, { ante: 400, pair_plus: 400 }, RICH)).toBe("");
});

test("fees of each kind of wager are what the server's ranges say", () => {
  const { betting } = data.feePerKind;
  expect(feeFor(betting, { ante: 500 })).toBe(100 + 50);
  expect(feeFor(betting, { ante: 500, bonus: 100 })).toBe(100 + 50 + 25);
  expect(needed(betting, { ante: 500, bonus: 100 })).toBe(500 + 500 + 100 + 175);
});
