/** What the log of a table of Three Card Poker says, and what is read aloud of it. */
import { money } from "../lib/text/format";

export const sitsDown = (player: string) => `${player} sits down.`;
export const hasLeft = (player: string) => `${player} has left.`;

export const YOUR_TURN_TO_BANK = "Your turn to bank. Take it?";
export const bankOfferedTo = (player: string) => `The bank is offered to ${player}.`;
/** "Round 7. Bets are open. Bo banks with $500.00." */
export const betsOpen = (round: number, banker = "") =>
  `Round ${round}. Bets are open.${banker && ` ${banker}`}`;
export const youBank = (cents: number) => `You bank with ${money(cents)}.`;
export const playerBanks = (player: string, cents: number) =>
  `${player} banks with ${money(cents)}.`;

export const NO_MORE_BETS = "No more bets.";
export const dealerShows = (cards: string) => `The dealer shows ${cards}.`;
/** "You have queen-high: queen of clubs, six of diamonds and four of hearts." */
export const youHave = (hand: string, cards: string) => `You have ${hand}: ${cards}.`;
export const PLAY_OR_FOLD = "Play or fold?";
export const TABLE_CLOSED = "The table is closed.";

/** "Round 7: Ann +$5.00, Cleo +$2.00." */
export const resultsOf = (round: number, results: readonly string[]) =>
  `Round ${round}: ${results.join(", ")}.`;
export const resultOf = (player: string, gained: string) => `${player} ${gained}`;
