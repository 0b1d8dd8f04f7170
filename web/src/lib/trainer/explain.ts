/** Why an answer is right: the sum, and the clauses it follows from. */
import { payTable } from "../net/rulebook";
import { handName, handOf, namesApart } from "../poker/hands";
import { uncovered } from "../poker/settlement";
import { needsCards } from "../settling/check";
import { settle } from "../settling/settle";
import { spotName } from "../text/wager_names";
import * as says from "../../texts/trainer";
import { oneOfKind } from "../../texts/cards";
import { dealerIs } from "../../texts/results";
import { paidOf } from "./picture";
import { banksBefore, seatsInOrder, type Question } from "./questions";
import type { AnyQuestion, CardRound, ChipsQuestion, Round } from "./run.svelte";

export interface Why {
  lines: string[];
  /** The clauses, each with its words. */
  clauses: { id: string; words: string }[];
}

export function explain(round: Round, question: AnyQuestion): Why {
  const [lines, ids] =
    question.ask === "chips" ? chipsWhy(round, question) : cardsWhy(round as CardRound, question);
  const clauses = [...new Set(ids)].flatMap((id) => {
    const clause = round.rules.clauses.find((each) => each.id === id);
    return clause ? [{ id, words: clause.text }] : [];
  });
  return { lines: lines.filter(Boolean), clauses };
}

type LinesAndClauses = [lines: string[], ids: string[]];
type Asked<A extends Question["ask"]> = Extract<Question, { ask: A }>;
type Bonus = Extract<Question, { wager: string }>;

const ids = ({ rows }: { rows: readonly { clause: string }[] }) => rows.map(({ clause }) => clause);
/** The clause that has the words of a key. */
const clauseOf = (round: CardRound, key: string) =>
  round.rules.clauses.filter(({ keys }) => keys?.includes(key)).map(({ id }) => id);

function cardsWhy(round: CardRound, question: Question): LinesAndClauses {
  switch (question.ask) {
    case "order":
      return [[says.turnsOf(round.entry.first, question.left)], clauseOf(round, "bank.first")];
    case "outcome":
      return outcomeWhy(round, question);
    case "amount":
      return amountWhy(round, question);
    case "back":
      return backWhy(round, question);
    case "ante_bonus":
    case "side":
      return bonusWhy(round, question);
    case "fee":
      return [[says.feeFor(question.ante, question.right)], feeClause(round)];
    case "bank_fee":
      return [[says.bankFeeFor(question.ante, question.right)], feeClause(round)];
  }
}

const feeClause = ({ rules }: CardRound) => [rules.document.fees!.clause];
const seatOf = ({ entry }: CardRound, seat: number) =>
  entry.seats.find((each) => each.seat === seat)!;

function outcomeWhy(round: CardRound, question: Asked<"outcome">): LinesAndClauses {
  if (question.right === "used_up") return [[says.USED_UP], ids(question)];
  const { rules, entry } = round;
  const { cards } = seatOf(round, question.seat);
  const { clause } = question.rows[0]!;
  const [mine, theirs] = namesApart(cards, entry.dealer, rules.document.ace_low ?? true);
  const qualified = rules.document.qualifier === "none" ? undefined : question.right !== "short";
  return [[says.duel(dealerIs(theirs, qualified), question.seat, mine)], [clause]];
}

function amountWhy(round: CardRound, question: Asked<"amount">): LinesAndClauses {
  const parts = question.rows.map(({ wager, net, stake }) =>
    net && Math.abs(net) < stake
      ? says.partOf(wager, Math.abs(net), stake)
      : says.part(wager, Math.abs(net)),
  );
  const isCut = question.rows.some(({ action, stake, net }) => net && action < stake);
  const cut = isCut ? [round.rules.document.bank!.clause] : [];
  return [
    [...bankLines(round, question.seat), says.sumOf(parts, question.right)],
    [...ids(question), ...cut],
  ];
}

/** What is left of a bank that may run out. */
function bankLines(round: CardRound, seat: number): string[] {
  const isAsked = round.questions.some(({ ask }) => ask === "back");
  if (!isAsked) return [];
  const { settled } = settle(round.rules, round.entry);
  const lefts = banksBefore(round.rules, round.entry, settled);
  const left = lefts[seatsInOrder(round.entry).findIndex((put) => put.seat === seat)];
  return left === null || left === undefined ? [] : [says.bankHad(left)];
}

function backWhy(round: CardRound, question: Asked<"back">): LinesAndClauses {
  const back = question.rows
    .map((row) => ({ row, cents: uncovered(row, round.rules) }))
    .filter(({ cents }) => cents);
  const parts = back.map(({ row, cents }) =>
    cents < row.stake ? says.partOf(row.wager, cents, row.stake) : says.part(row.wager, cents),
  );
  const { bank } = round.rules.document;
  return [
    [says.sumOf(parts, question.right)],
    [...back.map(({ row }) => row.clause), bank!.clause],
  ];
}

function bonusWhy(round: CardRound, { seat, wager, rows, right }: Bonus): LinesAndClauses {
  const { document } = round.rules;
  const put = seatOf(round, seat);
  const table = payTable(document, wager)!;
  if (put.move === "fold" && !needsCards(document, put)) return [[says.FORFEIT], ids({ rows })];
  const clauses = [table.clause, ...clauseOf(round, `${wager}.pays`)];
  const { kind } = handOf(put.cards, document.ace_low ?? true);
  const pays: Record<string, string | undefined> = { ...table.pays };
  const odds = pays[kind] ?? (kind === "royal_flush" ? pays["straight_flush"] : undefined);
  const hand = handName(put.cards, document.ace_low ?? true);
  if (!right || !odds) return [[says.paysNothing(wager, hand)], clauses];
  const stake = wager === "ante_bonus" ? put.stakes["ante"]! : put.stakes[wager]!;
  return [
    [
      says.handOf(seat, hand),
      says.paysHand(wager, oneOfKind(kind), odds),
      says.product(stake, odds, right),
    ],
    clauses,
  ];
}

function chipsWhy(round: Round, question: ChipsQuestion): LinesAndClauses {
  if (round.game !== "wheel") return [[], []];
  const piles = paidOf(round.rules, question.spin);
  const paid = piles.filter(({ pays }) => pays);
  if (!paid.length) return [[says.NO_WINNER], ids({ rows: piles })];
  const lines = paid.map(({ spot, chips, pays }) =>
    says.pile(spotName(spot.spot), chips, spot.pays, pays),
  );
  const parts = paid.map(({ pays }) => pays);
  return [[...lines, says.chipSum(parts, question.right)], paid.map(({ clause }) => clause)];
}
