/** The drill: hands to practise on, twenty at a time, and the score that this browser keeps. */
import type { Drill as Batch, DrillHand as Deal } from "../../generated/server";
import { cents, isRight } from "./text";
import { call } from "../net/api";
import { fraction, over, plain, plus, times, type Fraction } from "../odds/fraction";
import type { Move } from "../net/protocol";
import type { Start } from "../odds/odds";
import { isCount, isRecord } from "../ui/stored";
import { DRILL_ANTE } from "../../texts/coach";

export type { DrillHand as Deal } from "../../generated/server";

/** What was decided so far; `given` is what it gave away in Antes, exactly. */
export interface Score {
  hands: number;
  right: number;
  given: string;
  /** Right ones in a row, now and at best. */
  streak: number;
  longest: number;
}

export interface Progress {
  score: Score;
  /** The hands at hand, and the moves made with them. */
  batch: Batch | null;
  moves: Move[];
}

interface Game {
  name: string;
  title: string;
  digest: string;
  game: string;
}

export const HANDS = 20;
const NONE: Score = { hands: 0, right: 0, given: "0", streak: 0, longest: 0 };
const key = (rulebook: string) => `queenhigh.drill.${rulebook}`;

export const games = async () =>
  (await call<Game[]>("GET", "/api/rulebooks")).filter((game) => game.game === "three_card_poker");
export const deal = (start: Start) => call<Batch>("POST", "/api/drill", { ...start, hands: HANDS });

export function progress(rulebook: string): Progress {
  try {
    const saved = JSON.parse(localStorage.getItem(key(rulebook)) ?? "{}") as Record<
      string,
      unknown
    >;
    const score = isScore(saved.score) ? saved.score : NONE;
    if (isBatch(saved.batch) && isMoves(saved.moves, saved.batch))
      return { score, batch: saved.batch, moves: saved.moves };
    return { score, batch: null, moves: [] };
  } catch {
    return { score: NONE, batch: null, moves: [] }; // no storage, or somebody else's writing in it
  }
}

// What is kept may be of another version, or somebody else's writing.

const isFraction = (text: unknown) => typeof text === "string" && /^-?\d+(\/[1-9]\d*)?$/.test(text);
const isMove = (move: unknown) => move === "play" || move === "fold";
const isCards = (cards: unknown, count: unknown) =>
  Array.isArray(cards) &&
  cards.length === count &&
  cards.every((card) => isCount(card) && card < 52);
const isLeads = (leads: unknown) =>
  isRecord(leads) && [leads.behind, leads.level, leads.ahead].every(isCount);
const isCases = (hands: unknown) =>
  isRecord(hands) && isCount(hands.of) && isLeads(hands.short) && isLeads(hands.qualified);

function isScore(score: unknown): score is Score {
  if (!isRecord(score) || !isFraction(score.given)) return false;
  return [score.hands, score.right, score.streak, score.longest].every(isCount);
}

const isDeal = (deal: unknown, up: unknown) =>
  isRecord(deal) &&
  isCards(deal.hand, 3) &&
  isCards(deal.up, up) &&
  [deal.play, deal.fold, deal.cost].every(isFraction) &&
  isMove(deal.best) &&
  isCases(deal.hands);

function isBatch(batch: unknown): batch is Batch {
  if (!isRecord(batch) || !Array.isArray(batch.deals) || !batch.deals.length) return false;
  const named = typeof batch.rulebook === "string" && typeof batch.digest === "string";
  return named && batch.deals.every((deal) => isDeal(deal, batch.up));
}

const isMoves = (moves: unknown, batch: Batch): moves is Move[] =>
  Array.isArray(moves) && moves.length <= batch.deals.length && moves.every(isMove);

export function keep(rulebook: string, made: Progress) {
  try {
    localStorage.setItem(key(rulebook), JSON.stringify(made));
  } catch {
    // private windows may refuse; the score holds until the page is left
  }
}

/** The score after one more decision. */
export function scored(score: Score, deal: Deal, move: Move): Score {
  const right = isRight(move, deal);
  const streak = right ? score.streak + 1 : 0;
  return {
    hands: score.hands + 1,
    right: score.right + (right ? 1 : 0),
    given: right ? score.given : plain(plus(fraction(score.given), fraction(deal.cost))),
    streak,
    longest: Math.max(score.longest, streak),
  };
}

/** What a hand cost on average, in Antes. */
export const perHand = (score: Score): Fraction => {
  const given = fraction(score.given);
  return over(given.n, given.d * BigInt(score.hands || 1));
};
/** The same in whole cents, at the Ante that the drill speaks of. */
export const costPerHand = (score: Score): number => cents(times(perHand(score), DRILL_ANTE));
export { isRight };

/** The score of the hands that are decided in a batch. */
export const scoreOf = (made: Progress): Score =>
  made.moves.reduce((score, move, index) => scored(score, made.batch!.deals[index]!, move), NONE);
