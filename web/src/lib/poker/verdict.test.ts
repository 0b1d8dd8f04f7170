import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { bankerResult, playerResult } from "../../texts/results";
import { parseCards } from "../history/rounds";
import type { HandView, Last, SettledWager } from "../net/protocol";
import { bankStatus, verdictOf } from "./verdict";

const { california } = data.rules;
const wager = (name: string, net: number, clause: string): SettledWager => ({
  wager: name,
  stake: 500,
  net,
  action: Math.abs(net),
  clause,
});

/** Ann, at place 2, against Bo's bank of $500; Ann pays a dollar and Bo two, and Zoe looks on. */
function last(
  cards: string,
  dealer: string,
  wagers: SettledWager[],
  end: Partial<Last["end"]> = {},
  hand: Partial<HandView> = {},
): Last {
  const net = wagers.reduce((sum, each) => sum + each.net, 0);
  return {
    round: {
      round: 7,
      commitment: "",
      banker: 3,
      bank: 50_000,
      bank_fee: 200,
      first: 1,
      dealer: parseCards(dealer),
      hands: [
        {
          place: 2,
          seat: 1,
          wagers: [{ spot: "ante", cents: 500 }],
          cards: parseCards(cards),
          move: "play",
          fee: 100,
          ...hand,
        },
      ],
    },
    end: {
      type: "round.settled/1",
      at: 0,
      round: 7,
      seed: "",
      banker: 3,
      bank: 50_000,
      bank_left: 50_000 - wagers.reduce((sum, each) => sum + each.action, 0),
      net: -net,
      places: [{ place: 2, seat: 1, net, wagers }],
      ...end,
    },
    players: { 2: "Ann", 3: "Bo" },
  };
}
const both = (net: number, clause: string) =>
  ["ante", "play"].map((name) => wager(name, net, clause));
const TIE = last("Kh 8d 4c", "Ks 8s 4h", both(0, "CA-18"));
const WON = last("Ah 8d 4c", "Ks 8s 4h", both(500, "CA-16"));
const LOST = last("9h 8d 4c", "Ks 8s 4h", both(-500, "CA-17"));

describe("the verdict for a player", () => {
  test("is a dollar down where the cards were even and the fee was a dollar", () => {
    expect(verdictOf(TIE, "Ann", california)).toMatchObject({
      net: -100,
      fee: 100,
      headline: "−$1.00",
      why:
        "It's a tie with king-high. Ante and Play are returned." +
        " You're down $1.00 – the cards were even, the fee was $1.00.",
      clauses: ["CA-18", california.document.fees!.clause],
    });
  });

  test("has the fee in the figure and beside it", () => {
    expect(verdictOf(WON, "Ann", california)).toMatchObject({
      net: 900,
      headline: "+$9.00",
      why:
        "Your ace-high beats the dealer's king-high." + " Ante and Play win $5.00 each. Fee $1.00.",
      spoken:
        "Your ace-high beats the dealer's king-high. Ante and Play win $5.00 each." +
        " You won $9.00 after the $1.00 fee.",
    });
    expect(verdictOf(LOST, "Ann", california)).toMatchObject({ net: -1100, headline: "−$11.00" });
  });

  test("says that the clock folded the hand", () => {
    const hand = { move: "fold", by_clock: true } as Partial<HandView>;
    const folded = last("9h 8d 4c", "Ks 8s 4h", [wager("ante", -500, "CA-13")], {}, hand);
    expect(verdictOf(folded, "Ann", california)!.why).toBe(
      "The clock folded your hand. Ante loses $5.00. Fee $1.00.",
    );
  });

  test("of a void returns everything, and is no result", () => {
    const end = { type: "round.voided/1", at: 0, round: 7, seed: "", reason: "misdeal" } as const;
    const voided = { ...TIE, end };
    for (const player of ["Ann", "Bo"])
      expect(verdictOf(voided, player, california)).toMatchObject({
        isVoid: true,
        net: 0,
        fee: 0,
        headline: "Round void",
        why: "Misdeal. All bets and fees are returned.",
      });
  });

  test("is none for those who look on, and before any round", () => {
    expect(verdictOf(TIE, "Zoe", california)).toBeNull();
    expect(verdictOf(TIE, null, california)).toBeNull();
    expect(verdictOf(undefined, "Ann", california)).toBeNull();
  });
});

describe("the verdict for a banker", () => {
  test("is what the bank won, after its fee, and how much it covered", () => {
    expect(verdictOf(LOST, "Bo", california)).toMatchObject({
      isBank: true,
      net: 800,
      fee: 200,
      headline: "+$8.00",
      why: "Your bank won $8.00 after the $2.00 fee. Dealer has king-high and qualifies. Covered $10 of $500.",
    });
  });

  test("says that the bank ran out, or that nobody bet", () => {
    const out = last("Ah 8d 4c", "Ks 8s 4h", both(500, "CA-16"), { bank_left: 0 });
    expect(verdictOf(out, "Bo", california)!.why).toBe(
      "Your bank lost $12.00, fee included. Dealer has king-high and qualifies. The bank ran out.",
    );
    const empty = last("", "", [], { places: [], net: 0 });
    const free = { ...empty, round: { ...empty.round, bank_fee: 0 } };
    expect(verdictOf(free, "Bo", california)!.why).toBe("Your bank broke even. Nobody bet.");
  });
});

describe("a result in a sentence", () => {
  test.each([
    [1500, 100, "You won $14.00 after the $1.00 fee."],
    [-1000, 100, "You lost $11.00, fee included."],
    [0, 100, "You're down $1.00 – the cards were even, the fee was $1.00."],
    [50, 100, "You're down $0.50 – the cards won $0.50, the fee was $1.00."],
    [100, 100, "You broke even – the cards won $1.00, the fee was $1.00."],
    [1500, 0, "You won $15.00."],
    [-1000, 0, "You lost $10.00."],
    [0, 0, "You broke even."],
  ])("of %i cents with a fee of %i", (net, fee, says) => {
    expect(playerResult({ net, fee })).toBe(says);
  });

  test.each([
    [2700, 200, "Your bank won $25.00 after the $2.00 fee."],
    [-2700, 200, "Your bank lost $29.00, fee included."],
    [0, 200, "Your bank is down $2.00 – the cards were even, the fee was $2.00."],
    [200, 200, "Your bank broke even – the cards won $2.00, the fee was $2.00."],
    [0, 0, "Your bank broke even."],
  ])("of a bank of %i cents with a fee of %i", (net, fee, says) => {
    expect(bankerResult({ net, fee })).toBe(says);
  });
});

describe("the bank in a line", () => {
  const line = (over: Last | undefined, count: number) =>
    bankStatus(LOST.round, over, count, california);

  test("covers bets before the first is settled", () => {
    expect(line(undefined, Infinity)).toBe("$500 to cover bets");
    expect([line(LOST, -1), line(LOST, 0)]).toEqual(["$500 to cover bets", "$500 to cover bets"]);
  });

  test("that won does not read as one that lost", () => {
    expect(line(LOST, 1)).toBe("Covered $10 of $500 · bank +$8.00");
    expect(line(LOST, Infinity)).toBe("Covered $10 of $500 · bank +$8.00");
    expect(line(WON, Infinity)).toBe("Covered $10 of $500 · bank −$12.00");
  });

  test("runs out, or is returned with a void round", () => {
    const out = { ...WON, end: { ...WON.end, bank_left: 0 } };
    expect(line(out, Infinity)).toBe("The bank ran out · bank −$12.00");
    expect(line({ ...WON, end: { ...WON.end, type: "round.voided/1" } }, Infinity)).toBe(
      "The bank is returned",
    );
  });

  test("grows by what it collects where it covers what it loses net", () => {
    const bank = { ...california.document.bank!, coverage: "net" as const };
    const rules = { ...california, document: { ...california.document, bank } };
    const grown = { ...LOST, end: { ...LOST.end, bank_left: 51_000 } };
    expect(bankStatus(LOST.round, grown, Infinity, rules)).toBe("$510 to cover bets · bank +$8.00");
  });
});
