import { describe, expect, test } from "vitest";
import { data } from "../../testing/data";
import { parseCards } from "./history";
import {
  asBets,
  bankLeft,
  chipsFor,
  feeFor,
  inOrder,
  leastStack,
  leastToBring,
  limitsOf,
  mayBeShort,
  needed,
  problem,
  reasons,
  shortfall,
  uncovered,
  upName,
} from "./poker";
import type { HandView, RoundView, SettledWager } from "./protocol";
import type { PokerRules } from "./rulebook";

const { california, house } = data.rules;
const RICH = { stack: 1_000_000, wallet: 1_000_000 };
const vary = (rules: PokerRules, change: Partial<PokerRules["document"]>): PokerRules => ({
  ...rules,
  document: { ...rules.document, ...change },
});
const byWager = vary(california, { fees: { ...california.document.fees!, fee_per: "wager" } });

describe("limits and fees", () => {
  test("are those of the rulebook", () => {
    expect(limitsOf(house, "ante")).toEqual({ min: 100, max: 400, increment: 1 });
    expect(limitsOf(california, "ante")).toEqual({ min: 500, max: 100_000, increment: 1 });
    expect(limitsOf(california, "bonus")).toEqual({ min: 100, max: 10_000, increment: 1 });
    expect(limitsOf(byWager, "bonus").min).toBe(500); // where each wager pays a fee there is a rate for it
    expect(chipsFor(house)).toEqual([100]);
    expect(chipsFor(california)).toEqual([100, 500, 2500, 10_000, 50_000]);
  });

  test("are paid once by the Ante, or for each wager and Play", () => {
    expect(feeFor(house, { ante: 400, pair_plus: 400 })).toBe(0);
    expect(
      [500, 10_000, 10_001, 100_000].map((ante) => feeFor(california, { ante, bonus: 100 })),
    ).toEqual([100, 100, 200, 300]);
    expect(feeFor(byWager, { ante: 500, bonus: 10_001 })).toBe(100 + 200 + 100);
    expect(needed(california, { ante: 500, bonus: 100 })).toBe(500 + 100 + 500 + 100);
  });

  test("say what it takes to play a hand", () => {
    expect(leastStack(california)).toBe(500 + 500 + 100);
    expect(leastStack(house)).toBe(100); // Pair Plus may stand alone
    expect(leastToBring(california, 300)).toBe(300);
  });
});

test.each([
  [california, { ante: 500, bonus: 100 }, ""],
  [california, { ante: 499 }, "$4.99 on Ante is too little: the least Ante here is $5.00."],
  [california, { bonus: 500 }, "The Ante comes first: put one down too."],
  [
    california,
    { ante: 500, bonus: 10_001 },
    "Bonus would have $100.01: the most on one Bonus here is $100.00.",
  ],
  [house, { pair_plus: 100 }, ""],
  [house, { ante: 500 }, "Ante would have $5.00: the most on one Ante here is $4.00."],
] as const)("stakes are checked before they are sent: %#", (rules, stakes, says) => {
  expect(problem(rules, stakes, RICH)).toBe(says);
});

test("a gap between rates is explained", () => {
  const rates = california.document.fees!.rates;
  const gap = vary(california, {
    fees: { ...california.document.fees!, rates: [rates[0]!, rates[2]!] },
  });
  expect(problem(gap, { ante: 20_000 }, RICH)).toBe(
    "$200.00 on Ante is in no collection range: they are $5 to $100 and $300.01 to $1,000.",
  );
});

test("too few chips come with what to do", () => {
  const says = (stack: number, wallet: number) =>
    shortfall(california, { ante: 1000 }, { stack, wallet });
  expect(says(2100, 0)).toBe("");
  const needs = "These wagers with Play and the fee need $21";
  expect(says(2000, 0)).toBe(`You have $20 here. ${needs}: put down less.`);
  expect(says(2000, 5)).toBe(`You have $20 here. ${needs}: put down less or bring more.`);
  expect(says(1000, 5)).toBe(`You have $10 here. ${needs}: bring more.`);
  expect(says(1000, 0)).toBe(`You have $10 here. ${needs}.`);
});

test("hands go in order of action from the first seat", () => {
  const hands = [{ seat: 3 }, { seat: 1 }, { seat: 7 }];
  expect(inOrder(hands, 1).map(({ seat }) => seat)).toEqual([1, 3, 7]);
  expect(inOrder(hands, 4).map(({ seat }) => seat)).toEqual([7, 1, 3]);
  expect(inOrder(hands, 8).map(({ seat }) => seat)).toEqual([1, 3, 7]);
  expect(asBets({ ante: 500, bonus: 0 })).toEqual([{ spot: "ante", cents: 500 }]);
});

// Why money moved

const wager = (
  name: string,
  net: number,
  clause: string,
  more: Partial<SettledWager> = {},
): SettledWager => ({
  wager: name,
  stake: 500,
  net,
  action: Math.abs(net),
  clause,
  ...more,
});
const hand = (cards: string, move: "play" | "fold" = "play"): HandView => ({
  place: 1,
  seat: 1,
  wagers: [{ spot: "ante", cents: 500 }],
  cards: parseCards(cards),
  move,
});
const dealt = (dealer: string): RoundView => ({
  round: 7,
  commitment: "",
  hands: [],
  dealer: parseCards(dealer),
});
const sentences = (
  rules: PokerRules,
  wagers: SettledWager[],
  mine: string,
  dealer: string,
  move: "play" | "fold" = "play",
) =>
  reasons({ wagers }, hand(mine, move), dealt(dealer), rules, { you: true }).map(
    ({ text, clauses }) => `${text} ${clauses.join()}`,
  );

describe("why money moved", () => {
  test.each([
    [
      "Ah 9d 4c",
      "Kh 8d 4s",
      500,
      "Dealer has king-high. You were ahead: Ante pays $5.00 and Play pays $5.00. HO-9",
    ],
    [
      "Kh 8c 4c",
      "Ks 8s 4h",
      0,
      "Dealer has king-high. You were level: Ante pushes and Play comes back. HO-9",
    ],
    [
      "Kh 9d 4c",
      "Ks Ts 4h",
      -500,
      "Dealer has king-ten-four. You were behind with king-nine-four: Ante loses $5.00 and Play loses $5.00. HO-9",
    ],
  ])("%s against %s", (mine, dealer, net, says) => {
    const wagers = ["ante", "play"].map((name) => wager(name, net, "HO-9"));
    expect(sentences(house, wagers, mine, dealer)).toEqual([says]);
  });

  test("a dealer who does not qualify", () => {
    const wagers = [wager("ante", 500, "HO-8"), wager("play", 0, "HO-8")];
    expect(sentences(house, wagers, "Ah 9d 4c", "Jh 8d 4s")).toEqual([
      "Dealer has no queen: Play comes back. You were ahead: Ante pays $5.00. HO-8",
    ]);
  });

  test("a fold, and a bonus that pays", () => {
    expect(sentences(house, [wager("ante", -500, "HO-6")], "9h 5d 4c", "Jh 8d 4s", "fold")).toEqual(
      ["You folded: Ante loses $5.00. HO-6"],
    );
    const paid = [wager("ante", -500, "HO-6"), wager("pair_plus", 500, "HO-4")];
    expect(sentences(house, paid, "9h 9d 4c", "Jh 8d 4s", "fold")).toEqual([
      "You folded: Ante loses $5.00. HO-6",
      "Pair Plus: pair pays 1 to 1, $5.00. HO-4",
    ]);
  });

  test("a bank that reached in part, or not at all", () => {
    const part = [wager("ante", -200, "CA-17"), wager("play", 0, "CA-21", { action: 0 })];
    expect(sentences(california, part, "Kh 9d 4c", "Ah Ts 4h")).toEqual([
      "Dealer has ace-high. You were behind: Ante loses $2.00. CA-17",
      "The bank reached in part: $3.00 of Ante came back. CA-20",
      "The bank did not reach: $5.00 of Play came back. CA-21",
    ]);
    const short = [wager("ante", 500, "CA-16"), wager("play", 200, "CA-16")];
    expect(sentences(california, short, "Ah 9d 4c", "Kh Ts 4h")).toEqual([
      "Dealer has king-high. You were ahead: Ante pays $5.00 and Play pays $2.00. CA-16",
      "The bank reached for $2.00 of the $5.00 that Play won. CA-20",
    ]);
  });

  test("what no bank matched came back", () => {
    expect(uncovered(wager("ante", -200, "CA-17"), california)).toBe(300);
    expect(uncovered(wager("play", 0, "CA-21"), california)).toBe(500);
    expect(uncovered(wager("play", 0, "CA-18"), california)).toBe(0);
  });
});

test("up cards are named", () => {
  expect(upName({ ...dealt(""), dealer: [47, null, null] })).toBe("a king");
  expect(upName(undefined)).toBe("");
});

describe("a bank", () => {
  const places = [
    { place: 1, net: 500, wagers: [wager("ante", 500, "CA-16")] },
    { place: 2, net: -200, wagers: [wager("ante", -200, "CA-17")] },
  ];
  const end = {
    type: "round.settled/1",
    at: 0,
    round: 7,
    seed: "",
    places,
    bank_left: 300,
  } as const;

  test("is used up by every amount, or by what it loses net", () => {
    const left = (rules: PokerRules) =>
      [0, 1, 2].map((count) => bankLeft({ ...end, places }, 1000, places, count, rules));
    expect(left(california)).toEqual([1000, 500, 300]);
    const net = vary(california, { bank: { ...california.document.bank!, coverage: "net" } });
    expect(left(net)).toEqual([1000, 500, 300]);
    expect(bankLeft({ ...end, places }, 1000, [...places, places[0]!], 2, net)).toBe(700);
    expect(bankLeft({ ...end, places }, 1000, [...places, places[0]!], 2, california)).toBe(300);
  });

  test("may not reach a hand after wagers, with Play, that are more than it", () => {
    const hands = [1, 2].map((place): HandView => ({
      place,
      seat: place,
      wagers: [
        { spot: "ante", cents: 500 },
        { spot: "bonus", cents: 100 },
      ],
    }));
    const round = (bank: number): RoundView => ({ ...dealt(""), hands, banker: 3, bank, first: 1 });
    expect([mayBeShort(round(1100), 1), mayBeShort(round(1099), 1)]).toEqual([false, true]);
    expect([mayBeShort(round(2200), 2), mayBeShort(round(2199), 2)]).toEqual([false, true]);
    expect(mayBeShort({ ...dealt(""), hands }, 2)).toBe(false);
  });
});
