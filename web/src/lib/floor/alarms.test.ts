import { expect, test } from "vitest";
import type { FloorTable } from "../../generated/server";
import { alarmOf, alarmWords } from "./alarms";
import { clockTime } from "./times";

const table = {
  corrections_waiting: 2,
  closing: "end of the shift",
  change_from: 5_000,
} as FloorTable;

test("alarms say what they are about", () => {
  expect(alarmWords("correction", table)).toBe("2 corrections are waiting");
  expect(alarmWords("closing", table)).toBe("Closing: end of the shift");
  expect(alarmWords("change", table)).toContain(clockTime(5_000));
  expect(alarmWords("paused", table)).toBe("Paused");
  expect(alarmWords("slow")).toBe("The disk is slow");
});

test("a code that is not known is shown as it is", () => {
  expect(alarmWords("new_kind")).toBe("New kind");
});

test("what is only worth knowing is calm", () => {
  expect(alarmOf("clock_stopped").isCalm).toBe(true);
  expect(alarmOf("damaged").isCalm).toBe(false);
});
