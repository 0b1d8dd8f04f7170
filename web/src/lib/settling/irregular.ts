/** What follows where something went wrong with real cards: clauses IR-1 to IR-6. */
import { mostOn, rangesOf, type Stakes } from "../bets/stakes";
import type { Betting, PokerBook } from "../net/rulebook";
import type { DeskRules, EnteredSeat, Entry, Irregularity, Kind } from "./entry";

/** What follows: nothing, a void round or hand, a new deal, or a wager that stands up to its limit. */
export type Ruling = "play_on" | "void" | "redeal" | "void_hand" | "up_to_limit";

export interface Ruled {
  kind: Kind;
  clause: string;
  ruling: Ruling;
  seat?: number;
  wager?: string;
}

const CLAUSES: Record<Kind, string> = {
  misdeal: "IR-1",
  exposed_player: "IR-2",
  exposed_dealer: "IR-3",
  wrong_cards: "IR-4",
  foul_deck: "IR-5",
  outside_limits: "IR-6",
};
export const clauseOf = (kind: Kind) => CLAUSES[kind];

/** Whether an irregularity is of one hand, and not of the whole round. */
export const isOfSeat = (kind: Kind) =>
  ["exposed_player", "wrong_cards", "outside_limits"].includes(kind);

/** Return what follows by a rulebook's readings; the standard ones are not written in it. */
export function rulingOf(book: PokerBook, kind: Kind): Ruling {
  const readings = book.irregularities ?? {};
  const rulings: Record<Kind, Ruling> = {
    misdeal: readings.misdeal ?? "void",
    exposed_player: readings.exposed_player ?? "play_on",
    exposed_dealer: readings.exposed_dealer ?? "void",
    wrong_cards: "void_hand",
    foul_deck: "void",
    outside_limits: "up_to_limit",
  };
  return rulings[kind];
}

const ruled = (book: PokerBook, { kind, seat, wager }: Irregularity): Ruled => ({
  kind,
  clause: CLAUSES[kind],
  ruling: rulingOf(book, kind),
  ...(seat === undefined ? {} : { seat }),
  ...(wager === undefined ? {} : { wager }),
});

export const voidsRound = ({ ruling }: Ruled) => ruling === "void" || ruling === "redeal";

/** What stands of an entry. */
export interface Standing {
  rulings: Ruled[];
  /** Every seat with its wagers as they stand. */
  seats: EnteredSeat[];
  /** The seats that are settled. */
  played: EnteredSeat[];
  /** By seat: the clause by which its hand is void. */
  voided: Map<number, string>;
}

export function standing({ document, betting }: DeskRules, entry: Entry): Standing {
  const rulings = entry.irregularities.map((each) => ruled(document, each));
  const seats = entry.seats.map((seat) => withinLimits(betting, seat, rulings));
  const whole = rulings.find(voidsRound);
  const voided = new Map<number, string>();
  for (const seat of seats) {
    const clause = whole?.clause ?? voidHand(document, seat, rulings);
    if (clause) voided.set(seat.seat, clause);
  }
  return { rulings, seats, played: seats.filter(({ seat }) => !voided.has(seat)), voided };
}

/** The clause by which a hand is void: its own, or its Ante did not stand. */
function voidHand(book: PokerBook, seat: EnteredSeat, rulings: Ruled[]): string | undefined {
  const own = rulings.find((each) => each.seat === seat.seat && each.ruling === "void_hand");
  if (own) return own.clause;
  const { outside_limits } = CLAUSES;
  const isCut = rulings.some((each) => each.seat === seat.seat && each.clause === outside_limits);
  return isCut && !takesPart(book, seat) ? outside_limits : undefined;
}

/** Whether a seat has a wager that it can take part with. */
export const takesPart = (book: PokerBook, { stakes }: EnteredSeat) =>
  !!stakes["ante"] || (!book.ante.required && Object.values(stakes).some((cents) => cents));

/** A seat with its wagers as they stand: what was outside its limits is cut. */
function withinLimits(betting: Betting, seat: EnteredSeat, rulings: Ruled[]): EnteredSeat {
  const named = rulings.filter((each) => each.seat === seat.seat && each.wager);
  if (!named.length) return seat;
  const isNamed = (spot: string) => named.some(({ wager }) => wager === spot);
  const all = Object.entries(seat.stakes);
  const stakes: Record<string, number> = Object.fromEntries(all.filter(([spot]) => !isNamed(spot)));
  // In the order of the spots: what stands on one lowers what all may come to together.
  for (const spot of Object.keys(betting.wagers).filter(isNamed))
    stakes[spot] = upToLimit(betting, stakes, spot, seat.stakes[spot] ?? 0);
  return { ...seat, stakes, move: stakes["ante"] ? seat.move : undefined };
}

/** The largest legal amount up to a stake beside the others; 0 if there is none. */
function upToLimit(betting: Betting, others: Stakes, spot: string, stake: number): number {
  const most = Math.min(stake, mostOn(betting, others, spot));
  const { increment } = betting.wagers[spot]!;
  const amounts = rangesOf(betting, spot).map(({ min, max }) => {
    let amount = Math.min(max, most);
    if (amount < stake) amount -= amount % increment;
    return amount >= min ? amount : 0;
  });
  return Math.max(0, ...amounts);
}
