/** What a dealer does with the chips of a settled hand, in order, and why. */
import type { SettledWager } from "../net/protocol";
import { reasons, uncovered, type Reason } from "../poker/settlement";
import type { DeskRules, EnteredSeat, Entry } from "./entry";
import { standing, voidsRound, type Ruled } from "./irregular";
import type { Outcome, Returned } from "./settle";

export interface Payout {
  wager: string;
  stake: number;
  /** What to do with it; `none`: the bank does not reach it, or the hand is void. */
  does: "pay" | "take" | "push" | "none";
  /** What is paid or taken. */
  cents: number;
  /** What goes back to the player of a wager that was lost in part, or not reached. */
  back: number;
  left: number | null;
  clause: string;
}

/** A seat in its turn; where wagers are settled in another order, a seat has several. */
export interface SeatPayouts {
  seat: number;
  payouts: Payout[];
  /** Only at a seat's last turn. */
  total?: { net: number; fee: number; reasons: Reason[] };
}

/** Return the wagers of a hand in the order in which they are settled, by seats. */
export function payoutsOf(rules: DeskRules, entry: Entry, outcome: Outcome): SeatPayouts[] {
  const groups: SeatPayouts[] = [];
  for (const { seat, row, left } of outcome.turns) {
    if (groups.at(-1)?.seat !== seat) groups.push({ seat, payouts: [] });
    groups.at(-1)!.payouts.push(payout(rules, row, left));
  }
  const { played } = standing(rules, entry);
  const last = new Map(groups.map((group) => [group.seat, group]));
  for (const group of last.values()) {
    const { wagers, net, fee = 0 } = outcome.settled.seats.find(({ seat }) => seat === group.seat)!;
    const put = played.find(({ seat }) => seat === group.seat)!;
    group.total = { net, fee, reasons: why(rules, entry, put, wagers) };
  }
  return groups;
}

function payout(rules: DeskRules, row: SettledWager, left: number | null): Payout {
  const { wager, stake, net, clause } = row;
  const back = uncovered(row, rules);
  const isReached = clause !== rules.document.bank?.unmatched_clause;
  const does = net > 0 ? "pay" : net < 0 ? "take" : isReached ? "push" : "none";
  return { wager, stake, does, cents: Math.abs(net), back, left, clause };
}

/** Why a seat's wagers came to what they did, in the words of a table. */
function why(rules: DeskRules, entry: Entry, seat: EnteredSeat, wagers: SettledWager[]): Reason[] {
  const { cards, move, stakes } = seat;
  const hand = {
    place: seat.seat,
    seat: seat.seat,
    wagers: Object.entries(stakes).map(([spot, cents]) => ({ spot, cents })),
    ...(cards.length ? { cards: [...cards] } : {}),
    ...(move ? { move } : {}),
  };
  const round = { round: 0, commitment: "", hands: [hand], dealer: [...entry.dealer] };
  return reasons({ wagers }, hand, round, rules, { you: false });
}

/** What comes back by the clauses of irregularities: seat by seat, the banker's fee last. */
export interface Return {
  seat?: number;
  returned: Returned[];
  /** Whether the hand is void, so that everything comes back. */
  isVoid: boolean;
}

export function returnsOf(rules: DeskRules, entry: Entry, { settled }: Outcome): Return[] {
  const all = settled.returned ?? [];
  const { voided } = standing(rules, entry);
  const seats = [...new Set(all.map(({ seat }) => seat))];
  return seats.map((seat) => ({
    ...(seat === undefined ? {} : { seat }),
    returned: all.filter((each) => each.seat === seat),
    isVoid: seat !== undefined && voided.has(seat),
  }));
}

/** Return what makes a whole round void; only `{}` where each of its hands is void by itself. */
export function voidOf(rules: DeskRules, entry: Entry): Partial<Ruled> | undefined {
  const { rulings, played } = standing(rules, entry);
  return rulings.find(voidsRound) ?? (played.length ? undefined : {});
}
