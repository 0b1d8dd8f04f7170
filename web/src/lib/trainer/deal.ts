/** Rounds to practise on: random ones, dealt again until they have in them what is to be learnt. */
import { SIDES } from "../net/rulebook";
import { handOf } from "../poker/hands";
import type { DeskRules, EnteredSeat, Entry } from "../settling/entry";
import { settle } from "../settling/settle";
import { noDeal } from "../../texts/trainer";
import { ROUNDS, type Aim, type CardLevel, type Kind, type Stakes } from "./levels";
import { resultOf } from "./questions";
import { pick, sample, shuffle, type Draw } from "./random";

const DECK = Array.from({ length: 52 }, (_, card) => card);
/** A royal flush in one of three hands is dealt once in 1,800 times. */
const MOST_DEALS = 400_000;

/** Return the rulebook and the aim of each round of a run: every one of them in fair share. */
export function planOf(level: CardLevel, draw: Draw): { book: string; aim: Aim }[] {
  const { books, aims } = level;
  const waiting = new Map(books.map((book) => [book, [] as Aim[]]));
  return Array.from({ length: ROUNDS }, (_, round) => {
    const book = books[round % books.length]!;
    if (!waiting.get(book)!.length) waiting.set(book, shuffle(draw, aims[book]!));
    return { book, aim: waiting.get(book)!.pop()! };
  });
}

/** Deal a round that has its aim in it. */
export function dealRound(
  level: CardLevel,
  rules: DeskRules,
  { book, aim }: { book: string; aim: Aim },
  draw: Draw,
): Entry {
  for (let n = 0; n < MOST_DEALS; n++) {
    const entry = dealOnce(level, rules, book, draw);
    if (!hasKind(rules, entry, aim)) continue;
    const banked = level.shortBank ? withShortBank(rules, entry, draw) : entry;
    if (ROUND_HAS[aim](rules, banked) && isClear(level, rules, banked)) return banked;
  }
  throw new Error(noDeal(level.id, aim));
}

function dealOnce(level: CardLevel, { document }: DeskRules, book: string, draw: Draw): Entry {
  const all = Array.from({ length: document.seats }, (_, n) => n + 1);
  const chosen = level.seats === 1 ? [1] : sample(draw, all, level.seats);
  const cards = sample(draw, DECK, 3 * level.seats + 3);
  const seats = chosen
    .sort((a, b) => a - b)
    .map((seat, n) => put(level, book, seat, cards.slice(3 * n, 3 * n + 3), draw));
  return {
    dealer: cards.slice(-3),
    ...(document.banker === "player" ? { bank: PLENTY } : {}),
    first: level.drawnFirst ? pick(draw, all) : 1,
    seats,
    irregularities: [],
  };
}
/** More than all seats of a level can win. */
const PLENTY = 2_500_000;

function put(
  level: CardLevel,
  book: string,
  seat: number,
  cards: readonly number[],
  draw: Draw,
): EnteredSeat {
  const side = level.side?.[book];
  const spot = book === "house" ? "pair_plus" : "bonus";
  // Where the Ante may be left out, one of five bets on Pair Plus alone.
  const isAll = !level.asks.includes("amount");
  const isSideOnly = side && spot === "pair_plus" && draw(5) === 0;
  const stakes = {
    ...(isSideOnly ? {} : { ante: amount(pick(draw, level.ante[book]!), draw) }),
    ...(side && (isSideOnly || isAll || draw(4) > 0) ? { [spot]: amount(side, draw) } : {}),
  };
  if (isSideOnly) return { seat, stakes, cards };
  return { seat, stakes, cards, move: draw(10) < (level.folds ?? 0) ? "fold" : "play" };
}

const amount = ([min, max, step]: Stakes, draw: Draw) =>
  min + step * draw(Math.floor((max - min) / step) + 1);

/** A bank that runs out: it has a part of what would be won and lost. */
function withShortBank(rules: DeskRules, entry: Entry, draw: Draw): Entry {
  const { seats } = settle(rules, entry).settled;
  const action = seats.flatMap(({ wagers }) => wagers).reduce((sum, row) => sum + row.action, 0);
  const bank = Math.floor((action * (30 + draw(55))) / 100 / 500) * 500;
  return { ...entry, bank: Math.max(bank, 500) };
}

// What a round has in it

type Has = (rules: DeskRules, entry: Entry) => boolean;

const rowsOf = (rules: DeskRules, entry: Entry) =>
  settle(rules, entry).settled.seats.flatMap(({ wagers }) => wagers);
const someSeat = (test: (put: EnteredSeat) => boolean) => (_: DeskRules, entry: Entry) =>
  entry.seats.some(test);
const someResult =
  (result: string): Has =>
  (rules, entry) =>
    entry.seats.some((put) => put.move === "play" && resultOf(rules, entry, put) === result);
/** Of a dealer who doesn't qualify: whether a hand's Ante is paid. */
const shortAnd =
  (isPaid: boolean): Has =>
  (rules, entry) =>
    someResult("short")(rules, entry) &&
    rowsOf(rules, entry).some(({ wager, net }) => wager === "ante" && net > 0 === isPaid);
const someRow =
  (test: (net: number, stake: number, action: number) => boolean): Has =>
  (rules, entry) =>
    rowsOf(rules, entry).some(({ net, stake, action }) => test(net, stake, action));
const kindIs =
  (kind: Kind): Has =>
  (rules, entry) =>
    entry.seats.some(({ cards, stakes }) => hasSide(stakes) && kindOf(rules, cards) === kind);
const hasSide = (stakes: EnteredSeat["stakes"]) => SIDES.some((side) => stakes[side]);

/** The class by which a bonus pays a hand. */
function kindOf({ document }: DeskRules, cards: readonly number[]): string {
  const { kind } = handOf(cards, document.ace_low);
  return kind === "royal_flush" && !document.royal_flush ? "straight_flush" : kind;
}

const ROUND_HAS: Record<Aim, Has> = {
  ahead: someResult("win"),
  behind: someResult("lose"),
  level: someResult("push"),
  short: someResult("short"),
  short_ahead: shortAnd(true),
  short_behind: shortAnd(false),
  every_rate: (_, { seats }) =>
    [10_000, 30_000, 100_000].every((most, n, all) =>
      seats.some(({ stakes }) => stakes["ante"]! <= most && stakes["ante"]! > (all[n - 1] ?? 0)),
    ),
  lost_in_part: someRow((net, stake, action) => net < 0 && action < stake),
  paid_in_part: someRow((net, stake) => net > 0 && net < stake),
  not_reached: someRow((net, stake, action) => net === 0 && action === 0 && stake > 0),
  forfeit: someSeat(({ move, stakes }) => move === "fold" && hasSide(stakes)),
  side_only: someSeat(({ stakes }) => !stakes["ante"]),
  bonus_and_loss: (rules, entry) =>
    settle(rules, entry).settled.seats.some(({ wagers }) => {
      const net = (name: string) => wagers.find(({ wager }) => wager === name)?.net ?? 0;
      return net("ante") < 0 && net("ante_bonus") > 0;
    }),
  pair: kindIs("pair"),
  flush: kindIs("flush"),
  straight: kindIs("straight"),
  three_of_a_kind: kindIs("three_of_a_kind"),
  straight_flush: kindIs("straight_flush"),
  royal_flush: kindIs("royal_flush"),
};

/** Whether a round may have its aim, by the cards alone: that is quick to see. */
function hasKind(rules: DeskRules, entry: Entry, aim: Aim): boolean {
  return !(aim in BY_CARDS) || ROUND_HAS[aim](rules, entry);
}
const BY_CARDS: Partial<Record<Aim, true>> = {
  three_of_a_kind: true,
  straight_flush: true,
  royal_flush: true,
};

/**
 * Whether every answer is the only right one. After the bank is used up a push and a bet that is
 * not reached look alike, so no push comes there; and a bank that is to run out does.
 */
function isClear(level: CardLevel, rules: DeskRules, entry: Entry): boolean {
  if (!level.shortBank) return true;
  const { settled, turns } = settle(rules, entry);
  if (settled.bank_left !== 0) return false;
  const unmatched = rules.document.bank?.unmatched_clause;
  return turns.every(
    ({ row, left }, n) =>
      row.net || row.clause === unmatched || left! > 0 || turns[n - 1]?.left !== 0,
  );
}
