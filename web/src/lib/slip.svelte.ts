import type { Bet, HandView } from "./protocol";
import { money } from "./words";

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

/** Chips on the felt of this page that are not at the table yet. Every change can be undone. */
export class Slip {
  stakes = $state.raw<Stakes>({});
  #past = $state.raw<readonly Stakes[]>([]);
  readonly total = $derived(sum(this.stakes));

  get changed() {
    return this.#past.length > 0;
  }

  put(stakes: Stakes) {
    this.#past = [...this.#past.slice(-199), this.stakes];
    this.stakes = Object.fromEntries(Object.entries(stakes).filter(([, cents]) => cents > 0));
  }

  undo() {
    this.stakes = this.#past.at(-1) ?? this.stakes;
    this.#past = this.#past.slice(0, -1);
  }

  /** Begin anew: what was here is at the table now, or was taken back from it. */
  reset(stakes: Stakes = {}) {
    this.stakes = stakes;
    this.#past = [];
  }
}

export interface Bounds {
  min: number;
  max: number;
  increment: number;
}

/** What one has at the table, and what one could bring to it. */
export interface Means {
  stack: number;
  wallet: number;
}

const MOST_BETS = 200;
/** How a sentence ends that asks for more chips. */
export const BRING = "or bring more chips.";

/** Say in one sentence why so much does not fit on a spot beside what is down there; nothing: it fits. `what`: whose limits these are. */
export function misfit(
  cents: number,
  down: number,
  { min, max, increment }: Bounds,
  name: string,
  what = "bet",
): string {
  if (cents + down > max)
    return `${name} would have ${money(cents + down)}: the most on one ${what} here is ${money(max)}.`;
  if (cents < min)
    return `${money(cents)} on ${name} is too little: the least ${what} here is ${money(min)}.`;
  return cents % increment
    ? `${money(cents)} on ${name} does not fit: bets here are multiples of ${money(increment)}.`
    : "";
}

/** Say in one sentence what is against bets, beside those that are down already; nothing: they are fine. */
export function objection(
  bets: Stakes,
  down: Stakes,
  bounds: Bounds,
  { stack, wallet }: Means,
  name: (spot: string) => string,
): string {
  for (const [spot, cents] of Object.entries(bets)) {
    const why = misfit(cents, down[spot] ?? 0, bounds, name(spot));
    if (why) return why;
  }
  if (Object.keys(bets).length > MOST_BETS)
    return `That is more than ${MOST_BETS} bets: put more chips on fewer spots.`;
  const total = sum(bets);
  if (total <= stack) return "";
  return `${money(total)} is more than the ${money(stack)} you have here: bet less${wallet < bounds.min ? "." : `, ${BRING}`}`;
}

/** Chips that fit a table's limits, the least bet first. */
export function chipSizes({ min, max, increment }: Bounds): number[] {
  const usual = [100, 500, 2_500, 10_000, 50_000, 100_000, 500_000, 2_500_000, 10_000_000];
  const fitting = usual.filter((cents) => cents > min && cents <= max && cents % increment === 0);
  return [min, ...fitting].slice(0, 5);
}
