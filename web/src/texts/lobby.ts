/** What the lobby, the log-in form and the form for a new table say. */
import { dollars, money, tableTitle } from "../lib/text/format";

// The first screen

export const PAGE_TITLE = "Queenhigh: Three Card Poker and roulette";
export const WHAT_THIS_IS = "Free Three Card Poker and roulette.";
export const WHY_HERE = "Exact odds, a coach, and a shuffle you can check.";
export const PLAY_NOW = "Play now";
export const STARTING = "Finding you a seat…";
export const HOW_TO_PLAY = "How to play in 60 seconds";
export const NO_SIGN_UP = "No sign-up, no real money, no clock while you practice.";
export const PLAY_MONEY =
  "Play money only. You can check every shuffle and every payout, here or with a program of your own.";
export const UNREACHABLE = "Can't reach the server. Retrying – your chips are safe.";

/** A name for a visitor who has none: "Guest 4821". */
export const guestName = (number: number) => `Guest ${number}`;
export const playingAs = (player: string) => `You're playing as ${player}.`;
export const CHANGE_NAME = "Change name";
export const NEW_NAME = "New name";
export const RENAME_HINT = "Your chips come along. Your history starts again under the new name.";
export const SAVE_NAME = "Save";
export const CANCEL = "Cancel";
export const renamed = (player: string) => `You're ${player} now.`;

// Logging in

export const YOUR_NAME = "Your name at the tables";
export const PASSWORD = "Password";
export const ENTER = "Enter";
export const LOG_IN = "Log in";
export const ENTER_AS_GUEST = "Enter as a guest";
export const HAVE_ACCOUNT = "I have an account";
export const GUEST_CHIPS = "You start with $5,000 in play chips.";
export const WELCOME_BACK = "Welcome back.";
export const welcome = (player: string, wallet: number) =>
  `Welcome, ${player}. You have ${money(wallet)}.`;

// The tables

export const TABLES = "Tables";
export const YOURS = "Yours";
export const OPEN_YOUR_OWN = "Open your own table";
export const NO_TABLES = "No tables are open right now.";
export const NO_TABLES_VISITOR = "Enter, then open the first one.";
export const SIT = "Sit";
export const WATCH = "Watch";
export const GO_BACK = "Go back";
export const CLOSE_TABLE = "Close my table";
export const youHave = (cents: number) => `You're seated with ${dollars(cents)}.`;
export const seatedElsewhere = (table: string, cents: number) =>
  `You're seated at ${tableTitle(table)} with ${dollars(cents)}.`;
export const openedBy = (owner: string) => `opened by ${owner}`;

/** What a stake may be: "Ante $5–100". */
export const stakeRange = (name: string, min: number, max: number) => `${name} ${range(min, max)}`;
export const EACH_BET = "Bets";

/** Two amounts: "$1–3", "$1", "$2.50–$10". */
export function range(min: number, max: number): string {
  const [low, high] = [dollars(min), dollars(max)];
  if (low === high) return low;
  const isWhole = (text: string) => !text.includes(".");
  return isWhole(low) && isWhole(high) ? `${low}–${high.slice(1)}` : `${low}–${high}`;
}

const FEE_BY: Record<string, string> = {
  round: " by Ante",
  wager: " by bet",
  kind: " by kind of bet",
};
export const NO_FEE = "No fee";
/** What a round costs a player in fees: "Fee $1–3 by Ante". */
export const feeRange = (least: number, most: number, per: string) =>
  `Fee ${range(least, most)}${least === most ? "" : (FEE_BY[per] ?? "")}`;
export const FEE_ON = "On";
export const FEE_PLAYER = "Player";
export const FEE_BANKER = "Banker";

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
/** How long players have: "20 s to bet, 15 s to decide". */
export const paceText = (bets: number, moves: number, decides: boolean) =>
  decides ? `${seconds(bets)} to bet, ${seconds(moves)} to decide` : `${seconds(bets)} to bet`;

/** Who has a seat: "3 of 7 seats taken, 2 by bots". */
export const seatsText = (taken: number, places: number, bots: number) =>
  `${taken} of ${places} seats taken${bots ? `, ${bots} by bots` : ""}`;

const botsReady = (bots: number) => (bots === 1 ? "1 bot ready" : `${bots} bots ready`);

export const CLOSES_SOON = "Closes after this round";
export const PAUSED = "Paused by the floor";
export const CHOOSING_BANKER = "Choosing a banker";
export const EMPTY = "Nobody here yet";
export const WAITING = "Waiting for players";
export const sitToStart = (bots: number) =>
  bots ? `Sit down to start · ${botsReady(bots)}` : "Sit down to start";
export const banks = (player: string) => `${player} is banking`;
export const bankedLast = (player: string) => `${player} banked last`;

// For dealers

export const DEALERS = "For dealers";
/** Screens, what they are called, and what one does there. */
export const DEALERS_TOOLS = [
  ["settle", "Settlement desk", "Enter a hand of real cards, read off every payout."],
  ["trainer", "Payout trainer", "Learn to pay a full table, level by level, against a clock."],
  ["sheets", "Sheets to print", "Rule cards, signs, strategy cards and felts of any game."],
] as const;

// Opening a table

export const NEW_TABLE = "Open a table";
export const TABLE_NAME = "Name";
export const RULEBOOK = "Rulebook";
export const DEFAULT_RULEBOOK = "California Three Card Poker";
export const SEATS = "Seats";
export const BOTS = "Bots";
export const PACE = "Pace";
export const PACES = { quick: "Quick", normal: "Normal", slow: "Slow" } as const;
export const FEES = "Fees";
export const ON_ZERO = "When zero comes up";
export const ZERO_RULES: Record<string, string> = {
  lose: "Even-money bets lose",
  la_partage: "La partage: even-money bets lose only half",
  en_prison: "En prison: even-money bets stay for one more spin",
};
export const BOTS_NEVER_BANK = "Bots never bank";
export const TABLE_NOTE =
  "Anyone in the room can join, and the table's link is an invitation. It closes after 30 minutes without players.";
export const OPEN_TABLE = "Open the table";
export const ownTable = (player: string | undefined) => `${player ?? "My"}'s table`;
