/** Three Card Poker settled by its rulebook: what each wager is due, then what the bank covers. */
import {
  SIDES,
  type FeesTable,
  type PayTable,
  type PokerBook,
  type RateRow,
} from "../net/rulebook";
import { canonical } from "./deal";
import { wins } from "./pay";
import { allHands, type Charge, type Hand, type PokerProof, type Proof } from "./types";
import * as texts from "../../texts/proof";

export interface Row {
  wager: string;
  stake: number;
  net: number;
  action: number;
  clause: string;
}

export interface Place {
  place: number;
  seat: number;
  wagers: Row[];
  net: number;
}

const CLASSES = [
  "high_card",
  "pair",
  "flush",
  "straight",
  "three_of_a_kind",
  "straight_flush",
  "royal_flush",
];
const RANKS = [
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "jack",
  "queen",
  "king",
  "ace",
];

// Hands

/** A hand's class, then its ranks in the order they count. Greater is better. */
export function strength(book: PokerBook, cards: readonly number[]): number[] {
  const [high, middle, low] = cards.map((card) => Math.floor(card / 4)).sort((a, b) => b - a) as [
    number,
    number,
    number,
  ];
  const flush = new Set(cards.map((card) => card % 4)).size === 1;
  const wheel = book.ace_low && high === 12 && middle === 1 && low === 0;
  const straight = wheel || (high - middle === 1 && middle - low === 1);
  const is = (name: string, ...counts: number[]) => [CLASSES.indexOf(name), ...counts];
  if (straight && flush) {
    const royal = book.royal_flush && low === 10;
    return is(royal ? "royal_flush" : "straight_flush", wheel ? 1 : high);
  }
  if (high === low) return is("three_of_a_kind", high);
  if (straight) return is("straight", wheel ? 1 : high);
  if (flush) return is("flush", high, middle, low);
  if (high === middle) return is("pair", high, low);
  if (middle === low) return is("pair", low, high);
  return is("high_card", high, middle, low);
}

/** Above zero if the first hand is better, below if the second is. */
export function compare(first: number[], other: number[]): number {
  const index = first.findIndex((value, n) => value !== other[n]);
  return index < 0 ? 0 : first[index]! - other[index]!;
}

export function qualifies(book: PokerBook, dealer: number[]): boolean {
  if (book.qualifier === "none" || dealer[0]! > 0) return true;
  if (book.qualifier === "pair") return false;
  return dealer[1]! >= RANKS.indexOf(book.qualifier.replace("-high", ""));
}

// What is due

export const stakeOn = (hand: Pick<Hand, "wagers">, spot: string): number =>
  hand.wagers.find((bet) => bet.spot === spot)?.cents ?? 0;

/** What a class of hands is paid: "40 to 1"; nothing where its pay table does not list it. */
function paysFor(table: PayTable, kind: string): string | undefined {
  const pays: Record<string, string | undefined> = { ...table.pays };
  return pays[kind];
}

/** A wager with what it would gain from a bank without end; a fold forfeits some. */
type Due = Omit<Row, "action"> & { forfeited?: boolean };

/** Every wager of a hand with what it is due. */
function dues(
  book: PokerBook,
  hand: Pick<Hand, "wagers" | "move">,
  cards: readonly number[],
  dealer: number[],
): Due[] {
  const own = strength(book, cards);
  const name = CLASSES[own[0]!]!;
  const ante = stakeOn(hand, "ante");
  const folded = hand.move === "fold";
  const rows: Due[] = [];
  if (folded)
    rows.push({
      wager: "ante",
      stake: ante,
      net: -ante,
      clause: book.fold.clause,
      forfeited: true,
    });
  if (hand.move === "play")
    rows.push(...showdown(book, ante, compare(own, dealer), qualifies(book, dealer)));
  const extra = book.ante_bonus;
  if (extra && ante && paysFor(extra, name) && !(folded && extra.on_fold === "forfeit")) {
    const net = wins(ante, paysFor(extra, name)!);
    if (net) rows.push({ wager: "ante_bonus", stake: 0, net, clause: extra.clause });
  }
  for (const side of SIDES) {
    const stake = stakeOn(hand, side);
    if (!stake) continue;
    const rule = book[side]!;
    const lost = folded && rule.on_fold === "forfeit";
    const pay = lost ? undefined : paysFor(rule, name);
    rows.push({
      wager: side,
      stake,
      net: pay ? wins(stake, pay) : -stake,
      clause: lost ? rule.fold_clause! : rule.clause,
      forfeited: lost,
    });
  }
  return rows;
}

/** Ante and Play by the settlement table. */
function showdown(book: PokerBook, ante: number, ahead: number, qualified: boolean): Due[] {
  const stands = ahead > 0 ? "ahead" : ahead < 0 ? "behind" : "level";
  const dealer = qualified ? "qualified" : "short";
  const row = book.settlement.find((row) => row.dealer === dealer && row.player.includes(stands))!;
  return (["ante", "play"] as const).map((wager) => {
    let result: string | undefined = row[wager];
    if (result === "short_ante" || result === "tie") result = book[result];
    if (result === "ahead") result = stands === "ahead" ? "win" : "push";
    const net = { win: ante, push: 0, lose: -ante }[result as "win" | "push" | "lose"];
    return { wager, stake: ante, net, clause: row.clause };
  });
}

// What the bank covers

/** What a round is settled from. */
type Dealt = Pick<PokerProof, "rulebook" | "bank" | "first" | "places" | "hands" | "cards">;

/** Every place in order of seats, and what is left of the bank where a player banks. */
export function settle(proof: Dealt): { places: Place[]; left: number | null } {
  const { rulebook: book, bank, cards } = proof;
  const hands = proof.hands.map((hand) => {
    const index = proof.places.indexOf(hand.place);
    return { ...hand, cards: cards.slice(3 * index, 3 * index + 3) };
  });
  const { rows, left } = settleHands(book, hands, cards.slice(-3), bank, proof.first ?? 1);
  const places = hands.map(({ place, seat }) => {
    const wagers = rows.get(seat)!;
    return { place, seat, wagers, net: wagers.reduce((sum, row) => sum + row.net, 0) };
  });
  return { places: places.sort((a, b) => a.seat - b.seat), left };
}

/** What is settled of a hand; its cards may be missing where nothing depends on them. */
export type PlayedHand = Pick<Hand, "seat" | "wagers" | "move"> & { cards: readonly number[] };

/** A wager in its turn, and what is left of the bank after it. */
export interface Turn {
  seat: number;
  row: Row;
  left: number | null;
}

/** The rows of each seat, the turns in which the bank met them, and what is left of it. */
export function settleHands(
  book: PokerBook,
  hands: readonly PlayedHand[],
  dealerCards: readonly number[],
  bank: number | null,
  first: number,
): { rows: Map<number, Row[]>; turns: Turn[]; left: number | null } {
  const dealer = strength(book, dealerCards);
  let left = bank ?? 0;
  const order = inActionOrder(hands, first).map((hand) => ({
    seat: hand.seat,
    dues: dues(book, hand, hand.cards, dealer),
  }));
  const rows = new Map<Due, Row>();
  const turns: Turn[] = [];
  for (const due of inTurn(
    book,
    order.map(({ dues }) => dues),
  )) {
    const { forfeited, ...row } = due;
    const whole = bank === null || (forfeited && book.bank!.fold_uncovered === "lost");
    const [net, action] = whole ? [due.net, Math.abs(due.net)] : covered(book, due.net, bank, left);
    if (!whole) left -= book.bank!.coverage === "net" ? net : action;
    const clause = due.net && !action ? book.bank!.unmatched_clause : due.clause;
    const settled = { ...row, net, action, clause };
    rows.set(due, settled);
    const { seat } = order.find(({ dues }) => dues.includes(due))!;
    turns.push({ seat, row: settled, left: bank === null ? null : left });
  }
  const bySeat = order.map(({ seat, dues }) => [seat, dues.map((due) => rows.get(due)!)] as const);
  return { rows: new Map(bySeat), turns, left: bank === null ? null : left };
}

/** Wagers in the order in which the bank meets them, from those of the seats in order of action. */
function inTurn(book: PokerBook, seats: Due[][]): Due[] {
  const order = book.bank?.settle_order ?? "seat";
  const game = ["ante", "play", "ante_bonus"];
  const isSide = (due: Due) => !game.includes(due.wager);
  if (order === "wager") {
    const all = seats.flat();
    const met = (wager: string) => all.filter((due) => due.wager === wager);
    return [...game.flatMap(met), ...all.filter(isSide)];
  }
  if (order === "bonus_first")
    return seats.flatMap((dues) => [...dues.filter(isSide), ...dues.filter((due) => !isSide(due))]);
  return seats.flat();
}

/** Seats from where action starts, and round. */
function inActionOrder<T extends { seat: number }>(hands: readonly T[], first: number): T[] {
  const turns = ({ seat }: T) => (seat < first ? 1 : 0);
  return [...hands].sort((a, b) => turns(a) - turns(b) || a.seat - b.seat);
}

/**
 * What a wager gains and how much of it had action, with so much of the bank left. Read as net, a
 * banker may win as much as was posted, and what came in covers later wins.
 */
function covered(book: PokerBook, due: number, bank: number, left: number): [number, number] {
  const room = book.bank!.coverage === "net" && due < 0 ? bank + (bank - left) : left;
  const action = Math.min(Math.abs(due), room);
  return [due < 0 ? 0 - action : action, action];
}

// Fees

type Kind = "ante" | "play" | "bonus";

/** What was held of a hand before the deal, and the fee that was collected of it already. */
export function heldAndPaid(book: PokerBook, { wagers }: Pick<Hand, "wagers">): [number, number] {
  const stakes = wagers.reduce((sum, { cents }) => sum + cents, 0);
  const { fees } = book;
  if (!fees) return [stakes, 0];
  const fee = wagers.reduce(
    (sum, { spot, cents }) => sum + feeOn(fees, kindOf(spot), cents, "player"),
    0,
  );
  return fees.collect === "before" ? [stakes, fee] : [stakes + fee, 0];
}

/** The rates that a kind of wager pays by: none where it is free. */
function ratesOn(fees: FeesTable, kind: Kind): RateRow[] {
  if (fees.fee_per === "kind") return fees.rates.filter((rate) => (rate.on ?? "ante") === kind);
  return kind === "ante" || fees.fee_per === "wager" ? fees.rates : [];
}

/** What is paid for a wager of a kind; a rate without a range is for every amount. */
function feeOn(fees: FeesTable, kind: Kind, cents: number, by: "player" | "banker"): number {
  const rates = ratesOn(fees, kind);
  if (!rates.length) return 0;
  const row = rates.find(({ min = 0, max = Infinity }) => min <= cents && cents <= max);
  if (!row) throw new Error(texts.fees.noRate(cents));
  return row[by];
}

/** The banker's fee, by the largest Ante. */
export const bankerFee = (fees: FeesTable, ante: number) => feeOn(fees, "ante", ante, "banker");

const kindOf = (spot: string): Kind => (spot === "ante" ? "ante" : "bonus");

/**
 * The fees of a round by place, and those of them that are collected at its end. Until cards are
 * dealt the most is held that the banker's can come to.
 */
export function feesOf(
  proof: Proof,
  closed = proof.cards.length > 0,
): { all: Charge[]; late: Charge[] } {
  const { fees } = proof.rulebook;
  if (!fees) return { all: [], late: [] };
  const all = new Map<number, number>();
  const late = new Map<number, number>();
  for (const hand of proof.hands) {
    const ante = stakeOn(hand, "ante");
    const play = hand.move === "play" ? feeOn(fees, "play", ante, "player") : 0;
    const before = hand.wagers.reduce(
      (sum, { spot, cents }) => sum + feeOn(fees, kindOf(spot), cents, "player"),
      0,
    );
    all.set(hand.place, before + play);
    late.set(hand.place, play + (fees.collect === "after" ? before : 0));
  }
  if (proof.banker !== null) {
    const antes = allHands(proof).map((hand) => stakeOn(hand, "ante"));
    const most = () => Math.max(0, ...ratesOn(fees, "ante").map((rate) => rate.banker));
    const cents = closed ? bankerFee(fees, Math.max(...antes)) : most();
    all.set(proof.banker, cents);
    late.set(proof.banker, fees.collect === "after" ? cents : 0);
  }
  return { all: charges(all), late: charges(late) };
}

export function charges(cents: Map<number, number>): Charge[] {
  const some = [...cents].filter(([, amount]) => amount).sort(([a], [b]) => a - b);
  return some.map(([place, amount]) => ({ place, cents: amount }));
}

// Where they sit

/**
 * What is wrong with the seats of a round. They count clockwise from the banker's left, round a
 * table with a chair for each seat and one for the banker. Against the house a seat is its place.
 */
export function seatsWrong(proof: PokerProof): string[] {
  const { banker, places, rulebook } = proof;
  const hands = allHands(proof);
  const chairs = rulebook.seats + (banker === null ? 0 : 1);
  const wrong: string[] = [];
  for (const { place, seat } of hands) {
    const due = banker === null ? place : ((place - banker - 1 + chairs) % chairs) + 1;
    if (place === banker) wrong.push(texts.seating.bankerPlays(place));
    else if (place > chairs || seat !== due) wrong.push(texts.seating.otherPosition(place, seat));
  }
  if (banker !== null && banker > chairs) wrong.push(texts.seating.noBanker(banker));
  const order = [...hands].sort((a, b) => a.seat - b.seat).map((hand) => hand.place);
  if (canonical(order) !== canonical(places)) wrong.push(texts.seating.otherOrder);
  return wrong;
}
