/** The four suits in a square of 100, and where a number card has them on a card of 100 by 140. */
export const PIPS = [
  "M50 8c11 0 19 8 19 18 0 5-2 9-5 12 3-2 7-3 11-3 11 0 19 8 19 18s-8 18-19 18c-9 0-16-5-19-12 1 12 5 21 13 29H31c8-8 12-17 13-29-3 7-10 12-19 12C14 71 6 63 6 53s8-18 19-18c4 0 8 1 11 3-3-3-5-7-5-12 0-10 8-18 19-18z",
  "M50 6c9 17 21 31 35 44-14 13-26 27-35 44-9-17-21-31-35-44C29 37 41 23 50 6z",
  "M50 92C22 68 6 52 6 33 6 19 17 9 29 9c9 0 17 5 21 14C54 14 62 9 71 9c12 0 23 10 23 24 0 19-16 35-44 59z",
  "M50 6c8 14 44 34 44 57 0 11-8 18-18 18-9 0-16-5-20-13 1 11 5 18 11 24H33c6-6 10-13 11-24-4 8-11 13-20 13-10 0-18-7-18-18C6 40 42 20 50 6z",
];

const [left, mid, right] = [35, 50, 65];
type Point = readonly [number, number];
const column = (x: number, ...rows: number[]): Point[] => rows.map((y) => [x, y]);
const both = (...rows: number[]): Point[] => [...column(left, ...rows), ...column(right, ...rows)];

/** By rank, from the deuce to the ten. */
export const SPREAD: Record<number, Point[]> = {
  0: column(mid, 32, 108),
  1: column(mid, 32, 70, 108),
  2: both(32, 108),
  3: [...both(32, 108), [mid, 70]],
  4: both(32, 70, 108),
  5: [...both(32, 70, 108), [mid, 51]],
  6: [...both(32, 70, 108), [mid, 51], [mid, 89]],
  7: [...both(34, 58, 82, 106), [mid, 70]],
  8: [...both(34, 58, 82, 106), [mid, 46], [mid, 94]],
};

/** How large the pips of a rank are, so that none meets another. */
export const sizeOf = (value: number) => (value >= 7 ? 17 : 20);
