/** The racetrack: the pockets in their true order around an oval, and the neighbours of each. */

export interface Cell {
  pocket: string;
  /** Its outline, and where its number stands. */
  path: string;
  x: number;
  y: number;
}

export interface Track {
  width: number;
  height: number;
  cells: Cell[];
}

/** How many neighbours a bet may have on each side. */
export const NEIGHBOUR_COUNTS = [1, 2, 3, 4] as const;

/** A pocket between so many neighbours on each side, as they lie on the wheel. */
export function neighbours(order: readonly string[], pocket: string, each: number): string[] {
  const at = order.indexOf(pocket);
  return Array.from(
    { length: 2 * each + 1 },
    (_, n) => order[(at - each + n + order.length) % order.length]!,
  );
}

/** Where an arrow key leads: on along the wheel, or back. */
export function along(order: readonly string[], pocket: string, key: string): string | undefined {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (!step) return undefined;
  return order[(order.indexOf(pocket) + step + order.length) % order.length];
}

/** An oval of two straights and two half circles; `radius` is that of its middle line. */
interface Oval {
  straight: number;
  radius: number;
  length: number;
  centre: { x: number; y: number };
}

/** The point so far along the middle line, clockwise from the top left, moved out by so much. */
function pointAt({ straight, radius, centre, length }: Oval, along: number, out: number) {
  const arc = Math.PI * radius;
  const s = ((along % length) + length) % length;
  const r = radius + out;
  const [left, right] = [centre.x - straight / 2, centre.x + straight / 2];
  if (s <= straight) return { x: left + s, y: centre.y - r };
  if (s <= straight + arc) {
    const angle = (s - straight) / radius - Math.PI / 2;
    return { x: right + r * Math.cos(angle), y: centre.y + r * Math.sin(angle) };
  }
  if (s <= 2 * straight + arc) return { x: right - (s - straight - arc), y: centre.y + r };
  const angle = (s - 2 * straight - arc) / radius + Math.PI / 2;
  return { x: left + r * Math.cos(angle), y: centre.y + r * Math.sin(angle) };
}

/** Points on each long side of a cell, so that it follows the curve. */
const STEPS = 6;

/** Draw the track in so much room, its band so deep; the first pocket lies in the middle above. */
export function drawTrack(
  order: readonly string[],
  width: number,
  height: number,
  band: number,
): Track {
  const radius = (Math.min(width, height) - band) / 2 - 1;
  const straight = Math.max(0, width - height);
  const length = 2 * straight + 2 * Math.PI * radius;
  const oval = { straight, radius, length, centre: { x: width / 2, y: height / 2 } };
  const step = length / order.length;
  const cells = order.map((pocket, n) => {
    const middle = straight / 2 + n * step;
    const side = (out: number) =>
      Array.from({ length: STEPS + 1 }, (_, k) =>
        pointAt(oval, middle - step / 2 + (k * step) / STEPS, out),
      );
    const outline = [...side(band / 2), ...side(-band / 2).reverse()];
    const path = outline.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    return { pocket, path: `M${path}Z`, ...pointAt(oval, middle, 0) };
  });
  return { width, height, cells };
}
