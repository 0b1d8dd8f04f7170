/** A player's own rounds: the list, the graph, replays, and the last rounds beside a table. */
import { dollars, list, money, sentence } from "../lib/text/format";

// A round in a line

export const voidLine = (reason: string) => `Void: ${reason}. All bets and fees were returned.`;
export const banked = (cents: number) => `You banked ${dollars(cents)}.`;
/** "Red and Straight 17. The ball landed on 23." */
export const spun = (bets: readonly string[], pocket: string) =>
  `${list(bets)}. The ball landed on ${pocket}.`;
const MOVED = { play: "played", fold: "folded" } as const;
/** "Queen-high, folded." "Ace-high, played. Dealer had king-high." */
export function playedLine(hand: string, move: "play" | "fold" | undefined, dealer: string) {
  return `${sentence(hand)}${move ? `, ${MOVED[move]}` : ""}.${dealer && ` Dealer had ${dealer}.`}`;
}
export const fee = (cents: number) => `fee ${dollars(cents)}`;
/** "Ante $20 ($10 returned)" */
export const stake = (spot: string, cents: number, aside: string) =>
  `${spot} ${dollars(cents)}${aside ? ` (${aside})` : ""}`;

// The screen

export const TITLE = "Queenhigh: your rounds";
export const HEADING = "Your rounds";
export const LOG_IN = "Your rounds are kept under your name. Log in to see them.";
export const NO_ROUNDS =
  "No rounds yet. Play a hand, and you'll find it here: its cards, every step and its proof.";
export const SEE_TABLES = "See the tables";
export const TABLE = "Table";
export const ALL_TABLES = "All tables";
export const TOTALS = "Your totals";
export const ROUNDS = "Rounds";
export const BEFORE_FEES = "Before fees";
export const FEES = "Fees";
export const TOTAL = "Total after fees";
export const TOTAL_HERE = "Total here after fees";
export const noRoundsAt = (table: string) => `You haven't played a round at ${table}.`;
export const MORE = "More rounds";
export const moreCame = (count: number) =>
  count === 1 ? "1 more round." : `${count} more rounds.`;
export const DOWNLOADS = "Downloads";
export const DOWNLOAD_JSON = "Download rounds (JSON)";
export const DOWNLOAD_PHH = "Download hand histories (PHH)";
export const CHOOSE_TABLE = "Choose one table to download its rounds as JSON.";
/** "A file has your last 1,000 rounds at this table." */
export const fileHolds = (count: number, here: boolean) =>
  `A file has your last ${count.toLocaleString("en-US")} rounds${here ? " at this table" : ""}.`;
export const LOADING = "Loading…";
export const TRY_AGAIN = "Try again";
export const roundAt = (round: number, table: string) => `Round ${round} at ${table}`;

// A row

export const RESULT = "Result: ";
export const where = (table: string, round: number) => `${table}, round ${round}.`;
export const REPLAY = "Replay";
export const replayRound = (round: number, table: string) => `Replay round ${round} at ${table}`;
export const VERIFY = "Verify";
export const CLOSE = "Close";
export const verifyRound = (round: number, table: string) => `Verify round ${round} at ${table}`;
export const closeProof = (round: number, table: string) =>
  `Close the proof of round ${round} at ${table}`;

// The graph

export const lastRounds = (count: number) => `Your last ${count.toLocaleString("en-US")} rounds`;
export const BEST = "Best";
export const WORST = "Worst";
export const NOW = "Now";
export const GRAPH = "Your result after each round";
export const LOOK_AT_ROUND = "Look at a round";
export const SHOW_NUMBERS = "Show the numbers";
export const HIDE_NUMBERS = "Hide the numbers";
export const NUMBERS = "The numbers of the graph";
/** "Round 3 at house: +$4.00, total +$12.00": the amounts stand apart from the words on screen. */
export const READING_TOTAL = "total";
export const reading = (round: string, came: string, total: string) =>
  `${round}: ${came}, ${READING_TOTAL} ${total}`;
export const COLUMNS = {
  when: "When",
  table: "Table",
  round: "Round",
  result: "Result after fee",
  fee: "Fee",
  total: "Total",
} as const;

// Beside a table

export const LAST_ROUNDS_HERE = "Your last rounds here";
export const LOG_IN_FIRST = "Log in first: rounds are kept under your name.";
export const NONE_HERE = "You haven't played a round at this table yet.";
export const roundLine = (round: number, played: string) => `Round ${round}. ${played}`;
export const FEE = "Fee";
/** "Stack $100.00 before, $109.00 after" */
export const stack = (before: number, after: number) =>
  `Stack ${money(before)} before, ${money(after)} after`;
export const replayHere = (round: number) => `Replay round ${round}`;

// A replay

export const FELT = "The felt";
export const FIRST = "First";
export const BACK = "Back";
export const NEXT = "Next";
export const LAST = "Last";
export const stepOf = (step: number, count: number) => `Step ${step} of ${count}`;
export const DEALER = "Dealer";
export const NOT_SPUN = "The wheel hasn't been spun.";
export const BALL_ON = "The ball is on";
export const PLAYS = "plays";
export const FOLDS = "folds";
export const YOU = "You";
export const YOU_BANK = "You bank";
export const banks = (player: string) => `${player} banks`;
export { seatName as place } from "./names";
export const THE_BANKER = "The banker";

// Its steps: `you` is whether the player's own

/** "You put …", "Cleo puts …" */
export const does = (player: string, you: boolean, verb: string) =>
  you ? `You ${verb}` : `${player} ${verb}s`;
export const posts = (does: string, cents: number) => `${does} ${money(cents)}.`;
export const BETS_OPEN = "Bets open. The table's seed is locked in.";
export const addsSeed = (does: string, seed: string) => `${does} the seed “${seed}”.`;
export const puts = (does: string, bets: readonly string[]) => `${does} ${list(bets)}.`;
export const on = (cents: number, spot: string) => `${money(cents)} on ${spot}`;
export const takesBack = (does: string, cents: number) => `${does} back ${money(cents)}.`;
export const noMoreBets = (fees: number) =>
  `No more bets.${fees ? ` ${money(fees)} in fees.` : ""}`;
export const DEALT = "Cards are dealt.";
export const youHave = (hand: string) => `You have ${hand}.`;
export const dealerShows = (cards: string) => `The dealer shows ${cards}.`;
export const dealerHas = (hand: string) => `The dealer has ${hand}.`;
export const plays = (does: string, cents: number) => `${does}: ${money(cents)} more.`;
export const folds = (does: string) => `${does}.`;
/** "The clock folds Cleo's hand." */
export const clockFolds = (whose: string) => `The clock folds ${whose} hand.`;
export const clockPlays = (whose: string, cents: number) =>
  `The clock plays ${whose} hand: ${money(cents)} more.`;
export const whose = (player: string, you: boolean) => (you ? "your" : `${player}'s`);
export const landsOn = (pocket: string) => `The ball lands on ${pocket}.`;
export const IN_PRISON = ", in prison since the last spin,";
export const settledLine = (player: string, wagers: readonly string[], feePaid: number) =>
  `${player}: ${list(wagers)}.${feePaid ? ` Fee ${money(feePaid)}.` : ""}`;
export const isVoid = (reason: string) =>
  `The round is void: ${reason}. All bets and fees are returned.`;
export const changeAnnounced = (reason: string) => `New fees or limits are announced: ${reason}.`;
export const changeWithdrawn = (reason: string) => `The announced change is withdrawn: ${reason}.`;
/** "Your stack: $100.00 before this round, $109.00 after it." */
export const stackMoved = (before: number, after: number) =>
  `Your stack: ${money(before)} before this round, ${money(after)} after it.`;
