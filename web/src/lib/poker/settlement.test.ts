import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { parseCards } from "../history/rounds";
import {
  bankLeft,
  inOrder,
  lastCardDecides,
  mayBeShort,
  reasons,
  uncovered,
  upName,
} from "./settlement";
import type { HandView, Last, RoundView, SettledWager } from "../net/protocol";
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
      "Your ace-high beats the dealer's king-high. Ante and Play win $5.00 each. HO-9",
    ],
    ["Kh 8c 4c", "Ks 8s 4h", 0, "It's a tie with king-high. Ante and Play are returned. HO-9"],
    [
      "Kh 9d 4c",
      "Ks Ts 4h",
      -500,
      "Dealer's king-ten-four beats your king-nine-four. Ante and Play lose $5.00 each. HO-9",
    ],
  ])("%s against %s", (mine, dealer, net, says) => {
    const wagers = ["ante", "play"].map((name) => wager(name, net, "HO-9"));
    expect(sentences(house, wagers, mine, dealer)).toEqual([says]);
  });

  test.each([
    ["Kh 8d 4c", "Ks Td 7h", "Dealer's king-ten-seven beats your king-eight-four."],
    [
      "9h 9d Ac",
      "9s 9c 4h",
      "Your pair of nines with an ace beats the dealer's pair of nines with a four.",
    ],
    ["2h 9h Kh", "3c Tc Kc", "Dealer's king-ten-three flush beats your king-nine-two flush."],
    ["6h 6d 6c", "8s 8c 8h", "Dealer's three of a kind, eights, wins."],
    ["Kh 8d 4c", "Ks 8s 4h", "It's a tie with king-high."],
    ["Kh 8d 4c", "As 8s 4h", "Dealer's ace-high wins."],
  ])("hands of one name are told apart: %s against %s", (mine, dealer, says) => {
    const wagers = ["ante", "play"].map((name) => wager(name, -500, "HO-11"));
    expect(sentences(house, wagers, mine, dealer).join(" ")).toContain(says);
  });

  test.each([
    ["Ks Td 7h", "Your ace-high beats the dealer's king-high. Ante and Play win"],
    ["Js Td 7h", "Dealer doesn't qualify. Ante and Play win $1.00 each."],
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
    expect(said).toContain("The bank ran out: your $1.00 Play is returned. HO-2");
    expect(said).toContain("The bank ran out before paying Ante bonus. HO-2");
    expect(said).not.toContain("$0.00");
  });

  test("a bank that counts by its net result reached its limit", () => {
    const bank = { ...california.document.bank!, coverage: "net" as const };
    const rules = { ...california, document: { ...california.document, bank } };
    const none = { stake: 500, action: 0 };
    const wagers = [wager("ante", 0, "CA-21", none), wager("play", 0, "CA-21", none)];
    expect(sentences(rules, wagers, "5h 6d 8c", "Ks Td 7h").join(" ")).toContain(
      "The bank reached its limit before your bet: your $5.00 Ante and $5.00 Play are returned.",
    );
  });

  test("a dealer who does not qualify", () => {
    const wagers = [wager("ante", 500, "HO-8"), wager("play", 0, "HO-8")];
    expect(sentences(house, wagers, "Ah 9d 4c", "Jh 8d 4s")).toEqual([
      "Dealer doesn't qualify. Ante wins $5.00, Play is returned. HO-8",
    ]);
  });

  test.each([
    ["Th 8d 4c", "Dealer doesn't qualify but has the better hand. Ante and Play are returned."],
    ["Jc 8h 4h", "Dealer doesn't qualify, and the hands tie. Ante and Play are returned."],
    ["Ah 9d 4c", "Dealer doesn't qualify. Ante and Play are returned."],
  ])("a dealer who does not qualify, and an Ante that is returned: %s", (mine, says) => {
    const wagers = ["ante", "play"].map((name) => wager(name, 0, "HO-8"));
    expect(sentences(house, wagers, mine, "Jh 8d 4s").join(" ")).toContain(says);
    // Where the Ante is returned whatever the hands are, they are not the reason.
    const rules = { ...house, document: { ...house.document, short_ante: "push" as const } };
    expect(sentences(rules, wagers, mine, "Jh 8d 4s")[0]).toContain("qualify. Ante and");
  });

  test("a move by the clock", () => {
    const said = (move: "play" | "fold", you: boolean) =>
      reasons(
        { wagers: [wager("ante", -500, "HO-6")] },
        { ...hand("9h 5d 4c", move), by_clock: true } as HandView,
        dealt("Kh 8d 4s"),
        house,
        { you },
      )[0]!.text;
    expect(said("fold", true)).toBe("The clock folded your hand. Ante loses $5.00.");
    expect(said("fold", false)).toBe("Folded by the clock. Ante loses $5.00.");
    expect(said("play", true)).toBe("Time ran out: the clock played your hand.");
  });

  test("of another player", () => {
    const wagers = [wager("ante", 0, "CA-21", { action: 0 })];
    const of = (text: string) =>
      reasons({ wagers }, hand(text), dealt("Kh Ts 4h"), california, { you: false });
    expect(of("Ah 9d 4c").map(({ text }) => text)).toEqual([
      "Ace-high beats the dealer's king-high.",
      "The bank ran out before this bet: $5.00 Ante is returned.",
    ]);
  });

  test("a bank that ran out before the bet", () => {
    const wagers = ["ante", "play"].map((name) => wager(name, 0, "CA-21", { action: 0 }));
    expect(sentences(california, wagers, "Ah 9d 4c", "Kh Ts 4h").at(-1)).toBe(
      "The bank ran out before your bet: your $5.00 Ante and $5.00 Play are returned. CA-21",
    );
  });

  test("a fold, and a bonus that pays", () => {
    expect(sentences(house, [wager("ante", -500, "HO-6")], "9h 5d 4c", "Jh 8d 4s", "fold")).toEqual(
      ["You folded. Ante loses $5.00. HO-6"],
    );
    const paid = [wager("ante", -500, "HO-6"), wager("pair_plus", 500, "HO-4")];
    expect(sentences(house, paid, "9h 9d 4c", "Jh 8d 4s", "fold")).toEqual([
      "You folded. Ante loses $5.00. HO-6",
      "Pair Plus wins $5.00: a pair pays 1 to 1. HO-4",
    ]);
  });

  test("a bank that reached in part, or not at all", () => {
    const part = [wager("ante", -200, "CA-17"), wager("play", 0, "CA-21", { action: 0 })];
    expect(sentences(california, part, "Kh 9d 4c", "Ah Ts 4h")).toEqual([
      "Dealer's ace-high wins. Ante loses $2.00. CA-17",
      "The bank covered part of it; $3.00 of Ante is returned. CA-20",
      "The bank ran out: your $5.00 Play is returned. CA-21",
    ]);
    const short = [wager("ante", 500, "CA-16"), wager("play", 200, "CA-16")];
    expect(sentences(california, short, "Ah 9d 4c", "Kh Ts 4h")).toEqual([
      "Your ace-high beats the dealer's king-high. Ante wins $5.00, Play wins $2.00. CA-16",
      "The bank could pay only $2.00 of the $5.00 you won on Play. CA-20",
    ]);
  });

  test("what no bank matched came back", () => {
    expect(uncovered(wager("ante", -200, "CA-17"), california)).toBe(300);
    expect(uncovered(wager("play", 0, "CA-21"), california)).toBe(500);
    expect(uncovered(wager("play", 0, "CA-18"), california)).toBe(0);
  });
});

test("the dealer's last card decides unless every one would end the same way", () => {
  const decides = (mine: string, dealer: string, move: "play" | "fold" = "play") => {
    const round = { ...dealt(dealer), hands: [hand(mine, move)] };
    return lastCardDecides({ round, end: {} as Last["end"], players: {} }, house);
  };
  expect(decides("Ah 5d 4c", "Kh 8d 4s")).toBe(true); // whether the dealer has a pair
  expect(decides("9h 5d 4c", "Kh 8d 4s")).toBe(false); // behind the king already
  expect(decides("Ah Kh Qh", "9s 8d 4s")).toBe(true); // whether the dealer qualifies
  expect(decides("Ah Kh Qh", "Ks 8d 4s")).toBe(false); // nothing beats it, and the king qualifies
  expect(decides("Ah 5d 4c", "Kh 8d 4s", "fold")).toBe(false);
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
