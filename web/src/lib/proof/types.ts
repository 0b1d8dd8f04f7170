/** What `GET /api/tables/TABLE/rounds/N` gives, and what a check of it says. */
import type * as server from "../../generated/server";
import type { Bet, End, Move, Receipt } from "../net/protocol";
import type { Fixed } from "./fixed";
import type { PokerBook, Rulebook, WheelBook } from "../net/rulebook";

export type {
  Charge,
  CommittedSeed as Committed,
  ProvedCorrection as Correction,
  ProvedIncident as Incident,
  VoidedHand,
  ProvedHand as Hand,
} from "../../generated/server";

export type ProofOf<Book extends Rulebook> = Omit<server.Proof, "rulebook" | "end"> & {
  rulebook: Book;
  end: End;
};

export type PokerProof = ProofOf<PokerBook>;
export type WheelProof = ProofOf<WheelBook>;
export type Proof = PokerProof | WheelProof;

export const isWheel = (proof: Proof): proof is WheelProof => proof.rulebook.game === "roulette";

/** All hands that were dealt to, also those that a ruling made void. */
export const allHands = ({ hands, voided = [] }: Proof): server.ProvedHand[] => [
  ...hands,
  ...voided,
];

export interface SeenChain {
  number: number;
  end: string;
  /** A number that rises when the room is restored from a backup. */
  epoch: number;
  /** The number of a round less its link: the same for all rounds of a chain. */
  before: number;
  /** The last seed that was followed down to the end. */
  tip?: { link: number; seed: string };
}

export interface OwnHidden {
  seed: string;
  commitment: string;
  /** The table has taken the commitment. */
  taken?: boolean;
  /** The seed was sent when bets were closed; and the table has taken it. */
  sent?: boolean;
  counted?: boolean;
}

/** What this browser saw of a round while it was played. */
export interface Seen {
  /** Shown while bets were open. */
  commitment?: string;
  digest?: string;
  bank?: number;
  /** The chain that was shown first by this number, and the round before its first one. */
  chain?: SeenChain;
  /** What the deal follows from beside the seeds, when bets were closed; and what places showed. */
  fixed?: Fixed;
  shown?: Record<string, string>;
  /** What the room signed for that moment. */
  receipt?: Receipt;
  /** The player's own. */
  place?: number;
  /** The seed that this browser has hidden until bets were closed. */
  hidden?: OwnHidden;
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
  /** A hash of the round as it was when it was first shown to be over. */
  ended?: string;
  /** What this page found by itself when the round was over: everything fits. */
  checked?: boolean;
  /** Its end was not seen, although this browser had shown a seed. */
  lost?: boolean;
  /** The place has a commitment that is not from this browser. */
  foreign?: boolean;
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
