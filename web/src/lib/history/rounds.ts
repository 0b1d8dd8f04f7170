/** Rounds that one played, as the room recalls them, and in a line each. */
import type * as server from "../../generated/server";
import type { Rulebook } from "../net/rulebook";
import { call } from "../net/api";
import { RANKS, namesApart } from "../poker/hands";
import type { Bet, End, Move } from "../net/protocol";
import { aside, keyOf, spotName, type Settled } from "../text/wager_names";
import { gain, sentence } from "../text/format";
import * as says from "../../texts/history";
import * as rulings from "../../texts/rulings";

/** What happened, as docs/log.md has it, without cards and seeds. */
export interface Happened {
  type: string;
  place?: number;
  player?: string;
  cents?: number;
  wagers?: Bet[];
  fees?: { place: number; cents: number }[];
  places?: End["places"];
  move?: Move;
  silent?: boolean;
  seed?: string;
  pocket?: string;
  commitment?: string;
  net?: number;
  bank?: number;
  bank_left?: number;
  reason?: string;
  kind?: rulings.Kind;
  clause?: string;
  ruling?: "play_on" | "void" | "redeal" | "void_hand" | "default_move";
  fee?: number;
}

export type Recalled = Omit<server.Recalled, "game" | "events"> & {
  game: Rulebook["game"];
  events: Happened[];
};

export type BankrollRow = server.BankrollRow;

const query = (values: Record<string, string | number | undefined>) =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([key, value]) => `${key}=${encodeURIComponent(value!)}`)
    .join("&");

export const history = (asked: { table?: string; before?: number; limit?: number }) =>
  call<Recalled[]>("GET", `/api/me/history?${query(asked)}`);
/** How many rounds a graph or a file has at most: the last ones. */
export const MOST = 1000;
export const bankroll = (table?: string) =>
  call<BankrollRow[]>("GET", `/api/me/bankroll?${query({ table, limit: MOST })}`);
export const exportPath = (kind: "jsonl" | "phhs", table?: string) =>
  `/api/me/rounds.${kind}?${query({ table, limit: MOST })}`;

// Cards and players

/** Cards out of a text: "As Kd 9h". */
export function parseCards(text: string | undefined): number[] {
  const of = (card: string) => {
    const name = card.slice(0, -1).replace(/^T$/, "10");
    return 4 * RANKS.indexOf(name as (typeof RANKS)[number]) + "cdhs".indexOf(card.slice(-1));
  };
  return (text ?? "").split(" ").filter(Boolean).map(of);
}

/** The cards of a place that were seen, or nothing. */
export const cardsAt = (round: Recalled, place: number): number[] =>
  parseCards(round.hands?.[String(round.seats[place])]);

// A line

export const when = (timeMs: number) =>
  new Date(timeMs).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
/** What a round came to, after its fee and its corrections. */
export const result = (round: Recalled) =>
  (round.corrections ?? []).reduce((sum, { net, fee }) => sum + net - fee, round.net - round.fee);
/** What it had come to before it was corrected; nothing for a round that never was. */
export const settledAs = (round: Recalled) =>
  round.corrections?.length ? rulings.settledAs(gain(round.net - round.fee)) : "";
/** Its corrections, a sentence each. */
export const correctionLines = (round: Recalled) =>
  (round.corrections ?? []).map(({ net, fee, reason, owed }) =>
    rulings.correctedLine(gain(net - fee), reason, owed),
  );

/** What was played, in a line: "Queen-high, folded." or "Red and 17. The ball landed on 23." */
export function played(round: Recalled): string {
  if (round.ended === "voided") return says.voidLine(round.reason ?? "");
  if (round.void_hand !== undefined) return rulings.wasVoid(round.void_hand);
  if (round.banked !== undefined) return says.banked(round.banked);
  if (round.game === "roulette")
    return says.spun(
      round.wagers.map((line) => spotName(line.wager)),
      round.pocket ?? "",
    );
  const cards = cardsAt(round, round.place);
  const move = moveOf(round, round.place)?.move;
  const dealer = parseCards(round.dealer);
  const met = dealer.length === 3 && move === "play";
  const [ownHand, theirs] = namesApart(cards, met ? dealer : cards, round.ace_low);
  return says.playedLine(ownHand, move, met ? theirs : "");
}

/** The move at a place, if there was one. */
export const moveOf = (round: Recalled, place: number) =>
  round.events.find((event) => event.type === "move.made/1" && event.place === place);

/** The event that settled a round; nothing for a void one. */
export const endOf = (round: Recalled) =>
  round.events.find((event) => event.type === "round.settled/1" || event.type === "spin.settled/1");

/** The player's settled wagers; nothing for a void round, or for the banker. */
export function settledOf(round: Recalled): Settled[] {
  const settled = endOf(round)?.places?.find((settled) => settled.place === round.place);
  return settled?.wagers ?? settled?.bets ?? [];
}

/** The fees of all places, collected before or after play; a void round returned them. */
export function feesOf(round: Recalled): Record<number, number> {
  const fees: Record<number, number> = {};
  if (round.ended === "voided") return fees;
  for (const event of round.events)
    if (event.type.startsWith("bets.closed/") || event.type === "round.settled/1")
      for (const { place, cents } of event.fees ?? []) fees[place] = (fees[place] ?? 0) + cents;
  return fees;
}

/** Wagers in a line, and the fee: "Ante $20 ($10 returned), Play $20 (returned), fee $1". */
export function staked(round: Recalled): string {
  const wagers = settledOf(round)
    .filter((row) => row.stake)
    .map((row) => says.stake(spotName(keyOf(row)), row.stake, aside(row)));
  return sentence([...wagers, ...(round.fee ? [says.fee(round.fee)] : [])].join(", "));
}
