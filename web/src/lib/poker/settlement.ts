/** What a table of Three Card Poker shows, and why money moved. Everything here follows from the view and the rules. */
import { payTable, SIDES, type PokerBook, type PokerRules } from "../net/rulebook";
import { cardsShown, compare, handName, handOf, kindName, namesApart, RANK_NAMES } from "./hands";
import type { End, HandView, Last, RoundView, SettledWager, TableView } from "../net/protocol";
import { bareName, list, money, sentence, wagerName } from "../text/format";

/** The side bets of a rulebook. */
export const sideBets = (rules: PokerRules) => SIDES.filter((key) => key in rules.document);

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

/** What became of a place's wagers: a few sentences, each with the clauses of the wagers it is about. */
export function reasons(
  settled: { wagers?: SettledWager[] },
  hand: HandView | undefined,
  round: RoundView,
  rules: PokerRules,
  { you }: Subject,
): Reason[] {
  const wagers = settled.wagers ?? [];
  const [none, reached] = [
    wagers.filter((wager) => isUnmatched(wager, rules)),
    wagers.filter((wager) => !isUnmatched(wager, rules)),
  ];
  const folded = hand?.move === "fold";
  const sentences: Reason[] = [];
  if (folded) sentences.push(fold(reached, rules, you));
  else if (wagers.some(isGame))
    sentences.push(showdown(reached.filter(isGame), hand, round, rules, you));
  for (const wager of reached)
    if (!isGame(wager) && !(folded && wager.net < 0))
      sentences.push({ text: `${sideWords(wager, hand, rules)}.`, clauses: [wager.clause] });
  const came = (some: SettledWager[]) =>
    list(some.map((wager) => `${money(uncovered(wager, rules))} of ${wagerName(wager.wager)}`));
  const part = reached.filter((wager) => uncovered(wager, rules) > 0);
  if (part.length)
    sentences.push({
      text: `The bank reached in part: ${came(part)} came back.`,
      clauses: [rules.document.bank!.clause],
    });
  const [back, won] = [none.filter((wager) => wager.stake), none.filter((wager) => !wager.stake)];
  if (back.length)
    sentences.push({
      text: `The bank did not reach: ${came(back)} came back.`,
      clauses: clauses(back),
    });
  for (const wager of won)
    sentences.push({
      text: `The bank did not reach for what ${wagerName(wager.wager)} won.`,
      clauses: [wager.clause],
    });
  const ante = wagers.find((wager) => wager.wager === "ante")?.stake ?? 0;
  const short = rules.document.bank
    ? reached.filter((wager) => wager.net > 0 && wager.net < due(wager, ante, hand, rules))
    : [];
  for (const wager of short)
    sentences.push({
      text: `The bank reached for ${money(wager.net)} of the ${money(due(wager, ante, hand, rules))} that ${wagerName(wager.wager)} won.`,
      clauses: [rules.document.bank!.clause],
    });
  return sentences;
}

const isGame = (wager: SettledWager) => wager.wager === "ante" || wager.wager === "play";

/** A fold, and what it lost: nothing where the bank did not reach. */
function fold(reached: SettledWager[], rules: PokerRules, you: boolean): Reason {
  const lost = reached.filter((wager) => wager.net < 0);
  const what = lost.length ? `: ${list(lost.map(moved))}` : "";
  return {
    text: `${you ? "You folded" : "Folded"}${what}.`,
    clauses: lost.length ? clauses(lost) : [rules.document.fold.clause],
  };
}

/** What a wager that won would have been paid by a bank without limit. */
function due(
  wager: SettledWager,
  ante: number,
  hand: HandView | undefined,
  rules: PokerRules,
): number {
  if (wager.wager === "ante" || wager.wager === "play" || !hand?.cards) return wager.stake;
  const pays = paysFor(wager.wager, hand.cards, rules)?.match(/(\d+) to (\d+)/);
  return pays
    ? ((wager.wager === "ante_bonus" ? ante : wager.stake) * Number(pays[1])) / Number(pays[2])
    : wager.net;
}

/** What a pay table says for a hand: "40 to 1". */
function paysFor(wager: string, cards: readonly number[], rules: PokerRules): string | undefined {
  const { kind } = handOf(cards, rules.document.ace_low ?? true);
  const pays = payTable(rules.document, wager)?.pays ?? {};
  return pays[kind] ?? (kind === "royal_flush" ? pays["straight_flush"] : undefined);
}

/** How much of a stake the bank put nothing up against, so that it came back. */
export function uncovered(wager: SettledWager, rules: PokerRules): number {
  if (wager.net < 0) return wager.stake - wager.action;
  return isUnmatched(wager, rules) ? wager.stake : 0;
}

const isUnmatched = (wager: SettledWager, rules: PokerRules) =>
  wager.clause === rules.document.bank?.unmatched_clause;

const clauses = (wagers: SettledWager[]) => [...new Set(wagers.map((wager) => wager.clause))];

/** "Ante pays $5.00", "Play comes back", "Ante loses $5.00". */
function moved(wager: SettledWager): string {
  const name = wagerName(wager.wager);
  if (wager.net > 0) return `${name} pays ${money(wager.net)}`;
  if (wager.net < 0) return `${name} loses ${money(-wager.net)}`;
  return wager.wager === "play" ? `${name} comes back` : `${name} pushes`;
}

/** How the hands compare, and what the Ante and Play that had action came to. */
function showdown(
  game: SettledWager[],
  hand: HandView | undefined,
  round: RoundView,
  rules: PokerRules,
  you: boolean,
): Reason {
  const dealer = round.dealer as number[];
  const low = rules.document.ace_low ?? true;
  const apart = hand?.cards ? compare(hand.cards, dealer, low) : 0;
  const stands = apart > 0 ? "ahead" : apart < 0 ? "behind" : "level";
  const stood = hand?.cards ? (you ? `You were ${stands}` : sentence(stands)) : "";
  if (isShort(dealer, rules)) {
    const play = game.find((wager) => wager.wager === "play");
    const ante = game.find((wager) => wager.wager === "ante");
    const rest = ante ? ` ${stood ? `${stood}: ` : ""}${moved(ante)}.` : "";
    return {
      text: `Dealer has no ${missing(rules)}${play ? `: ${moved(play)}` : ""}.${rest}`,
      clauses: clauses(game),
    };
  }
  const [has, against] = namesApart(dealer, hand?.cards ?? dealer, low);
  const alike = has !== handName(dealer, low);
  const what = `Dealer has ${has}.${stood ? ` ${stood}` : ""}${alike ? ` with ${against}` : ""}`;
  return {
    text: game.length ? `${what}: ${list(game.map(moved))}.` : `${what}.`,
    clauses: clauses(game),
  };
}

/** Whether a dealer with these cards does not qualify. */
function isShort(dealer: readonly number[], rules: PokerRules): boolean {
  const { kind, ranks } = handOf(dealer, rules.document.ace_low ?? true);
  if (rules.document.qualifier === "none" || kind !== "high_card") return false;
  const needed = missing(rules);
  return needed === "pair" || ranks[0]! < RANK_NAMES.findIndex((name) => name === needed);
}

/** What the dealer has not, short of the qualifier: "queen". */
function missing(rules: PokerRules): string {
  const needed = String(rules.document.qualifier);
  return needed === "pair" ? "pair" : needed.replace("-high", "");
}

function sideWords(wager: SettledWager, hand: HandView | undefined, rules: PokerRules): string {
  const name = wagerName(wager.wager);
  const kind = hand?.cards ? handOf(hand.cards, rules.document.ace_low ?? true).kind : null;
  const paid = hand?.cards && paysFor(wager.wager, hand.cards, rules);
  if (wager.net > 0 && kind && paid)
    return `${name}: ${kindName(kind)} pays ${paid}, ${money(wager.net)}`;
  return moved(wager);
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
  rules: PokerRules,
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
function isTaken(wager: SettledWager, all: readonly SettledWager[], rules: PokerRules): boolean {
  const { document } = rules;
  const names = all.map((each) => each.wager);
  if (document.bank?.fold_uncovered !== "lost" || names.includes("play")) return false;
  const side = SIDES.find((name) => name === wager.wager);
  const isForfeit = side ? document[side]?.on_fold === "forfeit" : wager.wager === "ante";
  return names.includes("ante") && isForfeit;
}

export const playerAt = (view: TableView, place: number | undefined) =>
  bareName(view.places.find((seat) => seat.place === place)?.player ?? `place ${place}`);

/** The player who had a place in the last round. */
export const playerThen = (last: Last, place: number) =>
  bareName(last.players[place] ?? `place ${place}`);

/** The fee of the banker of the last round; a void round returned it. */
export const bankerFee = ({ end, round }: Last) =>
  end.type === "round.voided/1" ? 0 : (round.bank_fee ?? 0);

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
