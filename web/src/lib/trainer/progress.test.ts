import { beforeEach, expect, test, vi } from "vitest";
import { clear, csvOf, keepRound, kept, percent, secondsEach, sheetOf } from "./progress";

const KEY = "queenhigh.trainer.progress";
let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
const DAY = "2026-11-19";

test("rounds are summed by level, with the best and the last one", () => {
  keepRound(2, { asked: 6, right: 5, ms: 30_000 }, DAY);
  keepRound(2, { asked: 6, right: 6, ms: 60_000 }, DAY);
  keepRound(2, { asked: 5, right: 5, ms: 20_000 }, DAY);
  keepRound(2, { asked: 4, right: 1, ms: 10_000 }, DAY);
  keepRound(4, { asked: 30, right: 0, ms: 1 }, DAY);
  expect(kept()["2"]).toEqual({
    rounds: 4,
    asked: 21,
    right: 17,
    ms: 120_000,
    best: { asked: 5, right: 5, ms: 20_000 },
    last: { asked: 4, right: 1, ms: 10_000 },
    day: DAY,
  });
  expect(sheetOf(kept()).map(({ level }) => level)).toEqual([2, 4]);
  clear();
  expect(kept()).toEqual({});
});

test("what somebody else wrote is left out", () => {
  const good = { rounds: 1, asked: 2, right: 1, ms: 5, best: MARK, last: MARK, day: DAY };
  for (const bad of [null, 3, {}, { ...good, best: undefined }, { ...good, asked: -1 }])
    stored.set(KEY, JSON.stringify({ 1: bad, 2: good }));
  expect(Object.keys(kept())).toEqual(["2"]);
  stored.set(KEY, "not JSON");
  expect(kept()).toEqual({});
});
const MARK = { asked: 2, right: 1, ms: 5 };

test("shares are rounded down, seconds to a tenth", () => {
  expect(percent({ asked: 200, right: 199, ms: 0 })).toBe(99);
  expect(percent({ asked: 7, right: 7, ms: 0 })).toBe(100);
  expect(secondsEach({ asked: 3, right: 0, ms: 10_000 })).toBe(3.3);
});

test("the CSV file has a line for each level, and quotes what it must", () => {
  keepRound(1, { asked: 4, right: 3, ms: 10_000 }, DAY);
  const file = csvOf('Ann "Ace", night', kept(), ["Name", "Level"]);
  expect(file).toBe(`Name,Level\r\n"Ann ""Ace"", night",1,1,4,3,75,2.5,75,2.5,75,2.5,${DAY}\r\n`);
  expect(csvOf("=SUM(A1)", kept(), [])).toContain("'=SUM(A1),1");
});
