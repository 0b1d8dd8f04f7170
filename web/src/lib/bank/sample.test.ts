import { describe, expect, test } from "vitest";
import type { BankSample } from "../../generated/server";
import { comparison, coversAll, sampledBook, simulateCommand } from "./sample";

const seat = { ante: 500, bonus: 0, sd: 1, se: 0.001, mean_fee: 0.2, played_share: 0.75 };
const sample: BankSample = {
  rulebook: "california",
  digest: "",
  rules_digest: "",
  seed: 7,
  rounds: 1_000_000,
  engine: "compiled",
  seats: [
    { ...seat, seat: 1, mean: -0.045, uncovered: 0, returned: 0 },
    { ...seat, seat: 2, mean: 0.194, uncovered: 694_300, returned: 1.1883 },
  ],
  banker_result: { mean: -0.557244, sd: 6.311, se: 0.006311, mean_fee: 0.4, exhausted: 954_316 },
  unit_cents: 500,
  bank: 5000,
  policy: "best",
  covered: false,
  preparing: false,
};
const book = sampledBook(sample);

describe("a sampled bank", () => {
  test("is read in cents, with the error of 95%", () => {
    expect(book.mean).toBeCloseTo(-278.622, 9);
    expect(book.meanAfterFee).toBeCloseTo(-478.622, 9);
    expect(book.fee).toBeCloseTo(200, 9);
    expect(book.error).toBeCloseTo(1.96 * 3.1555, 9);
    expect(book.sd).toBeCloseTo(3155.5, 9);
    expect(book.runsOut).toBe(0.954316);
    expect(book.returned).toBeCloseTo(594.15, 9);
    expect(book.seats[1]).toMatchObject({ seat: 2, uncovered: 0.6943 });
  });

  test("is compared with a bank that covers every bet", () => {
    expect(comparison(book, 15)).toBe(
      "A bank that covers every bet averages +$0.15 a round: about $4.94 more than this one.",
    );
    expect(comparison(book, -500)).toBe(
      "A bank that covers every bet averages −$5.00 a round: about $0.21 less than this one.",
    );
  });

  test("claims no difference that is within its error", () => {
    expect(comparison(book, -478)).toBe(
      "A bank that covers every bet averages −$4.78 a round. This sample can't tell the two apart.",
    );
    const closer = { ...book, error: 0.5 };
    expect(comparison(closer, -478)).toContain("can't tell");
    expect(comparison(closer, -477)).toContain("$0.02 more than this one");
  });

  test("is exact only for the table that it is of", () => {
    const table = { seats: 2, ante: 500, side: 0, bank: 2000 };
    const terms = { ...table, rounds: 40, hours: 8 };
    const covered = { table, sample: { ...sample, covered: true } };
    expect(coversAll(covered, terms)).toBe(true);
    expect(coversAll(covered, { ...terms, bank: 1000 })).toBe(false);
    expect(coversAll({ table, sample }, terms)).toBe(false);
    expect(coversAll(null, terms)).toBe(false);
  });

  test("names the command that repeats it", () => {
    const table = { seats: 10, ante: 500, side: 100, bank: 5000 };
    expect(simulateCommand("queenhigh odds california --set tie=win", { table, sample })).toBe(
      "queenhigh simulate california --set tie=win --seats 10 --ante 5.00 --bonus 1.00 --bank 50.00 --rounds 1000000 --seed 7",
    );
  });
});
