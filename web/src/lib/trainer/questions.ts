/** What is asked about a settled round, with the right answers: all of them follow from `settle`. */
import { compare, qualifies, strength, type Row } from "../proof/poker";
import { SIDES } from "../net/rulebook";
import { inOrder, uncovered } from "../poker/settlement";
import type { DeskRules, EnteredSeat, Entry } from "../settling/entry";
import { settle, type Settled } from "../settling/settle";
import type { Ask } from "./levels";

/** What became of a hand: it wins, loses or ties; the dealer doesn't qualify; the bank is used up. */
export type Result = "win" | "lose" | "push" | "short" | "used_up";
export const RESULTS: readonly Result[] = ["win", "lose", "push", "short", "used_up"];

interface AtSeat {
  seat: number;
  /** The rows of the settlement that the answer is made of. */
  rows: readonly Row[];
}
export type Question =
  | { ask: "order"; seat: number; right: number; left: readonly number[] }
  | ({ ask: "outcome"; right: Result; results: readonly Result[] } & AtSeat)
  | ({ ask: "amount"; right: number; does: "pay" | "take" } & AtSeat)
  | ({ ask: "back"; right: number } & AtSeat)
  | ({ ask: "ante_bonus" | "side"; right: number; wager: string } & AtSeat)
  | { ask: "fee"; seat: number; right: number; ante: number }
  | { ask: "bank_fee"; right: number; ante: number };

const GAME = ["ante", "play"];
const total = (rows: readonly Row[]) => rows.reduce((sum, { net }) => sum + Math.abs(net), 0);

/** The seats of an entry in order of action. */
export const seatsInOrder = ({ seats, first }: Entry) => inOrder(seats, first);

/** Return all that is asked about a round, in order. */
export function questionsOf(rules: DeskRules, entry: Entry, asks: readonly Ask[]): Question[] {
  const { settled } = settle(rules, entry);
  const order = seatsInOrder(entry);
  const lefts = banksBefore(rules, entry, settled);
  const questions = order.flatMap((put, n) => {
    const { wagers } = settled.seats.find(({ seat }) => seat === put.seat)!;
    const about: About = { rules, entry, put, rows: wagers, left: lefts[n] ?? null, asks };
    const waiting = order.slice(n).map(({ seat }) => seat);
    const next: Question[] =
      asks.includes("order") && waiting.length > 1
        ? [{ ask: "order", seat: put.seat, right: put.seat, left: waiting }]
        : [];
    return [...next, ...ofGame(about), ...ofBonuses(about), ...feeOf(about, settled)];
  });
  const fee = settled.banker_fee;
  if (!asks.includes("bank_fee") || fee === undefined) return questions;
  const ante = Math.max(...entry.seats.map(({ stakes }) => stakes["ante"] ?? 0));
  return [...questions, { ask: "bank_fee", right: fee, ante }];
}

/** A seat whose turn it is, and what was left of the bank before it. */
interface About {
  rules: DeskRules;
  entry: Entry;
  put: EnteredSeat;
  rows: readonly Row[];
  left: number | null;
  asks: readonly Ask[];
}

/** What is left of the bank before each seat in order of action; nothing against the house. */
export function banksBefore(rules: DeskRules, entry: Entry, settled: Settled): (number | null)[] {
  if (entry.bank === undefined) return entry.seats.map(() => null);
  const isNet = rules.document.bank?.coverage === "net";
  let left = entry.bank;
  return seatsInOrder(entry).map(({ seat }) => {
    const before = left;
    for (const row of settled.seats.find((each) => each.seat === seat)!.wagers)
      left -= isNet ? row.net : row.action;
    return before;
  });
}

function ofGame({ rules, entry, put, rows, left, asks }: About): Question[] {
  const game = rows.filter(({ wager }) => GAME.includes(wager));
  if (!game.length) return [];
  const { seat } = put;
  const questions: Question[] = [];
  const canEnd = asks.includes("back");
  // The Ante is the first bet of a hand that the bank meets.
  const isUsedUp = game[0]!.clause === rules.document.bank?.unmatched_clause;
  const result = canEnd && isUsedUp ? "used_up" : resultOf(rules, entry, put);
  if (asks.includes("outcome") && put.move === "play") {
    const results = RESULTS.filter((each) => each !== "used_up" || canEnd);
    questions.push({ ask: "outcome", seat, rows: game, right: result, results });
  }
  const isMoved = result !== "push" && result !== "used_up";
  if (asks.includes("amount") && isMoved) {
    const does = result === "lose" || put.move === "fold" ? "take" : "pay";
    questions.push({ ask: "amount", seat, rows: game, right: total(game), does });
  }
  if (canEnd && isShort(rows, left)) {
    const back = rows.reduce((sum, row) => sum + uncovered(row, rules), 0);
    questions.push({ ask: "back", seat, rows, right: back });
  }
  return questions;
}

/** Whether the bank may not have covered all of a seat: then it is asked what goes back. */
const isShort = (rows: readonly Row[], left: number | null) =>
  left !== null && rows.reduce((sum, row) => sum + row.action, 0) >= left;

/** What became of a hand, whatever the bank covers; a fold is asked of nobody. */
export function resultOf({ document }: DeskRules, entry: Entry, put: EnteredSeat): Result {
  if (put.move === "fold") return "lose";
  const dealer = strength(document, entry.dealer);
  if (!qualifies(document, dealer)) return "short";
  const apart = compare(strength(document, put.cards), dealer);
  if (apart) return apart > 0 ? "win" : "lose";
  return document.tie === "win" || document.tie === "lose" ? document.tie : "push";
}

function ofBonuses({ rules, put, rows, asks }: About): Question[] {
  const { seat, stakes, move } = put;
  const questions: Question[] = [];
  const only = (wager: string) => rows.filter((row) => row.wager === wager);
  const extra = rules.document.ante_bonus;
  const mayEarn = stakes["ante"] && (move === "play" || extra?.on_fold === "pay");
  if (asks.includes("ante_bonus") && extra && mayEarn) {
    const wager = "ante_bonus";
    const own = only(wager);
    questions.push({ ask: wager, seat, rows: own, wager, right: total(own) });
  }
  for (const wager of asks.includes("side") ? SIDES : []) {
    const own = only(wager);
    const won = own.filter(({ net }) => net > 0);
    if (own.length) questions.push({ ask: "side", seat, rows: own, wager, right: total(won) });
  }
  return questions;
}

function feeOf({ put, asks }: About, settled: Settled): Question[] {
  const fee = settled.seats.find(({ seat }) => seat === put.seat)!.fee;
  if (!asks.includes("fee") || fee === undefined) return [];
  return [{ ask: "fee", seat: put.seat, right: fee, ante: put.stakes["ante"] ?? 0 }];
}

/** Whether an answer is right: a seat, a result or an amount in cents. */
export const isRight = ({ right }: { right: number | string }, answer: number | string) =>
  answer === right;
