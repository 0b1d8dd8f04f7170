/** What a night of banking risks, by the curves that `queenhigh bank` uses for a full table. */

export interface Night {
  rounds: number;
  /** The chance to end the night behind. */
  losing: number;
  /** The money that is lost at some time during the night with a chance of at most `risk`. */
  bankroll: number;
  risk: number;
}

/** The normal curve up to `x`, to some twelve digits. */
export function normal(x: number): number {
  const z = Math.abs(x);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const below = z < 3.5 ? 0.5 + density * series(z) : 1 - density * fractionTail(z);
  return x < 0 ? 1 - below : below;
}

function series(z: number): number {
  let [term, total] = [z, z];
  for (let n = 3; term > 1e-17 * total; n += 2) {
    term *= (z * z) / n;
    total += term;
  }
  return total;
}

function fractionTail(z: number): number {
  let rest = z;
  for (let n = 60; n > 0; n--) rest = z + n / rest;
  return 1 / rest;
}

/** The chance that a sum with this drift falls by `bankroll` at some time. */
function ruin(mean: number, sd: number, rounds: number, bankroll: number): number {
  const spread = sd * Math.sqrt(rounds);
  const down = normal((-bankroll - mean * rounds) / spread);
  const back = normal((-bankroll + mean * rounds) / spread);
  const power = (-2 * mean * bankroll) / sd ** 2;
  return down + (back && power < 700 ? Math.exp(power) * back : 0);
}

/** The risk of so many rounds, each with this mean after the fee and this standard deviation. */
export function night(mean: number, sd: number, rounds: number, risk = 0.01): Night {
  if (sd === 0)
    return { rounds, risk, losing: mean < 0 ? 1 : 0, bankroll: Math.max(0, -mean * rounds) };
  const spread = sd * Math.sqrt(rounds);
  let [low, high] = [0, Math.ceil(Math.abs(mean) * rounds + 10 * spread) + 1];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (ruin(mean, sd, rounds, middle) <= risk) high = middle;
    else low = middle;
  }
  return { rounds, risk, losing: normal((-mean * rounds) / spread), bankroll: high };
}
