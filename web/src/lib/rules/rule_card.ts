/** What a rule card lists: limits, pay tables, and the bets of a wheel. */
import { boundsOf } from "../bets/stakes";
import { payTable, SIDES, type PokerRules, type Rules, type WheelRules } from "../net/rulebook";
import { kindName } from "../poker/hands";
import { sideBets } from "../poker/settlement";
import { wagerName } from "../text/format";
import { spotName } from "../text/wager_names";
import * as text from "../../texts/rules";

/** The limits of every wager: "Ante", "$5 to $1,000". */
export function limitRows(rules: Rules): [string, string][] {
  const wagers = rules.game === "roulette" ? ["any"] : ["ante", ...sideBets(rules as PokerRules)];
  return wagers.map((wager) => {
    const { min, max } = boundsOf(rules.betting, wager);
    const name = wager === "any" ? text.EACH_BET : wagerName(wager);
    return [name, text.limitRange(min, max)];
  });
}

export interface PayRows {
  title: string;
  clause: string;
  rows: [string, string][];
}

/** Every pay table of a game of poker, the best hand first. */
export function payTables(rules: PokerRules): PayRows[] {
  return [...SIDES, "ante_bonus"].flatMap((name) => {
    const table = payTable(rules.document, name);
    if (!table) return [];
    const rows = Object.entries(table.pays).map(([kind, pays]): [string, string] => [
      kindName(kind),
      String(pays),
    ]);
    return [{ title: text.paysTitle(wagerName(name)), clause: table.clause, rows }];
  });
}

export interface BetRow {
  name: string;
  numbers: number;
  pays: string;
  clause: string;
}

/** The bets of a wheel, each kind once. */
export function betRows(rules: WheelRules): BetRow[] {
  const rows = new Map<string, BetRow>();
  for (const { spot, bet, pockets, pays, clause } of rules.spots) {
    const name = spotName(bet === "dozen" || bet === "column" ? spot : bet);
    rows.set(name, { name, numbers: pockets.length, pays, clause });
  }
  return [...rows.values()];
}
