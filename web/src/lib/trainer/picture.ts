/** Spins to pay: one bet at a time, or a picture of bets around the number that came. */
import type { Spot, WheelRules } from "../net/rulebook";
import { settleBet } from "../proof/wheel";
import type { WheelLevel } from "./levels";
import { pick, sample, shuffle, type Draw } from "./random";

/** What a wheel's trainer needs of a rulebook. */
export type WheelTerms = Pick<WheelRules, "document" | "clauses" | "spots" | "pockets">;

/** Chips on a spot; a chip is worth a dollar. */
export interface Pile {
  spot: Spot;
  chips: number;
}

export interface Spin {
  pocket: string;
  piles: readonly Pile[];
}

/** What a pile is paid, in chips: nothing if it loses. */
export interface Paid extends Pile {
  pays: number;
  clause: string;
}

const CHIP = 100;

/** Return what each pile is paid by the settlement of a table. */
export const paidOf = ({ document }: WheelTerms, { pocket, piles }: Spin): Paid[] =>
  piles.map(({ spot, chips }) => {
    const bet = { spot: spot.spot, cents: chips * CHIP };
    const { net, clause } = settleBet(document, bet, pocket, 1);
    return { spot, chips, pays: Math.max(0, net) / CHIP, clause };
  });

/** Return all that is paid, in chips. */
export const chipsPaid = (rules: WheelTerms, spin: Spin): number =>
  paidOf(rules, spin).reduce((sum, { pays }) => sum + pays, 0);

// Dealing

/** One of so many single bets loses. */
const LOSES = 5;

/** The kinds of pictures that take turns. */
const PICTURES = ["complete", "splits", "corners", "mixed", "rows"] as const;
type Picture = (typeof PICTURES)[number];

const INSIDE = ["straight", "split", "street", "corner", "line"];
const OF: Record<Picture, readonly string[]> = {
  complete: INSIDE,
  splits: ["straight", "split"],
  corners: ["split", "corner"],
  mixed: INSIDE,
  rows: ["straight", "street", "line"],
};

/** Return the spins of a run: every kind of bet, or of picture, in fair share. */
export function dealSpins(
  level: WheelLevel,
  rules: WheelTerms,
  rounds: number,
  draw: Draw,
): Spin[][] {
  const count = rounds * level.spins;
  const kinds = level.deals === "one" ? [...new Set(rules.spots.map(kindOf))] : PICTURES;
  const plan: string[] = [];
  while (plan.length < count) plan.push(...shuffle(draw, kinds));
  const loses = shuffle(
    draw,
    plan.slice(0, count).map((_, n) => n % LOSES === 0),
  );
  const all = loses.map((isLost, n) =>
    level.deals === "one"
      ? single(level, rules, plan[n]!, isLost, draw)
      : picture(level, rules, plan[n] as Picture, draw),
  );
  return Array.from({ length: rounds }, (_, n) =>
    all.slice(n * level.spins, (n + 1) * level.spins),
  );
}

/** A bet's kind: those that pay even money are one, and so are dozens and columns. */
export function kindOf({ bet, pays }: Spot): string {
  if (pays === "1 to 1") return pays;
  return bet.replace(/ \d$/, "");
}

function single(
  level: WheelLevel,
  rules: WheelTerms,
  kind: string,
  loses: boolean,
  draw: Draw,
): Spin {
  const spots = rules.spots.filter((spot) => kindOf(spot) === kind);
  const spot = pick(draw, spots);
  const pockets = rules.pockets.filter((pocket) => spot.pockets.includes(pocket) !== loses);
  return { pocket: pick(draw, pockets), piles: [{ spot, chips: 1 + draw(level.chips) }] };
}

/** Chips around a number, and a few beside it that lose. */
function picture(level: WheelLevel, rules: WheelTerms, kind: Picture, draw: Draw): Spin {
  const numbers = rules.pockets.filter((pocket) => !pocket.startsWith("0"));
  const pocket = pick(draw, numbers);
  const inside = rules.spots.filter(({ bet }) => OF[kind].includes(bet));
  const around = inside.filter(({ pockets }) => pockets.includes(pocket));
  if (kind === "complete") {
    const chips = 1 + draw(level.chips);
    return { pocket, piles: around.map((spot) => ({ spot, chips })) };
  }
  const count = Math.min(around.length, 3 + draw(4));
  const near = new Set(around.flatMap(({ pockets }) => pockets));
  const beside = inside.filter(
    ({ pockets }) => !pockets.includes(pocket) && pockets.some((each) => near.has(each)),
  );
  const spots = [...sample(draw, around, count), ...sample(draw, beside, 1 + draw(2))];
  return { pocket, piles: spots.map((spot) => ({ spot, chips: 1 + draw(level.chips) })) };
}
