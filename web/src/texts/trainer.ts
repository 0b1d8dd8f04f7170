/** What the payout trainer says: levels, questions, answers and why they are right. */
import type { Ask } from "../lib/trainer/levels";
import type { Result } from "../lib/trainer/questions";
import { dollars, money, wagerName } from "../lib/text/format";

export const TITLE = "Payout trainer";
export const ABOUT =
  "Practice payouts as a dealer. A table is dealt, and you give each payout, push and fee in order of action. A run has ten rounds.";
export const ALL_LEVELS = "All levels";
export const NO_LEVEL = "There is no such level. Choose one from the list.";
export const NEEDS_ROOM =
  "The rules of this level aren't on this device yet. Connect once, then open the level again.";
export const LOADING = "Loading the rules…";

export const LEVEL_NAMES: Record<number, { title: string; about: string }> = {
  1: { title: "One seat", about: "One hand against the dealer: win, lose, push, or no qualifier." },
  2: { title: "Three seats", about: "Three hands against one dealer, one after another." },
  3: { title: "Fees", about: "Three seats with small and large Antes: payouts, then each fee." },
  4: { title: "Ten seats", about: "A full table. You also say which seat is next." },
  5: { title: "The bank runs out", about: "Bets are covered only in part, or not at all." },
  6: { title: "Bonuses", about: "The bonus bet, Pair Plus and the Ante bonus." },
  7: { title: "House game", about: "Seven seats against the house, with all of their bets." },
  8: { title: "Roulette, one bet", about: "One bet and one number: how many chips are paid?" },
  9: { title: "Roulette pictures", about: "All chips around the number, paid in one sum." },
};
export const levelTitle = (id: number) => `Level ${id}: ${LEVEL_NAMES[id]?.title ?? ""}`;
export const start = (id: number) => `Start level ${id}`;
export const START = "Start";
/** Only a rulebook that was changed can be the cause. */
export const noDeal = (level: number, aim: string) =>
  `Level ${level} can't deal a round with ${aim.replaceAll("_", " ")}. Reload the page.`;

// Progress

export const NOT_YET = "Not practiced yet";
/** "12 rounds, 93% right, 4.2 s an answer" */
export const progress = (rounds: number, share: number, seconds: number) =>
  `${rounds === 1 ? "1 round" : `${rounds} rounds`}, ${share}% right, ${seconds} s an answer`;
export const bestRound = (share: number, seconds: number) =>
  `Best round: ${share}% right, ${seconds} s an answer`;
export const CLEAR = "Delete my results";
export const CLEAR_CONFIRM = "Delete all results of the trainer from this device?";
export const RESULTS = "Results sheet";

// The round

export const roundOf = (round: number, rounds: number) => `Round ${round} of ${rounds}`;
export const scoreNow = (right: number, asked: number) => `${right} of ${asked} right`;
export const TIME = "Time of this round";
/** "1:05" */
export const clock = (ms: number) => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};
export const GAMES: Record<string, string> = {
  california: "California: a player banks",
  house: "House game: the house banks",
  "roulette-european": "European roulette, full layout",
};
export const TABLE = "The table";
export const bankLeft = (cents: number) => `${money(cents)} left in the bank`;
export const startsAt = (seat: number) => `Action starts at seat ${seat}`;
export const STARTS = "Start";
export const FOLDED = "Folded";
export const PLAYED = "Played";
export const HIDDEN_HAND = "Cards face down";
export const seatTitle = (seat: number) => `Seat ${seat}`;
/** "Ante $5" */
export const bet = (wager: string, cents: number) => `${wagerName(wager)} ${dollars(cents)}`;
export const QUESTION = "Question";

// Questions

export const ORDER = "Which seat is next?";
export const outcomeOf = (seat: number) => `Seat ${seat}: how does the hand end?`;
export const payGame = (seat: number) => `Seat ${seat}: pay how much on Ante and Play together?`;
export const takeGame = (seat: number) => `Seat ${seat}: take how much of Ante and Play together?`;
export const takeFold = (seat: number) => `Seat ${seat} folded: take how much of the Ante?`;
export const backOf = (seat: number) => `Seat ${seat}: how much goes back without cover?`;
export const BACK_HINT =
  "Count the part of a lost bet without cover, and each bet that the bank doesn't get to. A paid bet's stake doesn't count.";
export const anteBonusOf = (seat: number) => `Seat ${seat}: pay how much Ante bonus?`;
export const sideOf = (seat: number, wager: string, cents: number) =>
  `Seat ${seat}: pay how much on ${wagerName(wager)} ${dollars(cents)}?`;
export const ZERO_HINT = "Enter 0 if nothing is paid.";
export const feeOf = (seat: number, ante: number) =>
  `Seat ${seat}: which fee for an Ante of ${dollars(ante)}?`;
export const bankFee = (ante: number) =>
  `Which fee for the banker? The largest Ante is ${dollars(ante)}.`;
export const chipsOn = (pocket: string) => `The ball is on ${pocket}. How many chips do you pay?`;
export const CHIPS_HINT = "Count winnings only, not the chips that stay. Enter 0 if all bets lose.";

export const RESULT_NAMES: Record<Result, string> = {
  win: "Player wins",
  lose: "Dealer wins",
  push: "Push",
  short: "Dealer doesn't qualify",
  used_up: "Bank used up",
};
export const RESULT_KEYS: Record<Result, string> = {
  win: "W",
  lose: "L",
  push: "P",
  short: "N",
  used_up: "B",
};

// Answering

export const AMOUNT = "Amount in dollars";
export const CHIPS = "Chips";
export const OK = "Enter";
export const BACKSPACE = "Delete the last digit";
export const POINT = "Decimal point";
export const KEYPAD = "Number pad";
export const seatKey = (seat: number) => `Seat ${seat}`;
export const NOT_AMOUNT = "Type an amount, then press Enter.";
export const NOT_CHIPS = "Type a whole number of chips, then press Enter.";
export const KEYS_ORDER = "Keys: 1 to 9 for a seat, 0 for seat 10.";
export const keysOutcome = (results: readonly Result[]) =>
  `Keys: ${results.map((each) => `${RESULT_KEYS[each]} ${RESULT_NAMES[each].toLowerCase()}`).join(", ")}.`;
export const KEYS_AMOUNT = "Keys: digits, then Enter.";
export const NEXT = "Next";
export const NEXT_ROUND = "Next round";
export const SEE_SUMMARY = "See summary";

// Answers

export const RIGHT = "Right.";
export const rightAnswer = (answer: string) => `Right: ${answer}.`;
export const wrong = (given: string) => `Wrong: you answered ${given}.`;
export const rightIs = (answer: string) => `The right answer: ${answer}.`;
export const LAST_ANSWER = "Last answer";
export const seatAnswer = (seat: number | string) => `seat ${seat}`;
export const resultAnswer = (result: Result) =>
  RESULT_NAMES[result].charAt(0).toLowerCase() + RESULT_NAMES[result].slice(1);
export const chipsAnswer = (chips: number) => (chips === 1 ? "1 chip" : `${chips} chips`);
export const centsAnswer = (cents: number) => money(cents);
export const byClause = (id: string, words: string) => `${id}: ${words}`;

// Why

export const turnsOf = (first: number, seats: readonly number[]) =>
  `Action starts at seat ${first} and goes clockwise. Still to settle: ${seats.join(", ")}.`;
export const handOf = (seat: number, hand: string) => `Seat ${seat} has ${hand}.`;
export const duel = (dealer: string, seat: number, hand: string) =>
  `${dealer}. ${handOf(seat, hand)}`;
/** What a settled seat came to, as its dealer did it. */
export const moved = (net: number) =>
  net ? (net > 0 ? `Paid ${money(net)}` : `Took ${money(-net)}`) : "Even";
export const WHY = "Why?";
export const RULES = "Rules of this game";
export const USED_UP = "Nothing is left of the bank before this hand, so its bets have no action.";
/** "Ante $5.00 + Play $5.00 = $10.00" */
export const sumOf = (parts: readonly string[], total: number) =>
  parts.length > 1 ? `${parts.join(" + ")} = ${money(total)}.` : `${parts[0] ?? money(total)}.`;
export const part = (wager: string, cents: number) => `${wagerName(wager)} ${money(cents)}`;
export const partOf = (wager: string, cents: number, stake: number) =>
  `${wagerName(wager)} ${money(cents)} of ${money(stake)}`;
export const bankHad = (cents: number) => `The bank has ${money(cents)} left.`;
export const paysHand = (wager: string, hand: string, pays: string) =>
  `${wagerName(wager)} pays ${hand} ${pays}.`;
export const paysNothing = (wager: string, hand: string) =>
  `${wagerName(wager)} pays nothing for ${hand}.`;
export const FORFEIT = "The hand folded, so this bet is lost.";
/** "$5.00 × 30 = $150.00" */
export const product = (stake: number, pays: string, total: number) =>
  `${money(stake)} × ${pays.replace(" to 1", "")} = ${money(total)}.`;
export const feeFor = (ante: number, fee: number) =>
  `An Ante of ${money(ante)} has a fee of ${money(fee)}.`;
export const bankFeeFor = (ante: number, fee: number) =>
  `The banker pays ${money(fee)}, by the largest Ante of ${money(ante)}.`;
/** "Split 17 and 20: 3 × 17 = 51" */
export const pile = (bet: string, chips: number, pays: string, total: number) =>
  `${bet}: ${chips} × ${pays.replace(" to 1", "")} = ${total}`;
export const chipSum = (parts: readonly number[], total: number) =>
  parts.length > 1 ? `Sum: ${parts.join(" + ")} = ${total}.` : "";
export const NO_WINNER = "No bet covers this number.";
export const pileAloud = (bet: string, chips: number) =>
  `${bet}: ${chips === 1 ? "1 chip" : `${chips} chips`}`;
export const BETS_DOWN = "Chips on the layout";
export const PICTURE = (pocket: string) => `The layout. The ball is on ${pocket}.`;

// Ends

export const roundOver = (round: number, right: number, asked: number, time: string) =>
  `Round ${round}: ${right} of ${asked} right in ${time}.`;
export const ALL_RIGHT = "Every answer was right.";
export const MISTAKES = "What to look at again";
export const mistake = (what: string, given: string, right: string) =>
  `${what} You answered ${given}. The right answer: ${right}.`;
export const WHOLE = "The whole settlement";
export const UNSTORED = "This browser can't store results. This round isn't in yours.";
export const SUMMARY = "Summary of ten rounds";
export const total = (right: number, asked: number, share: number, seconds: number) =>
  `${right} of ${asked} right (${share}%), ${seconds} seconds an answer.`;
export const AGAIN = "Ten more rounds";
export const nextLevel = (id: number) => `Go to level ${id}`;
export const ROUND = "Round";
export const RIGHT_HEAD = "Right";
export const TIME_HEAD = "Time";

// The sheet

export const SHEET = "Results of the payout trainer";
export const SHEET_ABOUT = "Type a name, then print the sheet or download it as a CSV file.";
export const NAME = "Name";
export const nameLine = (name: string) => `Name: ${name}`;
export const printedOn = (day: string) => `Printed on ${day}`;
export const PRINT = "Print";
export const DOWNLOAD = "Download (CSV)";
export const NO_RESULTS = "There are no results on this device yet. Finish a round first.";
export const HEADS = {
  level: "Level",
  rounds: "Rounds",
  answers: "Answers",
  right: "Right",
  seconds: "Seconds an answer",
  best: "Best round",
  last: "Last round",
  day: "Last day",
} as const;
export const share = (percent: number) => `${percent}%`;
export const shareAndTime = (percent: number, seconds: number) => `${percent}%, ${seconds} s`;
export const CSV_HEADS = [
  "name",
  "level",
  "rounds",
  "answers",
  "right",
  "percent_right",
  "seconds_an_answer",
  "best_percent_right",
  "best_seconds_an_answer",
  "last_percent_right",
  "last_seconds_an_answer",
  "last_day",
];

const ASK_KINDS: Record<Ask | "chips", string> = {
  order: "Order of action.",
  outcome: "End of the hand.",
  amount: "Ante and Play.",
  back: "Bets without cover.",
  ante_bonus: "Ante bonus.",
  side: "Bonus bet.",
  fee: "Fee.",
  bank_fee: "Banker's fee.",
  chips: "Chips to pay.",
};
/** "Seat 3. Ante and Play." */
export const about = (ask: Ask | "chips", seat: number | undefined) =>
  seat === undefined || ask === "order" ? ASK_KINDS[ask] : `Seat ${seat}. ${ASK_KINDS[ask]}`;
