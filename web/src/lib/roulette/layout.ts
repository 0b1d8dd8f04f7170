/**
 * Where on the felt a bet lies, worked out from the pockets it covers. `u` runs along the layout,
 * away from the zeros, `v` across it; a number's box is one by one. What has no place is left over.
 */
import type { Spot } from "../net/rulebook";
import { colour } from "./wheel";
import { CHANCES, DOZENS } from "../../texts/names";

export interface Rect {
  u0: number;
  u1: number;
  v0: number;
  v1: number;
}

interface PocketBox extends Rect {
  pocket: string;
}

/** A place for chips: a printed box with its `rect`, or a point on lines with its reach around it. */
export interface Place {
  spot: Spot;
  u: number;
  v: number;
  reach: { u: number; v: number };
  rect?: Rect;
  /** What is printed in a box outside the numbers. */
  text?: string;
  diamond?: "red" | "black";
}

export interface Felt extends Rect {
  pockets: PocketBox[];
  places: Place[];
  /** Bets that are offered and have no place on a layout. */
  rest: Spot[];
}

type Band = "dozens" | "chances" | "columns";
interface Print {
  band: Band;
  from: number;
  to: number;
  text?: string;
  diamond?: "red" | "black";
}

const key = (pockets: readonly string[]) => [...pockets].sort().join(" ");
const all = Array.from({ length: 36 }, (_, n) => n + 1);
const those = (test: (n: number) => boolean) => key(all.filter(test).map(String));

/** What a felt prints around its numbers, found by the numbers it is for. */
const PRINTED = new Map<string, Print>([
  ...DOZENS.map((text, index): [string, Print] => [
    those((n) => Math.ceil(n / 12) === index + 1),
    { band: "dozens", from: 4 * index, to: 4 * index + 4, text },
  ]),
  ...[0, 1, 2].map((index): [string, Print] => [
    those((n) => (n - 1) % 3 === index),
    { band: "columns", from: index, to: index + 1 },
  ]),
  [those((n) => n <= 18), { band: "chances", from: 0, to: 2, text: CHANCES.low }],
  [those((n) => n % 2 === 0), { band: "chances", from: 2, to: 4, text: CHANCES.even }],
  [those((n) => colour(String(n)) === "red"), { band: "chances", from: 4, to: 6, diamond: "red" }],
  [
    those((n) => colour(String(n)) === "black"),
    { band: "chances", from: 6, to: 8, diamond: "black" },
  ],
  [those((n) => n % 2 === 1), { band: "chances", from: 8, to: 10, text: CHANCES.odd }],
  [those((n) => n > 18), { band: "chances", from: 10, to: 12, text: CHANCES.high }],
]);

/** One zero lies across the layout, two side by side, and a third behind them. */
function zeroBoxes(zeros: readonly string[]): PocketBox[] {
  const [first, second, third] = zeros as [string, string?, string?];
  const row = { u0: -1, u1: 0 };
  if (!second) return [{ pocket: first, ...row, v0: 0, v1: 3 }];
  const boxes = [
    { pocket: first, ...row, v0: 0, v1: 1.5 },
    { pocket: second, ...row, v0: 1.5, v1: 3 },
  ];
  return third ? [...boxes, { pocket: third, u0: -2, u1: -1, v0: 0, v1: 3 }] : boxes;
}

function numberBox(pocket: string): PocketBox {
  const u0 = Math.floor((Number(pocket) - 1) / 3);
  const v0 = (Number(pocket) - 1) % 3;
  return { pocket, u0, u1: u0 + 1, v0, v1: v0 + 1 };
}

const middle = (rect: Rect) => ({ u: (rect.u0 + rect.u1) / 2, v: (rect.v0 + rect.v1) / 2 });
const has = (rect: Rect, u: number, v: number) =>
  rect.u0 <= u && u <= rect.u1 && rect.v0 <= v && v <= rect.v1;

/** A box, the line between two or the point where several meet: what all of them share, if only they do. */
function shared(
  spot: Spot,
  boxes: readonly PocketBox[],
  own: readonly PocketBox[],
): Place | undefined {
  const rect = {
    u0: Math.max(...own.map((box) => box.u0)),
    u1: Math.min(...own.map((box) => box.u1)),
    v0: Math.max(...own.map((box) => box.v0)),
    v1: Math.min(...own.map((box) => box.v1)),
  };
  if (rect.u0 > rect.u1 || rect.v0 > rect.v1) return undefined;
  const { u, v } = middle(rect);
  if (boxes.filter((box) => has(box, u, v)).length !== own.length) return undefined;
  const place = { spot, u, v, reach: { u: (rect.u1 - rect.u0) / 2, v: (rect.v1 - rect.v0) / 2 } };
  return own.length === 1 ? { ...place, rect } : place;
}

/** One whole row, or two that adjoin: on the edge of the layout. */
function edge(
  spot: Spot,
  boxes: readonly PocketBox[],
  own: readonly PocketBox[],
): Place | undefined {
  const rows = [...new Set(own.map((box) => box.u0))].sort((a, b) => a - b);
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const whole = boxes.filter((box) => box.u0 >= first && box.u0 <= last).length === own.length;
  if (!whole || rows.length > 2 || last - first !== rows.length - 1) return undefined;
  return { spot, u: (first + last + 1) / 2, v: 0, reach: { u: rows.length === 1 ? 0.5 : 0, v: 0 } };
}

function outside(spot: Spot, bands: ReadonlySet<Band>): Place | undefined {
  const print = PRINTED.get(key(spot.pockets));
  if (!print) return undefined;
  const { band, from, to, ...printed } = print;
  const v1 = band === "chances" && bands.has("dozens") ? -1 : 0;
  const rect =
    band === "columns"
      ? { u0: 12, u1: 13, v0: from, v1: to }
      : { u0: from, u1: to, v0: v1 - 1, v1 };
  const text = printed.text ?? (band === "columns" ? spot.pays : undefined);
  return {
    spot,
    ...middle(rect),
    reach: { u: 0, v: 0 },
    rect,
    ...printed,
    ...(text ? { text } : {}),
  };
}

/** Lay a rulebook's bets out on a felt. */
export function layOut(spots: readonly Spot[], pockets: readonly string[]): Felt {
  const boxes = [
    ...zeroBoxes(pockets.filter((pocket) => colour(pocket) === "green")),
    ...all.map(String).map(numberBox),
  ];
  const box = new Map(boxes.map((box) => [box.pocket, box]));
  const bands = new Set(spots.flatMap((spot) => PRINTED.get(key(spot.pockets))?.band ?? []));
  const places: Place[] = [];
  const rest: Spot[] = [];
  const taken = new Set<string>();
  for (const spot of spots) {
    const own = spot.pockets.map((pocket) => box.get(pocket)!);
    const place = shared(spot, boxes, own) ?? edge(spot, boxes, own) ?? outside(spot, bands);
    const position = place && `${place.u} ${place.v}`;
    if (place && !taken.has(position!)) {
      places.push(place);
      taken.add(position!);
    } else rest.push(spot);
  }
  const depth = Number(bands.has("dozens")) + Number(bands.has("chances"));
  return {
    pockets: boxes,
    places,
    rest,
    u0: Math.min(...boxes.map((box) => box.u0)),
    u1: bands.has("columns") ? 13 : 12,
    v0: -depth,
    v1: 3,
  };
}
