/** What the package has made for the tests of the page: see tests/page_data.py. */
import { inject } from "vitest";
import type { BankFigures } from "../src/generated/server";
import type { Proof } from "../src/lib/proof/prove";
import type { DeskRules, Line } from "../src/lib/settling/entry";
import type { Settled } from "../src/lib/settling/settle";
import type { PokerRules, WheelRules } from "../src/lib/net/rulebook";

declare module "vitest" {
  interface ProvidedContext {
    file: string;
    /** Where the trainer's rounds are to be written; empty: nowhere. */
    rounds: string;
  }
}

/** As far as the page counts the same. */
interface BankSheet {
  seats: { ante: number; bonus: number }[];
  unit_cents: number;
  ev: string;
  ev_after_fee: string;
  sd: number;
  fee_banker: string;
  fee_player: string;
  correlation: string;
  player_edge_after_fee: string;
  break_even_antes: string | null;
  night: { rounds: number; losing: number; risk: number; bankroll: number };
}

interface Data {
  /** Rounds of every reading, the same ones always. */
  known: Proof[];
  /** The ends of their chains, by table and number. */
  chains: Record<string, string>;
  /** Whether players' seeds bind those that were dealt, by table and round. */
  bound: Record<string, boolean>;
  /** Rounds in which a bank runs out, and its order and forfeits matter. */
  readings: Proof[];
  /** Rounds with every kind of ruling, and corrections of a bank, of the house and of spins. */
  ruled: Proof[];
  /** Rounds of scheme 1. */
  old: Proof[];
  /** Others with every commit. */
  fresh: Proof[];
  /** Hands entered at a desk: what the oracle says of them, and lines with mistakes. */
  entered: {
    rules: DeskRules[];
    hands: { rules: number; line: Line; settled: Settled }[];
    mistakes: { rules: number; line: Line; accepted: boolean }[];
  };
  /** Whether this is the size of CI. */
  full: boolean;
  /** Messages and their SHA-256. */
  hashes: [message: string, digest: string][];
  /** The bank's figures by California's rules, and what `queenhigh bank --json` says of tables. */
  bank: { figures: BankFigures; books: BankSheet[] };
  rules: {
    california: PokerRules;
    house: PokerRules;
    roulette: WheelRules;
    "roulette-european": WheelRules;
    "roulette-american": WheelRules;
  };
  /** California's rules, with a fee for each wager. */
  feePerWager: PokerRules;
  /** California's rules, with a fee for each kind of wager. */
  feePerKind: PokerRules;
}

export const data = ((await import(/* @vite-ignore */ inject("file"))) as { default: Data })
  .default;
