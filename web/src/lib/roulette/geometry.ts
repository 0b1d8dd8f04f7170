/** A felt on the screen: lying on its side where there is room, upright on a phone. */
import type { Felt, Place, Rect } from "./layout";

interface Point {
  x: number;
  y: number;
}

interface Box extends Point {
  width: number;
  height: number;
}

export interface Drawing {
  width: number;
  height: number;
  point(u: number, v: number): Point;
  box(rect: Rect): Box;
  /** The place that a tap at a point is meant for: lines and corners first, then boxes. */
  nearest(at: Point): Place | undefined;
  /** Where an arrow key leads. */
  beside(from: Place, key: string): Place | undefined;
}

/** Room for chips that lie on the outer lines. */
const EDGE = 12;
/** Boxes outside the numbers are a little less deep. */
const OUTSIDE = 0.85;
const clamp = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value));
const deep = (v: number) => (v < 0 ? v * OUTSIDE : v);
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** How wide a letter and a blank are, and how high a line is, in sizes of wide and heavy type: other type fits too. */
const [LETTER, BLANK, LINE] = [0.7, 0.35, 1.15];
const wide = (text: string) =>
  [...text].reduce((sum, letter) => sum + (letter === " " ? BLANK : LETTER), 0);

/** What is printed in so much room: lines, and how far each is below the middle. What would be too high is left out. */
export function print(
  text: string,
  size: number,
  room: { width: number; height: number },
): { line: string; below: number }[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && wide(longer) * size <= room.width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  const high = LINE * size;
  if (lines.length * high > room.height) return [];
  return lines.map((line, at) => ({ line, below: (at - (lines.length - 1) / 2) * high }));
}

export function draw(felt: Felt, width: number, upright: boolean): Drawing {
  const span = upright ? felt.v1 - deep(felt.v0) : felt.u1 - felt.u0;
  const unit = (width - 2 * EDGE) / span;
  const size = upright ? { u: 42, v: unit } : { u: unit, v: clamp(unit, 44, 64) };
  const point = (u: number, v: number): Point =>
    upright
      ? { x: EDGE + (deep(v) - deep(felt.v0)) * size.v, y: EDGE + (u - felt.u0) * size.u }
      : { x: EDGE + (u - felt.u0) * size.u, y: EDGE + (felt.v1 - deep(v)) * size.v };
  const box = (rect: Rect): Box => {
    const [a, b] = [point(rect.u0, rect.v0), point(rect.u1, rect.v1)];
    return {
      x: Math.min(a.x, b.x),
      y: Math.min(a.y, b.y),
      width: Math.abs(a.x - b.x),
      height: Math.abs(a.y - b.y),
    };
  };
  const sheet = { places: felt.places, upright, size, point, box };
  return {
    width,
    height: box(felt).height + 2 * EDGE,
    point,
    box,
    nearest: (at) => nearest(sheet, at),
    beside: (from, key) => beside(sheet, from, key),
  };
}

/** Where everything lies; `size` is that of a box. */
interface Sheet extends Pick<Drawing, "point" | "box"> {
  places: readonly Place[];
  upright: boolean;
  size: { u: number; v: number };
}

/** How far from a line a tap still means the line, in boxes. */
const near = (size: number) => clamp(0.22 * size, 10, 18) / size;

function nearest({ places, upright, size, point, box }: Sheet, at: Point): Place | undefined {
  let best: Place | undefined;
  let least = Infinity;
  for (const place of places) {
    const centre = point(place.u, place.v);
    const [x, y] = [Math.abs(at.x - centre.x), Math.abs(at.y - centre.y)];
    const [u, v] = upright ? [y / size.u, x / size.v] : [x / size.u, y / size.v];
    if (place.rect) {
      const rect = box(place.rect);
      const inside =
        at.x >= rect.x &&
        at.x <= rect.x + rect.width &&
        at.y >= rect.y &&
        at.y <= rect.y + rect.height;
      if (inside && least === Infinity) best = place;
    } else if (
      u <= Math.max(near(size.u), place.reach.u) &&
      v <= Math.max(near(size.v), place.reach.v)
    ) {
      // A long line counts across it only, as far as it goes.
      const far = Math.max(u, v);
      if (far < least) [best, least] = [place, far];
    }
  }
  return best;
}

function beside({ places, point, box }: Sheet, from: Place, key: string): Place | undefined {
  const way = ARROWS[key];
  if (!way) return undefined;
  const frame = (place: Place) => {
    const rect = place.rect && box(place.rect);
    return {
      ...point(place.u, place.v),
      w: rect ? rect.width / 2 - 6 : 0,
      h: rect ? rect.height / 2 - 6 : 0,
    };
  };
  const here = frame(from);
  let best: Place | undefined;
  let least = Infinity;
  for (const place of places) {
    const there = frame(place);
    const ahead = (there.x - here.x) * way.x + (there.y - here.y) * way.y;
    const aside = Math.abs(way.x ? there.y - here.y : there.x - here.x);
    const gap = Math.max(0, aside - (way.x ? here.h + there.h : here.w + there.w));
    if (place === from || ahead < Math.max(2, way.x ? here.w : here.h) || gap > 2 * ahead) continue;
    const cost = ahead + 20 * gap + 0.05 * aside;
    if (cost < least) [best, least] = [place, cost];
  }
  return best;
}
