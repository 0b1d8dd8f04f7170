/** A part of the layout, drawn large: the streets around the chips, and where each pile lies. */
import { layOut, type Felt, type Place, type Rect } from "../roulette/layout";
import type { Pile, Spin, WheelTerms } from "./picture";

/** A part of a layout in boxes: a number's box is one by one, the first street on the left. */
export interface Part {
  width: number;
  height: number;
  boxes: { pocket: string; x: number; y: number; width: number; height: number }[];
  piles: { pile: Pile; x: number; y: number }[];
}

/** At least so many streets are drawn. */
const STREETS = 4;
/** Dozens and all that lies further out. */
const MOST_NUMBERS = 6;
/** Room for chips on the outer lines, in boxes. */
export const MARGIN = 0.3;

/** Whether all chips lie on the numbers. */
export const isInside = ({ piles }: Spin) =>
  piles.every(({ spot }) => spot.pockets.length <= MOST_NUMBERS);

/** Return the part of the layout around the chips and the number that came. */
export function partOf(rules: WheelTerms, spin: Spin): Part {
  const felt = layOut(rules.spots, rules.pockets);
  const seen = new Set([spin.pocket, ...spin.piles.flatMap(({ spot }) => spot.pockets)]);
  const own = felt.pockets.filter(({ pocket }) => seen.has(pocket));
  const [from, to] = streets(own, felt);
  const boxes = felt.pockets.filter(({ u0, u1 }) => u0 >= from && u1 <= to);
  return {
    width: to - from,
    height: 3,
    boxes: boxes.map(({ pocket, u0, u1, v0, v1 }) => ({
      pocket,
      x: u0 - from,
      y: 3 - v1,
      width: u1 - u0,
      height: v1 - v0,
    })),
    piles: spin.piles.flatMap((pile) => {
      const place = placeOf(felt, pile);
      return place ? [{ pile, x: place.u - from, y: 3 - place.v }] : [];
    }),
  };
}

const placeOf = (felt: Felt, { spot }: Pile): Place | undefined =>
  felt.places.find((place) => place.spot.spot === spot.spot);

/** From which street to which: what is seen, and more on both sides where that is narrow. */
function streets(own: readonly Rect[], felt: Felt): [number, number] {
  const last = Math.max(...felt.pockets.map(({ u1 }) => u1));
  let from = Math.min(...own.map(({ u0 }) => u0));
  let to = Math.max(...own.map(({ u1 }) => u1));
  while (to - from < STREETS) {
    if (to < last) to++;
    if (to - from < STREETS && from > felt.u0) from--;
  }
  return [from, to];
}
