/** The coach at a table: weighs each decision once it is made, and keeps the books. */
import { advise, cents, isRight, type Advice } from "./text";
import { ApiError } from "../net/api";
import { fraction, minus, plain, plus, over } from "../odds/fraction";
import { mayBeShort, type SettleOrder } from "../poker/settlement";
import type { Move, Own, RoundView, TableView } from "../net/protocol";
import * as stored from "../ui/stored";

/** A hand somebody has to decide, or has decided. */
interface Decision {
  /** The round's commitment: no two rounds have the same. */
  key: string;
  round: number;
  cards: readonly number[];
  up: readonly number[];
  wagers: Record<string, number>;
  move?: Move | undefined;
  /** The bank may not reach this hand: then what the moves are worth is not known exactly. */
  short: boolean;
}

/**
 * What some rounds came to, fees included: `price` is what they were worth before the deal with best play, `mistakes`
 * what the moves gave away on average, both exact. What is left of `net` is luck.
 */
export interface Totals {
  hands: number;
  right: number;
  net: number;
  price: string;
  mistakes: string;
}

const NOTHING: Totals = { hands: 0, right: 0, net: 0, price: "0", mistakes: "0" };

/** The parts of a result in whole cents, which add up to it: luck takes what rounding leaves. */
export function parts(totals: Totals): {
  price: number;
  mistakes: number;
  luck: number;
  net: number;
} {
  const price = cents(fraction(totals.price));
  const mistakes = cents(minus(over(0, 1), fraction(totals.mistakes)));
  return { price, mistakes, luck: totals.net - price - mistakes, net: totals.net };
}

/** The player's own hand in a round, if there is an Ante to decide about. */
function decisionIn(
  round: RoundView | undefined,
  place: number | undefined,
  cards: readonly number[] | undefined,
  up: number,
  order: SettleOrder,
): Decision | null {
  const hand = round?.hands.find((hand) => hand.place === place);
  if (!round || !hand || cards?.length !== 3 || !hand.wagers.some((bet) => bet.spot === "ante"))
    return null;
  const shown = (round.dealer ?? []).slice(0, up).filter((card) => card !== null);
  if (shown.length !== up) return null;
  const wagers = Object.fromEntries(
    hand.wagers.filter((bet) => bet.spot !== "play").map((bet) => [bet.spot, bet.cents]),
  );
  return {
    key: round.commitment,
    round: round.round,
    cards,
    up: shown,
    wagers,
    move: hand.move,
    short: mayBeShort(round, hand.place, order),
  };
}

const KEY = "queenhigh.coach";
/** Rounds that are in the books already, in this browser: the newest so many. */
const REMEMBERED = 60;
/** How long to wait before a hand that got no answer is asked about again, in milliseconds. */
const AGAIN = 1000;
/** What passes by itself: the room has too much to do, or closes for a moment. */
const PASSING = new Set(["busy", "rate", "room.stops"]);
const passes = (error: unknown) => !(error instanceof ApiError) || PASSING.has(error.code);

interface Books {
  rules: Record<string, Totals>;
  seen: string[];
}

function read(): Books {
  try {
    return {
      rules: {},
      seen: [],
      ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Books>),
    };
  } catch {
    return { rules: {}, seen: [] }; // no storage, or somebody else's writing in it
  }
}

function write(books: Books) {
  try {
    localStorage.setItem(KEY, JSON.stringify(books));
  } catch {
    // private windows may refuse; the visit is counted all the same
  }
}

const visitKey = (table: string, player: string | null) =>
  `${KEY}.visit/${JSON.stringify([table, player])}`;

function isTotals(saved: unknown): saved is Totals {
  const totals = saved as Totals | null;
  const counts = [totals?.hands, totals?.right, totals?.net];
  const exact = [totals?.price, totals?.mistakes];
  return (
    counts.every((count) => Number.isSafeInteger(count)) &&
    exact.every((text) => typeof text === "string" && /^-?\d+(\/[1-9]\d*)?$/.test(text))
  );
}

function readVisit(table: string, player: string | null): Totals {
  const saved = stored.read<unknown>(() => sessionStorage, visitKey(table, player), null);
  return isTotals(saved) ? saved : NOTHING;
}

const writeVisit = (table: string, player: string | null, visit: Totals) =>
  stored.write(() => sessionStorage, visitKey(table, player), visit);

/** What is chosen for as long as the page is open. */
export const choices = $state({ before: false });

const coaches = new Map<string, Coach>();
/** A player's coach at a table: the same one for as long as the page is open, whether or not it is shown. */
export function coachAt(table: string, player: string | null): Coach {
  const key = JSON.stringify([table, player]);
  const coach = coaches.get(key) ?? new Coach(table, player);
  coaches.set(key, coach);
  return coach;
}

export class Coach {
  /** What is spoken about: the hand at hand, or the last one. */
  decision = $state.raw<Decision | null>(null);
  advice = $state.raw<Advice | null>(null);
  wrong = $state("");
  /** Whether time decided, and not the player. */
  silent = $state(false);
  /** What this window has seen of this player here: a page that is loaded again goes on with it. */
  visit = $state.raw<Totals>(NOTHING);
  always = $state.raw<Totals>(NOTHING);

  #known = new Map<string, Advice>();
  #asked = new Set<string>();
  /** Hands that got no answer yet, and when to ask about them again. */
  #again = new Map<string, number>();
  /** The rules that each hand was decided by: a table may change them afterwards. */
  #rules = new Map<string, string>();
  #counted = new Set<string>();
  #open: { key: string; deadline: number } | null = null;
  #view: TableView | null = null;
  #own: Own = {};
  #last: Decision | null = null;

  /** Called when the books may have changed. */
  onChange: () => void = () => undefined;

  constructor(
    readonly table: string,
    readonly player: string | null = null,
  ) {
    this.visit = readVisit(table, player);
  }

  /** Look at the table as it is now. `on`: speak, and count; `before`: also before the move. */
  watch(view: TableView, own: Own, up: number, on: boolean, before: boolean, order?: SettleOrder) {
    const now = decisionIn(view.round, own.hand, own.cards, up, order);
    const last = decisionIn(view.last?.round, own.last_hand, own.last_cards, up, order);
    if (!this.#view && last) this.#counted.add(last.key); // it was over before this visit
    if (view.digest !== this.#view?.digest) this.always = read().rules[view.digest] ?? NOTHING;
    [this.#view, this.#own, this.#last] = [view, own, last];
    for (const hand of [now, last])
      if (hand && !this.#rules.has(hand.key)) this.#rules.set(hand.key, view.digest);
    const decision = now ?? last;
    if (decision?.key !== this.decision?.key) {
      this.wrong = "";
      this.silent = false;
    }
    this.#listen(now, last, view);
    this.decision = decision;
    this.advice = (decision && this.#known.get(decision.key)) ?? null;
    if (on && decision && (decision.move || before)) void this.#weigh(decision);
    if (on && last && this.#again.has(last.key)) void this.#weigh(last); // also while the next hand is played
    this.#count();
    this.onChange();
  }

  /** Notice when it was the clock that made the move: it settles the round at that moment. */
  #listen(now: Decision | null, last: Decision | null, view: TableView) {
    if (now)
      this.#open = !now.move && view.deadline ? { key: now.key, deadline: view.deadline } : null;
    else if (last && last.key === this.#open?.key) {
      this.silent =
        view.last!.end.type === "round.settled/1" && view.last!.end.at >= this.#open.deadline;
      this.#open = null;
    }
  }

  /** Ask what a hand was worth, once; where no answer comes, again with a later view. */
  async #weigh(decision: Decision) {
    const { key } = decision;
    if (this.#asked.has(key) || Date.now() < (this.#again.get(key) ?? 0)) return;
    if (this.#rules.get(key) !== this.#view?.digest) return; // the table would answer by its new rules
    this.#asked.add(key);
    try {
      const advice = await advise(this.table, decision.cards, decision.up, decision.wagers);
      this.#known.set(key, advice);
      this.#again.delete(key);
      if (this.decision?.key === key) [this.advice, this.wrong] = [advice, ""];
      this.#count();
      this.onChange();
    } catch (error) {
      if (passes(error)) {
        this.#again.set(key, Date.now() + AGAIN);
        this.#asked.delete(key);
      } else this.#again.delete(key);
      if (this.decision?.key === key) this.wrong = (error as Error).message;
    }
  }

  /** Put the last round into the books, once; a round that is void never was, and one of unknown worth has no place there. */
  #count() {
    const [decision, last, lastPlace] = [this.#last, this.#view?.last, this.#own.last_hand];
    const advice = decision && this.#known.get(decision.key);
    const place = last?.end.places?.find((settled) => settled.place === lastPlace);
    if (!advice || !decision.move || decision.short || !place || this.#counted.has(decision.key))
      return;
    this.#counted.add(decision.key);
    const fee = last!.round.hands.find((hand) => hand.place === lastPlace)?.fee ?? 0;
    const right = isRight(decision.move, advice.money);
    const add = (to: Totals): Totals => ({
      hands: to.hands + 1,
      right: to.right + (right ? 1 : 0),
      net: to.net + place.net - fee,
      price: plain(plus(fraction(to.price), fraction(advice.money.start))),
      mistakes: right
        ? to.mistakes
        : plain(plus(fraction(to.mistakes), fraction(advice.money.cost))),
    });
    this.visit = add(this.visit);
    writeVisit(this.table, this.player, this.visit);
    const digest = this.#rules.get(decision.key)!;
    const always = keep(digest, decision.key, add);
    if (digest === this.#view!.digest) this.always = always;
  }
}

/** Add a round to the books of this browser, unless another window was faster. */
function keep(digest: string, key: string, add: (to: Totals) => Totals): Totals {
  const books = read();
  const before = books.rules[digest] ?? NOTHING;
  if (books.seen.includes(key)) return before;
  const after = add(before);
  write({
    rules: { ...books.rules, [digest]: after },
    seen: [...books.seen, key].slice(-REMEMBERED),
  });
  return after;
}
