import { expect, test } from "vitest";
import type { PendingChange, PostedAmounts } from "../../generated/server";
import { changedAmounts, changeNews, chargedText, countdown } from "./pending_change";

const rate = (min: number, max: number, player: number, banker: number) => ({
  ...{ min, max, player, banker },
  ...{ clause: "CA-7", on: "ante" as const },
});
const old: PostedAmounts = {
  fees: [rate(500, 10_000, 100, 200), rate(10_001, 30_000, 200, 400)],
  charged: "round",
  collect: "before",
  limits: { ante: { min: 500, max: 30_000 }, bonus: { min: 100, max: 10_000 } },
  least_bank: 500,
};
const dearer: PostedAmounts = {
  ...old,
  fees: [rate(500, 10_000, 150, 200), rate(10_001, 20_000, 200, 400)],
  limits: { ante: { min: 500, max: 20_000 }, bonus: { min: 100, max: 10_000 } },
};
const pending: PendingChange = { from: 60_000, reason: "a slow night", old, new: dearer };

test("only the amounts that change are listed, old and new", () => {
  expect(changedAmounts(pending)).toEqual([
    { name: "Fee, $5 to $100", old: "$1, banker $2", new: "$1.50, banker $2" },
    {
      name: "Fee",
      old: "$100.01 to $300: $2, banker $4",
      new: "$100.01 to $200: $2, banker $4",
    },
    { name: "Ante", old: "$5 to $300", new: "$5 to $200" },
  ]);
  const fewer = { ...old, fees: [], charged: null, collect: null, limits: {}, least_bank: 900 };
  expect(changedAmounts({ ...pending, new: fewer }).map((row) => row.new)).toEqual([
    ...["none", "none", "none", "none", "none", "$9"],
  ]);
});

test("what fees are charged on and when is said in words", () => {
  expect(chargedText("round", "before")).toBe("once a round, before the start of play");
  expect(chargedText("wager", "after")).toBe("on each bet, after the start of play");
  expect(chargedText(undefined, undefined)).toBe("none");
});

test.each([
  [60_000, "1:00"],
  [59_001, "1:00"],
  [9_000, "0:09"],
  [-5, "0:00"],
])("%i ms are shown as %s", (ms, text) => expect(countdown(ms)).toBe(text));

test("a notice is read out once, and again when it is another", () => {
  expect(changeNews(null, pending, 0)).toMatch(/^Fees or limits change for rounds .* 60 seconds/);
  expect(changeNews(pending, { ...pending }, 30_000)).toBe("");
  expect(changeNews(pending, { ...pending, from: 90_000 }, 30_000)).toContain("60 seconds");
  expect(changeNews(null, pending, 70_000)).toContain("from the next round");
});

test("the end of a notice is read out", () => {
  expect(changeNews(pending, null, 59_999)).toContain("withdrawn");
  expect(changeNews(pending, null, 60_000)).toContain("apply now");
  expect(changeNews(null, null, 0)).toBe("");
});
