/** Where things lie on a half-moon felt: its outline, and the seats along its curve by angle. */

export interface Point {
  x: number;
  y: number;
}
/** A point on the curve, and the direction that leads from it to the middle of the felt. */
export interface Spot extends Point {
  inward: Point;
}
export interface Size {
  width: number;
  height: number;
}

/** How far down the sides go straight before they curve, as a share of the height. */
const SHOULDER = 0.14;
/** 2 would be an ellipse; a little more leaves room for the seats beside the player. */
const FULLNESS = 2.3;
const STEPS = 160;

const power = (value: number) => Math.sign(value) * Math.abs(value) ** (2 / FULLNESS);

/** The curve from the upper left over the bottom to the upper right, `inset` from the edge. */
function curve({ width, height }: Size, inset: number): Point[] {
  const middle = { x: width / 2, y: height * SHOULDER };
  const [across, down] = [width / 2 - inset, height - middle.y - inset];
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const angle = Math.PI * (1 - step / STEPS);
    return {
      x: middle.x + across * power(Math.cos(angle)),
      y: middle.y + down * power(Math.sin(angle)),
    };
  });
}

/** The outline of a felt as an SVG path: a straight top with round corners, then the curve. */
export function outline(size: Size, inset: number, corner: number): string {
  const points = curve(size, inset).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
  const [left, right, top] = [inset, size.width - inset, inset];
  return [
    `M${left} ${top + corner}Q${left} ${top} ${left + corner} ${top}`,
    `H${right - corner}Q${right} ${top} ${right} ${top + corner}`,
    ...points.reverse().map((point) => `L${point}`),
    "Z",
  ].join("");
}

const apart = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/** The point after `length` along some points, and the way inward from there. */
function along(points: readonly Point[], length: number): Spot {
  let left = length;
  for (let index = 1; index < points.length; index++) {
    const [from, to] = [points[index - 1]!, points[index]!];
    const step = apart(from, to);
    if (left <= step || index === points.length - 1) {
      const share = step ? Math.min(1, left / step) : 0;
      const inward = step
        ? { x: (to.y - from.y) / step, y: -(to.x - from.x) / step }
        : { x: 0, y: -1 };
      return {
        x: from.x + (to.x - from.x) * share,
        y: from.y + (to.y - from.y) * share,
        inward,
      };
    }
    left -= step;
  }
  return { ...points[0]!, inward: { x: 0, y: -1 } };
}

const lengthOf = (points: readonly Point[]) =>
  points.slice(1).reduce((sum, point, index) => sum + apart(points[index]!, point), 0);

export interface SeatLayout {
  /** How far from the edge the seats lie. */
  inset: number;
  /** How much of the curve stays free at each upper end. */
  end: number;
  /** How much of it the player's own place takes at the bottom; 0 for spectators. */
  own: number;
}

/**
 * The seats of the others along the curve, evenly, clockwise as play goes. With a place of one's
 * own at the bottom they begin at its left and end at its right; without, they go all along.
 */
export function seatSpots(count: number, size: Size, { inset, end, own }: SeatLayout): Spot[] {
  const points = curve(size, inset);
  const whole = lengthOf(points);
  const spread = (seats: number, from: number, to: number) =>
    Array.from({ length: seats }, (_, index) =>
      along(points, seats === 1 ? (from + to) / 2 : from + ((to - from) * index) / (seats - 1)),
    );
  // Clockwise, seen from above: from the upper right over the bottom to the upper left.
  if (!own) return spread(count, end, whole - end).reverse();
  const left = Math.ceil(count / 2);
  return [
    ...spread(left, end, whole / 2 - own / 2).reverse(),
    ...spread(count - left, whole / 2 + own / 2, whole - end).reverse(),
  ];
}
