import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { LEVELS, levelOf, ROUNDS } from "./levels";
import type { Books } from "./rules";
import { Run } from "./run.svelte";

const books: Books = new Map(Object.entries(data.rules));
let time = 0;
const begun = (level: number) => new Run(levelOf(level)!, books, "seed", () => time);

/** Answer everything of a round, right or wrong, a second each. */
function play(run: Run, isRight: boolean) {
  const { number } = run;
  while (run.question) {
    time += 1_000;
    run.answer(isRight ? run.question.right : -1);
    time += 500; // to read why
    if (run.phase === "explaining") run.next();
  }
  expect(run.number).toBe(number);
}

describe("a run", () => {
  test.each(LEVELS.map(({ id }) => id))("of level %i ends after ten rounds", (id) => {
    const run = begun(id);
    for (let round = 1; round <= ROUNDS; round++) {
      expect(run.number).toBe(round);
      play(run, true);
      expect(run.phase).toBe(round < ROUNDS ? "round_over" : "over");
      run.next();
    }
    expect(run.marks.length).toBe(ROUNDS);
    expect(run.marks.every(({ asked, right }) => asked && asked === right)).toBe(true);
    expect(run.question).toBeUndefined();
  });

  test("explains a wrong answer before it goes on, and counts no time for that", () => {
    const run = begun(2);
    time += 3_000;
    expect(run.spentAt(time)).toBe(3_000);
    expect(run.answer("nothing")?.isRight).toBe(false);
    expect([run.phase, run.question, run.last?.given]).toEqual([
      "explaining",
      undefined,
      "nothing",
    ]);
    time += 60_000;
    expect(run.spentAt(time)).toBe(3_000);
    expect(run.answer("win")).toBeUndefined();
    run.next();
    expect(run.phase).toBe("asking");
    expect(run.answers.length).toBe(1);
  });

  test("marks each round by itself", () => {
    const run = begun(1);
    play(run, false);
    const { asked } = run.marks[0]!;
    expect(run.marks).toEqual([{ asked, right: 0, ms: 1_000 * asked + 500 * 0 }]);
    run.next();
    play(run, true);
    expect(run.marks[1]!.right).toBe(run.marks[1]!.asked);
  });

  test("takes an answer that is nearly right for wrong", () => {
    const run = begun(8);
    const { right } = run.question!;
    expect(run.answer((right as number) + 1)?.isRight).toBe(false);
  });
});
