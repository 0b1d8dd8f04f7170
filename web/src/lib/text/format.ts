/** Money and wagers in words. A real minus sign, and money always with its currency. */
import { and, WAGERS } from "../../texts/names";

export function money(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${cents < 0 ? "−" : ""}$${whole}.${rest}`;
}

/** Money in a sentence: without cents where there are none. */
export const dollars = (cents: number) => money(cents).replace(/\.00$/, "");

const AMOUNT = /^(?=.*\d)\$?\s*([1-9]\d{0,2}(?:,\d{3})+(?![\d,])|\d*)(?:\.(\d*)|,(\d{1,2}))?$/;

/**
 * Read dollars as people write them, in cents: "5", "$2.50", "1,000". A comma before one or two last digits parts the cents:
 * "2,50". What is no amount is NaN, and parts of a cent stay parts.
 */
export function readDollars(text: string): number {
  const match = AMOUNT.exec(text.trim());
  if (!match) return NaN;
  const rest = (match[2] ?? match[3] ?? "").padEnd(2, "0");
  return (
    Number(match[1]!.replaceAll(",", "")) * 100 + Number(`${rest.slice(0, 2)}.${rest.slice(2)}`)
  );
}

/** The nearest amount that is allowed; where nothing is, all there is. */
export const within = (cents: number, least: number, most: number) =>
  Math.min(most, Math.max(least, cents));

/** What is written on a chip: 5, 25, 1.5k. */
export function chipFace(cents: number): string {
  const whole = cents / 100;
  return whole >= 1000
    ? `${Number((whole / 1000).toPrecision(3))}k`
    : String(Number(whole.toFixed(2)));
}

export function gain(cents: number): string {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/** The same where there is little room: without cents where there are none. */
export const shortGain = (cents: number) => gain(cents).replace(/\.00$/, "");

export const wagerName = (wager: string) => WAGERS[wager] ?? wager;

/** Join words as a sentence does: "a", "a and b", "a, b and c". */
export function list(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : and(words.slice(0, -1).join(", "), words.at(-1)!);
}

/** What is wrong, as a whole sentence: the room says it in small letters and without a full stop. */
export const complaint = (error: unknown) =>
  sentence((error as Error).message).replace(/([^.!?…])$/, "$1.");

export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A player's name without what marks a bot; a bot is marked by a picture. */
export const bareName = (player: string) => player.replace(/ \(bot\)$/, "");

/** A table's name as the page writes it, "California": its address stays as it is. */
export const tableTitle = (name: string) =>
  name.replace(
    /(^|[\s-])(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
