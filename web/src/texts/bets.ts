/** Why a bet can't be placed, in a sentence that says what to do. */
import { dollars, list, money } from "../lib/text/format";

export const tooMuchTogether = (cents: number) =>
  `All your bets together can be ${dollars(cents)} at most.`;

/** `what`: the bet whose limits these are. */
export const overLimit = (name: string, cents: number, what: string, max: number) =>
  `${name} would be ${money(cents)}: the most on one ${what} here is ${money(max)}.`;
export const underLimit = (name: string, cents: number, what: string, min: number) =>
  `${money(cents)} on ${name} is too little: the smallest ${what} here is ${money(min)}.`;
export const offIncrement = (name: string, cents: number, increment: number) =>
  `${money(cents)} on ${name} doesn't work: bets here are multiples of ${money(increment)}.`;
export const tooManyBets = (most: number) =>
  `That's more than ${most} bets: put more chips on fewer spots.`;
export const overStack = (cents: number, stack: number, canAdd: boolean) =>
  `${money(cents)} is more than your stack of ${money(stack)}: bet less${canAdd ? " or add chips" : ""}.`;
export const noRate = (name: string, cents: number, ranges: readonly [number, number][]) =>
  `${money(cents)} on ${name} has no fee posted: bet ${list(ranges.map(([min, max]) => `${dollars(min)} to ${dollars(max)}`))}.`;
export const missing = (name: string) => `${name} comes first: place one too.`;

/** `beside`: what else the stack must cover; `helps`: what to do. */
export const shortfall = (
  stack: number,
  needs: number,
  beside: readonly string[],
  helps: readonly string[],
) => {
  const withThem = beside.length ? ` with ${list(beside)}` : "";
  const remedy = helps.length ? `: ${helps.join(" or ")}` : "";
  return `You have ${dollars(stack)} here. These bets${withThem} need ${dollars(needs)}${remedy}.`;
};
export const PLAY = "Play";
export const FEE = "the fee";
export const BET_LESS = "bet less";
export const ADD_CHIPS = "add chips";

/** The range of an amount field, and what is wrong with what is typed. */
export const amount = {
  none: "Enter an amount in dollars, such as 5 or 2.50.",
  range: (least: number, most: number) => `${dollars(least)} to ${dollars(most)}`,
  wholeCents: "Amounts are in whole cents.",
  atMost: (cents: number) => `The most is ${dollars(cents)}.`,
  atLeast: (cents: number) => `The least is ${dollars(cents)}.`,
};
