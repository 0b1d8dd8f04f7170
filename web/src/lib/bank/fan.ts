/** A night at the bank as a picture: the average grows with the rounds, the swing with their root. */

export interface Fan {
  /** Polygons of one and of two standard deviations, and the line of the average, as SVG points. */
  usual: string;
  wide: string;
  mean: string;
  /** Where zero is. */
  zero: number;
  /** Round amounts on the way up, in cents, and where they are. */
  ticks: { cents: number; y: number }[];
}

const STEPS = 32;

/** A round number of about this size: 1, 2 or 5 with zeros. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= size)!;
}

/** Draw `rounds` rounds of this mean and standard deviation, in cents, into a box. */
export function fanOf(
  mean: number,
  sd: number,
  rounds: number,
  width: number,
  height: number,
): Fan {
  const steps = Array.from({ length: STEPS + 1 }, (_, n) => (rounds * n) / STEPS);
  const result = (played: number, devs: number) => mean * played + devs * sd * Math.sqrt(played);
  const top = Math.max(100, ...steps.map((played) => result(played, 2))) * 1.08;
  const bottom = Math.min(-100, ...steps.map((played) => result(played, -2))) * 1.08;
  const y = (cents: number) => Math.round((10 * height * (top - cents)) / (top - bottom)) / 10;
  const at = (devs: number) =>
    steps.map((played, n) => {
      const x = Math.round((10 * width * n) / STEPS) / 10;
      return `${x},${y(result(played, devs))}`;
    });
  const band = (devs: number) => [...at(devs), ...at(-devs).reverse()].join(" ");
  const step = roundStep((top - bottom) / 8);
  const ticks = [];
  for (let cents = Math.ceil(bottom / step) * step; cents <= top; cents += step)
    ticks.push({ cents, y: y(cents) });
  return { usual: band(1), wide: band(2), mean: at(0).join(" "), zero: y(0), ticks };
}
