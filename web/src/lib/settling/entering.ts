/** Taps at a desk: each changes an entry, or is refused where it is made and loses nothing. */
import { mostOn, rangesOf } from "../bets/stakes";
import { problemsOf, type Field, type Problem } from "./check";
import type { DeskRules, EnteredSeat, Entry, Irregularity, Kind, Move } from "./entry";

/** Where a tap goes: a hand, a bet, the bank. */
export type Target =
  | { field: "dealer" }
  | { field: "bank" }
  | { field: "cards"; seat: number }
  | { field: "bets"; seat: number; spot: string };

/** What went wrong at the table, if an entry is right as it is: with it, the entry can be kept. */
export interface Remedy {
  kind: Kind;
  entry: Entry;
}

export interface Refusal {
  field: Field;
  seat?: number;
  says: string;
  remedies: Remedy[];
}

export type Attempt = { entry: Entry } | { refused: Refusal };

export const emptyEntry = (): Entry => ({ dealer: [], first: 1, seats: [], irregularities: [] });

export const seatOf = (entry: Entry, seat: number): EnteredSeat | undefined =>
  entry.seats.find((each) => each.seat === seat);

// Entries that are always possible: what is wrong with them is said where they stand

export const withBank = (entry: Entry, bank: number | undefined): Entry => ({ ...entry, bank });

export function withSeat(entry: Entry, seat: number): Entry {
  const seats = [...entry.seats, { seat, stakes: {}, cards: [] }];
  return { ...entry, seats: seats.sort((a, b) => a.seat - b.seat) };
}

/** Take a seat away, with what went wrong there. */
export const withoutSeat = (entry: Entry, seat: number): Entry => ({
  ...entry,
  seats: entry.seats.filter((each) => each.seat !== seat),
  irregularities: entry.irregularities.filter((each) => each.seat !== seat),
});

export function withStake(entry: Entry, seat: number, spot: string, cents: number): Entry {
  return changed(entry, seat, ({ stakes, move, ...rest }) => {
    const others = Object.entries(stakes).filter(([each]) => each !== spot);
    const now = Object.fromEntries(cents ? [...others, [spot, cents]] : others);
    return { ...rest, stakes: now, move: now["ante"] ? move : undefined };
  });
}

export const withoutIrregularity = (entry: Entry, irregularity: Irregularity): Entry => ({
  ...entry,
  irregularities: entry.irregularities.filter((each) => each !== irregularity),
});

const withIrregularity = (entry: Entry, irregularity: Irregularity): Entry => ({
  ...entry,
  irregularities: [...entry.irregularities, irregularity],
});

const changed = (
  entry: Entry,
  seat: number,
  change: (seat: EnteredSeat) => EnteredSeat,
): Entry => ({
  ...entry,
  seats: entry.seats.map((each) => (each.seat === seat ? change(each) : each)),
});

// Entries that may be impossible

/** Put a card into a hand, or take it back out of it. */
export function tapCard(rules: DeskRules, entry: Entry, target: Target, card: number): Attempt {
  const put = (cards: readonly number[]) =>
    cards.includes(card) ? cards.filter((each) => each !== card) : [...cards, card];
  if (target.field === "cards")
    return attempt(
      rules,
      entry,
      changed(entry, target.seat, (seat) => ({ ...seat, cards: put(seat.cards) })),
      target,
    );
  return attempt(rules, entry, { ...entry, dealer: put(entry.dealer) }, { field: "dealer" });
}

/** Add a chip to a bet; one that is not yet at its least is said to be so where it lies. */
export function tapChip(
  rules: DeskRules,
  entry: Entry,
  seat: number,
  spot: string,
  cents: number,
): Attempt {
  const stakes = seatOf(entry, seat)?.stakes ?? {};
  const now = withStake(entry, seat, spot, (stakes[spot] ?? 0) + cents);
  const isTooMuch = (seatOf(now, seat)?.stakes[spot] ?? 0) > mostOn(rules.betting, stakes, spot);
  if (!isTooMuch && rangesOf(rules.betting, spot).length) return { entry: now };
  return attempt(rules, entry, now, { field: "bets", seat, spot });
}

/** Choose a move, or take the same one back. */
export const tapMove = (rules: DeskRules, entry: Entry, seat: number, move: Move): Attempt =>
  attempt(
    rules,
    entry,
    changed(entry, seat, (each) => ({ ...each, move: each.move === move ? undefined : move })),
    { field: "move", seat },
  );

export const addIrregularity = (rules: DeskRules, entry: Entry, wrong: Irregularity): Attempt =>
  attempt(rules, entry, withIrregularity(entry, wrong), {
    field: "irregular",
    ...(wrong.seat === undefined ? {} : { seat: wrong.seat }),
  });

type Place = { field: Field; seat?: number; spot?: string };

/** Keep a change, unless it makes something wrong that was not before. */
function attempt(rules: DeskRules, before: Entry, after: Entry, place: Place): Attempt {
  const [wrong] = newProblems(rules, before, after);
  if (!wrong) return { entry: after };
  const { field, seat } = place;
  const remedies = remediesOf(rules, before, after, place);
  return {
    refused: { field, ...(seat === undefined ? {} : { seat }), says: wrong.says, remedies },
  };
}

function newProblems(rules: DeskRules, before: Entry, after: Entry): Problem[] {
  const known = new Set(problemsOf(rules, before).map(({ says }) => says));
  return problemsOf(rules, after).filter(({ missing, says }) => !missing && !known.has(says));
}

/** Return what may have gone wrong at the table, so that what is there is true. */
export function remediesOf(
  rules: DeskRules,
  before: Entry,
  after: Entry,
  { field, seat, spot }: Place,
): Remedy[] {
  const causes = causesOf(after, field, seat, spot);
  return causes.flatMap((cause) => {
    const entry = withIrregularity(after, cause);
    return newProblems(rules, before, entry).length ? [] : [{ kind: cause.kind, entry }];
  });
}

function causesOf(entry: Entry, field: Field, seat?: number, spot?: string): Irregularity[] {
  if (field === "bets") return [{ kind: "outside_limits", seat: seat!, wager: spot! }];
  if (field === "dealer") return [{ kind: entry.dealer.length > 3 ? "misdeal" : "foul_deck" }];
  if (field !== "cards") return [];
  const isCount = (seatOf(entry, seat!)?.cards.length ?? 0) > 3;
  return [isCount ? { kind: "wrong_cards", seat: seat! } : { kind: "foul_deck" }];
}

// Where the next tap goes

/** Return what is most likely to be entered next; nothing when a hand is whole. */
export function nextTarget(rules: DeskRules, entry: Entry): Target | undefined {
  const missing = problemsOf(rules, entry).filter((problem) => problem.missing);
  const at = (field: Field, seat?: number) =>
    missing.some((problem) => problem.field === field && problem.seat === seat);
  if (at("bank")) return { field: "bank" };
  for (const { seat, stakes } of entry.seats) {
    if (at("bets", seat) && !stakes["ante"]) return { field: "bets", seat, spot: firstSpot(rules) };
    if (at("cards", seat)) return { field: "cards", seat };
  }
  return at("dealer") ? { field: "dealer" } : undefined;
}

const firstSpot = ({ betting }: DeskRules) => Object.keys(betting.wagers)[0]!;
