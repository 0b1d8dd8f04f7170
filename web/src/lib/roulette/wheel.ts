/** A wheel: its pockets in their true order, and the bets that its rulebook offers, in words. */
import type { SettledBet } from "../net/protocol";
import type { Spot, WheelRules } from "../net/rulebook";
import { list, money } from "../text/format";
import { range } from "../../texts/names";
import * as texts from "../../texts/roulette";

type Colour = "red" | "black" | "green";

const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);
const SINGLE =
  "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26";
const DOUBLE =
  "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2";
/** With three zeros they lie side by side, and the rest is as on a wheel with one. */
const TRIPLE = SINGLE.replace("0 ", "0 000 00 ");

export function colour(pocket: string): Colour {
  if (pocket.startsWith("0")) return "green";
  return RED.has(Number(pocket)) ? "red" : "black";
}

/** The pockets clockwise, as they lie on a wheel with so many zeros. */
export function around(pockets: readonly string[]): string[] {
  const known = [SINGLE, DOUBLE, TRIPLE].map((order) => order.split(" "));
  return known.find((order) => order.length === pockets.length) ?? [...pockets];
}

/** "17, black, odd, low" */
export function pocketWords(pocket: string): string {
  if (colour(pocket) === "green") return texts.numberAnd(pocket, colour(pocket));
  const n = Number(pocket);
  return texts.numberInWords(n, colour(pocket), n % 2 !== 0, n <= 18);
}

/** Pockets in words, what follows one another as a range: "17 and 20", "16 to 18", "0, 00 and 2". */
export function pocketList(pockets: readonly string[]): string {
  const runs: string[][] = [];
  for (const pocket of pockets) {
    const run = runs.at(-1);
    const follows = run && colour(run[0]!) !== "green" && Number(pocket) === Number(run.at(-1)) + 1;
    if (follows) run.push(pocket);
    else runs.push([pocket]);
  }
  return list(runs.flatMap((run) => (run.length > 2 ? [range(run[0]!, run.at(-1)!)] : run)));
}

/** Return whether a bet names its numbers, as a split does and red does not. */
export const namesNumbers = (spot: Spot) => spot.spot === [spot.bet, ...spot.pockets].join(" ");

/** Return whether a bet pays even money: those a zero may spare. */
export const isEvenMoney = (spot: Spot) => spot.pays === "1 to 1";

/** What a stake wins at such a pay, in cents; nothing where that is no whole number of them. */
export function exampleWin(pays: string, stake: number): number | null {
  const [, to = "", one = ""] = /^(\d+) to (\d+)$/.exec(pays) ?? [];
  const win = (stake * Number(to)) / Number(one);
  return one && Number.isInteger(win) ? win : null;
}

/** What the next spin does to a bet that is held: "frees it or takes it". */
export const nextSpin = (rules: WheelRules): string =>
  texts.frees(texts.SECOND_ZERO[rules.document.zero?.second_zero ?? ""] ?? "");

/** What became of a bet: "wins $5.00", "loses $2.50, and $2.50 is returned". */
export function fate(bet: SettledBet, rules: WheelRules): string {
  if (bet.net > 0) return texts.wins(money(bet.net));
  if (bet.held) return texts.held(money(bet.held), nextSpin(rules));
  if (bet.net === 0)
    return bet.in_prison ? texts.freed(money(bet.stake)) : texts.returned(money(bet.stake));
  if (-bet.net < bet.stake) return texts.losesPart(money(-bet.net), money(bet.stake + bet.net));
  return texts.loses(money(-bet.net));
}
