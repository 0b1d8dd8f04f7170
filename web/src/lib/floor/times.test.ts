import { expect, test } from "vitest";
import { clockTime, days, fieldOf, lasting, ofField, shiftOf, stamp } from "./times";

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);

test("a time of today has no day", () => {
  const now = at(19, 23).getTime();
  expect(stamp(at(19, 9, 5).getTime(), now)).toBe("09:05:00");
  expect(stamp(at(18, 9, 5).getTime(), now)).toBe("18 Nov, 09:05:00");
  expect(stamp(new Date(2025, 0, 2, 3).getTime(), now)).toBe("2 Jan 2025, 03:00:00");
  expect(clockTime(at(1, 0).getTime())).toBe("00:00:00");
});

test.each([
  [4_000, "4 s"],
  [59_400, "59 s"],
  [125_000, "2 min"],
  [3_900_000, "1 h 05 min"],
  [-5, "0 s"],
])("%i ms last %s", (ms, text) => expect(lasting(ms)).toBe(text));

test.each([
  [at(19, 6), 0, at(19, 6), at(19, 14)],
  [at(19, 5, 59), 0, at(18, 22), at(19, 6)],
  [at(19, 23), 0, at(19, 22), at(20, 6)],
  [at(19, 7), 1, at(18, 22), at(19, 6)],
  [at(19, 7), 5, at(17, 14), at(17, 22)],
])("the shift of %s, %i back", (time, back, since, until) => {
  expect(shiftOf(time, back)).toEqual({ since: since.getTime(), until: until.getTime() });
});

test("a single shift lasts a whole day", () => {
  const shift = shiftOf(at(19, 5), 0, [6]);
  expect(shift).toEqual({ since: at(18, 6).getTime(), until: at(19, 6).getTime() });
});

test("days end at midnight", () => {
  expect(days(at(19, 13))).toEqual({ since: at(19, 0).getTime(), until: at(20, 0).getTime() });
  expect(days(at(19, 13), 7)).toEqual({ since: at(13, 0).getTime(), until: at(20, 0).getTime() });
  expect(days(at(19, 13), 1, 1)).toEqual({
    since: at(18, 0).getTime(),
    until: at(19, 0).getTime(),
  });
});

test("a field keeps the minute", () => {
  const time = at(19, 6, 30).getTime();
  expect(fieldOf(time)).toBe("2026-11-19T06:30");
  expect(ofField(fieldOf(time))).toBe(time);
  expect([fieldOf(undefined), ofField(""), ofField("soon")]).toEqual(["", undefined, undefined]);
});
