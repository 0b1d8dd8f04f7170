/** What a table of Three Card Poker shows, and why money moved. Everything here follows from the view and the rules. */
import { payTable, SIDES, type PokerRules } from "./rulebook";
import { cardsShown, compare, handName, handOf, kindName, namesApart, RANK_NAMES } from "./hands";
import type { Bet, End, HandView, Last, RoundView, SettledWager, TableView } from "./protocol";
import { chipSizes, misfit, sum, type Bounds, type Means, type Stakes } from "./slip.svelte";
import { bareName, dollars, list, money, sentence, wagerName } from "./words";

/** The side bets of a rulebook. */
export const sideBets = (rules: PokerRules) => SIDES.filter((key) => key in rules.document);

interface Range {
  min: number;
  max: number;
}

/** Where a wager may lie, the least first: within its limits, and if it pays a fee where there is a rate for it. */
function rangesOf(rules: PokerRules, wager: string): Range[] {
  const { limits, fees } = rules.document;
  const own: Range = limits?.[wager] ?? { min: 0, max: Infinity };
  const rates: Range[] = wager === "ante" || fees?.fee_per === "wager" ? (fees?.rates ?? []) : [];
  const both = rates.map((rate) => ({
    min: Math.max(own.min, rate.min),
    max: Math.min(own.max, rate.max),
  }));
  const ranges = both.filter(({ min, max }) => min <= max).sort((a, b) => a.min - b.min);
  return ranges.length ? ranges : [own];
}

/** The least and the most of a wager, and the steps it goes in. */
export function limitsOf(rules: PokerRules, wager: string): Bounds {
  const ranges = rangesOf(rules, wager);
  return { min: ranges[0]!.min, max: ranges.at(-1)!.max, increment: rules.document.increment };
}

/** Chips that fit a table's wagers, the least first. */
export function chipsFor(rules: PokerRules): number[] {
  const fitting = ["ante", ...sideBets(rules)].flatMap((wager) =>
    chipSizes(limitsOf(rules, wager)),
  );
  return [...new Set(fitting)].sort((a, b) => a - b).slice(0, 5);
}

/** What is collected from a player with such stakes who plays: once by the Ante, or for each wager. */
export function feeFor(rules: PokerRules, stakes: Stakes): number {
  const rates: { min: number; max: number; player: number }[] = rules.document.fees?.rates ?? [];
  const rate = (cents: number) =>
    rates.find((one) => one.min <= cents && cents <= one.max)?.player ?? 0;
  const ante = stakes["ante"] ?? 0;
  if (rules.document.fees?.fee_per !== "wager") return rate(ante);
  return [...Object.values(stakes), ante].reduce(
    (sum, cents) => sum + (cents ? rate(cents) : 0),
    0,
  );
}

/** The least chips with which one can play a hand: the Ante, Play, and the fee; or a side bet, where it may stand alone. */
export function leastStack(rules: PokerRules): number {
  const { min } = limitsOf(rules, "ante");
  const alone = rules.document.ante?.required || rules.document.fees ? [] : sideBets(rules);
  return Math.min(
    2 * min + feeFor(rules, { ante: min }),
    ...alone.map((bet) => limitsOf(rules, bet).min),
  );
}

/** The least that it is of use to sit down with; whoever has less may bring all of it. */
export const leastToBring = (rules: PokerRules, wallet: number) =>
  Math.min(leastStack(rules), wallet);

export const asBets = (stakes: Stakes): Bet[] =>
  Object.entries(stakes)
    .filter(([, cents]) => cents > 0)
    .map(([spot, cents]) => ({ spot, cents }));

/** What one must have at the table for these stakes: with Play to come, and the fee. */
export const needed = (rules: PokerRules, stakes: Stakes) =>
  sum(stakes) + (stakes["ante"] ?? 0) + feeFor(rules, stakes);

/** Why there is no rate for a wager within its limits, in a sentence; nothing if there is one. */
function unrated(rules: PokerRules, wager: string, cents: number): string {
  const ranges = rangesOf(rules, wager);
  if (ranges.some(({ min, max }) => min <= cents && cents <= max)) return "";
  const posted = list(ranges.map(({ min, max }) => `${dollars(min)} to ${dollars(max)}`));
  return `${money(cents)} on ${wagerName(wager)} is in no collection range: they are ${posted}.`;
}

/** Why these stakes cannot be put down, in a sentence; nothing if they can. */
export function problem(rules: PokerRules, stakes: Stakes, means: Means): string {
  for (const { spot, cents } of asBets(stakes)) {
    const why =
      misfit(cents, 0, limitsOf(rules, spot), wagerName(spot), wagerName(spot)) ||
      unrated(rules, spot, cents);
    if (why) return why;
  }
  if (!stakes["ante"] && rules.document.ante?.required && sum(stakes))
    return "The Ante comes first: put one down too.";
  return shortfall(rules, stakes, means);
}

/** Why one has too little at the table for these stakes, and what helps; nothing if one has enough. */
export function shortfall(rules: PokerRules, stakes: Stakes, { stack, wallet }: Means): string {
  const needs = needed(rules, stakes);
  if (needs <= stack) return "";
  const beside = list([
    ...(stakes["ante"] ? ["Play"] : []),
    ...(feeFor(rules, stakes) ? ["the fee"] : []),
  ]);
  const helps = [
    ...(stack >= leastStack(rules) ? ["put down less"] : []),
    ...(wallet ? ["bring more"] : []),
  ].join(" or ");
  return `You have ${dollars(stack)} here. These wagers${beside && ` with ${beside}`} need ${dollars(needs)}${helps && `: ${helps}`}.`;
}

/** The hands of a round in order of action. */
export function inOrder<T extends { seat?: number }>(
  places: readonly T[],
  first: number | undefined,
): T[] {
  const seats = [...places].sort((a, b) => (a.seat ?? 0) - (b.seat ?? 0));
  const start = seats.findIndex((one) => (one.seat ?? 0) >= (first ?? 0));
  return start > 0 ? [...seats.slice(start), ...seats.slice(0, start)] : seats;
}

export interface Reason {
  text: string;
  clauses: string[];
}

/** Who a sentence is about. */
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
    wagers.filter((one) => isUnmatched(one, rules)),
    wagers.filter((one) => !isUnmatched(one, rules)),
  ];
  const folded = hand?.move === "fold";
  const told: Reason[] = [];
  if (folded) told.push(fold(reached, rules, you));
  else if (wagers.some(isGame))
    told.push(showdown(reached.filter(isGame), hand, round, rules, you));
  for (const one of reached)
    if (!isGame(one) && !(folded && one.net < 0))
      told.push({ text: `${sideWords(one, hand, rules)}.`, clauses: [one.clause] });
  const came = (some: SettledWager[]) =>
    list(some.map((one) => `${money(uncovered(one, rules))} of ${wagerName(one.wager)}`));
  const part = reached.filter((one) => uncovered(one, rules) > 0);
  if (part.length)
    told.push({
      text: `The bank reached in part: ${came(part)} came back.`,
      clauses: [rules.document.bank!.clause],
    });
  const [back, won] = [none.filter((one) => one.stake), none.filter((one) => !one.stake)];
  if (back.length)
    told.push({ text: `The bank did not reach: ${came(back)} came back.`, clauses: clauses(back) });
  for (const one of won)
    told.push({
      text: `The bank did not reach for what ${wagerName(one.wager)} won.`,
      clauses: [one.clause],
    });
  const ante = wagers.find((one) => one.wager === "ante")?.stake ?? 0;
  const short = rules.document.bank
    ? reached.filter((one) => one.net > 0 && one.net < due(one, ante, hand, rules))
    : [];
  for (const one of short)
    told.push({
      text: `The bank reached for ${money(one.net)} of the ${money(due(one, ante, hand, rules))} that ${wagerName(one.wager)} won.`,
      clauses: [rules.document.bank!.clause],
    });
  return told;
}

const isGame = (one: SettledWager) => one.wager === "ante" || one.wager === "play";

/** A fold, and what it lost: nothing where the bank did not reach. */
function fold(reached: SettledWager[], rules: PokerRules, you: boolean): Reason {
  const lost = reached.filter((one) => one.net < 0);
  const what = lost.length ? `: ${list(lost.map(moved))}` : "";
  return {
    text: `${you ? "You folded" : "Folded"}${what}.`,
    clauses: lost.length ? clauses(lost) : [rules.document.fold.clause],
  };
}

/** What a wager that won would have been paid by a bank without limit. */
function due(
  one: SettledWager,
  ante: number,
  hand: HandView | undefined,
  rules: PokerRules,
): number {
  if (one.wager === "ante" || one.wager === "play" || !hand?.cards) return one.stake;
  const pays = paysFor(one.wager, hand.cards, rules)?.match(/(\d+) to (\d+)/);
  return pays
    ? ((one.wager === "ante_bonus" ? ante : one.stake) * Number(pays[1])) / Number(pays[2])
    : one.net;
}

/** What a pay table says for a hand: "40 to 1". */
function paysFor(wager: string, cards: readonly number[], rules: PokerRules): string | undefined {
  const { kind } = handOf(cards, rules.document.ace_low ?? true);
  const pays = payTable(rules.document, wager)?.pays ?? {};
  return pays[kind] ?? (kind === "royal_flush" ? pays["straight_flush"] : undefined);
}

/** How much of a stake the bank put nothing up against, so that it came back. */
export function uncovered(one: SettledWager, rules: PokerRules): number {
  if (one.net < 0) return one.stake - one.action;
  return isUnmatched(one, rules) ? one.stake : 0;
}

const isUnmatched = (one: SettledWager, rules: PokerRules) =>
  one.clause === rules.document.bank?.unmatched_clause;

const clauses = (wagers: SettledWager[]) => [...new Set(wagers.map((one) => one.clause))];

/** "Ante pays $5.00", "Play comes back", "Ante loses $5.00". */
function moved(one: SettledWager): string {
  const name = wagerName(one.wager);
  if (one.net > 0) return `${name} pays ${money(one.net)}`;
  if (one.net < 0) return `${name} loses ${money(-one.net)}`;
  return one.wager === "play" ? `${name} comes back` : `${name} pushes`;
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
    const play = game.find((one) => one.wager === "play");
    const ante = game.find((one) => one.wager === "ante");
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

function sideWords(one: SettledWager, hand: HandView | undefined, rules: PokerRules): string {
  const name = wagerName(one.wager);
  const kind = hand?.cards ? handOf(hand.cards, rules.document.ace_low ?? true).kind : null;
  const paid = hand?.cards && paysFor(one.wager, hand.cards, rules);
  if (one.net > 0 && kind && paid)
    return `${name}: ${kindName(kind)} pays ${paid}, ${money(one.net)}`;
  return moved(one);
}

/** What the dealer shows while you decide: "a king"; nothing if no card is up. */
export function upName(round: RoundView | null | undefined): string {
  const up = (round?.dealer ?? []).filter((card): card is number => card !== null);
  return cardsShown(up);
}

/** How much of a bank is left once so many of the hands, in order of action, are settled; of a void round, all. */
export function bankLeft(
  end: End,
  bank: number,
  order: readonly NonNullable<End["places"]>[number][],
  count: number,
  rules: PokerRules,
): number {
  if (count >= order.length) return end.bank_left ?? bank;
  const net = rules.document.bank?.coverage === "net";
  const used = (one: (typeof order)[number]) =>
    net ? one.net : (one.wagers ?? []).reduce((sum, wager) => sum + wager.action, 0);
  return Math.max(0, bank - order.slice(0, count).reduce((sum, one) => sum + used(one), 0));
}

export const playerAt = (view: TableView, place: number | undefined) =>
  bareName(view.places.find((one) => one.place === place)?.player ?? `place ${place}`);

/** Who had a place in the last round, whoever sits there now. */
export const playerThen = (last: Last, place: number) =>
  bareName(last.players[place] ?? `place ${place}`);

/** What was collected from who banked the last round; a void returned it. */
export const bankerFee = ({ end, round }: Last) =>
  end.type === "round.voided/1" ? 0 : (round.bank_fee ?? 0);

/** Whether the bank may not reach a hand: its wagers, and those settled before it, all with Play, are more than the bank. */
export function mayBeShort(round: RoundView, place: number): boolean {
  if (round.banker === undefined) return false;
  const order = inOrder(round.hands, round.first);
  const upTo = order.slice(0, order.findIndex((hand) => hand.place === place) + 1);
  const staked = (hand: HandView) =>
    hand.wagers.reduce((sum, bet) => sum + bet.cents, anteOf(hand));
  return upTo.reduce((sum, hand) => sum + staked(hand), 0) > (round.bank ?? 0);
}

const anteOf = (hand: HandView) => hand.wagers.find((bet) => bet.spot === "ante")?.cents ?? 0;
