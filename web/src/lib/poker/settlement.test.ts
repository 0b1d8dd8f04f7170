import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { parseCards } from "../history/rounds";
import { bankLeft, inOrder, mayBeShort, reasons, uncovered, upName } from "./settlement";
import type { HandView, RoundView, SettledWager } from "../net/protocol";
import type { PokerRules } from "../net/rulebook";

const { california, house } = data.rules;
test("hands go in order of action from the first seat", () => {
  const hands = [{ seat: 3 }, { seat: 1 }, { seat: 7 }];
  expect(inOrder(hands, 1).map(({ seat }) => seat)).toEqual([1, 3, 7]);
  expect(inOrder(hands, 4).map(({ seat }) => seat)).toEqual([7, 1, 3]);
  expect(inOrder(hands, 8).map(({ seat }) => seat)).toEqual([1, 3, 7]);
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

  test.each([
    ["Kh 8d 4c", "Ks Td 7h", "Dealer has king-ten-seven. You were behind with king-eight-four"],
    ["9h 9d Ac", "9s 9c 4h", "a pair of nines with a four. You were ahead with a pair of nines"],
    ["2h 9h Kh", "3c Tc Kc", "a flush, king-ten-three. You were behind with a flush, king-nine"],
    ["Kh 8d 4c", "Ks 8s 4h", "Dealer has king-high. You were level"],
    ["Kh 8d 4c", "As 8s 4h", "Dealer has ace-high. You were behind:"],
  ])("hands of one name are told apart: %s against %s", (mine, dealer, says) => {
    const wagers = ["ante", "play"].map((name) => wager(name, -500, "HO-11"));
    expect(sentences(house, wagers, mine, dealer).join(" ")).toContain(says);
  });

  test.each([
    ["Ks Td 7h", "Dealer has king-high. You were ahead: Ante pays $1.00 and Play"],
    ["Js Td 7h", "Dealer has no queen: Play pays $1.00. You were ahead: Ante pays"],
  ])(
    "the cards say whether the dealer qualifies, where one clause settles all: %s",
    (dealer, says) => {
      const settlement = house.document.settlement.map((row) => ({ ...row, clause: "HO-9" }));
      const rules = { ...house, document: { ...house.document, settlement } };
      const wagers = ["ante", "play"].map((name) => wager(name, 100, "HO-9"));
      expect(sentences(rules, wagers, "Ah 8d 4c", dealer).join(" ")).toContain(says);
    },
  );

  test("a bonus that the bank did not reach is no money that came back", () => {
    const bank = { ...california.document.bank!, clause: "HO-1", unmatched_clause: "HO-2" };
    const rules = { ...house, document: { ...house.document, bank } };
    const wagers = [
      wager("ante", 100, "HO-9", { stake: 100 }),
      wager("play", 0, "HO-2", { stake: 100, action: 0 }),
      wager("ante_bonus", 0, "HO-2", { stake: 0, action: 0 }),
    ];
    const said = sentences(rules, wagers, "5h 6d 7c", "Ks Td 7h").join(" ");
    expect(said).toContain("The bank did not reach: $1.00 of Play came back. HO-2");
    expect(said).toContain("The bank did not reach for what Ante bonus won. HO-2");
    expect(said).not.toContain("$0.00");
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
    const bank = { ...california.document.bank!, coverage: "net" as const };
    const net = { ...california, document: { ...california.document, bank } };
    expect(left(net)).toEqual([1000, 500, 300]);
    expect(bankLeft({ ...end, places }, 1000, [...places, places[0]!], 2, net)).toBe(700);
    expect(bankLeft({ ...end, places }, 1000, [...places, places[0]!], 2, california)).toBe(300);
  });

  test("is not used by a forfeit that it takes whatever is left", () => {
    const folded = { place: 1, net: -500, wagers: [wager("ante", -500, "CA-13")] };
    const played = {
      place: 2,
      net: -400,
      wagers: [wager("ante", -200, "CA-17"), wager("play", -200, "CA-17")],
    };
    const order = [folded, played, folded];
    const left = (fold_uncovered: "returned" | "lost", coverage: "action" | "net") => {
      const bank = { ...california.document.bank!, fold_uncovered, coverage };
      const rules = { ...california, document: { ...california.document, bank } };
      return [1, 2].map((count) => bankLeft({ ...end, places: order }, 1000, order, count, rules));
    };
    expect(left("returned", "action")).toEqual([500, 100]);
    expect(left("lost", "action")).toEqual([1000, 600]);
    expect(left("lost", "net")).toEqual([1000, 1400]);
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
    // By wager every Ante and every Play come before any bonus.
    const byWager = (bank: number, place: number) => mayBeShort(round(bank), place, "wager");
    expect([byWager(2100, 1), byWager(2099, 1)]).toEqual([false, true]);
    expect([byWager(2200, 2), byWager(2199, 2)]).toEqual([false, true]);
    hands[0]!.wagers.pop();
    expect([byWager(1500, 1), byWager(1499, 1)]).toEqual([false, true]);
  });
});
