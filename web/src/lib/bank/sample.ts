/** A bank that may run out: what the server sampled, in cents, and the command that repeats it. */
import type { BankSample } from "../../generated/server";
import { call } from "../net/api";
import type { Changes, Start } from "../odds/odds";
import { tableOptions, type BankTerms } from "./terms";
import * as texts from "../../texts/odds";

export type { BankSample } from "../../generated/server";

/** The part of the terms that a sample depends on. */
export type BankTable = Pick<BankTerms, "seats" | "ante" | "side"> & { bank: number };

/** A sample with the table that it is of. */
export interface SampledTable {
  table: BankTable;
  sample: BankSample;
}

/** Whether a sample says of these terms that their bank covers every bet. */
export const coversAll = (answer: SampledTable | null, terms: BankTerms): boolean =>
  !!answer?.sample.covered &&
  (["seats", "ante", "side", "bank"] as const).every((key) => answer.table[key] === terms[key]);

/** Have a table sampled by a rulebook or a table's rules, with changes. */
export async function sampleOf(
  start: Start,
  set: Changes,
  table: BankTable,
): Promise<SampledTable> {
  const { side: bonus, ...rest } = table;
  const body = { ...start, set, ...rest, bonus };
  return { table, sample: await call<BankSample>("POST", "/api/bank/sample", body) };
}

/** Of a mean, 19 samples in 20 are closer to the true one than so many standard errors. */
const ERRORS = 1.96;

/** What a round means for the banker, in cents; `error` is at 95 %. */
export interface SampledBook {
  mean: number;
  meanAfterFee: number;
  fee: number;
  error: number;
  sd: number;
  /** The share of rounds that use up the bank. */
  runsOut: number;
  /** What the bank does not cover in a round, on average. */
  returned: number;
  seats: SampledSeat[];
}

export interface SampledSeat {
  seat: number;
  mean: number;
  error: number;
  /** The share of rounds in which the bank does not cover all of its bets. */
  uncovered: number;
  returned: number;
}

export function sampledBook({ banker_result: banker, ...sample }: BankSample): SampledBook {
  const unit = sample.unit_cents;
  const seats = sample.seats.map((seat) => ({
    seat: seat.seat,
    mean: seat.mean * unit,
    error: ERRORS * seat.se * unit,
    uncovered: seat.uncovered / sample.rounds,
    returned: seat.returned * unit,
  }));
  return {
    mean: banker.mean * unit,
    meanAfterFee: (banker.mean - banker.mean_fee) * unit,
    fee: banker.mean_fee * unit,
    error: ERRORS * banker.se * unit,
    sd: banker.sd * unit,
    runsOut: banker.exhausted / sample.rounds,
    returned: seats.reduce((sum, seat) => sum + seat.returned, 0),
    seats,
  };
}

/** Compare with the exact mean of a bank that covers every bet; a sample may not tell them apart. */
export function comparison(sampled: SampledBook, exact: number): string {
  const difference = sampled.meanAfterFee - exact;
  if (Math.abs(difference) <= Math.ceil(sampled.error)) return texts.sameAsCovering(exact);
  return texts.unlikeCovering(exact, Math.round(sampled.meanAfterFee) - Math.round(exact));
}

/** `queenhigh simulate` with the same rounds; `odds` is the command line of the odds. */
export const simulateCommand = (odds: string, { table, sample }: SampledTable): string =>
  `${odds.replace("queenhigh odds", "queenhigh simulate")}${tableOptions(table)} --bank ${(table.bank / 100).toFixed(2)} --rounds ${sample.rounds} --seed ${sample.seed}`;
