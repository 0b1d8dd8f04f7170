import { beforeEach, describe, expect, test, vi } from "vitest";
import { data } from "../../../testing/data";
import { compare } from "../poker/hands";
import { GOOD, Lesson, STEPS, WEAK } from "./lesson.svelte";

const { house } = data.rules;

beforeEach(() => {
  vi.stubGlobal("document", { hidden: true });
});

const begin = () => new Lesson(house, "Nora");

/** Go on by Next alone, until a step. */
async function until(lesson: Lesson, step: string) {
  while (lesson.step !== step) await lesson.next();
}

test("Next alone leads through every step", async () => {
  const lesson = begin();
  const steps = [lesson.step];
  while (lesson.step !== "end") {
    await lesson.next();
    steps.push(lesson.step);
  }
  expect(steps).toEqual(STEPS);
});

test("the dealer of the first hand does not qualify, and the one of the second wins", () => {
  expect(compare(GOOD.cards, GOOD.dealer)).toBeGreaterThan(0);
  expect(compare(WEAK.cards, WEAK.dealer)).toBeLessThan(0);
  const all = [...GOOD.cards, ...GOOD.dealer];
  expect(new Set(all).size).toBe(6);
});

describe("the player", () => {
  test("leads on by what they do on the felt", async () => {
    const lesson = begin();
    await lesson.next();
    lesson.felt.placeChip("ante");
    lesson.follow();
    expect(lesson.step).toBe("side");
    lesson.felt.placeChip("pair_plus");
    await lesson.felt.slip.send(true);
    expect(lesson.step).toBe("decide");
    await lesson.session.ask({ type: "choose", round: 1, move: "play" });
    expect(lesson.step).toBe("qualify");
  });

  test("may put the Ante down before the lesson asks for it", () => {
    const lesson = begin();
    lesson.felt.placeChip("ante");
    lesson.follow();
    expect(lesson.step).toBe("side");
  });

  test("is asked for the Ante again when the chips are taken back", async () => {
    const lesson = begin();
    await until(lesson, "side");
    lesson.felt.slip.clear();
    lesson.follow();
    expect(lesson.step).toBe("ante");
  });

  test("is told why not to fold a pair, and may fold the weak hand", async () => {
    const lesson = begin();
    await until(lesson, "decide");
    expect(await lesson.session.ask({ type: "choose", round: 1, move: "fold" })).toBe(false);
    expect([lesson.step, lesson.hint]).toEqual([
      "decide",
      "Folding is allowed, but a pair is a good hand. Press Play to see why.",
    ]);
    await until(lesson, "weak");
    await lesson.session.ask({ type: "choose", round: 2, move: "fold" });
    expect(lesson.step).toBe("result");
  });

  test("may leave the table at any time", async () => {
    const lesson = begin();
    lesson.session.onLeave = vi.fn();
    await lesson.session.ask({ type: "leave" });
    expect(lesson.session.onLeave).toHaveBeenCalledOnce();
  });
});

describe("what was won and why", () => {
  test("with a dealer who does not qualify", async () => {
    const lesson = begin();
    await until(lesson, "side");
    lesson.felt.placeChip("pair_plus");
    await until(lesson, "qualify");
    expect(lesson.text.title).toBe("The dealer doesn't qualify: +$2.00");
    expect(lesson.text.body).toBe(
      "The dealer needs queen-high or better to qualify and has only jack-high." +
        " So your Ante wins $1 and your Play bet is returned. Pair Plus pays $1 for your pair." +
        " You won $2.00.",
    );
    expect(lesson.felt.me?.stack).toBe(10_200);
  });

  test("of a fold", async () => {
    const lesson = begin();
    await until(lesson, "result");
    expect(lesson.text.title).toBe("You folded: −$1.00");
    expect(lesson.text.body).toBe(
      "You lose your $1 Ante and nothing more. The dealer has a pair of nines and would have won:" +
        " playing would have cost you $2.",
    );
  });

  test("of a weak hand that is played with a side bet", async () => {
    const lesson = begin();
    await until(lesson, "again");
    lesson.felt.placeChip("pair_plus");
    await until(lesson, "weak");
    await lesson.session.ask({ type: "choose", round: 2, move: "play" });
    expect(lesson.text.title).toBe("The dealer qualifies and wins: −$3.00");
    expect(lesson.text.body).toBe(
      "The dealer has a pair of nines. That's queen-high or better, so the hands are compared, and" +
        " it beats your jack-high. You lose Ante and Play, $2. Folding would have cost $1." +
        " Pair Plus needs a pair, so its $1 is lost too.",
    );
  });
});
