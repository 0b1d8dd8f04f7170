/** A bank as chips in a rack: a tube for each value, as a dealer would keep them. */

export interface Tube {
  value: number;
  count: number;
}

/** In cents, the smallest first. */
const VALUES = [100, 500, 2_500, 10_000, 50_000];
/** Change is kept where this many chips of the next value are left besides. */
const PLENTY = 4;

/** The chips of an amount with some change of each value; what is no whole dollar is a tube of its own. */
export function rackOf(cents: number): Tube[] {
  const tubes: Tube[] = [];
  let left = Math.max(0, cents);
  const odd = left % VALUES[0]!;
  if (odd) tubes.push({ value: odd, count: 1 });
  left -= odd;
  VALUES.forEach((value, n) => {
    const next = VALUES[n + 1];
    let count = next ? (left % next) / value : left / value;
    if (next && left - count * value >= PLENTY * next) count += next / value;
    left -= count * value;
    if (count) tubes.push({ value, count });
  });
  return tubes.reverse();
}
