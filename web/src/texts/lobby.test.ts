import { expect, test } from "vitest";
import { feeRange, paceText, range, seatsText, sitToStart } from "./lobby";

test.each([
  [100, 300, "$1–3"],
  [100, 100, "$1"],
  [250, 1_000, "$2.50–$10"],
  [500, 100_000, "$5–1,000"],
])("from %i to %i cents is %s", (min, max, text) => {
  expect(range(min, max)).toBe(text);
});

test("a fee names what it depends on, unless it is always the same", () => {
  expect(feeRange(100, 300, "round")).toBe("Fee $1–3 by Ante");
  expect(feeRange(100, 900, "wager")).toBe("Fee $1–9 by bet");
  expect(feeRange(100, 100, "round")).toBe("Fee $1");
});

test("seats, pace and what to do are short", () => {
  expect(seatsText(3, 7, 2)).toBe("3 of 7 seats taken, 2 by bots");
  expect(paceText(20_000, 15_000, true)).toBe("20 s to bet, 15 s to decide");
  expect(paceText(20_000, 15_000, false)).toBe("20 s to bet");
  expect([sitToStart(0), sitToStart(1), sitToStart(6)]).toEqual([
    "Sit down to start",
    "Sit down to start · 1 bot ready",
    "Sit down to start · 6 bots ready",
  ]);
});
