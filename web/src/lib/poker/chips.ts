/** Chips of real denominations, for stacks on the felt. */

/** In cents, the most valuable first; what is left over is one chip of its own. */
const DENOMINATIONS = [50_000, 10_000, 2_500, 500, 100];
/** A stack shows no more chips than this; the amount is written beside it. */
const HIGHEST = 7;

/** The chips that make an amount, the most valuable first, so that it lies at the bottom. */
export function chipsOf(cents: number): number[] {
  const chips: number[] = [];
  let left = cents;
  for (const value of DENOMINATIONS) {
    const count = Math.floor(left / value);
    chips.push(...Array.from({ length: count }, () => value));
    left -= count * value;
  }
  return left ? [...chips, left] : chips;
}

/** The same as a stack that fits on a spot. */
export const stackOf = (cents: number): number[] => chipsOf(cents).slice(0, HIGHEST);
