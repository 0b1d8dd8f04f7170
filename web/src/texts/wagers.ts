/** What became of a wager, in a few words that follow its name. */
import { dollars, money } from "../lib/text/format";

export const held = (cents: number) => `is held for the next spin: ${money(cents)}`;
export const wins = (cents: number) => `wins ${money(cents)}`;
/** "loses $2.50, and $2.50 is returned" */
export const loses = (cents: number, back: number) =>
  `loses ${money(cents)}${back ? `, and ${money(back)} is returned` : ""}`;
export const returned = (cents: number) => `is returned: ${money(cents)}`;
export const NOT_PAID = "is not paid";

// Beside an amount that does not say it
export const HELD_ASIDE = "held for the next spin";
export const RETURNED_ASIDE = "returned";
export const partReturned = (cents: number) => `${dollars(cents)} returned`;
