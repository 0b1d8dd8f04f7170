/** What the settlement desk says; why a hand can't be settled is in settling.ts. */
import type { Kind } from "../lib/settling/entry";
import type { Ruled, Ruling } from "../lib/settling/irregular";
import type { Payout } from "../lib/settling/payouts";
import { dollars, gain, list, money, wagerName } from "../lib/text/format";
import { KIND_NAMES } from "./settling";

export const TITLE = "Settlement desk";
export const ABOUT = "Enter a hand dealt with real cards, and read off every payout in order.";
export const GAME = "Game";
export const rulesOf = (table: string) => `The rules of table ${table}`;
export const NEEDS_ROOM =
  "The rules of this game aren't on this device yet. Connect once, then open the desk again.";
export const NOT_CARDS =
  "This game has no hands to settle. Choose a game of Three Card Poker, or use queenhigh settle.";
export const NEW_RULES = "The rules have changed. Hands are settled by the new ones from now on.";

// The hand

export const BANK = "Bank";
export const FIRST = "Action starts at seat";
export const DEALER = "Dealer";
export const UP_CARD = "up";
export const SEATS = "Seats";
export const addSeat = (seat: number) => `Add seat ${seat}`;
export const goToSeat = (seat: number) => `Go to seat ${seat}`;
export const seatTitle = (seat: number) => `Seat ${seat}`;
export const removeSeat = (seat: number) => `Remove seat ${seat}`;
export const REMOVE = "Remove";
export const NO_SEATS = "Tap the seats that have a bet.";
export const handOfSeat = (seat: number) => `Cards of seat ${seat}`;
export const HAND_OF_DEALER = "The dealer's cards";
/** "Cards of seat 3: ace of spades, king of hearts" */
export const handAloud = (whose: string, cards: readonly string[]) =>
  `${whose}: ${cards.join(", ") || "none yet"}`;
export const betOf = (seat: number, spot: string) => `${wagerName(spot)} of seat ${seat}`;
/** "Ante of seat 3: $10" */
export const amountAloud = (what: string, cents: number | undefined) =>
  `${what}: ${cents ? dollars(cents) : "none yet"}`;
export const PLAY = "Play";
export const FOLD = "Fold";
export const movesOf = (seat: number) => `Move of seat ${seat}`;

// What is tapped

export const cardsFor = (whose: string) => `Tap cards: ${whose}`;
export const RANK = "Rank";
export const SUIT = "Suit";
export const chipsFor = (what: string) => `Tap chips: ${what}`;
export const CHIPS = "Chips";
export const CLEAR_BET = "Take back";
/** What a browser says for the typing keys. */
export const KEYS =
  "Keys: a card is its rank and its suit (Q then S). P and F play and fold, Backspace takes the last card back, U undoes.";

export const UNDO = "Undo";
export const CLEAR = "Start over";
export const STILL_MISSING = "Still to enter";
export const CHANGE_FIRST = "Change first";

// What went wrong

export const WENT_WRONG = "Did something go wrong at the table?";
export const WHAT = "What happened";
export const WHICH_SEAT = "Seat";
export const WHICH_BET = "Bet";
export const ADD = "Add";
/** "It's a foul deck (IR-5)" */
export const remedy = (kind: Kind, clause: string) => `${REMEDIES[kind]} (${clause})`;
const REMEDIES: Record<Kind, string> = {
  misdeal: "It was a misdeal",
  exposed_player: "The card was exposed",
  exposed_dealer: "The card was exposed",
  wrong_cards: "The hand really has a wrong number of cards",
  foul_deck: "It's a foul deck",
  outside_limits: "It was dealt to",
};
export const follows: Record<Ruling, string> = {
  play_on: "Play goes on.",
  void: "The round is void.",
  redeal: "The round is void, and dealt again with the same bets.",
  void_hand: "The hand is void.",
  up_to_limit: "The bet stands up to its limit.",
};
/** "Seat 3, Ante: a bet was outside its limits" */
export const happened = (kind: Kind, seat?: number, wager?: string) =>
  [
    [seat === undefined ? "" : `Seat ${seat}`, wager ? wagerName(wager) : ""]
      .filter(Boolean)
      .join(", "),
    KIND_NAMES[kind],
  ]
    .filter(Boolean)
    .join(": ");
export const removeIrregularity = (what: string) => `Remove: ${what}`;

// Payouts

export const PAYOUTS = "Payouts";
export const SEE_PAYOUTS = "See payouts";
export const inOrder = (first: number) => `In order of action, from seat ${first}.`;
export const IN_ORDER = "In order of seats.";
/** "The round is void (IR-5): foul deck." */
export const voided = ({ kind, clause, ruling }: Partial<Ruled>) =>
  kind
    ? `The round is void (${clause}): ${KIND_NAMES[kind].toLowerCase()}.${ruling === "redeal" ? " Deal again with the same bets." : ""}`
    : "Every hand is void.";
export const ALL_BACK = "Everything goes back.";
export const bankOf = (cents: number) => `Bank ${money(cents)}`;

/** What to do with a bet: "Pay $10.00", "Take $4.00, return $6.00". */
export function does({ does, cents, back }: Payout): string {
  if (does === "pay") return `Pay ${money(cents)}`;
  if (does === "take") return `Take ${money(cents)}${back ? `, return ${money(back)}` : ""}`;
  return does === "push" ? "Push" : back ? `Return ${money(back)}` : "Not paid";
}
/** "Ante $10.00" */
export const bet = (wager: string, cents: number) =>
  cents ? `${wagerName(wager)} ${dollars(cents)}` : wagerName(wager);
export const left = (cents: number) => `bank ${money(cents)}`;
export const LEFT_HEADING = "Bank left";
export const BET_HEADING = "Bet";
export const DO_HEADING = "Do";
export const CLAUSE_HEADING = "Rule";
export const net = (cents: number) => gain(cents);
export const feeOf = (cents: number) => `Fee ${money(cents)}`;
export const againLater = "More of this seat below.";
export const banker = (net: number, fee: number, left: number | undefined) =>
  [
    `Banker ${gain(net)}`,
    ...(fee ? [`fee ${money(fee)}`] : []),
    ...(left === undefined ? [] : [`${money(left)} of the bank left`]),
  ].join(", ");
export const house = (net: number) => `House ${gain(net)}`;
export const feesAll = (cents: number) => `Fees in total: ${money(cents)}.`;

const RETURNED: Record<string, string> = { fee: "the fee", banker_fee: "the banker's fee" };
/** "Seat 4: the hand is void. Return Ante $20.00 (IR-4) and the fee of $1.00 (CA-7)." */
export const returnedTo = (
  seat: number | undefined,
  parts: readonly { wager: string; cents: number; clause: string }[],
  isVoid: boolean,
) => {
  const who = seat === undefined ? "Banker" : `Seat ${seat}`;
  const all = parts.map(({ wager, cents, clause }) =>
    RETURNED[wager]
      ? `${RETURNED[wager]} of ${money(cents)} (${clause})`
      : `${wagerName(wager)} ${money(cents)} (${clause})`,
  );
  return `${who}: ${isVoid ? "the hand is void. Return" : "return"} ${list(all)}.`;
};
export const RETURNS = "Returned";
export const RULES = "The rules behind it";

// Afterwards

export const PRINT = "Print";
export const KEEP = "Keep and next hand";
export const LINE = "For queenhigh settle";
export const THE_LINE = "the hand as a line";
export const keptHands = (count: number) =>
  count === 1 ? "1 hand kept on this device" : `${count} hands kept on this device`;
export const UNSTORED =
  "This browser can't store more hands. Download them before you leave this page.";
export const DOWNLOAD = "Download (JSON lines)";
export const FORGET = "Delete them";
export const forget = (count: number) =>
  `Delete ${count === 1 ? "the kept hand" : `all ${count} kept hands`} from this device?`;
/** For players who can't see the payouts appear. */
export const READY = "The hand is settled.";
