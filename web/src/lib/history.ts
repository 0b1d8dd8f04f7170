/** Rounds that one played, as the room recalls them, and in a line each. */
import { call } from "./api";
import { RANKS, namesApart } from "./hands";
import type { Bet, End, Move } from "./protocol";
import { aside, keyOf, spotName, type Settled } from "./spots";
import { dollars, list, sentence } from "./words";

interface RecalledWager {
  wager: string;
  stake: number;
  net: number;
  clause: string;
}

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

export interface Recalled {
  n: number;
  table: string;
  number: number;
  at: number;
  ended: "settled" | "voided";
  game: "three_card_poker" | "roulette";
  place: number;
  players: Record<string, string>;
  seats: Record<string, number>;
  banker: number | null;
  first: number | null;
  up: number;
  /** Whether an ace also counts low, in a straight with a deuce and a three. */
  ace_low: boolean;
  reason?: string;
  banked?: number;
  net: number;
  fee: number;
  wagers: RecalledWager[];
  seat?: number | null;
  hands?: Record<string, string>;
  dealer?: string;
  pocket?: string;
  credits: { before: number; after: number };
  commitment: string;
  seed: string;
  steps: string[];
  events: Happened[];
}

/** A round of one's chips; since the first one also how many they are, the fees, and what all came to. */
export interface BankrollRow {
  n: number;
  at: number;
  table: string;
  round: number;
  net: number;
  fee: number;
  count: number;
  fees: number;
  total: number;
}

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

// Cards and who

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

export const when = (at: number) =>
  new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
export const result = (round: Recalled) => round.net - round.fee;

/** What was played, in a line: "Queen-high, folded." or "Red and 17. The ball lay in 23." */
export function played(round: Recalled): string {
  if (round.ended === "voided") return `Void: ${round.reason}. Everything came back.`;
  if (round.banked !== undefined) return `You banked ${dollars(round.banked)}.`;
  if (round.game === "roulette")
    return `${list(round.wagers.map((one) => spotName(one.wager)))}. The ball lay in ${round.pocket}.`;
  const cards = cardsAt(round, round.place);
  const move = moveOf(round, round.place);
  const dealer = parseCards(round.dealer);
  const met = dealer.length === 3 && move === "play";
  const [mine, theirs] = namesApart(cards, met ? dealer : cards, round.ace_low);
  return `${sentence(mine)}${move ? `, ${move}ed` : ""}.${met ? ` Dealer had ${theirs}.` : ""}`;
}

const moveOf = (round: Recalled, place: number) =>
  round.events.find((one) => one.type === "move.made/1" && one.place === place)?.move;

/** What became of one's wagers; of a void round, or of a bank, nothing. */
export function settledOf(round: Recalled): Settled[] {
  const end = round.events.find(
    (one) => one.type === "round.settled/1" || one.type === "spin.settled/1",
  );
  const mine = end?.places?.find((one) => one.place === round.place);
  return mine?.wagers ?? mine?.bets ?? [];
}

/** The fee that is in a result, in words; where none was paid, nothing. */
export const feeOf = (round: Recalled) => (round.fee ? `fee ${dollars(round.fee)}` : "");

/** Wagers in a line, and the fee: "Ante $20 ($10 came back), Play $20 (came back), fee $1". */
export function staked(round: Recalled): string {
  const told = (row: Settled) =>
    `${spotName(keyOf(row))} ${dollars(row.stake)}${aside(row) ? ` (${aside(row)})` : ""}`;
  const wagers = settledOf(round)
    .filter((row) => row.stake)
    .map(told);
  return sentence([...wagers, feeOf(round)].filter(Boolean).join(", "));
}
