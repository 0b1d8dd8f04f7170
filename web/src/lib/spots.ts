/** Wagers by the keys they are sent with, and what became of each, in words. */
import type { SettledBet, SettledWager } from "./protocol";
import { kindName, pocketList } from "./wheel";
import { dollars, money, wagerName } from "./words";

export type Settled = SettledWager | SettledBet;

/** A wager's name as the table has it: "Ante", "Red", "First four", "Split 17 and 20". */
export function spotName(key: string): string {
  const name = wagerName(key);
  if (name !== key) return name;
  const [kind = "", ...pockets] = key.split(" ");
  return [kindName(kind), pocketList(pockets)].filter(Boolean).join(" ");
}

export const keyOf = (row: Settled) => ("wager" in row ? row.wager : row.bet);
const heldOf = (row: Settled) => ("held" in row && row.held) || 0;
/** What of a stake came back to who did not win: all of a push, half of a shared zero, what no bank matched. */
const backOf = (row: Settled) => (row.net > 0 || heldOf(row) ? 0 : row.stake + row.net);

/** What became of a wager: "loses $2.50, and $2.50 comes back". */
export function became(row: Settled): string {
  const back = backOf(row);
  if (heldOf(row)) return `is held for the next spin: ${money(heldOf(row))}`;
  if (row.net > 0) return `wins ${money(row.net)}`;
  if (row.net < 0) return `loses ${money(-row.net)}${back ? `, and ${money(back)} comes back` : ""}`;
  return back ? `comes back: ${money(back)}` : "is not paid";
}

/** What the amount won or lost does not say: "held for the next spin", "$10 came back"; else nothing. */
export function aside(row: Settled): string {
  if (heldOf(row)) return "held for the next spin";
  const back = backOf(row);
  return back ? `${row.net ? `${dollars(back)} ` : ""}came back` : "";
}
