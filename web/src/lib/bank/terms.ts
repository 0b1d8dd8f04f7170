/** What is typed into the Bank tab, as numbers; and the command lines that give the same. */
import { bankBook, type BankBook, type BankFigures, type SeatBets } from "./figures";
import { divided, over, plus, ratio, sign, type Fraction } from "../odds/fraction";
import { readDollars } from "../text/format";
import * as texts from "../../texts/odds";

/** As it is typed; an empty bank covers everything. */
export interface BankInputs {
  seats: string;
  ante: string;
  side: string;
  bank: string;
  rounds: string;
  hours: string;
}

/** A table and a night at it: amounts in cents. */
export interface BankTerms {
  seats: number;
  ante: number;
  side: number;
  bank: number | null;
  rounds: number;
  hours: number;
}

export type Problems = Partial<Record<keyof BankInputs, string>>;

const dollarsOf = (cents: number) => (cents / 100).toFixed(2).replace(/\.00$/, "");

/** What the tab starts with: a full table at the least Ante, and a night as `queenhigh bank` has it. */
export const usualInputs = (figures: BankFigures): BankInputs => ({
  seats: String(figures.seats),
  ante: dollarsOf(figures.player_fees["ante"]?.[0]?.min ?? 0),
  side: "0",
  bank: "",
  rounds: "40",
  hours: "8",
});

const whole = (text: string, least: number, most: number): number =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most
    ? Number(text)
    : NaN;

function wagerProblem(figures: BankFigures, wager: string, cents: number): string {
  const ranges = figures.player_fees[wager] ?? [];
  const [least, most] = [ranges[0]?.min ?? 0, ranges.at(-1)?.max ?? 0];
  if (!Number.isInteger(cents) || cents < least || cents > most) return texts.betRange(least, most);
  return ranges.some((row) => row.min <= cents && cents <= row.max) ? "" : texts.noFeeRange(cents);
}

/** Read what is typed; where something is wrong there are no terms. */
export function readTerms(
  inputs: BankInputs,
  figures: BankFigures,
): { terms: BankTerms | null; problems: Problems } {
  const terms: BankTerms = {
    seats: whole(inputs.seats, 1, figures.seats),
    ante: readDollars(inputs.ante),
    side: figures.side_bet && inputs.side.trim() ? readDollars(inputs.side) : 0,
    bank: figures.players_bank && inputs.bank.trim() ? readDollars(inputs.bank) : null,
    rounds: whole(inputs.rounds, 1, 1000),
    hours: whole(inputs.hours, 1, 24),
  };
  const problems: Problems = {};
  const note = (field: keyof BankInputs, problem: string) => {
    if (problem) problems[field] = problem;
  };
  note("seats", Number.isNaN(terms.seats) ? texts.seatsRange(figures.seats) : "");
  note("ante", wagerProblem(figures, "ante", terms.ante));
  if (terms.side !== 0) note("side", wagerProblem(figures, figures.side_bet!, terms.side));
  if (terms.bank !== null && !(Number.isInteger(terms.bank) && terms.bank > 0))
    note("bank", texts.WRITE_AN_AMOUNT);
  note("rounds", Number.isNaN(terms.rounds) ? texts.wholeNumber(1, 1000) : "");
  note("hours", Number.isNaN(terms.hours) ? texts.wholeNumber(1, 24) : "");
  return { terms: Object.keys(problems).length ? null : terms, problems };
}

/** The book of a table whose seats all bet the same. */
export function evenBook(figures: BankFigures, { seats, ante, side }: BankTerms): BankBook {
  const seat: SeatBets = { ante, side };
  return bankBook(
    figures,
    Array.from({ length: seats }, () => seat),
  );
}

/** What all Antes of a round must come to for the fee to be paid; nothing where that never happens. */
export function breakEven(book: BankBook, { seats, ante }: BankTerms): Fraction | null {
  const edge = divided(book.mean, over(seats * ante, 1));
  return sign(edge) > 0 ? divided(over(book.fee, 1), edge) : null;
}

/** How closely the results of two seats go together: they share the dealer's hand. */
export function correlation(figures: BankFigures, { ante, side }: BankTerms): number {
  const single = bankBook(figures, [{ ante, side }]).variance;
  const two = bankBook(figures, [
    { ante, side },
    { ante, side },
  ]).variance;
  return sign(single) ? ratio(two) / ratio(single) / 2 - 1 : 0;
}

/** What a player loses of the Ante on average, fees included. */
export const playersEdge = (book: BankBook, { seats, ante }: BankTerms): Fraction =>
  divided(plus(book.mean, book.playerFees), over(seats * ante, 1));

/** The seats and their bets as options of a command. */
export const tableOptions = ({ seats, ante, side }: Pick<BankTerms, "seats" | "ante" | "side">) =>
  ` --seats ${seats}${amount("ante", ante)}${amount("bonus", side)}`;

const amount = (name: string, cents: number) =>
  cents ? ` --${name} ${(cents / 100).toFixed(2)}` : "";

/** `queenhigh bank` with the same table; `odds` is the command line of the odds, with its changes. */
export const bankCommand = (odds: string, terms: BankTerms): string =>
  `${odds.replace("queenhigh odds", "queenhigh bank")}${tableOptions(terms)} --rounds-per-hour ${terms.rounds} --hours ${terms.hours}`;
