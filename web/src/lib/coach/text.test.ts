import { describe, expect, test } from "vitest";
import { amount, antes, cents, isRight, judge, suggest, why, type Cases, type Worth } from "./text";
import { fraction } from "../odds/fraction";

const KING = 47; // the king of spades
const NONE = { behind: 0, level: 0, ahead: 0 };
const cases = (short: number, beaten: number, of = 1128): Cases => ({
  of,
  short: { ...NONE, ahead: short },
  qualified: { ...NONE, behind: beaten },
});

describe("what the dealer may have", () => {
  test.each([
    [423, 705, 1128, "play", "doesn't qualify in 38 of 100 hands and beats you in 62."],
    [423, 705, 1128, "fold", "beats you in 63 of 100 hands and doesn't qualify in 37."],
    [400, 700, 1128, "play", "doesn't qualify in 35 of 100 hands and beats you in 62."],
    [
      199,
      1,
      200,
      "play",
      "doesn't qualify in more than 99 of 100 hands and beats you in fewer than 1.",
    ],
    [100, 0, 200, "play", "doesn't qualify in 50 of 100 hands and beats you in none."],
    [200, 0, 200, "play", "doesn't qualify in every hand and beats you in none."],
    [0, 50, 200, "play", "beats you in 25 of 100 hands."],
    [0, 200, 200, "fold", "beats you in every hand."],
  ] as const)("%i short and %i beaten of %i, to %s: %s", (short, beaten, of, best, says) => {
    expect(why(cases(short, beaten, of), [], best)).toBe(`The dealer ${says}`);
  });

  test("no sentence has more than all hands", () => {
    for (let short = 1; short < 200; short++) {
      for (const best of ["play", "fold"] as const) {
        const says = why(cases(short, 200 - short, 200), [], best);
        const shares = [...says.matchAll(/in (\d+)/g)].map(([, share]) => Number(share));
        expect(
          shares.reduce((a, b) => a + b, 0),
          says,
        ).toBeLessThanOrEqual(100);
      }
    }
  });

  test("an up card is named", () => {
    expect(why(cases(50, 150, 200), [KING], "play")).toBe(
      "The dealer shows a king, doesn't qualify in 25 of 100 hands and beats you in 75.",
    );
    expect(why(cases(0, 150, 200), [KING, 26], "fold")).toBe(
      "The dealer shows a king and an eight and beats you in 75 of 100 hands.",
    );
  });
});

test("cents are rounded half away from zero", () => {
  expect(
    ["1/2", "-1/2", "1/3", "-1/3", "5/2", "0", "-7"].map((text) => cents(fraction(text))),
  ).toEqual([1, -1, 0, 0, 3, 0, -7]);
  expect(Object.is(cents(fraction("-1/3")), 0)).toBe(true);
});

test("amounts and Antes in a sentence have no sign", () => {
  expect([amount("250"), amount("-250"), amount("1/3")]).toEqual([
    "$2.50",
    "$2.50",
    "less than a cent",
  ]);
  expect(["1", "-1", "1/8", "1/3000", "-3/2"].map(antes)).toEqual([
    "1 Ante",
    "1 Ante",
    "0.125 Antes",
    "less than 0.001 Antes",
    "1.500 Antes",
  ]);
});

const PLAY: Worth = { play: "-7/8", fold: "-1", best: "play", cost: "1/8" };
const FOLD: Worth = { play: "-9/8", fold: "-1", best: "fold", cost: "1/8" };
const SAME: Worth = { play: "-1", fold: "-1", best: "fold", cost: "0" };
const WHY = "The dealer beats you in 25 of 100 hands.";

test("a move is right if it is best or costs nothing", () => {
  expect(isRight("play", PLAY)).toBe(true);
  expect(isRight("fold", PLAY)).toBe(false);
  expect(isRight("play", SAME)).toBe(true);
});

test.each([
  ["play", PLAY, "Right. Folding would cost you 0.125 Antes more on average."],
  ["fold", FOLD, "Right. Playing would cost you 0.125 Antes more on average."],
  ["play", SAME, "Playing and folding are worth exactly the same here."],
] as const)("%s is right: %#", (move, worth, line) => {
  expect(judge(move, worth, WHY, antes)).toEqual({ right: true, says: line, why: WHY, line });
});

test("a wrong move shows its cost and the reason", () => {
  expect(judge("fold", PLAY, WHY, antes)).toEqual({
    right: false,
    says: "Playing was better by 0.125 Antes on average. The dealer beats you in 25 of 100 hands.",
    why: "",
    line: "Playing was better by 0.125 Antes on average.",
  });
});

test("a small mistake was a close call", () => {
  const close: Worth = { ...FOLD, play: "-101/100", cost: "1/100" };
  expect(judge("play", close, WHY, antes).line).toBe(
    "Close – folding was better by 0.010 Antes on average.",
  );
});

test("a decision by time, or under a short bank, is named as such", () => {
  expect(judge("fold", PLAY, WHY, antes, { silent: true }).line).toBe(
    "Time ran out and your hand was folded. Playing was better by 0.125 Antes on average.",
  );
  expect(judge("play", PLAY, WHY, antes, { silent: true, short: true }).line).toBe(
    "Time ran out and your hand was played. Right, if the bank covers you. Folding would cost you 0.125 Antes more on average.",
  );
  expect(judge("fold", PLAY, WHY, antes, { short: true }).line).toBe(
    "If the bank covers you: playing was better by 0.125 Antes on average.",
  );
});

test("a suggestion names the better move and what the other costs", () => {
  expect(suggest(PLAY, antes, false)).toBe(
    "Play. Folding would cost you 0.125 Antes more on average.",
  );
  expect(suggest(FOLD, antes, true)).toBe(
    "If the bank covers you: fold. Playing would cost you 0.125 Antes more on average.",
  );
  expect(suggest(SAME, antes, false)).toBe("Playing and folding are worth exactly the same here.");
});
