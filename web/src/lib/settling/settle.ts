/** An entered hand settled: the amounts that `queenhigh settle --json` gives, and their turns. */
import { feeFor, moveFee } from "../bets/stakes";
import { bankerFee, settleHands, type Row, type Turn } from "../proof/poker";
import { betsOf, type DeskRules, type EnteredSeat, type Entry } from "./entry";
import { standing, type Ruled, type Standing } from "./irregular";

export interface SettledSeat {
  seat: number;
  wagers: Row[];
  net: number;
  fee?: number;
}

/** What comes back by a clause: of a wager, or a fee; the banker's fee has no seat. */
export interface Returned {
  seat?: number;
  wager: string;
  cents: number;
  clause: string;
}

/** A settled round as `queenhigh settle --json` writes it. */
export interface Settled {
  seats: SettledSeat[];
  banker: number;
  banker_fee?: number;
  bank_left?: number;
  irregularities?: Ruled[];
  returned?: Returned[];
}

export interface Outcome {
  settled: Settled;
  /** Every wager that is settled, in the order in which the bank meets them. */
  turns: Turn[];
}

/** Settle an entry that nothing is wrong with. */
export function settle(rules: DeskRules, entry: Entry): Outcome {
  const stands = standing(rules, entry);
  const { document } = rules;
  const hands = stands.played.map(({ seat, stakes, cards, move }) => ({
    ...{ seat, cards, move },
    wagers: betsOf(stakes),
  }));
  const bank = entry.bank ?? null;
  const { rows, turns, left } = settleHands(document, hands, entry.dealer, bank, entry.first);
  const seats = entry.seats.map((put) => {
    const wagers = rows.get(put.seat) ?? voidRows(put, stands.voided.get(put.seat)!);
    const net = wagers.reduce((sum, row) => sum + row.net, 0);
    const played = stands.played.find(({ seat }) => seat === put.seat);
    const fee = played ? feeOf(rules, played) : 0;
    return { seat: put.seat, wagers, net, ...(document.fees ? { fee } : {}) };
  });
  const isPlayed = stands.played.length > 0;
  const fee = feeOfBank(rules, entry, stands);
  const settled: Settled = {
    seats,
    banker: 0 - seats.reduce((sum, { net }) => sum + net, 0),
    ...(document.fees ? { banker_fee: isPlayed ? fee : 0 } : {}),
    ...(left === null ? {} : { bank_left: left }),
  };
  if (!stands.rulings.length) return { settled, turns };
  const returned = allReturned(rules, entry, stands, isPlayed ? 0 : fee);
  settled.irregularities = stands.rulings;
  if (returned.length) settled.returned = returned;
  return { settled, turns };
}

/** The fees of a hand: flat, by size, and with Play what Play pays. */
function feeOf({ betting }: DeskRules, { stakes, move }: EnteredSeat): number {
  const all = feeFor(betting, stakes);
  return move === "play" ? all : all - moveFee(betting, stakes["ante"] ?? 0);
}

/** The banker's fee, by the largest Ante that was put down or stands, and is legal. */
function feeOfBank({ document, betting }: DeskRules, entry: Entry, { played }: Standing): number {
  if (!document.fees) return 0;
  const antes = [...entry.seats, ...played].map(({ stakes }) => stakes["ante"] ?? 0);
  const { ranges } = betting.wagers["ante"]!;
  const legal = antes.filter((ante) => ranges.some(({ min, max }) => min <= ante && ante <= max));
  return legal.length ? bankerFee(document.fees, Math.max(...legal)) : 0;
}

// What comes back

/** What a seat had put down, Play with it. */
const putDown = ({ stakes, move }: EnteredSeat) =>
  betsOf(stakes).flatMap(({ spot, cents }) => [
    { wager: spot as string, cents },
    ...(spot === "ante" && move === "play" ? [{ wager: "play", cents }] : []),
  ]);

const voidRows = (seat: EnteredSeat, clause: string): Row[] =>
  putDown(seat).map(({ wager, cents }) => ({ wager, stake: cents, net: 0, action: 0, clause }));

/** All that comes back, seat by seat, and at the end the banker's fee. */
function allReturned(
  rules: DeskRules,
  entry: Entry,
  { played, voided }: Standing,
  fee: number,
): Returned[] {
  const { fees } = rules.document;
  const collected = (cents: number) => (fees?.collect === "before" ? cents : 0);
  const back: Returned[] = [];
  for (const put of entry.seats) {
    const { seat } = put;
    const stood = played.find((each) => each.seat === seat);
    const clause = stood ? "IR-6" : voided.get(seat)!;
    const stays = stood ? putDown(stood) : [];
    for (const { wager, cents } of putDown(put)) {
      const rest = cents - (stays.find((each) => each.wager === wager)?.cents ?? 0);
      if (rest) back.push({ seat, wager, cents: rest, clause });
    }
    const own = stood ? 0 : collected(feeOf(rules, put));
    if (own) back.push({ seat, wager: "fee", cents: own, clause: fees!.clause });
  }
  if (collected(fee)) back.push({ wager: "banker_fee", cents: fee, clause: fees!.clause });
  return back;
}
