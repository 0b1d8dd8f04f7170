import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { draw, print, type Box } from "./geometry";
import { layOut, type Place } from "./layout";

const { roulette, "roulette-european": european, "roulette-american": american } = data.rules;
const felts = { roulette, european, american };
const feltOf = (name: keyof typeof felts) => layOut(felts[name].spots, felts[name].pockets);
const at = (name: keyof typeof felts, spot: string) =>
  feltOf(name).places.find((place) => place.spot.spot === spot)!;

describe.each(["roulette", "european", "american"] as const)("the layout of %s", (name) => {
  const felt = feltOf(name);
  const inside = (place: Place) =>
    felt.pockets.filter(
      (box) => box.u0 <= place.u && place.u <= box.u1 && box.v0 <= place.v && place.v <= box.v1,
    );

  test("has every spot once, on a point of its own or left over", () => {
    const spots = [...felt.places.map((place) => place.spot), ...felt.rest];
    expect([...spots].sort()).toHaveLength(felts[name].spots.length);
    expect(new Set(spots)).toEqual(new Set(felts[name].spots));
    expect(new Set(felt.places.map(({ u, v }) => `${u} ${v}`)).size).toBe(felt.places.length);
  });

  test("lays a bet between the numbers where exactly its own boxes meet", () => {
    const between = felt.places.filter(
      (place) => !place.text && !place.diamond && place.v > 0 && place.u < 12,
    );
    expect(between.length).toBeGreaterThan(36);
    for (const place of between)
      expect(
        inside(place)
          .map((box) => box.pocket)
          .sort(),
      ).toEqual([...place.spot.pockets].sort());
  });

  test("has no box over another", () => {
    const boxes = [
      ...felt.pockets,
      ...felt.places.flatMap((place) => (place.text || place.diamond ? [place.rect!] : [])),
    ];
    for (const [n, a] of boxes.entries())
      for (const b of boxes.slice(n + 1))
        expect(a.u1 <= b.u0 || b.u1 <= a.u0 || a.v1 <= b.v0 || b.v1 <= a.v0).toBe(true);
    for (const box of boxes) {
      expect(box.u0).toBeGreaterThanOrEqual(felt.u0);
      expect(box.u1).toBeLessThanOrEqual(felt.u1);
      expect(box.v0).toBeGreaterThanOrEqual(felt.v0);
      expect(box.v1).toBeLessThanOrEqual(felt.v1);
    }
  });
});

test("bets lie where a table prints them", () => {
  expect(at("european", "straight 17")).toMatchObject({ u: 5.5, v: 1.5 });
  expect(at("european", "split 17 20")).toMatchObject({ u: 6, v: 1.5 });
  expect(at("european", "corner 17 18 20 21")).toMatchObject({ u: 6, v: 2 });
  expect(at("european", "street 16 17 18")).toMatchObject({ u: 5.5, v: 0 });
  expect(at("european", "line 16 17 18 19 20 21")).toMatchObject({ u: 6, v: 0 });
  expect(at("european", "straight 0")).toMatchObject({ u: -0.5, v: 1.5 });
  expect(at("american", "straight 00")).toMatchObject({ u: -0.5, v: 2.25 });
  expect(at("european", "red")).toMatchObject({ diamond: "red" });
  expect(at("european", "dozen 2")).toMatchObject({ text: "2nd 12", u: 6 });
});

const SHAPES = [
  ["flat", 900, { row: 56, folded: false }],
  ["flat on a small phone", 480, { row: 44, folded: false }],
  ["folded", 340, { row: 42, folded: true }],
] as const;
const DRAWN = SHAPES.flatMap(([name, width, shape]) =>
  (["roulette", "european", "american"] as const).map(
    (book) => [book, name, feltOf(book), width, shape] as const,
  ),
);

describe.each(DRAWN)("the layout of %s, %s", (book, _, felt, width, shape) => {
  const drawing = draw(felt, width, shape);

  test("everything is within the picture", () => {
    for (const place of felt.places) {
      const { x, y } = drawing.point(place.u, place.v);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(drawing.height);
    }
  });

  test("a tap on a place means that place", () => {
    for (const place of felt.places)
      expect(drawing.nearest(drawing.point(place.u, place.v))?.spot.spot).toBe(place.spot.spot);
    expect(drawing.nearest({ x: -50, y: -50 })).toBeUndefined();
  });

  test("a tap near a corner means the corner", () => {
    const corner = at(book, "corner 20 21 23 24");
    const { x, y } = drawing.point(corner.u, corner.v);
    for (const [dx, dy] of [
      [6, 6],
      [-6, 6],
      [6, -6],
      [-6, -6],
    ] as const)
      expect(drawing.nearest({ x: x + dx, y: y + dy })?.spot.spot).toBe(corner.spot.spot);
  });

  test("arrow keys lead to every place", () => {
    const seen = new Set<Place>();
    const open = [felt.places[0]!];
    while (open.length) {
      const place = open.pop()!;
      if (seen.has(place)) continue;
      seen.add(place);
      for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
        const next = drawing.beside(place, key);
        if (next) open.push(next);
      }
    }
    expect(felt.places.filter((place) => !seen.has(place)).map((place) => place.spot.spot)).toEqual(
      [],
    );
    expect(drawing.beside(felt.places[0]!, "Enter")).toBeUndefined();
  });
});

test("a folded layout has its second half below the first, and both across the whole width", () => {
  const felt = feltOf("european");
  const drawing = draw(felt, 340, { row: 42, folded: true });
  const boxOf = (spot: string) => drawing.box(at("european", spot).rect!);
  const [zero, sixteen, nineteen, column] = ["0", "16", "19"]
    .map((n) => boxOf(`straight ${n}`))
    .concat(boxOf("column 1")) as [Box, Box, Box, Box];
  expect(nineteen.y).toBeGreaterThan(sixteen.y + sixteen.height);
  expect([zero.x, nineteen.x]).toEqual([13, 13]);
  expect([sixteen, column].map((box) => box.x + box.width)).toEqual([327, 327]);
  // What lies on the fold can be tapped at both its edges.
  const split = at("european", "split 17 20");
  for (const box of [boxOf("straight 17"), boxOf("straight 20")]) {
    const x = box.x > 100 ? box.x + box.width : box.x;
    expect(drawing.nearest({ x, y: box.y + box.height / 2 })).toEqual(split);
  }
});

test("print is broken into lines that fit, and left out where it does not", () => {
  const lines = (width: number, height: number) =>
    print("2nd 12", 10, { width, height }).map(({ line }) => line);
  expect(lines(100, 20)).toEqual(["2nd 12"]);
  expect(lines(30, 30)).toEqual(["2nd", "12"]);
  expect(lines(30, 20)).toEqual([]);
  expect(lines(20, 30)).toEqual([]);
  expect(print("2nd 12", 10, { width: 30, height: 30 }).map(({ below }) => below)).toEqual([
    -5.75, 5.75,
  ]);
});
