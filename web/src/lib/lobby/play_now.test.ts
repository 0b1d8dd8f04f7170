import { expect, test } from "vitest";
import { freePlace } from "./play_now";

test.each([
  [7, [], 4],
  [7, [4], 3],
  [7, [3, 4], 5],
  [2, [1], 2],
  [2, [1, 2], undefined],
])(
  "of %i places with %j taken, %s is the free one nearest to the middle",
  (places, taken, free) => {
    expect(freePlace(places, taken)).toBe(free);
  },
);
