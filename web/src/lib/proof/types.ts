/** What `GET /api/tables/TABLE/rounds/N` gives, and what a check of it says. */
import type { Bet, End, Move } from "../protocol";
import type { PokerBook, Rulebook, WheelBook } from "../rulebook";

export interface Hand {
  place: number;
  seat: number;
  wagers: Bet[];
  move?: Move;
}

export interface Charge {
  place: number;
  cents: number;
}

export interface ProofOf<Book extends Rulebook> {
  table: string;
  round: number;
  at: number;
  ended: "settled" | "voided";
  digest: string;
  rulebook: Book;
  commitment: string;
  seed: string;
  seeds: Record<string, string>;
  banker: number | null;
  bank: number | null;
  first: number | null;
  hands: Hand[];
  fees: Charge[];
  places: number[];
  cards: number[];
  pocket: string | null;
  end: End;
}

export type PokerProof = ProofOf<PokerBook>;
export type WheelProof = ProofOf<WheelBook>;
export type Proof = PokerProof | WheelProof;

export const isWheel = (proof: Proof): proof is WheelProof => proof.rulebook.game === "roulette";

/** What this browser saw of a round while it was played. */
export interface Seen {
  /** Shown while bets were open. */
  commitment?: string;
  digest?: string;
  bank?: number;
  /** One's own. */
  place?: number;
  /** What this browser added, and the table took. */
  seed?: string;
  /** What any window of this browser added or tried to, also before that. */
  added?: string[];
  cards?: number[];
  wagers?: Bet[];
  move?: Move;
  /** Whether this window did not look on from bets that were open to bets that were closed. */
  away?: boolean;
  end?: End;
}

/** One thing that was worked out: it fits, or it does not, or this browser cannot say. */
export interface Check {
  id: string;
  fits: boolean | null;
  says: string;
  /** What does not fit, each in a sentence. */
  wrong: string[];
}

/** The check of something, with what does not fit; `fits` and `fails` are its two sentences. */
export function check(id: string, wrong: string[], fits: string, fails: string): Check {
  return { id, fits: !wrong.length, says: wrong.length ? fails : fits, wrong };
}

/** What cannot be said either way. */
export const note = (id: string, says: string): Check => ({ id, fits: null, says, wrong: [] });
