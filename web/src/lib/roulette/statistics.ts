/** Plain counts of the last numbers, and what a fair wheel would be expected to bring. */
import { colour } from "./wheel";

export type Group =
  "red" | "black" | "zero" | "even" | "odd" | "low" | "high" | "dozen1" | "dozen2" | "dozen3";

const isZero = (pocket: string) => colour(pocket) === "green";
const within = (pocket: string, from: number, to: number) =>
  !isZero(pocket) && from <= Number(pocket) && Number(pocket) <= to;
const GROUPS: Record<Group, (pocket: string) => boolean> = {
  red: (pocket) => colour(pocket) === "red",
  black: (pocket) => colour(pocket) === "black",
  zero: isZero,
  even: (pocket) => !isZero(pocket) && Number(pocket) % 2 === 0,
  odd: (pocket) => Number(pocket) % 2 === 1,
  low: (pocket) => within(pocket, 1, 18),
  high: (pocket) => within(pocket, 19, 36),
  dozen1: (pocket) => within(pocket, 1, 12),
  dozen2: (pocket) => within(pocket, 13, 24),
  dozen3: (pocket) => within(pocket, 25, 36),
};

export interface GroupCount {
  group: Group;
  count: number;
  expected: number;
}

/** Numbers that came up equally often. */
export interface Tie {
  count: number;
  pockets: string[];
}

export interface Statistics {
  spins: number;
  groups: GroupCount[];
  /** How often a fair wheel brings each number in as many spins. */
  expected: number;
  most: Tie;
  least: Tie;
}

/** Count the last numbers of a wheel with these pockets. */
export function count(numbers: readonly string[], pockets: readonly string[]): Statistics {
  const each = new Map(pockets.map((pocket) => [pocket, 0]));
  for (const pocket of numbers) each.set(pocket, (each.get(pocket) ?? 0) + 1);
  const tie = (count: number): Tie => ({
    count,
    pockets: [...each].filter(([, times]) => times === count).map(([pocket]) => pocket),
  });
  return {
    spins: numbers.length,
    groups: (Object.keys(GROUPS) as Group[]).map((group) => ({
      group,
      count: numbers.filter(GROUPS[group]).length,
      expected: (numbers.length * pockets.filter(GROUPS[group]).length) / pockets.length,
    })),
    expected: numbers.length / pockets.length,
    most: tie(Math.max(...each.values())),
    least: tie(Math.min(...each.values())),
  };
}

/** The chances of 0, 1, … `most` of what comes up `mean` times on average, each by itself. */
function poisson(mean: number, most: number): number[] {
  const chances = [Math.exp(-mean)];
  for (let n = 1; n <= most; n++) chances.push((chances[n - 1]! * mean) / n);
  return chances;
}

/**
 * The chance that no number comes up more often than `most` times. Numbers that come up by
 * themselves, each as often on average, are a fair wheel's as soon as their total is given.
 */
function noneAbove(most: number, spins: number, pockets: number): number {
  const each = poisson(spins / pockets, Math.min(most, spins));
  let total = [1];
  for (let pocket = 0; pocket < pockets; pocket++) {
    const next = new Array<number>(Math.min(spins, total.length + each.length - 2) + 1).fill(0);
    for (const [before, chance] of total.entries())
      for (let here = 0; here < each.length && before + here < next.length; here++)
        next[before + here]! += chance * each[here]!;
    total = next;
  }
  return (total[spins] ?? 0) / poisson(spins, spins)[spins]!;
}

/** How often the most frequent number comes up on a fair wheel: a range with nine tenths of all cases. */
export function usualMost(spins: number, pockets: number): { low: number; high: number } {
  let low = 1;
  for (let most = 1; ; most++) {
    const chance = noneAbove(most, spins, pockets);
    if (chance <= 0.05) low = most + 1;
    if (chance >= 0.95) return { low, high: most };
  }
}
