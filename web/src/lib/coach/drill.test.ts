import { beforeEach, expect, test, vi } from "vitest";
import { keep, perHand, progress, scored, scoreOf, type Deal, type Progress } from "./drill";
import { plain } from "../odds/fraction";

const leads = { behind: 300, level: 3, ahead: 75 };
const DEAL: Deal = {
  hand: [41, 22, 6],
  up: [],
  play: "-7/8",
  fold: "-1",
  best: "play",
  cost: "1/8",
  hands: { of: 756, short: leads, qualified: leads },
};
const LEVEL: Deal = { ...DEAL, best: "fold", play: "-1", cost: "0" };
const NONE = { hands: 0, right: 0, given: "0", streak: 0, longest: 0 };
const SAVED: Progress = {
  score: { hands: 41, right: 39, given: "3/16", streak: 2, longest: 30 },
  batch: {
    rulebook: "house",
    digest: "sha256:00",
    rules_digest: "sha256:01",
    up: 0,
    deals: [DEAL, LEVEL, DEAL],
  },
  moves: ["play", "fold"],
};
const KEY = "queenhigh.drill.house";

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  });
});
const deals = (...changed: object[]) => ({
  ...SAVED,
  batch: { ...SAVED.batch, deals: changed.map((change) => ({ ...DEAL, ...change })) },
});

test("progress is saved by rulebook and read again", () => {
  keep("house", SAVED);
  expect(progress("house")).toEqual(SAVED);
  expect(progress("california")).toEqual({ score: NONE, batch: null, moves: [] });
});

test.each<[string, object]>([
  ["no batch", { ...SAVED, batch: null }],
  ["half a batch", { ...SAVED, batch: { rulebook: "house" } }],
  ["no digest", { ...SAVED, batch: { ...SAVED.batch, digest: 7 } }],
  ["no hands", { ...SAVED, batch: { ...SAVED.batch, deals: [] } }],
  ["other up cards", { ...SAVED, batch: { ...SAVED.batch, up: 1 } }],
  ["a cost that is no number", deals({ cost: "much" })],
  ["a cost that is no text", deals({ cost: 0 })],
  ["a cost over nothing", deals({ cost: "1/0" })],
  ["a card that is none", deals({ hand: [41, 22, 52] })],
  ["two cards", deals({ hand: [41, 22] })],
  ["a best move that is none", deals({ best: "bet" })],
  ["no cases", deals({ hands: null })],
  ["half the cases", deals({ hands: { of: 756, short: leads } })],
  [
    "negative cases",
    deals({ hands: { of: 756, short: { ...leads, level: -1 }, qualified: leads } }),
  ],
  ["one bad hand among good ones", deals({}, { play: null })],
  ["no moves", { ...SAVED, moves: null }],
  ["a move that is none", { ...SAVED, moves: ["bet"] }],
  ["more moves than hands", { ...SAVED, moves: ["play", "play", "play", "play"] }],
])("a batch with %s is dropped, and the score stays", (_, damaged) => {
  stored.set(KEY, JSON.stringify(damaged));
  expect(progress("house")).toEqual({ score: SAVED.score, batch: null, moves: [] });
});

test.each<[string, unknown]>([
  ["no score", null],
  ["an amount that is none", { ...SAVED.score, given: null }],
  ["an amount over nothing", { ...SAVED.score, given: "1/0" }],
  ["half a hand", { ...SAVED.score, hands: 0.5 }],
  ["a negative streak", { ...SAVED.score, streak: -1 }],
  ["no record", { ...SAVED.score, longest: undefined }],
])("with %s the score begins again, and the batch stays", (_, score) => {
  stored.set(KEY, JSON.stringify({ ...SAVED, score }));
  expect(progress("house")).toEqual({ ...SAVED, score: NONE });
});

test.each(["null", "7", '"text"', "[]", "{", ""])("with %o saved the drill begins", (text) => {
  stored.set(KEY, text);
  expect(progress("house")).toEqual({ score: NONE, batch: null, moves: [] });
});

test("the drill goes on where nothing can be stored", () => {
  const refuse = () => {
    throw new DOMException("no storage");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
  keep("house", SAVED);
  expect(progress("house")).toEqual({ score: NONE, batch: null, moves: [] });
});

test("a right move adds to the streak, a wrong one ends it and adds its cost", () => {
  const right = scored(NONE, DEAL, "play");
  expect(right).toEqual({ hands: 1, right: 1, given: "0", streak: 1, longest: 1 });
  const wrong = scored(scored(right, DEAL, "play"), DEAL, "fold");
  expect(wrong).toEqual({ hands: 3, right: 2, given: "1/8", streak: 0, longest: 2 });
  const again = scored(wrong, { ...DEAL, cost: "3/8" }, "fold");
  expect(again).toEqual({ hands: 4, right: 2, given: "1/2", streak: 0, longest: 2 });
});

test("either move is right where both are worth the same", () => {
  for (const move of ["play", "fold"] as const)
    expect(scored(NONE, LEVEL, move)).toMatchObject({ right: 1, given: "0", streak: 1 });
});

test("the score of a batch is that of the hands decided in it", () => {
  expect(scoreOf(SAVED)).toEqual({ hands: 2, right: 2, given: "0", streak: 2, longest: 2 });
  expect(scoreOf({ ...SAVED, moves: ["fold", "play", "play"] })).toEqual({
    hands: 3,
    right: 2,
    given: "1/8",
    streak: 2,
    longest: 2,
  });
  expect(scoreOf({ ...SAVED, batch: null, moves: [] })).toEqual(NONE);
});

test("what a hand gives away on average is exact", () => {
  expect(plain(perHand(NONE))).toBe("0");
  expect(plain(perHand({ ...NONE, hands: 3, given: "1/8" }))).toBe("1/24");
  expect(plain(perHand({ ...NONE, hands: 4, given: "2" }))).toBe("1/2");
});
