import { expect, test } from "vitest";
import { data } from "../../../testing/data";
import type { TableView } from "../net/protocol";
import type { WheelRules } from "../net/rulebook";
import { bankFacts, irregularFacts, roundSteps, timeFacts, wheelFacts } from "./help";

const { california, house, roulette, "roulette-european": european } = data.rules;
const view = {
  settings: {
    pace: { pause: 0, offer: 0, bets: 20_000, moves: 15_000 },
    silence: "fold",
    least_bank: 500,
  },
} as TableView;

test("a round is told by the keys of its rulebook", () => {
  expect(roundSteps(house)).toEqual([
    "Bet an Ante, $1 to $4, or only the side bet.",
    "Optional: Pair Plus, $1 to $4. It pays for your own three cards, whatever the dealer has. If you fold, Pair Plus is still paid.",
    "Look at your three cards. The dealer's stay face down.",
    "Play: put up a second bet as large as your Ante. Fold: give up your Ante.",
    "Ante bonus: straight flush, three of a kind and straight pay extra on your Ante, even if the dealer's hand is better.",
  ]);
  expect(roundSteps(california)[0]).toBe("Bet an Ante, $5 to $1,000.");
  expect(roundSteps(california)[1]).toContain("If you fold, you lose Bonus too.");
  expect(roundSteps(california)).toContain("Look at your three cards and one of the dealer's.");
});

test("what the floor rules is in the words of the clauses, where it can happen here", () => {
  const facts = irregularFacts(house);
  expect(facts.map((fact) => /\((IR-\d)\)$/.exec(fact)?.[1])).toEqual([
    ...["IR-1", "IR-2", "IR-3", "IR-7"],
  ]);
  expect(facts[1]).toBe(`${house.clauses.find(({ id }) => id === "IR-2")!.text} (IR-2)`);
  expect(irregularFacts(roulette)).toEqual([]);
});

test("only players who bank read about the bank", () => {
  expect(bankFacts(house, view)).toEqual(["You play against the house."]);
  expect(bankFacts(california, view)[1]).toBe("A bank is at least $5.");
  expect(bankFacts(california, view)[0]).toContain("up to the amount put up. The bank");
  const bank = { ...california.document.bank!, fold_uncovered: "lost" as const };
  const other = { ...california, document: { ...california.document, bank } };
  expect(bankFacts(other, view)[0]).toContain("put up, and what a folded hand bet in full.");
});

test("a wheel names its zeros, its limits and what zero does", () => {
  expect(wheelFacts(roulette)).toEqual([
    "The wheel has the numbers 1 to 36 and two zeros.",
    "Each bet is $1 to $100.",
    "On zero, every bet that doesn't cover it loses.",
  ]);
  const shared = {
    ...european,
    document: { ...european.document, zero: { ...european.document.zero, on_zero: "la_partage" } },
  } as WheelRules;
  expect(wheelFacts(shared)[2]).toBe("La partage: on zero, even-money bets lose only half.");
});

test("clocks name what happens when time runs out", () => {
  expect(timeFacts(house, view)[1]).toBe(
    "With other people you have 20 seconds to bet and 15 seconds to decide. If time runs out, your hand folds.",
  );
  expect(timeFacts(roulette, view)[1]).toBe(
    "With other people you have 20 seconds to bet before each spin.",
  );
});
