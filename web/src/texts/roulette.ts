/** What a roulette table says: the status line, the layout, bets, results and numbers. */
import { list, money, sentence } from "../lib/text/format";
import { CHANCES, DOZENS } from "./names";

// The status line

export const CLOSED = "This table is closed.";
export const ROLLING = "No more bets. The ball is rolling.";
export const SENDING = "Sending your bets…";
export const EMPTY_TABLE = "Take a seat to start.";
export const OUT_AND_WAITING = "You're sitting out. Press I'm back to bet.";
export const NO_MORE_BETS = "No more bets.";
export const WAITING_FOR_SEEDS = "No more bets. Waiting for players' seeds.";
export const VOID = "This round is void. All bets were returned.";
export const OPENING = "Bets open in a moment.";
export const WATCHING = "Bets are open. Take a seat to play.";
export const LEAVING = "You'll leave after this spin. Your chips return to your balance.";
export const LEAVING_SOON = "You'll leave after this spin.";
export const SITTING_OUT = "You're sitting out.";
export const BETS_OPEN = "Bets are open.";
export const CHOOSE = "Bets are open. Choose a chip, then tap the layout.";
export const PLACED = "Your bets are in. Add more, or press Spin.";
export const READY_TIMED = "Press Spin, or wait: your bets count when time is up.";
export const READY = "Press Spin when you're ready.";
export const SENT_IN_TIME = "Time is almost up: your bets are placed.";
export const NOTHING_TO_SPIN = "Place a chip on the layout first.";

const OTHERS_NAMED = 2;
/** Whom the table waits for: "Ben and Cleo", "Ben, Cleo and 3 others". */
function namesOf(players: readonly string[]): string {
  const rest = players.length - OTHERS_NAMED;
  if (rest <= 0) return list(players);
  return list([...players.slice(0, OTHERS_NAMED), rest === 1 ? players.at(-1)! : `${rest} others`]);
}

export function waitingFor(players: readonly string[], hasBet: boolean): string {
  const own = hasBet ? "Your bets are in." : "You're sitting this spin out.";
  return players.length ? `${own} Waiting for ${namesOf(players)}.` : own;
}

export const tooFewChips = (stack: string, least: string, canAdd: boolean) =>
  `${stack ? `You have ${stack} here, and the minimum bet is ${least}.` : "You have no chips here."}${canAdd ? " Add chips to bet." : ""}`;

// Sitting down, chips, buttons

export const SEATS_TAKEN = "Every seat is taken. You can watch.";
export const ENTER_FIRST = "Enter with a name first, then take a seat.";
export const SIT_FIRST = "Take a seat first.";
export const WAIT_FOR_ROUND = "Bets are closed. Wait for the next round.";
export const ONE_MOMENT = "Your bets are being sent. One moment.";
export const UNDO_TO_CHANGE = "Your bets are placed. Press Undo to change them.";
export const UNDO_THIS_BET = "This bet is placed. Press Undo to change your bets.";
/** How a sentence ends about chips that came back. */
export const BACK = "back in your stack.";
export const closedTooEarly = (amount: string) =>
  `Bets closed before your ${amount} was placed. It is ${BACK}`;
export const tooPoor = (balance: string, least: string, isElsewhere: boolean) =>
  `Balance ${balance}. The minimum bet here is ${least}.${isElsewhere ? " Your other chips are at another table." : ""}`;

export const SIT = "Sit";
export const LEAVE = "Leave";
export const COME_BACK = "I'm back";
export const BUY_IN = "Buy in for";
export const ADD_CHIPS = "Add";
export const MORE_CHIPS = "Get more play chips";
export const UNDO = "Undo";
export const CLEAR = "Clear";
export const REBET = "Rebet";
export const DOUBLE = "Double";
export const SPIN = "Spin";
export const STAKED = "Bet";
export const STACK = "Stack";

// What a screen reader is told of changes

export const onSpot = (spot: string, amount: string) => `${spot}: ${amount}.`;
export const inAll = (amount: string) => `${amount} in total.`;
export const REBET_DONE = "Your last bets are back.";
export const DOUBLED = "Doubled.";
export const UNDONE = "Undone.";
export const CLEARED = "The layout is clear.";

// The layout and the wheel

export const LAYOUT = "Betting layout";
export const LAYOUT_KEYS =
  "Arrow keys move over the layout. Enter places a chip, Delete removes one. Each bet is described.";
export const MORE_BETS = "More bets";
export const HELD = "held";
export const WHEEL = "The wheel";
export const wheelAt = (pocket: string) => `The wheel: the ball is in ${pocket}`;
export const coversAndPays = (covers: string, pays: string) =>
  `${covers ? `, ${covers}` : ""}, pays ${pays}`;
export const spotLabel = (name: string, covers: string, pays: string, amount: string) =>
  `${name}${coversAndPays(covers, pays)}${amount ? `, ${amount} on it` : ""}`;

const KINDS: Record<string, string> = {
  straight: "One number",
  split: "Two numbers that touch",
  street: "Three numbers in a row",
  corner: "Four numbers that meet",
  line: "Two rows: six numbers",
  trio: "Three numbers that meet at a zero",
  first_four: "0, 1, 2 and 3",
  five: "0, 00, 1, 2 and 3",
};
const COUNTED = (count: number) => `${count} numbers`;

/** What kind of bet it is: "Two numbers that touch". */
export const betKind = (bet: string, count: number) => KINDS[bet] ?? COUNTED(count);
/** What it pays, with an example: "Pays 17 to 1: $1 wins $17". */
export const betPays = (pays: string, stake: string, wins: string) =>
  `Pays ${pays}: ${stake} wins ${wins}`;

const ON_ZERO: Record<string, string> = {
  la_partage: "On a zero you lose only half (la partage).",
  en_prison: "On a zero it is held for the next spin (en prison).",
};
/** What a zero does to an even-money bet, where it does not just take it. */
export const onZero = (rule: string) => ON_ZERO[rule] ?? "";

// The racetrack

export const RACETRACK = "Racetrack";
export const RACETRACK_HELP =
  "Numbers in wheel order. Choose one to bet on it and its neighbours, as straight-up bets.";
export const RACETRACK_KEYS =
  "Arrow keys move around the wheel. Enter places a chip on each number of the section.";
export const NEIGHBOURS = "Neighbours on each side";
export const neighboursLabel = (pocket: string, numbers: readonly string[], pays: string) =>
  `${pocket} and its neighbours: ${list(numbers)}, ${numbers.length} straight-up bets, each pays ${pays}`;
export const neighboursShort = (pocket: string, each: number) =>
  `${pocket} and ${each} ${each === 1 ? "neighbour" : "neighbours"} on each side`;
export const neighboursCost = (count: number, chip: string, total: string) =>
  `${count} × ${chip} = ${total}`;
export const neighboursPlaced = (pocket: string, count: number, total: string) =>
  `${pocket} and neighbours: ${count} bets, ${total} more.`;

// Bets and results

export const YOUR_BETS = "Your bets";
export const NO_BETS = "No bets yet. Choose a chip and tap the layout, or place a bet by name.";
export const TOTAL = "Total";
export const removeBet = (name: string) => `Remove ${name}`;
export const NOT_SENT = "not placed yet";
export const IS_PLACED = "placed";
export const nextSpinDoes = (what: string) => `The next spin ${what}.`;
export const BET_COLUMNS = { bet: "Bet", pays: "Pays", stake: "Stake", change: "Change" };

export const BY_NAME = "Place a bet by name";
export const BY_NAME_FIELDS = { bet: "Bet", numbers: "Numbers", amount: "Amount in dollars" };
export const ADD_BET = "Add";
export const pays = (text: string) => `Pays ${text}.`;

export const roundTitle = (round: number) => `Round ${round}`;
export const voidBecause = (reason: string) =>
  `This round is void: ${reason}. All bets were returned.`;
export const NO_BET_IN_ROUND = "You had no bet in this round.";
export const OTHERS = "Other players";
export { seatName as placeName } from "./names";

export const SECOND_ZERO: Record<string, string> = {
  half: "takes half of it",
  stay: "holds it again",
};
export const held = (amount: string, next: string) =>
  `is held: the next spin ${next.replace("it", `its ${amount}`)}`;
export const frees = (second: string) =>
  second ? `frees it, takes it, or on a zero ${second}` : "frees it or takes it";
export const wins = (amount: string) => `wins ${amount}`;
export const loses = (amount: string) => `loses ${amount}`;
export const losesPart = (lost: string, back: string) => `loses ${lost}, and ${back} is returned`;
export const returned = (amount: string) => `is returned: ${amount}`;
export const freed = (amount: string) => `is free: ${amount} is returned`;

export const youWon = (amount: string) => `You won ${amount}.`;
export const youLost = (amount: string) => `You lost ${amount}.`;
export const BROKE_EVEN = "You broke even.";
export const stillHeld = (amount: string) => `${amount} is held for the next spin.`;

// The verdict on the felt

export const VOID_HEADLINE = "Round void";
/** "17 black." */
export const landed = (pocket: string, colour: string) => `${pocket} ${colour}.`;
/** "Red loses $5.00, straight 17 wins $175.00." */
export const betList = (parts: readonly string[]) =>
  parts.length ? `${sentence(parts.map((part, n) => (n ? lower(part) : part)).join(", "))}.` : "";
export const allLose = (count: number) => `all ${count} bets lose`;
export const otherBets = (count: number, net: number) => {
  const bets = count === 1 ? "1 other bet" : `${count} other bets`;
  const amount = money(Math.abs(net));
  if (net > 0) return `${bets} ${count === 1 ? "wins" : "win"} ${amount}`;
  if (net < 0) return `${bets} ${count === 1 ? "loses" : "lose"} ${amount}`;
  return `${bets} ${count === 1 ? "comes" : "come"} out even`;
};
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

// Players

export const PLAYERS = "Players";
export const YOU = "You";
export const BOT = "bot";
export const betting = (amount: string) => `bets ${amount}`;
export const LEAVES = "leaving";
export const SITS_OUT = "sitting out";
export const AWAY = "away";
export const NO_BET = "no bet";
export const freeSeats = (free: number, all: number) => `${free} of ${all} seats free.`;
export const limits = (min: string, max: string, line: string) =>
  `${min} to ${max} on each bet. ${line}.`;

// Numbers

export const LAST_NUMBERS = "Last numbers, newest first";
/** "17, black, odd, low" */
export const numberInWords = (n: number, colour: string, odd: boolean, low: boolean) =>
  `${n}, ${colour}, ${odd ? "odd" : "even"}, ${low ? "low" : "high"}`;
export const numberAnd = (pocket: string, colour: string) => `${pocket}, ${colour}`;
export const STATISTICS = "Last numbers";
export const NO_NUMBERS = "No spins yet.";
export const spinsCounted = (count: number) =>
  count === 1 ? "The last spin" : `The last ${count} spins`;
export const NO_MEMORY = "The wheel has no memory: past spins say nothing about the next one.";
export const everySpin = (pockets: number) =>
  `On every spin each number has the same chance, 1 in ${pockets}, however often it came up.`;
export const usualMost = (spins: number, low: number, high: number) =>
  low === high
    ? `Streaks are normal: in ${spins} fair spins the most frequent number usually comes up ${low} times.`
    : `Streaks are normal: in ${spins} fair spins the most frequent number usually comes up ${low} to ${high} times.`;
export const STAT_COLUMNS = {
  group: "Group",
  count: "Came up",
  share: "Share",
  expected: "Expected",
};
export const GROUPS = {
  red: "Red",
  black: "Black",
  zero: "Zero",
  ...CHANCES,
  dozen1: DOZENS[0],
  dozen2: DOZENS[1],
  dozen3: DOZENS[2],
};
export const MOST_OFTEN = "Most often";
export const LEAST_OFTEN = "Least often";
export const timesEach = (count: number) => (count === 1 ? "1 time" : `${count} times`);
export const andMore = (count: number) => `and ${count} more`;
export const expectedEach = (expected: string) => `Expected for each number: ${expected}.`;
export const ALL_NUMBERS = "All of them, newest first";
