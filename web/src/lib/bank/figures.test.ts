import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { divided, fraction, over, plain, ratio, times } from "../odds/fraction";
import { bankBook, bankerFee, playerFee, seatBets, type SeatBets } from "./figures";
import { night, normal } from "./night";

const { figures, books } = data.bank;
const seatsOf = (book: (typeof books)[number]): SeatBets[] =>
  book.seats.map(({ ante, bonus }) => ({ ante, side: bonus }));

describe("the banker's book", () => {
  test.each(books.map((book, n) => [n, book] as const))(
    "equals what the command line counts, table %i",
    (_, sheet) => {
      const book = bankBook(figures, seatsOf(sheet));
      const inCents = (figure: string) => plain(times(fraction(figure), sheet.unit_cents));
      expect(plain(book.mean)).toBe(inCents(sheet.ev));
      expect(plain(book.meanAfterFee)).toBe(inCents(sheet.ev_after_fee));
      expect(String(book.fee)).toBe(inCents(sheet.fee_banker));
      const antes = sheet.seats.reduce((sum, seat) => sum + seat.ante, 0);
      expect(plain(divided(book.playerFees, over(antes, 1)))).toBe(sheet.fee_player);
      expect(book.sd / sheet.unit_cents).toBeCloseTo(sheet.sd, 10);
    },
  );

  test("is caught out by a wrong covariance", () => {
    const sheet = books[1]!;
    const wrong = { ...figures, ante: { ...figures.ante, covariance: figures.two_seats } };
    expect(bankBook(wrong, seatsOf(sheet)).sd / sheet.unit_cents).not.toBeCloseTo(sheet.sd, 3);
  });

  test("takes its fee from the largest Ante", () => {
    expect(bankerFee(figures, 500)).toBe(200);
    expect(bankerFee(figures, 10_001)).toBe(400);
    expect(
      bankBook(figures, [
        { ante: 500, side: 0 },
        { ante: 30_001, side: 0 },
      ]).fee,
    ).toBe(500);
  });

  test("costs at most what the best hand of every seat wins", () => {
    expect(bankBook(figures, [{ ante: 500, side: 0 }]).worst).toBe(1000);
    const two = [
      { ante: 500, side: 100 },
      { ante: 1000, side: 0 },
    ];
    expect(bankBook(figures, two).worst).toBe(1000 + 5000 + 2000);
  });

  test("of nobody is nothing", () => {
    const empty = bankBook(figures, []);
    expect([plain(empty.meanAfterFee), empty.fee, empty.sd, empty.worst]).toEqual(["0", 0, 0, 0]);
  });

  test("reads a seat's wagers by their names", () => {
    expect(seatBets(figures, { ante: 500, bonus: 100 })).toEqual({ ante: 500, side: 100 });
    expect(seatBets(figures, { ante: 500 })).toEqual({ ante: 500, side: 0 });
    expect(seatBets({ ...figures, side_bet: null }, { ante: 500 }).side).toBe(0);
  });

  test("counts a fee on the Play bet for the hands that are played", () => {
    const later = [{ min: 500, max: 10_000, fee: 50, reserve_fee: 50 }];
    const fee = playerFee({ ...figures, player_fees: { ante: later } }, { ante: 500, side: 0 });
    expect(ratio(fee)).toBeCloseTo(50 + 50 * ratio(fraction(figures.play_rate)), 9);
  });
});

describe("a night", () => {
  test("of a full table has the risk that the command line prints", () => {
    for (const sheet of books.slice(1)) {
      const book = bankBook(figures, seatsOf(sheet));
      const risk = night(ratio(book.meanAfterFee), book.sd, sheet.night.rounds);
      expect(risk.losing).toBeCloseTo(sheet.night.losing, 9);
      expect(risk.bankroll / sheet.unit_cents).toBeCloseTo(sheet.night.bankroll, 4);
    }
  });

  test("without variance is sure", () => {
    expect(night(-5, 0, 10)).toMatchObject({ losing: 1, bankroll: 50 });
    expect(night(5, 0, 10)).toMatchObject({ losing: 0, bankroll: 0 });
  });

  test("follows the normal curve", () => {
    expect(normal(0)).toBe(0.5);
    expect(normal(1.959963984540054)).toBeCloseTo(0.975, 12);
    expect(normal(-4)).toBeCloseTo(3.167124183311986e-5, 14);
    expect(normal(-3.6) + normal(3.6)).toBeCloseTo(1, 14);
  });
});
