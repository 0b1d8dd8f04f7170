import { describe, expect, it } from "vitest";
import { outline, seatSpots } from "./seat_positions";

const SIZE = { width: 1500, height: 900 };
const LAYOUT = { inset: 40, end: 60, own: 420 };
const apart = (a: { x: number; y: number }, b: { x: number; y: number }) =>
  Math.hypot(a.x - b.x, a.y - b.y);

describe("seats along a half-moon", () => {
  it("lie on the felt, apart from each other and from the player", () => {
    for (const [count, least] of [
      [10, 120],
      [6, 200],
      [1, 0],
    ] as const) {
      const seats = seatSpots(count, SIZE, LAYOUT);
      expect(seats).toHaveLength(count);
      for (const { x, y } of seats) {
        expect(x).toBeGreaterThanOrEqual(LAYOUT.inset);
        expect(x).toBeLessThanOrEqual(SIZE.width - LAYOUT.inset);
        expect(y).toBeLessThanOrEqual(SIZE.height - LAYOUT.inset);
        expect(apart({ x, y }, { x: 750, y: 860 })).toBeGreaterThan(150);
      }
      seats.slice(1).forEach((seat, n) => expect(apart(seat, seats[n]!)).toBeGreaterThan(least));
    }
  });

  it("go clockwise: up the left side, then down the right", () => {
    const seats = seatSpots(10, SIZE, LAYOUT);
    const [left, right] = [seats.slice(0, 5), seats.slice(5)];
    expect(left.every(({ x }) => x < 750)).toBe(true);
    expect(right.every(({ x }) => x > 750)).toBe(true);
    expect(left.map(({ y }) => y)).toEqual(left.map(({ y }) => y).sort((a, b) => b - a));
    expect(right.map(({ y }) => y)).toEqual(right.map(({ y }) => y).sort((a, b) => a - b));
  });

  it("take the bottom too where nobody has a place of their own", () => {
    const seats = seatSpots(7, SIZE, { ...LAYOUT, own: 0 });
    expect(seats[3]!.x).toBeCloseTo(750, 0);
    expect(seats[0]!.x).toBeGreaterThan(1200);
    expect(seats[6]!.x).toBeLessThan(300);
  });

  it("know the way to the middle", () => {
    for (const { x, y, inward } of seatSpots(10, SIZE, LAYOUT)) {
      const [before, after] = [
        apart({ x, y }, { x: 750, y: 300 }),
        apart({ x: x + 50 * inward.x, y: y + 50 * inward.y }, { x: 750, y: 300 }),
      ];
      expect(after).toBeLessThan(before);
    }
  });
});

describe("the outline of the felt", () => {
  it("is closed and stays within its box", () => {
    const path = outline(SIZE, 10, 20);
    expect(path).toMatch(/^M.*Z$/);
    const numbers = path.match(/-?[\d.]+/g)!.map(Number);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(SIZE.width - 10);
  });
});
