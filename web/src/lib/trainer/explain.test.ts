import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { explain } from "./explain";
import { LEVELS, ROUNDS } from "./levels";
import type { Books } from "./rules";
import { dealer } from "./run.svelte";
import { answerText, hintOf, questionText } from "./wording";
import { isInside, MARGIN, partOf } from "./zoom";

const books: Books = new Map(Object.entries(data.rules));
const rounds = LEVELS.flatMap((level) => {
  const deal = dealer(level, books, "why");
  return Array.from({ length: ROUNDS }, (_, n) => ({ level, round: deal(n) }));
});
const asked = rounds.flatMap(({ round }) =>
  round.questions.map((question) => ({ round, question, why: explain(round, question) })),
);

describe("an explanation", () => {
  test("has a sum or a sentence, and a clause in words", () => {
    for (const { question, why } of asked) {
      expect({ ask: question.ask, lines: why.lines.length > 0 }).toEqual({
        ask: question.ask,
        lines: true,
      });
      expect({ question, clauses: why.clauses.length > 0 }).toEqual({ question, clauses: true });
      for (const { words } of why.clauses) expect(words.length).toBeGreaterThan(10);
    }
  });

  test("ends in the right amount", () => {
    for (const { question, why } of asked) {
      if (!question.right || !["amount", "back", "side", "ante_bonus"].includes(question.ask))
        continue;
      expect(why.lines.at(-1)).toContain(answerText(question, question.right));
    }
  });

  test("of a bonus has the pay table, unless a fold lost the bet", () => {
    const bonuses = asked.filter(
      ({ question, why }) => question.ask === "side" && !why.lines[0]!.includes("folded"),
    );
    expect(bonuses.length).toBeGreaterThan(50);
    for (const { why } of bonuses)
      expect(why.clauses.map(({ words }) => words).join(" ")).toMatch(/pair 1 to 1/);
  });

  test("adds up the chips that are paid", () => {
    for (const { question, why } of asked) {
      if (question.ask !== "chips" || !question.right) continue;
      const products = why.lines.flatMap((line) => /: (\d+) × (\d+) = (\d+)$/.exec(line) ?? []);
      const sums = products.filter((_, n) => n % 4 === 3).map(Number);
      expect(sums.reduce((sum, each) => sum + each, 0)).toBe(question.right);
      for (let n = 0; n < products.length; n += 4)
        expect(Number(products[n + 1]) * Number(products[n + 2])).toBe(Number(products[n + 3]));
    }
  });

  test("tells two hands of one class apart", () => {
    const pairs = asked.flatMap(({ question, why }) =>
      question.ask === "outcome" && ["win", "lose"].includes(question.right) ? why.lines : [],
    );
    expect(pairs.length).toBeGreaterThan(50);
    for (const line of pairs) {
      const match = /^Dealer has (.+?),? and qualifies\. Seat \d+ has (.+)\.$/.exec(line);
      if (match) expect(match[1]).not.toBe(match[2]);
    }
  });
});

test("every question has words, and says which seat it is about", () => {
  for (const { question } of asked) {
    const words = questionText(question);
    expect(words).toMatch(/[?]|\.$/);
    if ("seat" in question && question.ask !== "order")
      expect(words).toContain(`Seat ${question.seat}`);
    expect(hintOf(question)).not.toContain("undefined");
  }
});

test("a part of the layout has all chips in it, each in its own spot", () => {
  const spins = asked.flatMap(({ round, question }) =>
    question.ask === "chips" && round.game === "wheel" ? [{ round, spin: question.spin }] : [],
  );
  const near = spins.filter(({ spin }) => isInside(spin));
  expect(near.length).toBeGreaterThan(40);
  for (const { round, spin } of near) {
    const part = partOf(round.rules, spin);
    expect(part.boxes.map(({ pocket }) => pocket)).toContain(spin.pocket);
    expect(part.piles.length).toBe(spin.piles.length);
    const spots = new Set(part.piles.map(({ x, y }) => `${x} ${y}`));
    expect(spots.size).toBe(part.piles.length);
    for (const { pile, x, y } of part.piles) {
      expect(x).toBeGreaterThanOrEqual(-MARGIN);
      expect(x).toBeLessThanOrEqual(part.width + MARGIN);
      expect(y).toBeLessThanOrEqual(part.height + MARGIN);
      // A pile touches the boxes of its numbers.
      for (const pocket of pile.spot.pockets) {
        const box = part.boxes.find((each) => each.pocket === pocket)!;
        expect(x >= box.x && x <= box.x + box.width).toBe(true);
      }
    }
  }
});
