import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Coach, coachAt, parts, type Totals } from "./model.svelte";
import type { End, HandView, Own, RoundView, TableView } from "../net/protocol";

const CARDS = [40, 17, 10]; // Q-6-4
const KEY = "queenhigh.coach";
const WORTH = { play: "-450", fold: "-500", best: "play", cost: "50", start: "-17/3" };
let stored: Map<string, string>;
let asked: { path: string; body: unknown }[];
let answer: { status: number; body: unknown };
let coach: Coach;

const round = (number: number, hand: Partial<HandView> = {}, more: Partial<RoundView> = {}) => ({
  round: number,
  commitment: `c${number}`,
  dealer: [47, null, null],
  hands: [
    { place: 2, seat: 1, fee: 100, wagers: [{ spot: "ante", cents: 500 }], ...hand } as HandView,
  ],
  ...more,
});
const view = (change: Partial<TableView>) =>
  ({ table: "ca", digest: "rules", phase: "deciding", ...change }) as TableView;
const own: Own = { place: 2, hand: 2, cards: CARDS };
const after: Own = { place: 2, last_hand: 2, last_cards: CARDS };
const end = (number: number, change: Partial<End> = {}) =>
  ({
    type: "round.settled/1",
    at: 5000,
    round: number,
    places: [{ place: 2, net: 1000 }],
    ...change,
  }) as End;
const settled = (number: number, move: "play" | "fold" = "play", change: Partial<End> = {}) =>
  view({
    phase: "between",
    last: { round: round(number, { move }), end: end(number, change), players: { 2: "Ann" } },
  });
const answerWith = (change: object) => ({ ...WORTH, money: { ...WORTH, ...change }, hands: {} });
const saved = () => JSON.parse(stored.get(KEY) ?? "{}");

/** Decide a hand and end the round. */
async function play(number: number, move: "play" | "fold" = "play", change: Partial<End> = {}) {
  coach.watch(view({ round: round(number) }), own, 1, true, false);
  coach.watch(view({ round: round(number, { move }) }), own, 1, true, false);
  coach.watch(settled(number, move, change), after, 1, true, false);
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  [stored, asked, answer] = [new Map(), [], { status: 200, body: answerWith({}) }];
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
    asked.push({ path, body: JSON.parse(body) });
    return { status: answer.status, ok: answer.status < 400, json: async () => answer.body };
  });
  coach = new Coach("ca");
});
afterEach(() => vi.useRealTimers());

describe("a decision", () => {
  test("is weighed once it is made, and once only", async () => {
    coach.watch(view({ round: round(7) }), own, 1, true, false);
    expect(asked).toEqual([]);
    const moved = round(7, {
      move: "play",
      wagers: [
        { spot: "ante", cents: 500 },
        { spot: "play", cents: 500 },
      ],
    });
    coach.watch(view({ round: moved }), own, 1, true, false);
    coach.watch(view({ round: moved }), own, 1, true, false);
    await vi.advanceTimersByTimeAsync(0);
    coach.watch(view({ round: moved }), own, 1, true, false);
    expect(asked).toEqual([
      {
        path: "/api/tables/ca/advice",
        body: { hand: "Qc 6d 4h", up: "Ks", wagers: { ante: 500 } },
      },
    ]);
    expect(coach.advice?.money.best).toBe("play");
  });

  test("is weighed before it is made where that is wanted", () => {
    coach.watch(view({ round: round(7) }), own, 1, true, true);
    expect(asked).toHaveLength(1);
  });

  test("is not weighed by a coach that is off", () => {
    coach.watch(view({ round: round(7, { move: "play" }) }), own, 1, false, true);
    expect([asked, coach.decision?.key]).toEqual([[], "c7"]);
  });

  test("needs an Ante, three cards, and the cards that are up", () => {
    const side = [{ spot: "bonus", cents: 100 }];
    for (const [hand, cards, dealer] of [
      [{ wagers: side }, CARDS, [47]],
      [{}, CARDS.slice(1), [47]],
      [{}, CARDS, [null]],
    ] as const) {
      const now = round(7, { move: "play", ...hand } as HandView, { dealer: [...dealer] });
      coach.watch(view({ round: now }), { ...own, cards: [...cards] }, 1, true, true);
      expect(coach.decision).toBeNull();
    }
    expect(asked).toEqual([]);
  });

  test("by rules that have changed since is not asked about", () => {
    coach.watch(view({ round: round(7) }), own, 1, true, false);
    const now = view({ round: round(7, { move: "play" }), digest: "other rules" });
    coach.watch(now, own, 1, true, false);
    expect(asked).toEqual([]);
  });

  test("made by the clock is not taken for the player's", async () => {
    coach.watch(view({ round: round(7), deadline: 5000 }), own, 1, true, false);
    coach.watch(settled(7, "fold"), after, 1, true, false);
    expect(coach.silent).toBe(true);
    coach.watch(view({ round: round(8), deadline: 9000 }), own, 1, true, false);
    expect(coach.silent).toBe(false);
    coach.watch(settled(8, "fold", { at: 8999 }), after, 1, true, false);
    expect(coach.silent).toBe(false);
  });

  test("that got no answer is asked about again, a second later", async () => {
    answer = { status: 503, body: { code: "busy", message: "try again soon" } };
    const now = view({ round: round(7, { move: "play" }) });
    coach.watch(now, own, 1, true, false);
    await vi.advanceTimersByTimeAsync(999);
    coach.watch(now, own, 1, true, false);
    expect([asked.length, coach.wrong]).toEqual([1, "try again soon"]);
    answer = { status: 200, body: answerWith({}) };
    await vi.advanceTimersByTimeAsync(1);
    coach.watch(now, own, 1, true, false);
    await vi.advanceTimersByTimeAsync(0);
    expect([asked.length, coach.wrong, coach.advice?.best]).toEqual([2, "", "play"]);
  });

  test("that was refused is not asked about again", async () => {
    answer = { status: 400, body: { code: "advice.none", message: "no" } };
    const now = view({ round: round(7, { move: "play" }) });
    coach.watch(now, own, 1, true, false);
    await vi.advanceTimersByTimeAsync(5000);
    coach.watch(now, own, 1, true, false);
    expect(asked).toHaveLength(1);
  });
});

describe("the books", () => {
  const first: Totals = { hands: 1, right: 1, net: 900, price: "-17/3", mistakes: "0" };

  test("take each round once, less its fee", async () => {
    await play(7);
    coach.watch(settled(7), after, 1, true, false);
    expect([coach.visit, coach.always]).toEqual([first, first]);
    await play(8);
    expect(coach.visit).toEqual({ ...first, hands: 2, right: 2, net: 1800, price: "-34/3" });
  });

  test("take what a wrong move gave away", async () => {
    await play(7, "fold", { places: [{ place: 2, net: -500 }] });
    expect(coach.visit).toEqual({ ...first, right: 0, net: -600, mistakes: "50" });
  });

  test("take a move that costs nothing as right", async () => {
    answer.body = answerWith({ cost: "0" });
    await play(7, "fold");
    expect([coach.visit.right, coach.visit.mistakes]).toEqual([1, "0"]);
  });

  test("take no round that was over before, was void, or may have been short", async () => {
    coach.watch(settled(6), after, 1, true, false);
    await vi.advanceTimersByTimeAsync(0);
    await play(7, "play", { type: "round.voided/1", places: [] });
    const short = round(8, { move: "play" }, { banker: 3, bank: 999 });
    coach.watch(view({ round: short }), own, 1, true, false);
    const last = { round: short, end: end(8), players: {} };
    coach.watch(view({ last }), after, 1, true, false);
    await vi.advanceTimersByTimeAsync(0);
    expect(coach.visit.hands).toBe(0);
    expect(asked).toHaveLength(3);
  });

  test("are kept for each set of rules in this browser", async () => {
    await play(7);
    expect(saved()).toEqual({ rules: { rules: first }, seen: ["c7"] });
    coach.watch(view({ digest: "other rules" }), {}, 1, true, false);
    expect(coach.always.hands).toBe(0);
    const later = new Coach("ca");
    later.watch(view({}), {}, 1, true, false);
    expect([later.always, later.visit.hands]).toEqual([first, 0]);
  });

  test("have no round twice that another window counted", async () => {
    stored.set(KEY, JSON.stringify({ rules: { rules: first }, seen: ["c7"] }));
    await play(7);
    expect([coach.visit.hands, coach.always, saved().rules.rules.hands]).toEqual([1, first, 1]);
  });

  test("survive a reload in the same window, by table and player", async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    coach = new Coach("ca", "Ann");
    await play(1);
    expect(new Coach("ca", "Ann").visit).toEqual(coach.visit);
    expect(new Coach("ca", "Ben").visit.hands).toBe(0);
    expect(new Coach("house", "Ann").visit.hands).toBe(0);
    for (const broken of [
      "{",
      "null",
      '{"hands":1}',
      '{"hands":1,"right":1,"net":0,"price":"x","mistakes":"0"}',
    ]) {
      for (const key of kept.keys()) kept.set(key, broken);
      expect(new Coach("ca", "Ann").visit.hands).toBe(0);
    }
    vi.stubGlobal("sessionStorage", undefined);
  });

  test("survive storage that is refused or full of something else", async () => {
    stored.set(KEY, "no JSON");
    await play(7);
    expect(coach.always).toEqual(first);
    vi.stubGlobal("localStorage", undefined);
    await play(8);
    expect(coach.visit.hands).toBe(2);
  });
});

test("the parts of a result add up to it", () => {
  const totals = { hands: 3, right: 2, net: 700, price: "-17/3", mistakes: "101/2" };
  expect(parts(totals)).toEqual({ price: -6, mistakes: -51, luck: 757, net: 700 });
});

test("a player has one coach at a table", () => {
  expect(coachAt("ca", "Ann")).toBe(coachAt("ca", "Ann"));
  expect(coachAt("ca", "Ann")).not.toBe(coachAt("ca", "Bo"));
  expect(coachAt("ca", "Ann")).not.toBe(coachAt("house", "Ann"));
});
