import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import type { IncidentView, RoundView } from "../../generated/server";
import type { Last, TableView } from "../net/protocol";
import { mustConfirm, redealOf, rulingLines, voidedCents } from "./rulings";
import { verdictOf } from "./verdict";

const exposed: IncidentView = {
  kind: "exposed_player",
  ruling: "void_hand",
  clause: "IR-2",
  reason: "seen on camera",
  place: 3,
};
const bets = [
  { spot: "ante", cents: 500 },
  { spot: "bonus", cents: 500 },
];
const round = (more: Partial<RoundView> = {}): RoundView => ({
  round: 7,
  commitment: "",
  hands: [],
  ...more,
});
const view = (more: Partial<TableView> = {}) =>
  ({
    phase: "deciding",
    fees: [],
    places: [
      { place: 3, player: "Ben", stack: 0 },
      { place: 5, player: "Ann", stack: 0 },
    ],
    ...more,
  }) as TableView;

describe("rulings in sentences", () => {
  const now = view({ round: round({ incidents: [exposed], voided: { 3: bets } }) });

  test("others read whose hand is void, and what is returned", () => {
    expect(rulingLines(now, { place: 5 })).toEqual([
      "The floor ruled: exposed card. Ben's hand is void; $10.00 is returned (IR-2). Reason: seen on camera.",
    ]);
  });

  test("the player reads the reason too, and that the fee is returned", () => {
    const charged = { ...now, fees: [{}] } as TableView;
    expect(rulingLines(charged, { place: 3 })).toEqual([
      "The floor ruled: exposed card. Your hand is void; your $10.00 and the fee are returned (IR-2). Reason: seen on camera.",
    ]);
  });

  test.each([
    ["play_on", "Ben's hand plays on (IR-2)."],
    ["default_move", "The table's default move is made for Ben's hand (IR-2)."],
  ] as const)("a ruling to %s", (ruling, text) => {
    const other = view({ round: round({ incidents: [{ ...exposed, ruling }] }) });
    expect(rulingLines(other, {})[0]).toContain(text);
  });

  test("without a ruling there is nothing to read", () => {
    expect(rulingLines(view({ round: round() }), {})).toEqual([]);
    expect(rulingLines(view(), {})).toEqual([]);
  });
});

describe("a round that is dealt again", () => {
  const misdeal: IncidentView = {
    ...{ kind: "misdeal", ruling: "redeal", clause: "IR-1", reason: "two cards fell" },
  };
  const last = {
    round: round({ incidents: [misdeal] }),
    end: { type: "round.voided/1", round: 7, reason: "two cards fell" },
    players: {},
  } as unknown as Last;
  const hand = { place: 5, seat: 5, wagers: bets };
  const again = view({ phase: "betting", last, round: round({ round: 8, hands: [hand] }) });

  test("waits for each player to be ready", () => {
    expect(mustConfirm(again, { place: 5 })).toBe(true);
    expect(rulingLines(again, { place: 5 })).toEqual([
      "The floor ruled: misdeal (IR-1). Dealt again with the same bets: press Ready, or Clear to change them. Reason: two cards fell.",
    ]);
    expect(mustConfirm(again, { place: 3 }), "who had no bets").toBe(false);
    expect(mustConfirm(again, {})).toBe(false);
  });

  test("asks no more of players who are ready", () => {
    const ready = { ...again, round: round({ round: 8, hands: [{ ...hand, ready: true }] }) };
    expect(mustConfirm(ready, { place: 5 })).toBe(false);
    expect(rulingLines(ready, { place: 5 })[0]).not.toContain("press Ready");
  });

  test("is the very next one, while bets are open", () => {
    expect(redealOf(again)?.clause).toBe("IR-1");
    expect(redealOf({ ...again, phase: "deciding" })).toBeUndefined();
    expect(redealOf({ ...again, round: round({ round: 9 }) })).toBeUndefined();
    const plain = { ...last, round: round({ incidents: [] }) };
    expect(redealOf({ ...again, last: plain })).toBeUndefined();
  });
});

test("a void hand has a verdict with its clause", () => {
  const last = {
    round: round({ incidents: [exposed], voided: { 3: bets } }),
    end: { type: "round.settled/1", round: 7, places: [] },
    players: { 3: "Ben" },
  } as unknown as Last;
  const verdict = verdictOf(last, "Ben", data.rules.house);
  expect(verdict).toMatchObject({
    headline: "Hand void",
    why: "Exposed card. Your $10.00 is returned.",
    clauses: ["IR-2"],
    net: 0,
  });
  expect(voidedCents(last.round, 3)).toBe(1000);
  expect(voidedCents(last.round, 4)).toBeUndefined();
  expect(verdictOf(last, "Ann", data.rules.house)).toBeNull();
});
