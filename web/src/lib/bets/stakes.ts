/** Stakes by spot, the terms on which a table takes them, and why it would not, in a sentence. */
import type { Bet, HandView } from "../net/protocol";
import type { Betting, Terms } from "../net/rulebook";
import * as texts from "../../texts/bets";
import { wagerName } from "../text/format";

/** Cents by spot. */
export type Stakes = Readonly<Record<string, number>>;

export const sum = (stakes: Stakes) => Object.values(stakes).reduce((all, cents) => all + cents, 0);

export function merge(...several: readonly Stakes[]): Stakes {
  const all: Record<string, number> = {};
  for (const stakes of several) {
    for (const [spot, cents] of Object.entries(stakes)) all[spot] = (all[spot] ?? 0) + cents;
  }
  return all;
}

export const stakesOf = (bets: readonly Bet[]) =>
  merge(...bets.map((bet) => ({ [bet.spot]: bet.cents })));

/** What a hand has bet in its round, without what is held from the one before. */
export const freshStakes = (hand: HandView | undefined) =>
  stakesOf((hand?.wagers ?? []).filter((bet) => !bet.in_prison));

export const asBets = (stakes: Stakes): Bet[] =>
  Object.entries(stakes)
    .filter(([, cents]) => cents > 0)
    .map(([spot, cents]) => ({ spot, cents }));

// Terms

/** Of a spot that a table does not offer, which the table itself refuses. */
const NO_TERMS: Terms = {
  increment: 1,
  required: false,
  reserve: 0,
  min: 0,
  max: Infinity,
  ranges: [{ min: 0, max: Infinity, fee: 0, reserve_fee: 0 }],
};

const termsOf = (betting: Betting, spot: string): Terms =>
  betting.wagers[spot] ?? betting.any ?? NO_TERMS;

/** The amounts of a wager that have a rate. */
export const rangesOf = (betting: Betting, spot: string) => termsOf(betting, spot).ranges;

const rangeOf = (betting: Betting, spot: string, cents: number) =>
  rangesOf(betting, spot).find(({ min, max }) => min <= cents && cents <= max);

/** The least and the most of a wager that has a rate, and the steps it goes in. */
export interface Bounds {
  min: number;
  max: number;
  increment: number;
}

export function boundsOf(betting: Betting, spot: string): Bounds {
  const { min, max, increment, ranges } = termsOf(betting, spot);
  return { min: ranges[0]?.min ?? min, max: ranges.at(-1)?.max ?? max, increment };
}

/** The most that a spot may have beside what is on the others. */
export const mostOn = (betting: Betting, stakes: Stakes, spot: string): number =>
  Math.min(
    boundsOf(betting, spot).max,
    (betting.together ?? Infinity) - sum(stakes) + (stakes[spot] ?? 0),
  );

/** Return why stakes are too much in all; nothing if they are not. */
export const tooMuchTogether = ({ together }: Betting, stakes: Stakes): string =>
  together !== null && sum(stakes) > together ? texts.tooMuchTogether(together) : "";

/** What is collected for such stakes, with the fee of a decision to come. */
export const feeFor = (betting: Betting, stakes: Stakes): number =>
  asBets(stakes).reduce((all, { spot, cents }) => {
    const range = rangeOf(betting, spot, cents);
    return all + (range ? range.fee + range.reserve_fee : 0);
  }, 0);

/** The fee of the decision to come: of Play, for an Ante. */
export const moveFee = (betting: Betting, ante: number): number =>
  rangeOf(betting, "ante", ante)?.reserve_fee ?? 0;

/** What must stay in the stack for a decision to come: Play, for an Ante. */
const reserveFor = (betting: Betting, stakes: Stakes): number =>
  asBets(stakes).reduce((all, { spot, cents }) => all + termsOf(betting, spot).reserve * cents, 0);

/** What a player must have at the table for these stakes. */
export const needed = (betting: Betting, stakes: Stakes) =>
  sum(stakes) + feeFor(betting, stakes) + reserveFor(betting, stakes);

/** The least that is worth sitting down with; a player with less may bring all of it. */
export const leastToBring = (betting: Betting, wallet: number) =>
  Math.min(betting.least_stack, wallet);

// Chips

const USUAL_CHIPS = [100, 500, 2_500, 10_000, 50_000, 100_000, 500_000, 2_500_000, 10_000_000];
const MOST_SIZES = 5;

/** Chips that fit the limits of a wager, the least bet first. */
export function chipSizes({ min, max, increment }: Bounds): number[] {
  const fitting = USUAL_CHIPS.filter(
    (cents) => cents > min && cents <= max && cents % increment === 0,
  );
  return [min, ...fitting].slice(0, MOST_SIZES);
}

/** Chips that fit the limits of several wagers, the least first. */
export function chipsFor(betting: Betting, spots: readonly string[]): number[] {
  const fitting = spots.flatMap((spot) => chipSizes(boundsOf(betting, spot)));
  return [...new Set(fitting)].sort((a, b) => a - b).slice(0, MOST_SIZES);
}

// Objections

/** How a sentence ends that asks for more chips. */
export const BRING = `${texts.ADD_CHIPS}.`;

/** What a player has at the table, and what they could bring to it. */
export interface Means {
  stack: number;
  wallet: number;
}

/** Return why an amount does not fit on a spot beside what is down there; `what`: whose limits these are. */
export function misfit(
  cents: number,
  down: number,
  { min, max, increment }: Bounds,
  name: string,
  what = "bet",
): string {
  if (cents + down > max) return texts.overLimit(name, cents + down, what, max);
  if (cents < min) return texts.underLimit(name, cents, what, min);
  return cents % increment ? texts.offIncrement(name, cents, increment) : "";
}

/** Return what is against bets on a layout, beside those that are down already; nothing: they are fine. */
export function objection(
  bets: Stakes,
  down: Stakes,
  betting: Betting,
  { stack, wallet }: Means,
  name: (spot: string) => string,
): string {
  for (const [spot, cents] of Object.entries(bets)) {
    const why = misfit(cents, down[spot] ?? 0, boundsOf(betting, spot), name(spot));
    if (why) return why;
  }
  if (Object.keys(bets).length > betting.most_wagers) return texts.tooManyBets(betting.most_wagers);
  const total = sum(bets);
  if (total <= stack) return "";
  return texts.overStack(total, stack, wallet >= betting.least_stack);
}

/** Return why there is no rate for a wager within its limits; nothing if there is one. */
function unrated(betting: Betting, spot: string, cents: number): string {
  const ranges = rangesOf(betting, spot);
  if (!ranges.length || rangeOf(betting, spot, cents)) return ""; // without any, the table says why
  return texts.noRate(
    wagerName(spot),
    cents,
    ranges.map(({ min, max }) => [min, max]),
  );
}

/** Return why these wagers are not allowed; nothing if they are. */
export function disallowed(betting: Betting, stakes: Stakes): string {
  for (const { spot, cents } of asBets(stakes)) {
    const name = wagerName(spot);
    const why =
      misfit(cents, 0, boundsOf(betting, spot), name, name) || unrated(betting, spot, cents);
    if (why) return why;
  }
  const missing = Object.keys(betting.wagers).find(
    (spot) => betting.wagers[spot]!.required && !stakes[spot],
  );
  if (missing && sum(stakes)) return texts.missing(wagerName(missing));
  return tooMuchTogether(betting, stakes);
}

/** Return why these wagers cannot be put down; nothing if they can. */
export const problem = (betting: Betting, stakes: Stakes, means: Means): string =>
  disallowed(betting, stakes) || shortfall(betting, stakes, means);

/** Return why a player has too little at the table for these wagers, and what helps; nothing if they have enough. */
export function shortfall(betting: Betting, stakes: Stakes, { stack, wallet }: Means): string {
  const needs = needed(betting, stakes);
  if (needs <= stack) return "";
  const beside = [
    ...(reserveFor(betting, stakes) ? [texts.PLAY] : []),
    ...(feeFor(betting, stakes) ? [texts.FEE] : []),
  ];
  const helps = [
    ...(stack >= betting.least_stack ? [texts.BET_LESS] : []),
    ...(wallet ? [texts.ADD_CHIPS] : []),
  ];
  return texts.shortfall(stack, needs, beside, helps);
}
