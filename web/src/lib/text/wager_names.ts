/** Wagers by the keys they are sent with, and what became of each, in words. */
import type { SettledBet, SettledWager } from "../net/protocol";
import { pocketList } from "../roulette/wheel";
import { PRINTED } from "../../texts/names";
import * as words from "../../texts/wagers";
import { sentence, wagerName } from "./format";

export type Settled = SettledWager | SettledBet;

/** A wager's name as the table has it: "Ante", "Red", "1st 12", "First four", "Split 17 and 20". */
export function spotName(key: string): string {
  const name = PRINTED[key] ?? wagerName(key);
  if (name !== key) return name;
  const [, bet = key, numbers = ""] = /^(.*?)((?: \d+)*)$/.exec(key) ?? [];
  return sentence(
    `${bet.replaceAll("_", " ")} ${pocketList(numbers.split(" ").filter(Boolean))}`.trim(),
  );
}

export const keyOf = (row: Settled) => ("wager" in row ? row.wager : row.bet);
const heldOf = (row: Settled) => ("held" in row && row.held) || 0;
/** What is returned of a stake that did not win: all of a push, half of a shared zero, what no bank matched. */
const backOf = (row: Settled) => (row.net > 0 || heldOf(row) ? 0 : row.stake + row.net);

/** What became of a wager: "loses $2.50, and $2.50 is returned". */
export function became(row: Settled): string {
  const back = backOf(row);
  if (heldOf(row)) return words.held(heldOf(row));
  if (row.net > 0) return words.wins(row.net);
  if (row.net < 0) return words.loses(-row.net, back);
  return back ? words.returned(back) : words.NOT_PAID;
}

/** What the amount won or lost does not say: "held for the next spin", "$10 returned"; else nothing. */
export function aside(row: Settled): string {
  if (heldOf(row)) return words.HELD_ASIDE;
  const back = backOf(row);
  if (!back) return "";
  return row.net ? words.partReturned(back) : words.RETURNED_ASIDE;
}
