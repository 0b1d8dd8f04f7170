/** Rounds that one played, as the room recalls them, and in a line each. */
import type * as server from "../../generated/server";
import type { Rulebook } from "../net/rulebook";
import { call } from "../net/api";
import { RANKS, namesApart } from "../poker/hands";
import type { Bet, End, Move } from "../net/protocol";
import { aside, keyOf, spotName, type Settled } from "../text/wager_names";
import { dollars, list, sentence } from "../text/format";

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
  bank_left?: number;
  reason?: string;
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
export const result = (round: Recalled) => round.net - round.fee;

/** What was played, in a line: "Queen-high, folded." or "Red and 17. The ball lay in 23." */
export function played(round: Recalled): string {
  if (round.ended === "voided") return `Void: ${round.reason}. Everything came back.`;
  if (round.banked !== undefined) return `You banked ${dollars(round.banked)}.`;
  if (round.game === "roulette")
    return `${list(round.wagers.map((line) => spotName(line.wager)))}. The ball lay in ${round.pocket}.`;
  const cards = cardsAt(round, round.place);
  const move = moveOf(round, round.place);
  const dealer = parseCards(round.dealer);
  const met = dealer.length === 3 && move === "play";
  const [ownHand, theirs] = namesApart(cards, met ? dealer : cards, round.ace_low);
  return `${sentence(ownHand)}${move ? `, ${move}ed` : ""}.${met ? ` Dealer had ${theirs}.` : ""}`;
}

const moveOf = (round: Recalled, place: number) =>
  round.events.find((event) => event.type === "move.made/1" && event.place === place)?.move;

/** The player's settled wagers; nothing for a void round, or for the banker. */
export function settledOf(round: Recalled): Settled[] {
  const end = round.events.find(
    (event) => event.type === "round.settled/1" || event.type === "spin.settled/1",
  );
  const settled = end?.places?.find((settled) => settled.place === round.place);
  return settled?.wagers ?? settled?.bets ?? [];
}

/** The fee that is in a result, in words; where none was paid, nothing. */
export const feeOf = (round: Recalled) => (round.fee ? `fee ${dollars(round.fee)}` : "");

/** Wagers in a line, and the fee: "Ante $20 ($10 came back), Play $20 (came back), fee $1". */
export function staked(round: Recalled): string {
  const describe = (row: Settled) =>
    `${spotName(keyOf(row))} ${dollars(row.stake)}${aside(row) ? ` (${aside(row)})` : ""}`;
  const wagers = settledOf(round)
    .filter((row) => row.stake)
    .map(describe);
  return sentence([...wagers, feeOf(round)].filter(Boolean).join(", "));
}
