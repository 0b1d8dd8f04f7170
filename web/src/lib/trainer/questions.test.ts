import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { entryOf } from "../settling/entry";
import type { Settled } from "../settling/settle";
import { ASKS } from "./levels";
import { isRight, questionsOf, type Question } from "./questions";

const { rules, hands } = data.entered;
/** Hands of every reading, settled by the oracle; the trainer deals none that went wrong. */
const regular = hands.filter(
  ({ rules: index, line }) =>
    !line.irregularities &&
    line.dealer &&
    line.seats.every(({ cards }) => cards) &&
    (rules[index]!.document.bank?.settle_order ?? "seat") === "seat",
);
type Hand = (typeof regular)[number];

const asked = ({ rules: index, line }: Hand) => questionsOf(rules[index]!, entryOf(line), ASKS);

/** What the oracle's figures say is right, worked out from its rows only. */
function due(question: Question, settled: Settled): number | string | undefined {
  if (question.ask === "order") return undefined;
  if (question.ask === "bank_fee") return settled.banker_fee;
  const { wagers, fee } = settled.seats.find(({ seat }) => seat === question.seat)!;
  const sum = (names: string[], of: (row: Settled["seats"][0]["wagers"][0]) => number) =>
    wagers.filter(({ wager }) => names.includes(wager)).reduce((all, row) => all + of(row), 0);
  switch (question.ask) {
    case "amount":
      return Math.abs(sum(["ante", "play"], ({ net }) => net));
    case "back":
      return wagers.reduce(
        (all, { stake, net, action, clause }) =>
          all + (net < 0 ? stake - action : clause === "CA-21" ? stake : 0),
        0,
      );
    case "ante_bonus":
      return sum(["ante_bonus"], ({ net }) => net);
    case "side":
      return sum([question.wager], ({ net }) => Math.max(0, net));
    case "fee":
      return fee;
    default: {
      const { clause, net } = wagers.find(({ wager }) => wager === "ante")!;
      if (clause === "CA-18") return net ? (net > 0 ? "win" : "lose") : "push";
      return RESULTS[clause];
    }
  }
}
/** The clauses of the documents, each with what it says of a hand. */
const RESULTS: Record<string, string> = {
  "CA-15": "short",
  "CA-16": "win",
  "CA-17": "lose",
  "CA-21": "used_up",
  "HO-8": "short",
  "HO-9": "win",
  "HO-10": "push",
  "HO-11": "lose",
};

/** The first answer that is marked otherwise than the oracle has it. */
function firstDifference(mark = isRight) {
  for (const hand of regular)
    for (const question of asked(hand)) {
      const answer = due(question, hand.settled);
      if (answer !== undefined && !mark(question, answer)) return { hand, question, answer };
    }
  return undefined;
}

describe("the right answers", () => {
  test("are those of the oracle, for every kind of question", () => {
    const different = firstDifference();
    expect(different).toBeUndefined();
    const questions = regular.flatMap(asked);
    for (const ask of ASKS)
      expect({ ask, enough: questions.filter((each) => each.ask === ask).length > 20 }).toEqual({
        ask,
        enough: true,
      });
  });

  test.each(["amount", "back", "ante_bonus", "side", "fee", "bank_fee"])(
    "are found where %s is marked a cent off",
    (ask) => {
      const off = (question: Question, answer: number | string) =>
        question.ask === ask
          ? isRight(question, (answer as number) + 1)
          : isRight(question, answer);
      expect(firstDifference(off as typeof isRight)).toBeDefined();
    },
  );

  test("are found where a result is marked otherwise", () => {
    const otherwise = ((question: Question, answer: number | string) =>
      isRight(question, answer === "short" ? "win" : answer)) as typeof isRight;
    expect(firstDifference(otherwise)).toBeDefined();
  });

  test("take each seat once, from where action starts, and clockwise", () => {
    for (const hand of regular) {
      const first = hand.line.first ?? 1;
      const turns = asked(hand).flatMap((each) => ("seat" in each ? [each.seat] : []));
      const order = [...new Set(turns)];
      const from = order.map((seat) => (seat - first + 100) % 10);
      if (rules[hand.rules]!.document.banker === "player")
        expect(from).toEqual([...from].sort((a, b) => a - b));
      expect([...order].sort()).toEqual(hand.line.seats.map(({ seat }) => seat).sort());
    }
  });
});
