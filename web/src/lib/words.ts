/** Money, cards and sentences. A real minus sign, and money always with its currency. */

export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"] as const;
export const SUITS = ["clubs", "diamonds", "hearts", "spades"] as const;
const RANK_NAMES = ["deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
  "jack", "queen", "king", "ace"]; // prettier-ignore

export const rank = (card: number) => card >> 2;
export const suit = (card: number) => card & 3;
export const cardName = (card: number) => `${RANK_NAMES[rank(card)]} of ${SUITS[suit(card)]}`;

export function money(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${cents < 0 ? "−" : ""}$${whole}.${rest}`;
}

/** Money in a sentence: without cents where there are none. */
export const dollars = (cents: number) => money(cents).replace(/\.00$/, "");

/** What is written on a chip: 5, 25, 1.5k. */
export function chipFace(cents: number): string {
  const whole = cents / 100;
  return whole >= 1000 ? `${Number((whole / 1000).toPrecision(3))}k` : String(Number(whole.toFixed(2)));
}

export function gain(cents: number): string {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/** What three cards are, in words: "pair of tens", "queen-high". */
export function handName(cards: readonly number[]): string {
  const ranks = cards.map(rank).sort((a, b) => b - a) as [number, number, number];
  const [a, b, c] = ranks;
  const flush = new Set(cards.map(suit)).size === 1;
  const straight = (a - b === 1 && b - c === 1) || (a === 12 && b === 1 && c === 0);
  const plural = (r: number) => (r === 4 ? "sixes" : `${RANK_NAMES[r]}s`);
  if (a === b && b === c) return `three ${plural(a)}`;
  if (flush && straight) return "straight flush";
  if (straight) return "straight";
  if (flush) return `${RANK_NAMES[a]}-high flush`;
  if (a === b || b === c) return `pair of ${plural(b)}`;
  return `${RANK_NAMES[a]}-high`;
}

const WAGERS: Record<string, string> = {
  ante: "Ante",
  play: "Play",
  bonus: "Bonus",
  pair_plus: "Pair Plus",
  ante_bonus: "Ante bonus",
};
export const wagerName = (wager: string) => WAGERS[wager] ?? wager;

/** What became of a wager: "wins $10.00", "pushes", "loses $5.00, $3.00 comes back". */
export function outcome(net: number, stake: number, action: number): string {
  const back = stake - action;
  const rest = stake > 0 && back > 0 ? `, ${money(back)} was not covered and comes back` : "";
  if (net > 0) return `wins ${money(net)}${rest}`;
  if (net < 0) return `loses ${money(-net)}${rest}`;
  return stake > 0 && action === 0 ? "was not covered and comes back" : "pushes";
}
