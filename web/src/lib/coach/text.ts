/** What a decision was worth, in sentences: for the coach in money, for the drill in Antes. */
import type * as server from "../../generated/server";
import type { Cases } from "../../generated/server";
import { call, pathOf } from "../net/api";
import { decimal, divided, fraction, ratio, sign, size, type Fraction } from "../odds/fraction";
import { cardsShown, cardText } from "../poker/hands";
import type { Move } from "../net/protocol";
import { money } from "../text/format";
import * as texts from "../../texts/coach";

export type { Cases } from "../../generated/server";

/** Exact worths of both moves; `cost` is what the other one gives away. */
export type Worth = Pick<server.Advice, "play" | "fold" | "best" | "cost">;

/** What both moves are worth, in Antes and in cents for everything that is down. */
export type Advice = server.Advice & Required<Pick<server.Advice, "money">>;

const written = (cards: readonly number[]) => cards.map(cardText).join(" ");
export const advise = (
  table: string,
  hand: readonly number[],
  up: readonly number[],
  wagers: Record<string, number>,
) =>
  call<Advice>("POST", `${pathOf(table)}/advice`, {
    hand: written(hand),
    ...(up.length ? { up: written(up) } : {}),
    wagers,
  });

/** An exact number of cents as whole ones, halves away from zero. */
export function cents(exact: Fraction): number {
  const { n, d } = size(exact);
  const whole = Number((2n * n + d) / (2n * d));
  return exact.n < 0n && whole ? -whole : whole;
}

/** An exact amount of cents in a sentence. */
export function amount(exact: string): string {
  const whole = cents(size(fraction(exact)));
  return whole ? money(whole) : texts.LESS_THAN_A_CENT;
}

/** An exact number of Antes in a sentence, to a thousandth as wherever they stand. */
export function antes(exact: string): string {
  const value = size(fraction(exact));
  if (value.n === value.d) return texts.ONE_ANTE;
  const text = decimal(value, 3);
  return text === "0.000" ? texts.FEW_ANTES : texts.antes(text);
}

export { cardsShown as shown };

const shareOf = (count: number, of: number) => Math.round((100 * count) / of);

/** How often, as `share` hands of 100; `brief` where the sentence has said of how many. */
function often(count: number, of: number, share: number, brief = false): string {
  if (count === 0) return texts.IN_NONE;
  if (count === of) return texts.IN_EVERY_HAND;
  const about =
    share === 0 ? texts.FEWER_THAN_ONE : share === 100 ? texts.MORE_THAN_99 : `${share}`;
  return brief ? texts.often(about) : texts.oftenOf100(about);
}

/** One line of why: what the dealer may have. */
export function why(hands: Cases, up: readonly number[], best: Move): string {
  const { of, short, qualified } = hands;
  const beats = { does: texts.BEATS_YOU, count: qualified.behind };
  const falls = {
    does: texts.DOES_NOT_QUALIFY,
    count: short.behind + short.level + short.ahead,
  };
  const shows = up.length ? cardsShown(up) : "";
  const [first, second] = best === "fold" || !falls.count ? [beats, falls] : [falls, beats];
  const share = shareOf(first.count, of);
  const phrase = texts.does(first.does, often(first.count, of, share));
  if (!falls.count) return texts.dealerDoes(phrase, shows);
  // Of two halves one is rounded up, not both: no sentence has more than 100 of 100 hands.
  const left = Math.min(shareOf(second.count, of), 100 - share);
  const other = texts.does(second.does, often(second.count, of, left, true));
  return texts.dealerDoesBoth(phrase, other, shows);
}

/** Whether a move cost nothing. */
export const isRight = (move: Move, worth: Worth) => move === worth.best || worth.cost === "0";

export interface Verdict {
  right: boolean;
  /** With money in it, and the why where the other move was better. */
  says: string;
  why: string;
  /** The same without any why. */
  line: string;
}

/** What else there is to say: time decided, and not the player; the bank may not cover the hand. */
interface Terms {
  silent?: boolean;
  short?: boolean;
}

/** A mistake below this share of what a fold loses was a close call. */
const CLOSE = 0.05;
function isClose({ cost, fold }: Worth): boolean {
  const lost = size(fraction(fold));
  return sign(lost) !== 0 && ratio(divided(fraction(cost), lost)) < CLOSE;
}

/** What to say about a move that is made. Nobody is scolded, and nobody is cheered. */
export function judge(
  move: Move,
  worth: Worth,
  reason: string,
  format: (exact: string) => string,
  { silent = false, short = false }: Terms = {},
): Verdict {
  const right = isRight(move, worth);
  const timed = (says: string) => (silent ? texts.timeRanOut(move, says) : says);
  const covered = (says: string) => (short ? texts.ifCovered(says) : says);
  const cost = format(worth.cost);
  if (worth.cost === "0") {
    const line = timed(covered(texts.SAME));
    return { right, says: line, why: reason, line };
  }
  if (!right) {
    const line = timed(covered(texts.wrong(move, cost, isClose(worth))));
    return { right, says: texts.withReason(line, reason), why: "", line };
  }
  const line = timed(short ? texts.rightIfCovered(move, cost) : texts.right(move, cost));
  return { right, says: line, why: reason, line };
}

/** The hint for players who want advice before they decide. */
export function suggest(worth: Worth, format: (exact: string) => string, short: boolean): string {
  const says = worth.cost === "0" ? texts.SAME : texts.suggestion(worth.best, format(worth.cost));
  return short ? texts.ifCovered(says) : says;
}
