/** What a decision was worth, in sentences: for the coach in money, for the drill in Antes. */
import type * as server from "../../generated/server";
import type { Cases } from "../../generated/server";
import { call, pathOf } from "../net/api";
import { decimal, fraction, size, type Fraction } from "../odds/fraction";
import { cardsShown, cardText } from "../poker/hands";
import type { Move } from "../net/protocol";
import { money } from "../text/format";

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
  return whole ? money(whole) : "less than a cent";
}

/** An exact number of Antes in a sentence, to a thousandth as wherever they stand. */
export function antes(exact: string): string {
  const value = size(fraction(exact));
  if (value.n === value.d) return "1 Ante";
  const text = decimal(value, 3);
  return text === "0.000" ? "less than 0.001 Antes" : `${text} Antes`;
}

export { cardsShown as shown };

const shareOf = (count: number, of: number) => Math.round((100 * count) / of);

/** How often, as `share` hands of 100; `brief` where the sentence has said of how many. */
function often(count: number, of: number, share: number, brief = false): string {
  if (count === 0) return "in none";
  if (count === of) return "in every hand";
  const about = share === 0 ? "fewer than 1" : share === 100 ? "more than 99" : `${share}`;
  return brief ? `in ${about}` : `in ${about} of 100 hands`;
}

/** One line of why: what the dealer may have. */
export function why(hands: Cases, up: readonly number[], best: Move): string {
  const { of, short, qualified } = hands;
  const beats = { does: "beats you", count: qualified.behind };
  const falls = { does: "does not qualify", count: short.behind + short.level + short.ahead };
  const shows = up.length ? `The dealer shows ${cardsShown(up)}` : "";
  const [first, second] = best === "fold" || !falls.count ? [beats, falls] : [falls, beats];
  const share = shareOf(first.count, of);
  const phrase = `${first.does} ${often(first.count, of, share)}`;
  if (!falls.count) return `${shows ? `${shows} and` : "The dealer"} ${phrase}.`;
  // Of two halves one is rounded up, not both: no sentence has more than 100 of 100 hands.
  const left = Math.min(shareOf(second.count, of), 100 - share);
  return `${shows ? `${shows},` : "The dealer"} ${phrase} and ${second.does} ${often(second.count, of, left, true)}.`;
}

const lower = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);
const DONE = { play: "Playing", fold: "Folding" } as const;

/** Whether a move gave nothing away. */
export const isRight = (move: Move, worth: Worth) => move === worth.best || worth.cost === "0";

export interface Verdict {
  right: boolean;
  /** With money in it, and the why where something was given away. */
  says: string;
  why: string;
  /** The same without any why. */
  line: string;
}

/** What else there is to say: time decided, and not the player; the bank may not reach the hand. */
interface Terms {
  silent?: boolean;
  short?: boolean;
}

const covered = (says: string, short: boolean) =>
  short ? `If the bank covers you, ${lower(says)}` : says;

/** What to say about a move that is made. Nobody is scolded, and nobody is cheered. */
export function judge(
  move: Move,
  worth: Worth,
  reason: string,
  format: (exact: string) => string,
  { silent = false, short = false }: Terms = {},
): Verdict {
  const right = isRight(move, worth);
  const before = silent
    ? `Time ran out, and your hand was ${move === "play" ? "played" : "folded"}. `
    : "";
  const say = (says: string) => before + covered(says, short);
  const fair = (line: string): Verdict => ({ right, says: line, why: reason, line });
  if (worth.cost === "0") return fair(say("Playing and folding are worth exactly the same here."));
  const given = format(worth.cost);
  if (!right) {
    const line = say(`${silent ? "That" : `${DONE[move]} here`} gives away ${given} on average`);
    return { right, says: `${line}: ${lower(reason)}`, why: "", line: `${line}.` };
  }
  const other =
    move === "fold"
      ? `playing loses ${given} more on average`
      : `folding gives away ${given} on average`;
  return fair(say(`${silent ? "That" : DONE[move]} was right: ${other}.`));
}

/** The hint for players who want advice before they decide. */
export function suggest(worth: Worth, format: (exact: string) => string, short: boolean): string {
  if (worth.cost === "0")
    return covered("Playing and folding are worth exactly the same here.", short);
  const given = format(worth.cost);
  const says =
    worth.best === "play"
      ? `Playing is better: folding gives away ${given} on average.`
      : `Folding is better: playing loses ${given} more on average.`;
  return covered(says, short);
}
