/** What the banker reads: before taking the bank, and while it is open. */
import { dollars, gain } from "../lib/text/format";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const players = (count: number) =>
  `${NUMBERS[count] ?? count} ${count === 1 ? "player" : "players"}`;

// Before taking the bank

/** "Put up $500 · up to $995 (six players at $5 need about $120)" */
export function putUp(amount: number, most: number, need: string): string {
  return `Put up ${dollars(amount)} · up to ${dollars(most)}${need && ` (${need})`}`;
}
/** "six players at $5 need about $120" */
export function need(count: number, antes: readonly [number, number], cents: number): string {
  const [least, most] = antes;
  const at = least === most ? dollars(least) : `${dollars(least)} to ${dollars(most)}`;
  return `${players(count)} at ${at} ${count === 1 ? "needs" : "need"} about ${dollars(cents)}`;
}

/** "−$0.71 ± $29" */
export const swing = (mean: number, sd: number) => `${gain(mean)} ± ${dollars(sd)}`;
/** "With such bets: −$0.71 ± $29 a round after the $2 fee." */
export const expected = (mean: number, sd: number, fee: number) =>
  `With such bets: ${swing(mean, sd)} a round${fee ? ` after the ${dollars(fee)} fee` : ""}.`;
/** "You can lose at most $500 and the fee." */
export const worst = (cents: number, fee: number) =>
  `You can lose at most ${dollars(cents)}${fee ? " and the fee" : ""}.`;

// While the bank is open

export const RACK = "Your bank";
export const IN_RACK = "in your rack";
/** "Exposed $180 of $500" */
export const exposed = (cents: number, bank: number) =>
  `Exposed ${dollars(cents)} of ${dollars(bank)}`;
/** "This round: −$0.71 ± $29 after the $2 fee" */
export const thisRound = (mean: number, sd: number, fee: number) =>
  `This round: ${swing(mean, sd)}${fee ? ` after the ${dollars(fee)} fee` : ""}`;
export const NO_BETS = "You're the bank: you pay winners and keep what losers bet.";
export const SEATS = "Bets against your bank, in order of action";
export const PAYS = "you pay up to";
export const WINS = "you win up to";
/** "Ada: you pay up to $30, you win up to $15" */
export const risk = (player: string, pays: number, wins: number) =>
  `${player}: ${PAYS} ${dollars(pays)}, ${WINS} ${dollars(wins)}`;
/** "Ada: +$10 for the bank" */
export const settled = (player: string, cents: number) => `${player}: ${gain(cents)} for the bank`;
