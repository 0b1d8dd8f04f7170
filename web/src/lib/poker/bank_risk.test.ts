import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import * as says from "../../texts/banker";
import { bankBook } from "../bank/figures";
import type { HandView, Last, RoundView, TableView } from "../net/protocol";
import { aboutNeeded, betsOf, expectation, handRisk, likelyBets, roundRisk } from "./bank_risk";
import { rackOf } from "./rack";

const { california, house } = data.rules;
const { figures } = data.bank;

const hand = (place: number, ante: number, side = 0, change: Partial<HandView> = {}): HandView => ({
  place,
  seat: place,
  wagers: [{ spot: "ante", cents: ante }, ...(side ? [{ spot: "bonus", cents: side }] : [])],
  ...change,
});

describe("a hand against the bank", () => {
  test("may win Ante, Play and the most that its side bet pays", () => {
    expect(handRisk(hand(1, 500), california)).toEqual({ pays: 1000, wins: 1000 });
    expect(handRisk(hand(1, 500, 100), california)).toEqual({ pays: 1000 + 5000, wins: 1100 });
    const bet = { ...hand(1, 100), wagers: [{ spot: "ante", cents: 100 }] };
    expect(handRisk(bet, house)).toEqual({ pays: 200 + 500, wins: 200 }); // with an Ante bonus of 5 to 1
  });

  test("costs what the figures of the bank say at worst", () => {
    for (const seat of [hand(1, 500), hand(1, 500, 100), hand(1, 2500, 10_000)])
      expect(handRisk(seat, california).pays).toBe(bankBook(figures, betsOf([seat])).worst);
  });

  test("that folds wins nothing, and loses its Ante and the side bet with it", () => {
    const folded = hand(1, 500, 100, { move: "fold" });
    expect(handRisk(folded, california)).toEqual({ pays: 0, wins: 600 });
    const bonus = { ...california.document.bonus!, on_fold: "resolve" as const };
    const resolved = { document: { ...california.document, bonus } };
    expect(handRisk(folded, resolved).pays).toBe(5000);
  });
});

describe("a round that is banked", () => {
  const hands = [hand(2, 500), hand(5, 1000, 100), hand(7, 0)];
  hands[2]!.wagers = [];
  const round: RoundView = { round: 7, commitment: "", hands, banker: 3, bank: 4000, first: 5 };
  const places = ["Ann", "Bo", "Cleo (bot)", "Dan"].map((player, n) => ({
    place: [2, 3, 5, 7][n]!,
    player,
    stack: 0,
  }));
  const view = { round, places } as unknown as TableView;
  const last: Last = {
    round,
    players: { 2: "Ann", 3: "Bo", 5: "Cleo (bot)" },
    end: {
      type: "round.settled/1",
      at: 0,
      round: 7,
      seed: "",
      net: 500,
      places: [
        { place: 2, seat: 2, net: 1000, wagers: [] },
        { place: 5, seat: 5, net: -1500, wagers: [] },
      ],
    },
  };

  test("has its seats in order of action, none for more than the bank", () => {
    expect(roundRisk(view, undefined, Infinity, california)).toEqual({
      bank: 4000,
      rack: 4000,
      exposed: 4000,
      seats: [
        { place: 5, name: "Cleo", pays: 4000, wins: 2100, came: null },
        { place: 2, name: "Ann", pays: 1000, wins: 1000, came: null },
      ],
    });
  });

  test("settles into the rack and out of it, one seat after another", () => {
    const at = (count: number) => {
      const { rack, exposed, seats } = roundRisk(view, last, count, california);
      return [rack, exposed, seats.map((seat) => seat.came)];
    };
    expect([at(-1), at(0)]).toEqual([
      [4000, 4000, [null, null]],
      [4000, 4000, [null, null]],
    ]);
    expect(at(1)).toEqual([5500, 1000, [1500, null]]);
    expect(at(Infinity)).toEqual([4500, 0, [1500, -1000]]);
  });
});

describe("before taking the bank", () => {
  const last = {
    round: { hands: [hand(2, 1000, 200)] },
    players: { 2: "Ann", 3: "Bo" },
  } as unknown as Last;
  const places = [
    { place: 2, player: "Ann", stack: 0 },
    { place: 3, player: "Bo", stack: 0 },
    { place: 4, player: "Cy", stack: 0, aside: true },
    { place: 5, player: "Di", stack: 0 },
    { place: 6, player: "Ed", stack: 0, away: true },
  ];

  test("the others probably bet what they bet last, else the least Ante", () => {
    expect(likelyBets({ places, last } as unknown as TableView, 3, 500)).toEqual([
      { ante: 1000, side: 200 },
      { ante: 500, side: 0 },
    ]);
  });

  test("the figures of a round are after the fee", () => {
    const six = Array.from({ length: 6 }, () => ({ ante: 500, side: 0 }));
    expect(expectation(figures, six)).toEqual({ mean: -71, sd: 2900, fee: 200 });
    expect(expectation(figures, [])).toBeNull();
    expect([aboutNeeded(six, true), aboutNeeded(six, false)]).toEqual([12_000, 6_000]);
  });

  test("the offer is in plain words", () => {
    expect(says.putUp(50_000, 99_500, says.need(6, [500, 500], 12_000))).toBe(
      "Put up $500 · up to $995 (six players at $5 need about $120)",
    );
    expect(says.need(1, [500, 1000], 3000)).toBe("one player at $5 to $10 needs about $30");
    expect(says.expected(129, 2900, 200)).toBe(
      "With such bets: +$1.29 ± $29 a round after the $2 fee.",
    );
    expect(says.thisRound(-71, 2900, 200)).toBe("This round: −$0.71 ± $29 after the $2 fee");
    expect(says.worst(50_000, 200)).toBe("You can lose at most $500 and the fee.");
  });
});

describe("a rack", () => {
  test("has change of every value, and makes the amount", () => {
    expect(rackOf(50_000).map(({ value, count }) => [value, count])).toEqual([
      [10_000, 3],
      [2_500, 6],
      [500, 9],
      [100, 5],
    ]);
    for (const cents of [0, 1, 99, 100, 550, 12_345, 50_000, 99_500, 1_234_567, 10_000_000]) {
      const tubes = rackOf(cents);
      expect(tubes.reduce((sum, { value, count }) => sum + value * count, 0)).toBe(cents);
      expect(tubes.every(({ count }) => Number.isInteger(count) && count > 0)).toBe(true);
    }
    expect(rackOf(-500)).toEqual([]);
  });
});
