/** What a table of Three Card Poker shows, and why money moved. Everything here follows from the view and the rules. */
import { payTable, SIDES, type PokerBook, type PokerRules } from "../net/rulebook";
import { oneOfKind } from "../../texts/cards";
import { seatName } from "../../texts/names";
import * as says from "../../texts/results";
import {
  bareHandName,
  bareNamesApart,
  cardsShown,
  compare,
  handName,
  handOf,
  RANK_NAMES,
} from "./hands";
import type { End, HandView, Last, RoundView, SettledWager, TableView } from "../net/protocol";
import { bareName, wagerName } from "../text/format";

/** All that a settlement needs of a rulebook. */
export type SettleRules = Pick<PokerRules, "document">;

/** The side bets of a rulebook. */
export const sideBets = (rules: SettleRules) => SIDES.filter((key) => key in rules.document);

/** The hands of a round in order of action. */
export function inOrder<T extends { seat?: number }>(
  places: readonly T[],
  first: number | undefined,
): T[] {
  const seats = [...places].sort((a, b) => (a.seat ?? 0) - (b.seat ?? 0));
  const start = seats.findIndex((seat) => (seat.seat ?? 0) >= (first ?? 0));
  return start > 0 ? [...seats.slice(start), ...seats.slice(0, start)] : seats;
}

export interface Reason {
  text: string;
  clauses: string[];
}

/** Whether a sentence is about the player who reads it. */
interface Subject {
  you: boolean;
}

/** A hand, and whether the clock moved for its player. */
type Hand = HandView & { by_clock?: boolean };

/** What became of a place's wagers: a few sentences, each with the clauses of the wagers it is about. */
export function reasons(
  settled: { wagers?: SettledWager[] },
  hand: Hand | undefined,
  round: RoundView,
  rules: SettleRules,
  { you }: Subject,
): Reason[] {
  const wagers = settled.wagers ?? [];
  const reached = wagers.filter((wager) => !isUnmatched(wager, rules));
  const folded = hand?.move === "fold";
  const sentences: Reason[] = [];
  if (hand?.by_clock && !folded) sentences.push(clockPlayed(rules, you));
  if (folded) sentences.push(fold(reached, hand, rules, you));
  else if (wagers.some(isGame))
    sentences.push(showdown(reached.filter(isGame), hand, round, rules, you));
  for (const wager of reached)
    if (!isGame(wager) && !(folded && wager.net < 0))
      sentences.push({ text: sideWords(wager, hand, rules), clauses: [wager.clause] });
  return [...sentences, ...limitsOfBank(wagers, hand, rules, you)];
}

/** What a bank that ended left uncovered or unpaid. */
function limitsOfBank(
  wagers: SettledWager[],
  hand: Hand | undefined,
  rules: SettleRules,
  you: boolean,
): Reason[] {
  const bank = rules.document.bank;
  if (!bank) return [];
  const sentences: Reason[] = [];
  const back = (some: SettledWager[]) =>
    some.map((wager) => ({ wager: wagerName(wager.wager), cents: uncovered(wager, rules) }));
  const none = wagers.filter((wager) => isUnmatched(wager, rules));
  const reached = wagers.filter((wager) => !isUnmatched(wager, rules));
  const part = reached.filter((wager) => uncovered(wager, rules) > 0);
  if (part.length)
    sentences.push({ text: says.bankCoveredPart(back(part)), clauses: [bank.clause] });
  const staked = none.filter((wager) => wager.stake);
  if (staked.length)
    sentences.push({
      text: says.bankEndedFor(back(staked), you, reached.length > 0, bank.coverage),
      clauses: clauses(staked),
    });
  for (const wager of none.filter((wager) => !wager.stake))
    sentences.push({
      text: says.bankEndedOf(wagerName(wager.wager), bank.coverage),
      clauses: [wager.clause],
    });
  const ante = wagers.find((wager) => wager.wager === "ante")?.stake ?? 0;
  for (const wager of reached) {
    const owed = due(wager, ante, hand, rules);
    if (wager.net > 0 && wager.net < owed)
      sentences.push({
        text: says.bankPaidPart(wager.net, owed, wagerName(wager.wager), you),
        clauses: [bank.clause],
      });
  }
  return sentences;
}

const isGame = (wager: SettledWager) => wager.wager === "ante" || wager.wager === "play";

const spoken = (words: { you: string; other: string }, you: boolean) =>
  you ? words.you : words.other;

const clockPlayed = (rules: SettleRules, you: boolean): Reason => ({
  text: spoken(says.CLOCK_PLAYED, you),
  clauses: [rules.document.fold.clause],
});

/** A fold, and what it lost: nothing where the bank did not reach. */
function fold(reached: SettledWager[], hand: Hand, rules: SettleRules, you: boolean): Reason {
  const lost = reached.filter((wager) => wager.net < 0);
  const head = spoken(hand.by_clock ? says.CLOCK_FOLDED : says.FOLDED, you);
  return {
    text: lost.length ? `${head}. ${says.wagersMoved(lost.map(moved))}` : `${head}.`,
    clauses: lost.length ? clauses(lost) : [rules.document.fold.clause],
  };
}

/** What a wager that won would have been paid by a bank without limit. */
function due(
  wager: SettledWager,
  ante: number,
  hand: HandView | undefined,
  rules: SettleRules,
): number {
  if (wager.wager === "ante" || wager.wager === "play" || !hand?.cards) return wager.stake;
  const pays = paysFor(wager.wager, hand.cards, rules)?.match(/(\d+) to (\d+)/);
  return pays
    ? ((wager.wager === "ante_bonus" ? ante : wager.stake) * Number(pays[1])) / Number(pays[2])
    : wager.net;
}

/** What a pay table says for a hand: "40 to 1". */
function paysFor(wager: string, cards: readonly number[], rules: SettleRules): string | undefined {
  const { kind } = handOf(cards, rules.document.ace_low ?? true);
  const pays = payTable(rules.document, wager)?.pays ?? {};
  return pays[kind] ?? (kind === "royal_flush" ? pays["straight_flush"] : undefined);
}

/** How much of a stake the bank put nothing up against, so that it came back. */
export function uncovered(wager: SettledWager, rules: SettleRules): number {
  if (wager.net < 0) return wager.stake - wager.action;
  return isUnmatched(wager, rules) ? wager.stake : 0;
}

const isUnmatched = (wager: SettledWager, rules: SettleRules) =>
  wager.clause === rules.document.bank?.unmatched_clause;

const clauses = (wagers: SettledWager[]) => [...new Set(wagers.map((wager) => wager.clause))];

/** "Ante wins $5.00", "Play is returned", "Ante loses $5.00". */
function moved(wager: SettledWager): string {
  const name = wagerName(wager.wager);
  if (wager.net > 0) return says.wins(name, wager.net);
  return wager.net < 0 ? says.loses(name, -wager.net) : says.returned(name);
}

/** What Ante and Play came to: "Ante wins $5.00, Play is returned." */
function gameMoved(game: SettledWager[]): string {
  const [net, names] = [game[0]!.net, game.map((wager) => wagerName(wager.wager))];
  if (game.length < 2 || game.some((wager) => wager.net !== net))
    return says.wagersMoved(game.map(moved));
  if (net > 0) return says.wagersMoved([says.bothWin(names, net)]);
  return says.wagersMoved([net < 0 ? says.bothLose(names, -net) : says.bothReturned(names)]);
}

/** How the hands compare, and what the Ante and Play that had action came to. */
function showdown(
  game: SettledWager[],
  hand: HandView | undefined,
  round: RoundView,
  rules: SettleRules,
  you: boolean,
): Reason {
  const head = comparison(game, hand, round.dealer as number[], rules, you);
  return {
    text: game.length ? `${head}. ${gameMoved(game)}` : `${head}.`,
    clauses: clauses(game),
  };
}

/** "Dealer doesn't qualify", "Your ace-high beats the dealer's king-high". */
function comparison(
  game: SettledWager[],
  hand: HandView | undefined,
  dealer: readonly number[],
  rules: SettleRules,
  you: boolean,
): string {
  const low = rules.document.ace_low ?? true;
  const cards = hand?.cards;
  const apart = cards ? compare(cards, dealer, low) : 0;
  if (isShort(dealer, rules)) {
    const ante = game.find((wager) => wager.wager === "ante");
    const pushed = ante?.net === 0 && (rules.document.short_ante ?? "ahead") === "ahead";
    if (!cards || !pushed || apart > 0) return says.DEALER_SHORT;
    return apart < 0 ? says.DEALER_SHORT_BETTER : says.DEALER_SHORT_TIE;
  }
  if (!cards) return says.dealerHas(handName(dealer, low));
  if (apart === 0) return says.tie(handName(dealer, low));
  const [theirs, mine] = bareNamesApart(dealer, cards, low);
  if (apart > 0) return says.beatsDealer(mine, theirs, you);
  const alike = theirs !== bareHandName(dealer, low);
  return alike ? says.dealerBeats(theirs, mine, you) : says.dealerWins(theirs);
}

/** Whether a dealer with these cards does not qualify. */
function isShort(dealer: readonly number[], rules: SettleRules): boolean {
  const { kind, ranks } = handOf(dealer, rules.document.ace_low ?? true);
  const { qualifier } = rules.document;
  if (qualifier === "none" || kind !== "high_card") return false;
  const needed = String(qualifier).replace("-high", "");
  return needed === "pair" || ranks[0]! < RANK_NAMES.findIndex((name) => name === needed);
}

/** "Dealer has king-high and qualifies"; nothing before every card is known. */
export function dealerText(dealer: readonly (number | null)[], rules: SettleRules): string {
  const cards = dealer.filter((card) => card !== null);
  if (cards.length < 3) return "";
  const qualifies = rules.document.qualifier === "none" ? undefined : !isShort(cards, rules);
  return says.dealerIs(handName(cards, rules.document.ace_low ?? true), qualifies);
}

const DECK = Array.from({ length: 52 }, (_, card) => card);

/** Whether a hand that played might have ended otherwise by another last card of the dealer. */
export function lastCardDecides({ round }: Last, rules: SettleRules): boolean {
  const dealer = (round.dealer ?? []) as number[];
  if (dealer.length < 3) return false;
  const hands = round.hands.flatMap(({ move, cards }) => (move === "play" && cards ? [cards] : []));
  const [low, known] = [rules.document.ace_low ?? true, dealer.slice(0, 2)];
  const seen = new Set([...known, ...hands.flat()]);
  const possible = DECK.filter((card) => !seen.has(card)).map((card) => [...known, card]);
  return hands.some((cards) => {
    const ends = possible.map(
      (hand) => `${isShort(hand, rules)} ${Math.sign(compare(cards, hand, low))}`,
    );
    return new Set(ends).size > 1;
  });
}

function sideWords(wager: SettledWager, hand: HandView | undefined, rules: SettleRules): string {
  const kind = hand?.cards ? handOf(hand.cards, rules.document.ace_low ?? true).kind : null;
  const pays = hand?.cards && paysFor(wager.wager, hand.cards, rules);
  return wager.net > 0 && kind && pays
    ? says.paysFor(wagerName(wager.wager), wager.net, oneOfKind(kind), pays)
    : `${moved(wager)}.`;
}

/** What the dealer shows while you decide: "a king"; nothing if no card is up. */
export function upName(round: RoundView | null | undefined): string {
  const up = (round?.dealer ?? []).filter((card): card is number => card !== null);
  return cardsShown(up);
}

/**
 * How much of a bank is left by so many of the hands, in order of action; of a void round, all. A
 * forfeit that needs no cover uses none of it.
 */
export function bankLeft(
  end: End,
  bank: number,
  order: readonly NonNullable<End["places"]>[number][],
  count: number,
  rules: SettleRules,
): number {
  if (count >= order.length) return end.bank_left ?? bank;
  const net = rules.document.bank?.coverage === "net";
  const used = (settled: (typeof order)[number]) =>
    (settled.wagers ?? [])
      .filter((wager) => !isTaken(wager, settled.wagers ?? [], rules))
      .reduce((sum, wager) => sum + (net ? wager.net : wager.action), 0);
  return Math.max(0, bank - order.slice(0, count).reduce((sum, settled) => sum + used(settled), 0));
}

/** Whether a fold lost a wager whatever was left of the bank. */
function isTaken(wager: SettledWager, all: readonly SettledWager[], rules: SettleRules): boolean {
  const { document } = rules;
  const names = all.map((each) => each.wager);
  if (document.bank?.fold_uncovered !== "lost" || names.includes("play")) return false;
  const side = SIDES.find((name) => name === wager.wager);
  const isForfeit = side ? document[side]?.on_fold === "forfeit" : wager.wager === "ante";
  return names.includes("ante") && isForfeit;
}

export const playerAt = (view: TableView, place: number | undefined) =>
  bareName(view.places.find((seat) => seat.place === place)?.player ?? seatName(place ?? ""));

/** The player who had a place in the last round. */
export const playerThen = (last: Last, place: number) =>
  bareName(last.players[place] ?? seatName(place));

const isVoid = (end: End) => end.type === "round.voided/1";

/** The fee of a place in the last round, of its banker too; a void round returned it. */
export function feeAt({ end, round }: Last, place: number): number {
  if (isVoid(end)) return 0;
  if (place === end.banker) return round.bank_fee ?? 0;
  return round.hands.find((hand) => hand.place === place)?.fee ?? 0;
}

/** What the last round came to at a place before its fee; nothing for a place that had no part in it. */
export function grossAt({ end }: Last, place: number): number | undefined {
  if (isVoid(end)) return 0;
  if (place === end.banker) return end.net ?? 0;
  return end.places?.find((settled) => settled.place === place)?.net;
}

/** What the last round came to at a place after its fee: the one figure that is shown anywhere. */
export function netAt(last: Last, place: number): number | undefined {
  const gross = grossAt(last, place);
  return gross === undefined ? undefined : gross - feeAt(last, place);
}

/** The fee of the banker of the last round; a void round returned it. */
export const bankerFee = (last: Last) =>
  last.end.banker === undefined ? 0 : feeAt(last, last.end.banker);

/** Whether the bank may not reach a hand: its wagers, and those settled before it, all with Play, are more than the bank. */
export function mayBeShort(round: RoundView, place: number, order: SettleOrder = "seat"): boolean {
  if (round.banker === undefined) return false;
  const hands = inOrder(round.hands, round.first);
  const upTo = hands.slice(0, hands.findIndex((hand) => hand.place === place) + 1);
  const sum = (some: HandView[], of: (hand: HandView) => number) =>
    some.reduce((all, hand) => all + of(hand), 0);
  let used = sum(upTo, (hand) => 2 * anteOf(hand) + sidesOf(hand));
  if (order === "wager") {
    const sides = sidesOf(upTo.at(-1)!) ? upTo : [];
    const plays = sides.length ? hands : upTo;
    used = sum(hands, anteOf) + sum(plays, anteOf) + sum(sides, sidesOf);
  }
  return used > (round.bank ?? 0);
}

export type SettleOrder = NonNullable<PokerBook["bank"]>["settle_order"];

const anteOf = (hand: HandView) => hand.wagers.find((bet) => bet.spot === "ante")?.cents ?? 0;
const sidesOf = (hand: HandView) =>
  hand.wagers.reduce((sum, bet) => sum + (bet.spot === "ante" ? 0 : bet.cents), 0);
