import { expect, test } from "vitest";
import type { Correction, FloorRound, PlacePlayed } from "../../generated/server";
import {
  approvalOf,
  changesNothing,
  editsOf,
  factsInForce,
  factsOf,
  movedRows,
  sameFacts,
  wantedIn,
  wantedPart,
} from "./corrections";

const ante = (cents: number) => ({ spot: "ante", cents });
const played = (place: number, more: Partial<PlacePlayed> = {}): PlacePlayed => ({
  place,
  player: `P${place}`,
  wagers: [ante(500)],
  move: "play",
  cards: "",
  net: 0,
  fee: 100,
  voided: false,
  ...more,
});
const made = (correction: number, facts: Correction["facts"], status = "made") =>
  ({
    correction,
    facts,
    status,
    decided_at: correction,
    moved: [] as const,
  }) as unknown as Correction;
const round = (places: PlacePlayed[], corrections: Correction[] = []) =>
  ({ places, corrections }) as unknown as FloorRound;

test("facts that are not changed are not sent", () => {
  const here = round([played(1), played(2, { move: null })]);
  expect(factsOf(here, editsOf(here), false)).toEqual({});
});

test("changed moves, bets and void hands are sent by seat", () => {
  const here = round([played(1), played(2), played(3), played(4)]);
  const [one, two, three, four] = editsOf(here);
  const edits = [
    { ...one!, move: "fold" as const },
    { ...two!, wagers: [ante(800), { spot: "bonus", cents: 0 }] },
    { ...three!, isVoid: true, move: "fold" as const },
    four!,
  ];
  expect(factsOf(here, edits, false)).toEqual({
    moves: { 1: "fold" },
    wagers: { 2: [ante(800)], 3: [] },
  });
  expect(factsOf(here, edits, true)).toEqual({ void: true });
});

test("a ruling that was too late fills the correction in by the address", () => {
  const seen = "A player's card was exposed: it fell 50% open";
  const instead = { table: "two", round: 9, place: 2, facts: { wagers: { 2: [] } } };
  const wanted = wantedIn(wantedPart(instead, seen))!;
  expect(wanted.place).toBe(2);
  expect(wanted.reason).toBe(seen);
  const here = round([played(1), played(2)]);
  expect(factsOf(here, editsOf(here, wanted.facts), false)).toEqual({ wagers: { 2: [] } });
  for (const part of [undefined, "", "x", "[]", "null", '{"facts":1,"reason":"x"}'])
    expect(wantedIn(part), part).toBe(null);
});

test("the order of bets is no difference", () => {
  const bonus = { spot: "bonus", cents: 100 };
  const here = round([played(1, { wagers: [ante(500), bonus] })]);
  const [edit] = editsOf(here);
  expect(factsOf(here, [{ ...edit!, wagers: [bonus, ante(500)] }], false)).toEqual({});
});

test("a form starts with what the last correction says", () => {
  const corrections = [
    made(3, { moves: { 1: "play" } }, "rejected"),
    made(1, { moves: { 2: "fold" } }),
    made(2, { moves: { 1: "fold" }, wagers: { 2: [] } }),
  ];
  const here = round([played(1), played(2), played(3, { voided: true })], corrections);
  expect(factsInForce(here)).toBe(corrections[2]!.facts);
  const edits = editsOf(here);
  expect(edits.map(({ place, move, isVoid }) => [place, move, isVoid])).toEqual([
    [1, "fold", false],
    [2, "play", true],
  ]);
  expect(sameFacts(factsOf(here, edits, false), factsInForce(here))).toBe(true);
  expect(sameFacts(factsInForce(here), {})).toBe(false);
});

test("the correction that was approved last counts, whenever it was asked for", () => {
  const corrections = [
    { ...made(1, { void: true }), decided_at: 20 },
    { ...made(2, { moves: { 1: "fold" } }), decided_at: 10 },
  ];
  expect(factsInForce(round([played(1)], corrections))).toEqual({ void: true });
});

test.each([
  [[{ place: 1, against: "bank", cents: -300 }], true],
  [[{ place: 1, against: "bank", cents: -100, owed: -200 }], false],
] as const)("the same facts change something while chips are owed: %j", (moved, nothing) => {
  const facts = { moves: { 1: "fold" } } as const;
  const here = round([played(1)], [{ ...made(1, facts), decided_at: 1, moved: [...moved] }]);
  expect(changesNothing(here, facts)).toBe(nothing);
  expect(changesNothing(here, {})).toBe(false);
});

test("a seat whose chips cover nothing is shown with what it owes", () => {
  expect(movedRows([{ place: 3, against: "bank", cents: 0, owed: -500 }], [])).toEqual([
    { place: 3, player: null, bank: 0, fees: 0, owed: -500, chips: 0, seat: null },
  ]);
});

test("what moves is in one row for each seat", () => {
  const rows = movedRows(
    [
      { place: 4, against: "bank", cents: 1000, owed: 200 },
      { place: 4, against: "fees", cents: 100 },
    ],
    [
      { place: 4, player: "Ann", seat: 2, cents: 900 },
      { place: 1, player: "Ben", seat: null, cents: -800 },
    ],
  );
  expect(rows).toEqual([
    { place: 1, player: "Ben", bank: 0, fees: 0, owed: 0, chips: -800, seat: null },
    { place: 4, player: "Ann", bank: 1000, fees: 100, owed: 200, chips: 900, seat: 2 },
  ]);
});

test.each([
  ["waiting", "Ida", true, {}, "may"],
  ["waiting", "Kim", true, {}, "own"],
  ["waiting", "Kim", false, {}, "role"],
  ["made", "Ida", true, {}, "decided"],
  ["waiting", "Ida", true, { approve_from: 1, made_by: "Kim" }, "wait"],
] as const)("a correction that is %s, for %s", (status, name, may, wait, answer) => {
  expect(approvalOf({ status, asked_by: "Kim", ...wait }, name, may)).toBe(answer);
});
