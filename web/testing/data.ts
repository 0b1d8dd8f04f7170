/** What the package has made for the tests of the page: see tests/page_data.py. */
import { inject } from "vitest";
import type { Proof } from "../src/lib/proof/prove";
import type { PokerRules, WheelRules } from "../src/lib/net/rulebook";

declare module "vitest" {
  interface ProvidedContext {
    file: string;
  }
}

interface Data {
  /** Rounds of every reading, the same ones always. */
  known: Proof[];
  /** The ends of their chains, by table and number. */
  chains: Record<string, string>;
  /** Rounds in which a bank runs out, and its order and forfeits matter. */
  readings: Proof[];
  /** Rounds of scheme 1. */
  old: Proof[];
  /** Others with every commit. */
  fresh: Proof[];
  /** Whether this is the size of CI. */
  full: boolean;
  /** Messages and their SHA-256. */
  hashes: [message: string, digest: string][];
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
