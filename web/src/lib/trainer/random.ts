/** Numbers for dealing that follow from a seed, so that a test sees the same rounds every time. */

/** Return a number from 0 up to, but not including, another. */
export type Draw = (below: number) => number;

/** A generator that follows from the letters of a seed. */
export function drawFrom(seed: string): Draw {
  let state = 0x9e3779b9;
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193);
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A seed that nobody knows before. */
export const freshSeed = () => [...crypto.getRandomValues(new Uint32Array(2))].join("-");

export const pick = <T>(draw: Draw, items: readonly T[]): T => items[draw(items.length)]!;

/** Return so many of the items, in the order in which they are drawn. */
export function sample<T>(draw: Draw, items: readonly T[], count: number): T[] {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(draw(left.length), 1)[0]!);
}

export const shuffle = <T>(draw: Draw, items: readonly T[]) => sample(draw, items, items.length);
