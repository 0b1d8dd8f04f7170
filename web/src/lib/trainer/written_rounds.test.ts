/** Writes rounds that the trainer deals for tests/trainer_rounds.py, which answers them alone. */
import { expect, inject, test } from "vitest";
import { data } from "../../../testing/data";
import { lineOf } from "../settling/entry";
import { LEVELS, ROUNDS } from "./levels";
import type { Books } from "./rules";
import { dealer } from "./run.svelte";

const books: Books = new Map(Object.entries(data.rules));

const written = LEVELS.flatMap((level) =>
  ["one", "two", "three"].flatMap((seed) => {
    const deal = dealer(level, books, seed);
    return Array.from({ length: ROUNDS }, (_, n) => {
      const round = deal(n);
      const { id } = level;
      if (round.game === "cards")
        return {
          level: id,
          book: round.book,
          line: lineOf(round.entry),
          answers: round.questions.map(({ ask, right, ...rest }) => ({
            ask,
            seat: "seat" in rest ? rest.seat : null,
            right,
          })),
        };
      const spins = round.questions.map(({ spin: { pocket, piles }, right }) => ({
        pocket,
        piles: piles.map(({ spot, chips }) => [spot.spot, chips]),
        right,
      }));
      return { level: id, book: round.book, spins };
    });
  }),
);

/** The page has no types of Node. */
const FILES = "node:fs";
interface Files {
  writeFileSync(file: string, text: string): void;
}

test("rounds of every level are dealt, and written where a file is named", async () => {
  expect(written.length).toBe(LEVELS.length * 3 * ROUNDS);
  const file = inject("rounds");
  if (!file) return;
  const { writeFileSync } = (await import(/* @vite-ignore */ FILES)) as Files;
  writeFileSync(file, JSON.stringify(written));
});
