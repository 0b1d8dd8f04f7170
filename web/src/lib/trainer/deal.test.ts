import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { problemsOf } from "../settling/check";
import { settle } from "../settling/settle";
import { dealRound, planOf } from "./deal";
import { LEVELS, ROUNDS, type CardLevel } from "./levels";
import { questionsOf } from "./questions";
import { drawFrom } from "./random";

const books = { california: data.rules.california, house: data.rules.house };
const rulesOf = (book: string) => books[book as keyof typeof books];
const cards = LEVELS.filter((level): level is CardLevel => level.game === "cards");

/** The ten rounds of a run. */
function run(level: CardLevel, seed: string) {
  const draw = drawFrom(seed);
  return planOf(level, draw).map((turn) => {
    const rules = rulesOf(turn.book);
    const entry = dealRound(level, rules, turn, draw);
    return { ...turn, rules, entry, questions: questionsOf(rules, entry, level.asks) };
  });
}
const runs = new Map(
  cards.map((level) => [level, ["a", "b", "c"].map((seed) => run(level, seed))]),
);
const rounds = (level: CardLevel) => runs.get(level)!.flat();

describe.each(cards.map((level) => [level.id, level] as const))("level %i", (_, level) => {
  test("deals rounds that can be settled, with as many seats as it says", () => {
    for (const { rules, entry } of rounds(level)) {
      expect(problemsOf(rules, entry)).toEqual([]);
      expect(entry.seats.length).toBe(level.seats);
    }
  });

  test("has each of its aims as often as the others in a run", () => {
    for (const each of runs.get(level)!) {
      expect(each.length).toBe(ROUNDS);
      for (const book of level.books) {
        const aims = each.filter((round) => round.book === book).map(({ aim }) => aim);
        const counts = level.aims[book]!.map((aim) => aims.filter((own) => own === aim).length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }
    }
  });

  test("asks what it says, and all that it says", () => {
    const asks = new Set(rounds(level).flatMap(({ questions }) => questions.map(({ ask }) => ask)));
    expect([...asks].sort()).toEqual([...level.asks].sort());
  });

  test("deals the same rounds from the same seed, and others from another", () => {
    const lines = (seed: string) => JSON.stringify(run(level, seed).map(({ entry }) => entry));
    expect(lines("a")).toBe(lines("a"));
    expect(lines("a")).not.toBe(lines("b"));
  });
});

const levelWith = (id: number) => cards.find((level) => level.id === id)!;

describe("what a run has in it", () => {
  test("every result twice against the dealer, at level 1", () => {
    for (const each of runs.get(levelWith(1))!) {
      const results = each.map(({ questions }) => questions[0]!.right);
      const count = (result: string) => results.filter((own) => own === result).length;
      expect([count("win"), count("lose"), count("push"), count("short")]).toEqual([2, 2, 2, 4]);
    }
  });

  test("fees at all three rates, at level 3", () => {
    const fees = rounds(levelWith(3)).flatMap(({ questions }) =>
      questions.flatMap(({ ask, right }) => (ask === "fee" ? [right] : [])),
    );
    for (const fee of [100, 200, 300])
      expect(fees.filter((each) => each === fee).length).toBeGreaterThan(10);
  });

  test("another seat where action starts, at level 4", () => {
    const firsts = new Set(rounds(levelWith(4)).map(({ entry }) => entry.first));
    expect(firsts.size).toBeGreaterThan(6);
  });

  test("a bank that runs out in every round, at level 5", () => {
    for (const { rules, entry, questions } of rounds(levelWith(5))) {
      expect(settle(rules, entry).settled.bank_left).toBe(0);
      expect(questions.some(({ ask }) => ask === "back")).toBe(true);
    }
    const all = rounds(levelWith(5)).flatMap(({ questions }) => questions);
    const back = all.filter(({ ask, right }) => ask === "back" && right);
    expect(back.length).toBeGreaterThan(20);
    const usedUp = all.filter(({ ask, right }) => ask === "outcome" && right === "used_up");
    expect(usedUp.length).toBeGreaterThan(5);
  });

  test("bonuses that pay in most rounds, at level 6", () => {
    const paid = rounds(levelWith(6)).filter(({ questions }) =>
      questions.some(({ ask, right }) => ask === "side" && right),
    );
    expect(paid.length).toBeGreaterThan(15);
  });
});
