/** The layout of a wheel: numbers in twelve streets of three, zeros before them. */

export const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);
export const EUROPEAN = [0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20,
  14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26].map(String); // prettier-ignore
export const AMERICAN = ["0", 28, 9, 26, 30, 11, 7, 20, 32, 17, 5, 22, 34, 15, 3, 24, 36, 13, 1, "00", 27, 10, 25, 29,
  12, 8, 19, 31, 18, 6, 21, 33, 16, 4, 23, 35, 14, 2].map(String); // prettier-ignore

export type Colour = "red" | "black" | "green";
export function colour(pocket: string): Colour {
  if (!/^[1-9]/.test(pocket)) return "green";
  return RED.has(Number(pocket)) ? "red" : "black";
}

/** A place on the layout where chips may lie, in units of a number's box. */
export interface Spot {
  bet: string;
  x: number;
  y: number;
  label: string;
}

const at = (n: number) => ({ x: Math.floor((n - 1) / 3), y: 2 - ((n - 1) % 3) });

/** All inside bets among the numbers: on boxes, lines and corners. */
export function insideSpots(): Spot[] {
  const spots: Spot[] = [];
  for (let n = 1; n <= 36; n++) {
    const { x, y } = at(n);
    spots.push({ bet: `straight ${n}`, x, y, label: `${n}` });
    if (n % 3) spots.push({ bet: `split ${n} ${n + 1}`, x, y: y - 0.5, label: `${n} and ${n + 1}` });
    if (n <= 33) spots.push({ bet: `split ${n} ${n + 3}`, x: x + 0.5, y, label: `${n} and ${n + 3}` });
    if (n % 3 && n <= 33)
      spots.push({ bet: `corner ${n} ${n + 1} ${n + 3} ${n + 4}`, x: x + 0.5, y: y - 0.5, label: `${n}, ${n + 1}, ${n + 3}, ${n + 4}` });
    if (n % 3 === 1) spots.push({ bet: `street ${n} ${n + 1} ${n + 2}`, x, y: 2.5, label: `${n} to ${n + 2}` });
    if (n % 3 === 1 && n <= 31)
      spots.push({ bet: `line ${n} ${n + 1} ${n + 2} ${n + 3} ${n + 4} ${n + 5}`, x: x + 0.5, y: 2.5, label: `${n} to ${n + 5}` });
  }
  return spots;
}
