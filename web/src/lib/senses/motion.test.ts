import { afterEach, expect, test, vi } from "vitest";
import { flight, onCurve } from "./motion";

const [spot, bank] = [
  { x: 100, y: 400 },
  { x: 500, y: 100 },
];

afterEach(() => vi.unstubAllGlobals());

function see({ calm = false, hidden = false }) {
  vi.stubGlobal("matchMedia", () => ({ matches: calm }));
  vi.stubGlobal("document", { hidden, querySelector: () => element(bank) });
}

function element({ x, y }: { x: number; y: number }): Element {
  const getBoundingClientRect = () => ({ left: x - 10, top: y - 10, width: 20, height: 20 });
  return { getBoundingClientRect, closest: () => null } as unknown as Element;
}

test("a curve begins at the other end, ends at its own, and rises between them", () => {
  expect(onCurve(bank, spot, 0)).toEqual({ x: 400, y: -300 });
  expect(onCurve(bank, spot, 1)).toMatchObject({ x: 0, y: -0 });
  const half = onCurve(bank, spot, 0.5);
  expect(half.x).toBe(200);
  expect(half.y).toBe(-150 - 60);
});

test("both ways lead along the same curve", () => {
  for (const share of [0.1, 0.4, 0.8]) {
    const there = onCurve(bank, spot, share);
    const back = onCurve(spot, bank, 1 - share);
    expect(there.x + spot.x).toBeCloseTo(back.x + bank.x);
    expect(there.y + spot.y).toBeCloseTo(back.y + bank.y);
  }
});

test("a chip starts where it comes from and ends where it lies", () => {
  see({});
  const { css, duration } = flight(element(spot), { between: "[data-bank]", duration: 160 });
  expect(duration).toBe(160);
  expect(css!(0)).toBe("translate: 400.0px -300.0px; opacity: 0");
  expect(css!(1)).toMatch(/^translate: -?0\.0px -?0\.0px; opacity: 1$/);
});

test("less motion is a fade, and a hidden page nothing", () => {
  see({ calm: true });
  const { css } = flight(element(spot), { between: "[data-bank]" });
  expect(css!(0.5)).toBe("opacity: 0.5");
  see({ hidden: true });
  expect(flight(element(spot), { between: "[data-bank]" })).toEqual({ duration: 0 });
});

test("a chip without another end fades", () => {
  see({});
  expect(flight(element(spot), { between: undefined }).css!(0.5)).toBe("opacity: 0.5");
});
