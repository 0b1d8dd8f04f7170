/** A felt on the screen: flat where there is room, folded in the middle on a phone held upright. */
import type { Felt, Place, Rect } from "./layout";

interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export interface Drawing {
  width: number;
  height: number;
  /** Where a place has its middle, and its chips. */
  point(u: number, v: number): Point;
  box(rect: Rect): Box;
  /** The place that a tap at a point is meant for: lines and corners first, then boxes. */
  nearest(at: Point): Place | undefined;
  /** Where an arrow key leads. */
  beside(from: Place, key: string): Place | undefined;
}

/** How a felt is drawn: `row` is the height of a number's box; a folded one has its halves below each other. */
export interface Shape {
  row: number;
  folded: boolean;
}

/**
 * How high a number's box is on a screen so high. Phones, upright or sideways, have to show the whole
 * layout beside the status line and the buttons; wherever there is more room, boxes grow.
 */
export function rowFor(height: number, folded: boolean, sideways: boolean): number {
  if (folded) return clamp((height - 328) / 7.7, 34, 52);
  return sideways ? clamp((height - 168) / 4.75, 36, 52) : clamp(0.057 * height, 44, 68);
}

/** Room for chips that lie on the outer lines. */
const EDGE = 13;
/** Room between the halves of a folded felt, for the chips on the lower edge of the first. */
const GAP = 10;
/** Where a felt is folded: between the rows of 16 and 19. */
const FOLD = 6;
/** Boxes outside the numbers are a little less deep. */
const OUTSIDE = 0.85;
const clamp = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value));
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

/** What is printed in so much room: lines, and how far each is below the middle. What would be too high or too wide is left out. */
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
  if (lines.length * high > room.height || lines.some((line) => wide(line) * size > room.width))
    return [];
  return lines.map((line, at) => ({ line, below: (at - (lines.length - 1) / 2) * high }));
}

/** A part of the felt that is drawn in one piece, `u0` to `u1` over the whole width; `top` is where `v1` lies. */
interface Part {
  u0: number;
  u1: number;
  v1: number;
  top: number;
  /** The height of a box. */
  row: number;
  /** Pixels for each `u`. */
  unit: number;
}

/** The parts of a felt: all of it, or its halves and the boxes outside the numbers below them. */
function partsOf(felt: Felt, width: number, { row, folded }: Shape) {
  const across = width - 2 * EDGE;
  const part = (u0: number, u1: number, v1: number, top: number, row: number): Part => ({
    ...{ u0, u1, v1, top, row },
    unit: across / (u1 - u0),
  });
  const rows = felt.v1 * row;
  const bands = -felt.v0 * OUTSIDE * row;
  if (!folded) {
    const numbers = part(felt.u0, felt.u1, felt.v1, EDGE, row);
    const outside = { ...numbers, v1: 0, top: EDGE + rows, row: row * OUTSIDE };
    return { numbers: [numbers], outside, height: rows + bands + 2 * EDGE };
  }
  const second = EDGE + rows + GAP;
  const third = second + rows + (bands ? GAP : 0);
  return {
    numbers: [part(felt.u0, FOLD, felt.v1, EDGE, row), part(FOLD, felt.u1, felt.v1, second, row)],
    outside: part(0, 12, 0, third, row * OUTSIDE),
    height: third + bands + EDGE,
  };
}

const project = (part: Part, u: number, v: number): Point => ({
  x: EDGE + (u - part.u0) * part.unit,
  y: part.top + (part.v1 - v) * part.row,
});

export function draw(felt: Felt, width: number, shape: Shape): Drawing {
  const { numbers, outside, height } = partsOf(felt, width, shape);
  /** The parts that have a point: both halves have what lies on the fold. */
  const having = (u: number, v: number) =>
    v < 0 ? [outside] : numbers.filter((part) => part.u0 <= u && u <= part.u1);
  const points = (u: number, v: number) => having(u, v).map((part) => project(part, u, v));
  const point = (u: number, v: number) => points(u, v)[0]!;
  const box = (rect: Rect): Box => {
    const part = having((rect.u0 + rect.u1) / 2, (rect.v0 + rect.v1) / 2)[0]!;
    const [a, b] = [project(part, rect.u0, rect.v1), project(part, rect.u1, rect.v0)];
    return { ...a, width: b.x - a.x, height: b.y - a.y };
  };
  const sheet = { places: felt.places, having, point, box };
  return {
    width,
    height,
    point,
    box,
    nearest: (at) => nearest(sheet, at),
    beside: (from, key) => beside(sheet, from, key),
  };
}

/** Where everything lies. */
interface Sheet extends Pick<Drawing, "point" | "box"> {
  places: readonly Place[];
  having(u: number, v: number): Part[];
}

/** How far from a line a tap still means the line, in pixels. */
const near = (size: number) => clamp(0.22 * size, 10, 18);

/** How far a tap is from a place on lines, in boxes; nothing where it means something else. */
function distance(place: Place, part: Part, at: Point): number | null {
  const centre = project(part, place.u, place.v);
  const [x, y] = [Math.abs(at.x - centre.x), Math.abs(at.y - centre.y)];
  const isMeant =
    x <= Math.max(near(part.unit), place.reach.u * part.unit) &&
    y <= Math.max(near(part.row), place.reach.v * part.row);
  return isMeant ? Math.max(x / part.unit, y / part.row) : null;
}

function nearest({ places, having, box }: Sheet, at: Point): Place | undefined {
  let best: Place | undefined;
  let least = Infinity;
  let inside: Place | undefined;
  for (const place of places) {
    if (place.rect) {
      const { x, y, width, height } = box(place.rect);
      if (at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height) inside ??= place;
      continue;
    }
    for (const part of having(place.u, place.v)) {
      const far = distance(place, part, at);
      if (far !== null && far < least) [best, least] = [place, far];
    }
  }
  return best ?? inside;
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
