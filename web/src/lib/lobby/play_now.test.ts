import { expect, test } from "vitest";
import { freePlace, openTable } from "./play_now";

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

const line = {
  table: "house",
  game: "three_card_poker" as const,
  places: 7,
  players: 3,
  bots: 2,
  disabled: false,
  closing: null,
};
const wheel = { ...line, table: "wheel", game: "roulette" as const };

test.each([
  ["the first table with cards", [wheel, line], "house"],
  ["a wheel where no other table is free", [{ ...line, players: 7 }, wheel], "wheel"],
  ["no table full of bots", [{ ...line, bots: 4 }, wheel], "wheel"],
  ["no paused table", [{ ...line, disabled: true }], undefined],
  ["no table that closes", [{ ...line, closing: "now" }], undefined],
])("without a practice table, visitors get %s", (_, lines, table) => {
  expect(openTable(lines)).toBe(table);
});
