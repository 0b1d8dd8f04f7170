/** What the odds page says: edges, rules to change, the best strategy, and the banker's book. */
import { dollars, gain, money } from "../lib/text/format";

// The page

export const PAGE_TITLE = "Queenhigh: Odds";
export const ODDS = "Odds";
export const RULEBOOK = "Rulebook";
export const rulesOfTable = (table: string) => `The rules of table ${table}`;
export const BEST_STRATEGY = "Best strategy";
export const LOADING = "Loading…";
export const NO_SERVER = "Can't reach the server. Retrying…";
export const TABS = { odds: "Odds", bank: "Bank" } as const;
export const TABS_LABEL = "Odds or bank";

// The edge

/** "4.30%": the edge, then the fee that comes on top of it. */
export const bankersEdge = (player: boolean, house: boolean) =>
  player ? "player's edge" : house ? "house edge" : "banker's edge";
/** "+ 20% fee at a $5 Ante" */
export const feeOnTop = (fee: string, cents: number, bet: string) =>
  `+ ${fee} fee at a ${dollars(cents)} ${bet}`;
export const exactEdgeOf = (bet: string) => `the exact edge of ${bet}`;
export const STANDARD_RULES = "standard rules";
export const RULES_OF_THIS_TABLE = "this table's rules";
/** "was 4.2964%", "standard 4.2964%" */
export const before = (edge: string, standard: boolean) =>
  `${standard ? "standard" : "was"} ${edge}`;
/** "+0.42 percentage points for the house" */
export const points = (share: string, side: string) => `+${share} percentage points for ${side}`;
export const THE_BANKER = "the banker";
export const THE_HOUSE = "the house";
export const THE_PLAYER = "the player";
export const NO_CHANGE = "no change";
/** "Ante: edge 4.2964%, +0.42 percentage points for the house." */
export const edgeAloud = (bet: string, edge: string, difference: string) =>
  `${bet}: edge ${edge}, ${difference}.`;

export const ELEMENT_OF_RISK = "Element of risk";
export const STANDARD_DEVIATION = "Standard deviation";
export const SKEW = "Skew";
export const WINS = "Wins";
export const PUSHES = "Pushes";
export const LOSES = "Loses";
export const HANDS_PLAYED = "Hands played";
export const dealsCounted = (count: string, wheel: boolean) =>
  `Exact: all ${count} ${wheel ? "ways the ball can land" : "deals"} counted.`;
export const ANTE_AND_PLAY =
  "Ante and Play together with the best strategy, for each unit of the Ante.";
export const payTableOf = (bet: string) => (bet === "ante" ? "Ante bonus pays" : "Pays");

// How results are spread

/** "What a $1 Ante wins or loses" */
export const whatOneWins = (bet: string) => `What $1 on ${bet} wins or loses`;
export const LOGARITHMIC = "Logarithmic scale";
export const HIDE_TABLE = "Hide the table";
export const SHOW_TABLE = "Show as a table";
export const GAIN = "Gain";
export const OF_ALL = { Deals: "Deals", Spins: "Spins" } as const;
export const SHARE = "Share";
export const ALL = "All";

// Changes

export const CHANGES = "Changes";
export const CHANGED = "Changed:";
export const TRY_IT =
  "Change a payout or a rule and see the exact edge at once. Edges count every deal; none is estimated.";
export const LAST_VALID = "These rules aren't valid yet. Showing the last valid odds.";
export const LAST_VALID_STRIP = "Last valid odds: these rules aren't valid yet.";
export const NO_ANSWER = "No answer yet. Showing earlier odds.";
export const COMMAND_LINE = "the command line";
export const CANNOT_REMOVE_PAY =
  "A payout can't be removed with --set. Download these rules as your own rulebook instead.";
export const RESET_ALL = "Reset all";
export const COPY_LINK = "Copy link";
export const LINK = "a link to these rules";
export const otherKey = (key: string, value: string) => `${key} is ${value}`;

export const payNameOf = (label: string) => `${label} pays`;
export const NOTHING = "nothing";
export const CHANGED_ALOUD = "Changed, ";
export const was = (value: string) => `was ${value}`;
export const RESET = "Reset";
export const resetTo = (name: string, value: string) => `Reset ${name.toLowerCase()} to ${value}`;
export const standard = (value: string) => `standard: ${value}`;
export const useSteps = (cents: number) => `Use bet steps of ${money(cents)}`;
export const pay = (value: string) => `pays ${value}`;
export const choiceChanged = (label: string, now: string, before: string) =>
  `${label} ${now} (was: ${before})`;
export const amountChanged = (label: string, now: string, before: string) =>
  `${label} ${now} instead of ${before}`;
export const payChanged = (what: string, now: string, before: string) =>
  `${what} pays ${now} (was ${before})`;
export const payOf = (bet: string, hand: string) => `${bet}: ${hand}`;

export const WRITE_A_PAY = "Write a payout such as 4 to 1.";
export const LARGEST_PAY = "The largest is 9,999,999 to 1.";
export const WRITE_AN_AMOUNT = "Write an amount such as $5 or $2.50.";
export const LESS_THAN_MINIMUM = "less than the minimum";
export const NO_MULTIPLE_OF = "isn't a multiple of";
export const about = (label: string, problem: string) => `${label}: ${problem}`;

// Rules to change

export const HOUSE_RULES = "House rules you can change";
export const ABOUT_HOUSE_RULES =
  "Where the document leaves something open, we chose a rule. Pick another one and see what it does to the edge.";
export const SET_BY_DOCUMENT = "Set by the document. Change it to experiment.";
export const otherAssumptions = (count: number) => `Other assumptions (${count})`;
export const RULES = "Rules";
export const sourceOf = (source: string, version: string) => `${source}. Version ${version}.`;
export const fullRules = (count: number) => `Full rules (${count})`;
export const limitsAndFees = (fees: boolean) => (fees ? "Limits and fees" : "Limits");
export const ABOUT_LIMITS =
  "Limits don't change the edge, which is a share of the bet. They decide which payouts come to whole cents.";
export const ABOUT_FEES = "Player fees come on top of every edge on this page.";

export const STEPS = "Bets go in steps of";
export const A_BET = "A bet";
export const atLeast = (bet: string) => `${bet} at least`;
export const atMost = (bet: string) => `${bet} at most`;
export const RATE_PARTS: readonly [key: string, name: string][] = [
  ["min", "from"],
  ["max", "to"],
  ["player", "player pays"],
  ["banker", "banker pays"],
];
export const ratePart = (number: number, part: string) => `Rate ${number}, ${part}`;
export const afterFold = (bet: string) => `${bet} after a fold`;
export const orBetter = (hand: string) => `${hand} or better`;

/** What each key of a rulebook decides. */
export const QUESTIONS: Record<string, string> = {
  up: "Dealer cards you see before deciding",
  qualifier: "The dealer qualifies with",
  royal_flush: "A-K-Q of one suit is",
  ace_low: "A-2-3 is",
  short_ante: "The Ante when the dealer doesn't qualify",
  tie: "Equal hands",
  zeros: "The wheel has",
  "zero.on_zero": "On a zero an even-money bet",
  "zero.second_zero": "A held bet that meets a zero again",
  "bank.coverage": "The bank is used up by",
  "bank.settle_order": "The bank pays",
  "bank.fold_uncovered": "A folded bet that the bank can't cover",
  "bank.first": "Action starts",
  "bank.rotation": "A player may bank for",
  "fees.fee_per": "A fee is paid",
  "fees.collect": "Fees are paid",
  "limits.scope": "A maximum applies to",
  "irregularities.misdeal": "After a misdeal",
  "irregularities.exposed_player": "After a player's card is exposed",
  "irregularities.exposed_dealer": "After a face-down dealer card is exposed",
  "fees.notice_seconds": "Seconds of notice before fees or limits change",
};

/** The values of those keys. */
export const READINGS: Record<string, Record<string, string>> = {
  up: { 0: "none", 1: "one", 2: "two" },
  qualifier: { none: "any hand", pair: "a pair or better" },
  royal_flush: { true: "a royal flush", false: "a straight flush" },
  ace_low: { true: "the lowest straight", false: "no straight" },
  short_ante: {
    ahead: "pays only if your hand is better",
    win: "always pays",
    push: "is always returned",
  },
  tie: { push: "push", win: "win for the player", lose: "lose" },
  zeros: { 1: "a single zero", 2: "a double zero", 3: "a triple zero" },
  "zero.on_zero": {
    lose: "loses",
    la_partage: "loses half (la partage)",
    en_prison: "is held for the next spin (en prison)",
  },
  "zero.second_zero": { lose: "loses", half: "loses half", stay: "stays held" },
  "bonus.on_fold": { forfeit: "is lost", resolve: "is settled on the hand" },
  "pair_plus.on_fold": { forfeit: "is lost", resolve: "is settled on the hand" },
  "ante_bonus.on_fold": { forfeit: "is not paid", pay: "is paid" },
  "bank.coverage": { action: "every amount won or lost", net: "its net loss" },
  "bank.settle_order": {
    seat: "seat by seat, side bets last",
    wager: "every Ante first, then every Play, then side bets",
    bonus_first: "seat by seat, side bets first",
  },
  "bank.fold_uncovered": { returned: "is returned", lost: "is lost" },
  "limits.scope": { each: "each bet", total: "all bets of a seat together" },
  "bank.first": {
    left: "with seat 1",
    button: "one seat further each round",
    drawn: "at a seat drawn by the shuffle",
  },
  "bank.rotation": {
    two_rounds: "two rounds while others are waiting",
    every_round: "one round",
    free: "as long as they like",
  },
  "fees.fee_per": {
    round: "once a round",
    wager: "on each bet",
    kind: "on each kind of bet that has a rate",
  },
  "fees.collect": { before: "before the deal", after: "after the deal" },
  "irregularities.misdeal": {
    void: "the round is void",
    redeal: "the round is dealt again with the same bets",
  },
  "irregularities.exposed_player": {
    play_on: "the hand plays on",
    void_hand: "that hand is void",
  },
  "irregularities.exposed_dealer": { void: "the round is void", play_on: "the round plays on" },
};

// The wheel

export const EVERY_BET = "Every bet";
export const BET = "Bet";
export const PAYS = "Pays";
export const EDGE = "Edge";
export const CHANGE = "Change";
export const SD = "SD";
export const LOOK_CLOSER = "Look closer at";

// The best strategy

export const POINT_AT_A_CELL = "Point at a cell, or use the arrow keys, to read it.";
export const PLAY = "Play";
export const playWith = (hand: string) => (hand.endsWith("better") ? "; fold anything less." : ".");
export const againstUp = (up: string) => `Against ${up}: play`;
export const PERFECT_PLAY = "This is perfect play.";
export const ruleCosts = (rule: string, chart: string) =>
  `This simple rule costs ${rule} of the Ante compared with perfect play${chart ? `, the chart ${chart}` : ""}.`;
export const TWO_UP =
  "With two dealer cards showing, the minimum hand depends on both; see the table.";
export const KEY = { play: "play", fold: "fold", line: "the line between", suits: "suits decide" };
export const STRATEGY_CHART = "Strategy chart: hands down, dealer's card across";
export const NO_CARD_UP = "no card is up";
export const ANTES = "Antes";
export const SHOW_EVERY_HAND = "Show every hand";
export const GROUP_HANDS = "Group hands that play alike";
export const STRATEGY_TABLE = "The strategy as a table";
export const aboutTable = (suits: boolean) =>
  `How much better playing is than folding, in Antes: above zero, play.${suits ? " A star: suits decide." : ""}`;
export const HAND = "Hand";
export const NO_CARD = "No card up";
export const UP_CARDS = "Up cards";
export const ALSO_PLAY = "Also play";
export const BUT_FOLD = "But fold";

export const against = (rank: string) => ` against ${/^[ae]/.test(rank) ? "an" : "a"} ${rank}`;
export { range } from "./names";
export const orLess = (rank: string) => `${rank}-high or less`;
export const highCard = (rank: string) => `${rank}-high`;
/** "a pair", "three of a kind" */
export const aHand = (hand: string) => (hand.startsWith("three") ? hand : `a ${hand}`);
export const PAIR_OR_BETTER = "pair or better";
export const A_PAIR_OR_BETTER = "a pair or better";
export const SAME_EITHER_WAY = "fold, worth the same";
export const cellShort = (move: string, amount: string, suits: boolean) =>
  `${suits ? "suits decide, mostly " : ""}${move}, ${amount} better`;
export const cellEqual = (hand: string) =>
  `${hand}: playing and folding are worth exactly the same. By convention, fold.`;
/** "Q-6-4 against a king: playing is worth 0.013 Antes less than folding." */
export const cellSentence = (hand: string, amount: string, plays: boolean) =>
  `${hand}: playing is worth ${amount} ${amount === "1.000" ? "Ante" : "Antes"} ${plays ? "more" : "less"} than folding`;
export const FULL_STOP = ".";
export const suitsDecide = (played: number, deals: number) =>
  ` on average. Suits decide${deals ? `: play in ${played} of ${deals} deals` : " here"}.`;

// The banker's book

export const BANK_TITLE = "The banker's book";
/** `exact`: the bank covers every bet, so that nothing has to be sampled. */
export const aboutBank = (exact: boolean) =>
  `What it is worth to bank a table where everyone plays the best strategy. ${exact ? "Mean and swing are exact." : "This bank can run out, so its figures come from a sample."}`;
export const SEATS = "Seats playing";
export const ANTE_EACH = "Ante each";
export const sideEach = (bet: string) => `${bet} each`;
export const BANK_SIZE = "Your bank";
export const COVERS_ALL = "covers everything";
export const ROUNDS_AN_HOUR = "Rounds an hour";
export const HOURS = "Hours";
export const seatsRange = (most: number) => `1 to ${most} seats.`;
export const betRange = (least: number, most: number) => `${dollars(least)} to ${dollars(most)}.`;
export const noFeeRange = (cents: number) => `No fee range has ${money(cents)}.`;
export const amountOf = (least: number) => `At least ${dollars(least)}, or leave it empty.`;
export const wholeNumber = (least: number, most: number) => `A whole number, ${least} to ${most}.`;

export const AVERAGE_ROUND = "Average round";
export const AFTER_FEE = "after the fee";
export const BEFORE_FEES = "no banker's fee";
export const SWING = "Usual swing";
export const ONE_SD = "one standard deviation";
export const MOST_YOU_LOSE = "Most you can lose";
export const inOneRound = (covered: boolean, fee: boolean) =>
  `${covered ? "in one round" : "your whole bank"}${fee ? ", before the fee" : ""}`;
export const RUNS_OUT = "Bank runs out";
export const OF_ROUNDS = "of rounds";
/** "± $0.06 at 95%, after the fee" */
export const withError = (error: number, fee: boolean) =>
  `${plusMinus(error)} at 95%, ${fee ? AFTER_FEE : BEFORE_FEES}`;
/** An error in cents, rounded up: a sample claims no more than it gives. */
export const plusMinus = (cents: number) => `± ${money(Math.ceil(cents))}`;
export const LOSING_NIGHT = "Losing night";
export const nightOf = (rounds: number) => `${rounds.toLocaleString("en")} rounds`;

export const feeTooHigh = (antes: string) =>
  `At these stakes the fee is more than the edge brings in. You need more than ${antes} in Antes a round to break even.`;
export const PLAYERS_AHEAD = "By these rules the players have the edge: banking loses on average.";
export const pays = (fee: string, mean: string) =>
  `The edge brings ${mean} a round; the fee takes ${fee}.`;
export const NO_FEE_TAKEN = "These rules charge the banker no fee.";

export const BOOK = "The book";
export const A_ROUND = "A round";
export const MONEY = "Money";
export const IN_ANTES = "Antes";
export const MEAN = "Mean before the fee";
export const BANKERS_FEE = "Banker's fee";
export const MEAN_AFTER_FEE = "Mean after the fee";
export const WORST_CASE = "Worst case, all seats win the most";
export const AN_HOUR = "An hour, after fees";
export const BREAK_EVEN = "Break even, Antes a round";
export const PLAYERS_EDGE = "Players lose, with their fees";
export const ofTheAnte = (share: string) => `${share} of the Ante`;
export const CORRELATION = "Correlation of two seats";
export const BANKROLL = "Bankroll for the night";
export const bankrollRisk = (risk: string) => `gone with a chance of ${risk}`;
export const NIGHT_TITLE = "A night at the bank";
export const nightPicture = (rounds: number, mean: string, low: string, high: string) =>
  `After ${rounds.toLocaleString("en")} rounds: ${mean} on average, two nights in three between ${low} and ${high}.`;
export const FAN_KEY = { mean: "average", usual: "two nights in three", wide: "19 nights in 20" };
export const aboutNight = (exact: boolean) =>
  exact
    ? "Mean and swing are exact; the chances for a whole night follow the normal curve, as in queenhigh bank."
    : "Mean and swing come from the sample; the chances for a whole night follow the normal curve. You put up the same bank every round.";

// A bank that can run out

export const FINITE_TITLE = "A bank that can run out";
/** In place of a figure that is being sampled, and of one that a bank does not have. */
export const NOT_YET = "…";
export const NONE = "–";
export const COVERED = "Covers every bet";
export const THIS_BANK = "This bank";
export const ABOUT_COLUMNS =
  "This bank comes from a sample, ± at 95%; the figures of a bank that covers every bet are exact.";
export const coversAll = (bank: number) =>
  `${dollars(bank)} covers every bet, even in the worst case, so the exact figures hold for it. You put up the same bank every round.`;
export const coversPart = (bank: number, worst: number) =>
  bank < worst
    ? `${dollars(bank)} covers part of the ${dollars(worst)} worst case.`
    : `${dollars(bank)} covers the worst case, but it also limits what you can win.`;
export const FINITE =
  "When the bank runs out, later seats get their bets back: you neither pay them nor win from them.";
export const EMPTY_BANK =
  "Enter your bank to see what happens when it can run out. These figures are for a bank that covers every bet.";
/** "A bank that covers every bet averages +$0.15 a round: about $4.94 more than this one." */
export const unlikeCovering = (exact: number, difference: number) =>
  `${covering(exact)}: about ${money(Math.abs(difference))} ${difference < 0 ? "more" : "less"} than this one.`;
export const sameAsCovering = (exact: number) =>
  `${covering(exact)}. This sample can't tell the two apart.`;
const covering = (exact: number) =>
  `A bank that covers every bet averages ${gain(Math.round(exact))} a round`;
export const SEAT = "Seat";
export const RESULT = "Result";
export const UNCOVERED = "Uncovered";
export const RETURNED = "Returned";
export const ALL_SEATS = "All";
export const ABOUT_SEATS =
  "What a round brings each seat before its fee, ± at 95%. Uncovered: rounds in which the bank did not cover all of a seat's bets. Returned: what it did not cover, on average.";
/** "A sample of 1,000,000 rounds with seed 7, played by the compiled engine." */
export const sampledFrom = (rounds: number, seed: number, engine: string) =>
  `A sample of ${rounds.toLocaleString("en")} rounds with seed ${seed}, played by the ${engine} engine.`;
export const REPEAT_SAMPLE = "This command gives the same figures, to the last cent:";
export const PREPARING =
  "The server is still compiling its fast engine, so this sample is small. A larger one follows in about a minute.";
export const COMMAND_TITLE = "On the command line";
export const BANK_COMMAND = "The exact book on the command line:";
export const BANK_WAITING = "Counting every pair of hands…";
export const retry = (reason: string) => `${reason} Retrying…`;
