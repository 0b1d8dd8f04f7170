/** What a spin came to for a player: one figure, and why, in a sentence. */
import { placeIn, type Last, type SettledBet } from "../net/protocol";
import type { WheelRules } from "../net/rulebook";
import type { Verdict } from "../poker/verdict";
import { gain, money } from "../text/format";
import { spotName } from "../text/wager_names";
import * as texts from "../../texts/roulette";
import { colour, fate, pocketWords } from "./wheel";

/** So many bets are named; of more, the rest in one figure. */
const NAMED = 3;
/** So many bets are listed with their clauses. */
const LISTED = 8;

const byNet = (a: SettledBet, b: SettledBet) => b.net - a.net || b.stake - a.stake;

/** What became of the bets, the best first, in a few words each. */
function betTexts(sorted: readonly SettledBet[], rules: WheelRules): string[] {
  const isLost = (bet: SettledBet) => bet.net === -bet.stake;
  if (sorted.length > NAMED && sorted.every(isLost)) return [texts.allLose(sorted.length)];
  const named = sorted.length > NAMED ? sorted.slice(0, NAMED - 1) : sorted;
  const rest = sorted.slice(named.length);
  const parts = named.map((bet) => `${spotName(bet.bet)} ${fate(bet, rules)}`);
  const restNet = rest.reduce((sum, bet) => sum + bet.net, 0);
  return rest.length ? [...parts, texts.otherBets(rest.length, restNet)] : parts;
}

const reasonOf = (bet: SettledBet, rules: WheelRules) => ({
  text: `${spotName(bet.bet)} ${fate(bet, rules)}.`,
  clauses: [bet.clause],
});

/** The player's result of the last round; nothing where they had no bets in it. */
export function verdictOf(
  last: Last | undefined,
  player: string | null,
  rules: WheelRules,
): Verdict | null {
  const place = placeIn(last, player);
  if (!last || place === undefined) return null;
  const { pocket } = last.round;
  if (last.end.type === "round.voided/1" || pocket === undefined) return voided(last, place);
  const settled = last.end.places?.find((settled) => settled.place === place);
  if (!settled?.bets?.length) return null;
  const sorted = [...settled.bets].sort(byNet);
  const why = `${texts.landed(pocket, colour(pocket))} ${texts.betList(betTexts(sorted, rules))}`;
  return {
    round: last.end.round,
    isBank: false,
    isVoid: false,
    net: settled.net,
    fee: 0,
    headline: gain(settled.net),
    why,
    spoken: `${pocketWords(pocket)}. ${netText(last, player)}`,
    reasons: sorted.slice(0, LISTED).map((bet) => reasonOf(bet, rules)),
    clauses: [...new Set(sorted.map((bet) => bet.clause))],
  };
}

/** A void round: everything is returned, and nothing was won or lost. */
function voided(last: Last, place: number): Verdict | null {
  const hand = last.round.hands.find((hand) => hand.place === place);
  if (!hand?.wagers.length) return null;
  return {
    round: last.end.round,
    isBank: false,
    isVoid: true,
    net: 0,
    fee: 0,
    headline: texts.VOID_HEADLINE,
    why: texts.VOID,
    spoken: texts.VOID,
    reasons: [],
    clauses: [],
  };
}

/** The result in a sentence: "You won $170.00."; nothing where the player had no bets. */
export function netText(last: Last | undefined, player: string | null): string {
  const place = placeIn(last, player);
  const settled = last?.end.places?.find((settled) => settled.place === place);
  if (!settled?.bets?.length) return "";
  const held = settled.bets.reduce((all, bet) => all + (bet.held ?? 0), 0);
  const rest = held ? texts.stillHeld(money(held)) : "";
  if (settled.net === 0) return rest || texts.BROKE_EVEN;
  const net = money(Math.abs(settled.net));
  return `${settled.net > 0 ? texts.youWon(net) : texts.youLost(net)} ${rest}`.trim();
}
