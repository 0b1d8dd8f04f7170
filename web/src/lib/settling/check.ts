/** What is wrong with an entered hand, at the place where it was entered; and what is still missing. */
import { disallowed, rangesOf, sum } from "../bets/stakes";
import { SIDES, type PokerBook } from "../net/rulebook";
import { cardName } from "../poker/hands";
import * as says from "../../texts/settling";
import type { DeskRules, EnteredSeat, Entry } from "./entry";
import {
  clauseOf,
  isOfSeat,
  standing,
  takesPart,
  voidsRound,
  type Ruled,
  type Standing,
} from "./irregular";

export type Field = "bank" | "first" | "dealer" | "seats" | "bets" | "cards" | "move" | "irregular";

export interface Problem {
  field: Field;
  /** The seat whose entry it is; none for the round's. */
  seat?: number;
  /** Whether something is still to be entered, rather than wrong. */
  missing: boolean;
  says: string;
}

/** Return all problems of an entry; without any it can be settled. */
export function problemsOf(rules: DeskRules, entry: Entry): Problem[] {
  const problems: Problem[] = [];
  const add: Add = (field, says, seat, missing = false) => {
    if (says) problems.push({ field, says, missing, ...(seat === undefined ? {} : { seat }) });
  };
  const { document: book } = rules;
  roundWrong(book, entry, add);
  const stands = standing(rules, entry);
  for (const [n, put] of entry.seats.entries()) {
    const { seat } = put;
    if (seat < 1 || seat > book.seats) add("seats", says.noSeat(seat, book.seats), seat);
    if (entry.seats.findIndex((each) => each.seat === seat) < n)
      add("seats", says.seatTwice(seat), seat);
    betsWrong(rules, put, stands.seats[n]!, add);
    if (put.move && !put.stakes["ante"]) add("move", says.needlessMove(seat), seat);
    if (!stands.played.includes(stands.seats[n]!)) continue;
    if (stands.seats[n]!.stakes["ante"] && !put.move) add("move", says.noMove(seat), seat, true);
    if (!put.cards.length && needsCards(book, stands.seats[n]!))
      add("cards", says.noCards(seat), seat, true);
  }
  irregularWrong(stands, entry, add);
  countsWrong(stands, entry, add);
  twiceWrong(stands.rulings, entry, add);
  const compared = stands.played.find(({ move }) => move === "play");
  if (compared && !entry.dealer.length)
    add("dealer", says.noDealer(compared.seat), undefined, true);
  return problems;
}

type Add = (field: Field, says: string, seat?: number, missing?: boolean) => void;

function roundWrong(book: PokerBook, { bank, first, seats }: Entry, add: Add) {
  if (!seats.length) add("seats", says.NO_SEATS, undefined, true);
  if (book.banker !== "player") {
    if (bank !== undefined) add("bank", says.HOUSE_BANKS);
    return;
  }
  if (bank === undefined) add("bank", says.NO_BANK, undefined, true);
  else if (bank < 1) add("bank", says.BANK_TOO_SMALL);
  else add("bank", miscounted(bank));
  if (first < 1 || first > book.seats) add("first", says.noSeat(first, book.seats));
}

/** Why an amount can't be counted; nothing if it can. */
function miscounted(cents: number): string {
  if (Math.abs(cents) > Number.MAX_SAFE_INTEGER) return says.TOO_LARGE;
  return Number.isInteger(cents) ? "" : says.WHOLE_CENTS;
}

function betsWrong(rules: DeskRules, put: EnteredSeat, stood: EnteredSeat, add: Add) {
  const { betting, document } = rules;
  const { seat, stakes } = stood;
  const unknown = Object.keys(put.stakes).find((spot) => !betting.wagers[spot]);
  if (unknown) return add("bets", says.noSuchBet(unknown), seat);
  const wrong = Object.values(put.stakes).map(miscounted).find(Boolean);
  if (wrong) return add("bets", wrong, seat);
  if (put !== stood && !takesPart(document, stood)) return;
  if (!sum(stakes)) return add("bets", says.noBet(seat), seat, true);
  const free = Object.entries(stakes).find(
    ([spot, cents]) => cents && !rangesOf(betting, spot).length,
  );
  if (free) return add("bets", says.noRate(free[0]), seat);
  const required = betting.wagers["ante"]!.required && !stakes["ante"];
  add("bets", disallowed(betting, stakes), seat, required);
}

/** Whether a hand decides something; a fold may forfeit all of its bets. */
export function needsCards(book: PokerBook, { stakes, move }: EnteredSeat): boolean {
  if (move !== "fold") return true;
  if (book.ante_bonus?.on_fold === "pay") return true;
  return SIDES.some((side) => stakes[side] && book[side]?.on_fold === "resolve");
}

// What went wrong at the table

function irregularWrong({ rulings, seats }: Standing, entry: Entry, add: Add) {
  for (const [n, each] of rulings.entries()) {
    const { kind, seat, wager } = each;
    const put = entry.seats.find((other) => other.seat === seat);
    if (isOfSeat(kind) && !put) add("irregular", says.irregular.whichSeat(kind), seat);
    if (rulings.findIndex((other) => isSame(other, each)) < n)
      add("irregular", says.irregular.twice(kind), seat);
    if (kind === "wrong_cards" && put?.cards.length === 3)
      add("irregular", says.irregular.rightCount(put.seat), seat);
    if (kind !== "outside_limits") continue;
    const stake = put?.stakes[wager ?? ""] ?? 0;
    const stood = seats.find((other) => other.seat === seat)?.stakes[wager ?? ""];
    if (!stake) add("irregular", says.irregular.whichBet, seat);
    else if (stake === stood) add("irregular", says.irregular.within(wager!, stake), seat);
  }
  timesWrong(rulings, entry, add);
}

const isSame = (one: Ruled, other: Ruled) =>
  one.kind === other.kind && one.seat === other.seat && one.wager === other.wager;

/** What moves show to be too late for what would follow. */
function timesWrong(rulings: Ruled[], { seats }: Entry, add: Add) {
  const moved = seats.filter(({ move }) => move);
  for (const each of rulings) {
    const { kind, seat } = each;
    if (kind === "misdeal" && moved.length)
      add("irregular", says.irregular.lateMisdeal(moved[0]!.seat));
    if (kind === "exposed_player" && each.ruling === "void_hand")
      if (moved.some((other) => other.seat === seat))
        add("irregular", says.irregular.lateHand(seat!), seat);
    if (kind === "exposed_dealer" && voidsRound(each))
      if (moved.length === seats.filter(({ stakes }) => stakes["ante"]).length)
        add("irregular", says.irregular.lateDealer);
  }
}

/** Hands that have not three cards; where dealing went wrong, a void one may have any number. */
function countsWrong({ rulings, played }: Standing, { dealer, seats }: Entry, add: Add) {
  const isMisdealt = rulings.some(({ kind }) =>
    ["misdeal", "foul_deck", "wrong_cards"].includes(kind),
  );
  const check = (cards: readonly number[], isPlayed: boolean, seat?: number) => {
    if (!cards.length || cards.length === 3 || (isMisdealt && !isPlayed)) return;
    const field = seat === undefined ? "dealer" : "cards";
    add(field, says.cardCount(seat, cards.length), seat, cards.length < 3);
  };
  check(dealer, played.length > 0);
  for (const { seat, cards } of seats)
    check(
      cards,
      played.some((each) => each.seat === seat),
      seat,
    );
}

/** Cards that come twice in a deck that is not foul. */
function twiceWrong(rulings: Ruled[], { dealer, seats }: Entry, add: Add) {
  if (rulings.some(({ kind }) => kind === "foul_deck")) return;
  const seen = new Set<number>();
  const check = (cards: readonly number[], field: Field, seat?: number) => {
    for (const card of cards) {
      if (seen.has(card)) add(field, says.cardTwice(cardName(card), clauseOf("foul_deck")), seat);
      seen.add(card);
    }
  };
  check(dealer, "dealer");
  for (const { seat, cards } of seats) check(cards, "cards", seat);
}
