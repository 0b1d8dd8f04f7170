/** What a bank risks in a round: by seat, and altogether. */
import { bankBook, type BankFigures, type SeatBets } from "../bank/figures";
import { placeIn, type HandView, type Last, type TableView } from "../net/protocol";
import { payTable, SIDES, type PokerBook } from "../net/rulebook";
import { ratio } from "../odds/fraction";
import { bareName } from "../text/format";
import { inOrder, type SettleRules } from "./settlement";

/** A seat as its banker sees it, in cents. */
export interface SeatRisk {
  place: number;
  name: string;
  /** The most that the bank may have to pay this seat, and the most that it can win from it. */
  pays: number;
  wins: number;
  /** What the bank won or paid once the seat is settled on screen. */
  came: number | null;
}

export interface RoundRisk {
  bank: number;
  /** What is in the rack now: the bank, with all seats that are settled. */
  rack: number;
  /** What the open seats may cost together at worst: never more than the bank. */
  exposed: number;
  seats: SeatRisk[];
}

const stake = (hand: HandView, spot: string) =>
  hand.wagers.reduce((sum, bet) => sum + (bet.spot === spot ? bet.cents : 0), 0);

/** The most that a pay table pays for each cent of a wager. */
function best(document: PokerBook, wager: string): number {
  const pays = Object.values(payTable(document, wager)?.pays ?? {}) as string[];
  const ratios = pays.map((text) => {
    const [, to, of] = /(\d+) to (\d+)/.exec(text) ?? [];
    return to ? Number(to) / Number(of) : 0;
  });
  return Math.max(0, ...ratios);
}

/** The most that a bank may pay a hand, and win from it; a hand that has folded wins no Ante. */
export function handRisk(hand: HandView, { document }: SettleRules) {
  const ante = stake(hand, "ante");
  const played = hand.move === "fold" ? 0 : ante;
  let [pays, wins] = [played ? 2 * ante + best(document, "ante_bonus") * ante : 0, ante + played];
  for (const side of SIDES) {
    const cents = stake(hand, side);
    wins += cents;
    const isForfeit = hand.move === "fold" && document[side]?.on_fold === "forfeit";
    if (!isForfeit) pays += cents * best(document, side);
  }
  return { pays: Math.ceil(pays), wins };
}

/**
 * The risk of the round that is banked. `last` is the round once it is over, of which `count` places are
 * settled on screen.
 */
export function roundRisk(
  view: TableView,
  last: Last | undefined,
  count: number,
  rules: SettleRules,
): RoundRisk {
  const round = last?.round ?? view.round;
  const bank = round?.bank ?? 0;
  const ended = inOrder(last?.end.places ?? [], round?.first).map(({ place, net }) => ({
    place,
    came: -net,
  }));
  const settled = new Map(
    ended.slice(0, Math.max(0, count)).map((each) => [each.place, each.came]),
  );
  const nameOf = (place: number) =>
    bareName(
      (last ? last.players[place] : view.places.find((each) => each.place === place)?.player) ?? "",
    );
  const seats = inOrder(round?.hands ?? [], round?.first)
    .filter((hand) => hand.wagers.length)
    .map((hand) => {
      const { pays, wins } = handRisk(hand, rules);
      return {
        place: hand.place,
        name: nameOf(hand.place),
        pays: Math.min(pays, bank),
        wins: Math.min(wins, bank),
        came: settled.get(hand.place) ?? null,
      };
    });
  const rack = bank + seats.reduce((sum, seat) => sum + (seat.came ?? 0), 0);
  const open = seats.filter((seat) => seat.came === null);
  const exposed = Math.min(
    bank,
    open.reduce((sum, seat) => sum + seat.pays, 0),
  );
  return { bank, rack, exposed, seats };
}

/** What a round is expected to bring the bank after its fee, and how far it usually lies from that. */
export interface Expectation {
  mean: number;
  sd: number;
  fee: number;
}

/** In cents; of the swing whole dollars. Nothing where nobody bets. */
export function expectation(figures: BankFigures, seats: SeatBets[]): Expectation | null {
  if (!seats.some((seat) => seat.ante)) return null;
  const book = bankBook(figures, seats);
  return {
    mean: Math.round(ratio(book.meanAfterFee)),
    sd: 100 * Math.round(book.sd / 100),
    fee: book.fee,
  };
}

/** The bets of the hands of a round. */
export const betsOf = (hands: readonly HandView[]): SeatBets[] =>
  hands.map((hand) => ({
    ante: stake(hand, "ante"),
    side: SIDES.reduce((sum, side) => sum + stake(hand, side), 0),
  }));

/** What the others will probably bet: what they bet in the last round, else the least Ante. */
export function likelyBets(view: TableView, place: number | undefined, leastAnte: number) {
  const hands = view.last?.round.hands ?? [];
  return view.places
    .filter((seat) => seat.place !== place && !seat.aside && !seat.leaving && !isAway(seat))
    .map(({ player }) => {
      const was = placeIn(view.last, player);
      const [bets] = betsOf(hands.filter((hand) => hand.place === was && hand.wagers.length));
      return bets?.ante ? bets : { ante: leastAnte, side: 0 };
    });
}

const isAway = (seat: { away?: boolean }) => seat.away === true;

/**
 * About what a bank needs for such bets, in whole tens of dollars: each Ante and its Play, and as much again
 * for side bets that win.
 */
export function aboutNeeded(seats: readonly SeatBets[], hasSide: boolean): number {
  const antes = seats.reduce((sum, seat) => sum + seat.ante, 0);
  return Math.ceil(((hasSide ? 4 : 2) * antes) / 1000) * 1000;
}
