import { expect, it } from "vitest";
import { chipsOf, stackOf } from "./chips";

const sum = (chips: number[]) => chips.reduce((all, value) => all + value, 0);

it("makes an amount of real chips, the most valuable at the bottom", () => {
  expect(chipsOf(0)).toEqual([]);
  expect(chipsOf(3_600)).toEqual([2_500, 500, 500, 100]);
  expect(chipsOf(1_250)).toEqual([500, 500, 100, 100, 50]);
  for (const cents of [1, 100, 499, 12_345, 987_654]) expect(sum(chipsOf(cents))).toBe(cents);
});

it("keeps a stack as high as a spot", () => {
  expect(stackOf(900)).toEqual([500, 100, 100, 100, 100]);
  expect(stackOf(40_000_000)).toHaveLength(7);
});
