/** Why an entered hand can't be settled, and what to enter. */
import type { Kind } from "../lib/settling/entry";
import { money, wagerName } from "../lib/text/format";

export const NO_SEATS = "Add the first player.";
export const noSeat = (seat: number, seats: number) =>
  `There is no seat ${seat}: seats are 1 to ${seats}.`;
export const seatTwice = (seat: number) => `Seat ${seat} is there twice: remove one.`;

export const NO_BANK = "Enter the bank.";
export const BANK_TOO_SMALL = "The bank is at least one cent.";
export const HOUSE_BANKS = "The house banks: there is no bank to enter.";

export const noBet = (seat: number) => `Seat ${seat} has no bet yet.`;
export const noSuchBet = (spot: string) => `This game has no ${wagerName(spot)} bet.`;
export const noRate = (spot: string) => `No fee is posted for any amount on ${wagerName(spot)}.`;
export const WHOLE_CENTS = "Amounts are in whole cents.";
export const TOO_LARGE = `The desk counts amounts up to ${money(Number.MAX_SAFE_INTEGER)}.`;

export const noMove = (seat: number) => `Seat ${seat}: play or fold?`;
export const needlessMove = (seat: number) => `Seat ${seat} has no Ante, so it has no move.`;

export const noCards = (seat: number) => `Enter the cards of seat ${seat}: a bet depends on them.`;
export const noDealer = (seat: number) =>
  `Enter the dealer's cards: seat ${seat} plays against them.`;
/** `seat`: none for the dealer. */
export const cardCount = (seat: number | undefined, count: number) =>
  `${seat === undefined ? "The dealer" : `Seat ${seat}`} has ${count} ${count === 1 ? "card" : "cards"} instead of three.`;
export const cardTwice = (card: string, clause: string) =>
  `The ${card} is already on the table. If the deck had it twice, it's a foul deck (${clause}).`;

export const KIND_NAMES: Record<Kind, string> = {
  misdeal: "Misdeal",
  exposed_player: "A player's card was exposed",
  exposed_dealer: "A down card of the dealer was exposed",
  wrong_cards: "A hand has a wrong number of cards",
  foul_deck: "Foul deck",
  outside_limits: "A bet was outside its limits",
};

export const irregular = {
  whichSeat: (kind: Kind) => `${KIND_NAMES[kind]}: choose the seat.`,
  whichBet: "Choose the bet that was outside its limits.",
  twice: (kind: Kind) => `${KIND_NAMES[kind]}: entered twice. Remove one.`,
  within: (wager: string, cents: number) =>
    `${money(cents)} on ${wagerName(wager)} is within its limits.`,
  rightCount: (seat: number) => `Seat ${seat} has three cards, which is the right number.`,
  lateMisdeal: (seat: number) => `Seat ${seat} has already decided: it's too late for a misdeal.`,
  lateHand: (seat: number) => `Seat ${seat} has already decided: its hand can't be void.`,
  lateDealer: "Every player has decided: the round can't be void.",
};
