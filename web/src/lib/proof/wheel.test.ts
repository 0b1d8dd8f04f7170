import { expect, test } from "vitest";
import { data } from "../../../testing/data";
import type { WheelBook } from "../net/rulebook";
import { wins } from "./pay";
import { find, pockets, settleBet } from "./wheel";

const { roulette, "roulette-european": european, "roulette-american": american } = data.rules;
const WHEELS = [roulette, european, american];

test("every spot covers and pays what the package says", () => {
  for (const { document, pockets: all, spots } of WHEELS) {
    expect(pockets(document)).toEqual(all);
    const said = spots.map(({ spot, pockets, pays, clause }) => [
      spot,
      [...pockets].sort(),
      pays,
      clause,
    ]);
    const covered = spots.map(({ spot }) => {
      const { covers, pays, clause } = find(document, spot);
      return [spot, [...covers].sort(), pays, clause];
    });
    expect(covered).toEqual(said);
  }
});

test("there is no other spot", () => {
  for (const spot of [
    "split 1 3",
    "corner 3 4 6 7",
    "street 2 3 4",
    "line 34 35 36 37 38 39",
    "straight 37",
    "straight 00",
    "play",
  ])
    expect(() => find(european.document, spot), spot).toThrow();
});

test("every spot wins on its pockets and loses on the others", () => {
  for (const { document, pockets: all, spots } of WHEELS) {
    const plain: WheelBook = { ...document };
    delete plain.zero;
    const wrong = spots.flatMap(({ spot, pockets, pays, clause }) =>
      all.filter((pocket) => {
        const { net, clause: by } = settleBet(plain, { spot, cents: 600 }, pocket, 1);
        return net !== (pockets.includes(pocket) ? wins(600, pays) : -600) || by !== clause;
      }),
    );
    expect(wrong).toEqual([]);
  }
});

test.each([
  ["la_partage", "lose", "red", "0", false, -300, undefined],
  ["la_partage", "lose", "dozen 1", "0", false, -600, undefined],
  ["en_prison", "lose", "red", "0", false, 0, 600],
  ["en_prison", "lose", "red", "0", true, -600, undefined],
  ["en_prison", "half", "red", "0", true, -300, undefined],
  ["en_prison", "stay", "red", "0", true, 0, 600],
  ["en_prison", "stay", "red", "1", true, 0, undefined],
  ["en_prison", "stay", "red", "2", true, -600, undefined],
] as const)(
  "a zero: %s, %s, %s on %s, in prison %s",
  (on_zero, second_zero, spot, pocket, held, net, stays) => {
    const zero = { ...european.document.zero!, on_zero, second_zero };
    const bet = { spot, cents: 600, ...(held ? { in_prison: true } : {}) };
    const settled = settleBet({ ...european.document, zero }, bet, pocket, 1);
    expect([settled.net, settled.held]).toEqual([net, stays]);
  },
);
