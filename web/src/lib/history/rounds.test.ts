import { describe, expect, test } from "vitest";
import {
  cardsAt,
  correctionLines,
  exportPath,
  feesOf,
  played,
  result,
  settledAs,
  staked,
  type Recalled,
} from "./rounds";
import { complete, placeIn, type TableView } from "../net/protocol";

const ROUND = {
  ended: "settled",
  game: "three_card_poker",
  place: 2,
  seats: { 2: 1, 3: 2 },
  players: { 2: "Ann", 3: "Bo (bot)" },
  ace_low: true,
  net: 500,
  fee: 100,
  wagers: [],
  hands: { 1: "Qs 6d 4c", 2: "9h 9d 4h" },
  dealer: "Qc 5d 4s",
  events: [
    { type: "move.made/1", place: 3, move: "fold" },
    { type: "move.made/1", place: 2, move: "play" },
    {
      type: "round.settled/1",
      places: [
        {
          place: 2,
          net: 500,
          wagers: [
            { wager: "ante", stake: 500, net: 500, action: 500, clause: "CA-16" },
            { wager: "play", stake: 500, net: 0, action: 0, clause: "CA-21" },
            { wager: "ante_bonus", stake: 0, net: 0, action: 0, clause: "CA-16" },
          ],
        },
      ],
    },
  ],
} as unknown as Recalled;

describe("a round in a line", () => {
  test("of cards", () => {
    expect(played(ROUND)).toBe("Queen-six-four, played. Dealer had queen-five-four.");
    const folded = { ...ROUND, events: [{ type: "move.made/1", place: 2, move: "fold" as const }] };
    expect(played(folded)).toBe("Queen-high, folded.");
    expect(cardsAt(ROUND, 3)).toHaveLength(3);
    expect(cardsAt(ROUND, 9)).toEqual([]);
  });

  test("of a wheel, a bank and a void", () => {
    const wagers = [{ wager: "red" }, { wager: "split 17 20" }] as Recalled["wagers"];
    expect(played({ ...ROUND, game: "roulette", wagers, pocket: "23" })).toBe(
      "Red and Split 17 and 20. The ball landed on 23.",
    );
    expect(played({ ...ROUND, banked: 50_000 })).toBe("You banked $500.");
    expect(played({ ...ROUND, ended: "voided", reason: "misdeal" })).toBe(
      "Void: misdeal. All bets and fees were returned.",
    );
  });

  test("of a hand that the floor made void", () => {
    expect(played({ ...ROUND, void_hand: "IR-2" })).toBe("Your hand was void (IR-2).");
  });

  test("of what it came to since it was corrected", () => {
    const corrected = {
      ...{ table: "t", round: 1, correction: 1, at: 0, reason: "the dealer misread" },
      ...{ net: -1000, fee: -100, cents: -900, owed: -200, to_wallet: true },
    };
    const round = { ...ROUND, corrections: [corrected] };
    expect(result(round)).toBe(400 - 900);
    expect(settledAs(round)).toBe("Settled as +$4.00.");
    expect(correctionLines(round)).toEqual([
      "Corrected: −$9.00. The dealer misread. You still owe $2.00.",
    ]);
    expect([settledAs(ROUND), correctionLines(ROUND)]).toEqual(["", []]);
  });

  test("of what was staked, and what it came to after the fee", () => {
    expect(staked(ROUND)).toBe("Ante $5, Play $5 (returned), fee $1");
    expect(result(ROUND)).toBe(400);
    expect(staked({ ...ROUND, fee: 0 })).toBe("Ante $5, Play $5 (returned)");
  });
});

test("fees are those collected before play and after it, and none of a void round", () => {
  const events = [
    { type: "bets.closed/2", fees: [{ place: 2, cents: 100 }] },
    {
      type: "round.settled/1",
      fees: [
        { place: 2, cents: 50 },
        { place: 3, cents: 200 },
      ],
    },
  ] as Recalled["events"];
  expect(feesOf({ ...ROUND, events })).toEqual({ 2: 150, 3: 200 });
  expect(feesOf({ ...ROUND, events, ended: "voided" })).toEqual({});
});

test("a path has only what is asked for", () => {
  expect(exportPath("phhs")).toBe("/api/me/rounds.phhs?limit=1000");
  expect(exportPath("jsonl", "a b")).toBe("/api/me/rounds.jsonl?table=a%20b&limit=1000");
});

test("the player's own cards are added to the view", () => {
  const hands = [
    { place: 1, seat: 1, wagers: [] },
    { place: 2, seat: 2, wagers: [] },
  ];
  const round = { round: 7, commitment: "", hands };
  const view = { round, last: { round, end: {}, players: { 1: "Ann" } } } as unknown as TableView;
  const seen = complete(view, { hand: 2, cards: [1, 2, 3], last_hand: 1, last_cards: [4, 5, 6] });
  expect(seen.round!.hands.map((hand) => hand.cards)).toEqual([undefined, [1, 2, 3]]);
  expect(seen.last!.round.hands.map((hand) => hand.cards)).toEqual([[4, 5, 6], undefined]);
  expect(view.round!.hands[1]).toEqual(hands[1]); // the view itself stays as it came
  expect([placeIn(view.last, "Ann"), placeIn(view.last, "Bo"), placeIn(undefined, "Ann")]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});
