/** Exact fractions, as the room writes them: "-4/15", "3". */

export interface Fraction {
  readonly n: bigint;
  /** Above zero, and with nothing in common with `n`. */
  readonly d: bigint;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

export function over(n: bigint | number, d: bigint | number): Fraction {
  const [top, bottom] = [BigInt(n), BigInt(d)];
  const part = gcd(top, bottom) * (bottom < 0n ? -1n : 1n);
  return { n: top / part, d: bottom / part };
}

export function fraction(text: string): Fraction {
  const [n, d = "1"] = text.split("/");
  return over(BigInt(n!), BigInt(d));
}

export const minus = (a: Fraction, b: Fraction): Fraction => over(a.n * b.d - b.n * a.d, a.d * b.d);
export const plus = (a: Fraction, b: Fraction): Fraction => over(a.n * b.d + b.n * a.d, a.d * b.d);
export const divided = (a: Fraction, b: Fraction): Fraction => over(a.n * b.d, a.d * b.n);
export const times = (a: Fraction, whole: number | bigint): Fraction =>
  over(a.n * BigInt(whole), a.d);
export const negative = (a: Fraction): Fraction => ({ n: -a.n, d: a.d });
export const size = (a: Fraction): Fraction => (a.n < 0n ? negative(a) : a);
export const less = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;
export const sign = (a: Fraction): -1 | 0 | 1 => (a.n > 0n ? 1 : a.n < 0n ? -1 : 0);
/** As a floating-point number, for roots and curves. */
export const ratio = (a: Fraction): number => Number(a.n) / Number(a.d);
/** For drawing only. */
export const near = (a: Fraction): number => Number((a.n * 1_000_000_000n) / a.d) / 1e9;

const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** To so many digits, rounded correctly, with a real minus sign: "−0.0430". */
export function decimal(a: Fraction, digits: number): string {
  const scaled = (a.n < 0n ? -a.n : a.n) * 10n ** BigInt(digits);
  const rounded = (2n * scaled + a.d) / (2n * a.d);
  const text = rounded.toString().padStart(digits + 1, "0");
  const whole = grouped(text.slice(0, text.length - digits));
  return `${a.n < 0n && rounded ? "−" : ""}${whole}${digits ? `.${text.slice(-digits)}` : ""}`;
}

export const percent = (a: Fraction, digits = 4): string =>
  `${decimal(over(a.n * 100n, a.d), digits)}%`;

/** With as few digits as it takes, two at most: "20%", "6.67%". */
export const percentShort = (a: Fraction): string => percent(a, 2).replace(/\.?0+%$/, "%");

/** As one would type it, for copying: "-4373389/101792600". */
export const plain = (a: Fraction): string => (a.d === 1n ? String(a.n) : `${a.n}/${a.d}`);

/** As one would read it: "−4,373,389/101,792,600". */
export const readable = (a: Fraction): string =>
  plain(a).replace("-", "−").replace(/\d+/g, grouped);
