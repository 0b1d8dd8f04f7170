/** The banker's book of any table: exact sums over the figures that the server counted once. */
import type { BankFigures } from "../../generated/server";
import { call, pathOf } from "../net/api";
import type { Changes, Start } from "../odds/odds";
import { fraction, over, plus, ratio, times, type Fraction } from "../odds/fraction";

export type { BankFigures } from "../../generated/server";

/** What one seat bets, in cents. A side bet is counted as one beside an Ante. */
export interface SeatBets {
  ante: number;
  side: number;
}

/** A round as the banker sees it, in cents; the bank is taken to cover every bet. */
export interface BankBook {
  /** The average result before the banker's fee, and after it. */
  mean: Fraction;
  meanAfterFee: Fraction;
  /** What the banker pays for the round: by the largest Ante. */
  fee: number;
  /** What the players pay together, on average. */
  playerFees: Fraction;
  variance: Fraction;
  /** The standard deviation: how far a round usually lies from the mean. */
  sd: number;
  /** The most that all bets together could cost the bank, before its fee. */
  worst: number;
}

/** Fetch the figures of a table's rules. */
export const tableFigures = (table: string) => call<BankFigures>("GET", `${pathOf(table)}/bank`);

/** Fetch the figures of a rulebook or a table, with changes. */
export const figuresOf = (start: Start, set: Changes) =>
  call<BankFigures>("POST", "/api/bank", { ...start, set });

/** A seat's bets from its wagers by name, as a table shows them. */
export const seatBets = (figures: BankFigures, wagers: Record<string, number>): SeatBets => ({
  ante: wagers["ante"] ?? 0,
  side: (figures.side_bet && wagers[figures.side_bet]) || 0,
});

const NOTHING = over(0, 1);
const sum = (parts: Fraction[]): Fraction => parts.reduce(plus, NOTHING);

/** The banker's book for the seats that have bets. */
export function bankBook(figures: BankFigures, seats: SeatBets[]): BankBook {
  const antes = seats.reduce((total, seat) => total + seat.ante, 0);
  const sides = seats.reduce((total, seat) => total + seat.side, 0);
  const mean = plus(
    times(fraction(figures.ante.mean), antes),
    times(fraction(figures.side?.mean ?? "0"), sides),
  );
  const fee = bankerFee(figures, Math.max(0, ...seats.map((seat) => seat.ante)));
  const variance = varianceOf(figures, seats, antes, sides);
  return {
    mean,
    meanAfterFee: plus(mean, over(-fee, 1)),
    fee,
    playerFees: sum(seats.map((seat) => playerFee(figures, seat))),
    variance,
    sd: Math.sqrt(ratio(variance)),
    worst: seats.reduce((total, seat) => total + mostLost(figures, seat), 0),
  };
}

/** Every seat's own variance, and the covariance of every two seats: they share the dealer's hand. */
function varianceOf(
  figures: BankFigures,
  seats: SeatBets[],
  antes: number,
  sides: number,
): Fraction {
  const total = (of: (seat: SeatBets) => number) => seats.reduce((all, seat) => all + of(seat), 0);
  const anteSquares = total((seat) => seat.ante ** 2);
  const sideSquares = total((seat) => seat.side ** 2);
  const products = total((seat) => seat.ante * seat.side);
  const { ante, side } = figures;
  return sum([
    times(fraction(ante.variance), anteSquares),
    times(fraction(ante.covariance), antes ** 2 - anteSquares),
    times(fraction(side?.variance ?? "0"), sideSquares),
    times(fraction(side?.covariance ?? "0"), sides ** 2 - sideSquares),
    times(fraction(figures.same_seat), 2 * products),
    times(fraction(figures.two_seats), 2 * (antes * sides - products)),
  ]);
}

interface FeeRange {
  min: number;
  max: number;
}
const rangeOf = <Row extends FeeRange>(rows: Row[] | undefined, cents: number): Row | undefined =>
  rows?.find((row) => row.min <= cents && cents <= row.max);

/** The banker's fee for a round whose largest Ante is this. */
export const bankerFee = (figures: BankFigures, largestAnte: number): number =>
  rangeOf(figures.banker_fees, largestAnte)?.fee ?? 0;

/** What a player pays for a round on average: a fee on the Play bet only when the hand is played. */
export function playerFee(figures: BankFigures, seat: SeatBets): Fraction {
  const ante = rangeOf(figures.player_fees["ante"], seat.ante);
  const side = seat.side
    ? rangeOf(figures.player_fees[figures.side_bet ?? ""], seat.side)
    : undefined;
  const played = times(fraction(figures.play_rate), ante?.reserve_fee ?? 0);
  return plus(over((ante?.fee ?? 0) + (side?.fee ?? 0), 1), played);
}

/** The most that one seat's hand can win, rounded up to a cent. */
function mostLost(figures: BankFigures, { ante, side }: SeatBets): number {
  const wins = figures.losses.map((loss) =>
    plus(times(fraction(loss.ante), ante), times(fraction(loss.side), side)),
  );
  return Math.max(0, ...wins.map(({ n, d }) => Number((n + d - 1n) / d)));
}
