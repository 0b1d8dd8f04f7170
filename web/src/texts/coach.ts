/** What the coach says at a table, and the drill. */
import { dollars, list, money, wagerName } from "../lib/text/format";

type Move = "play" | "fold";

// What a decision was worth

export const LESS_THAN_A_CENT = "less than a cent";
export const ONE_ANTE = "1 Ante";
export const FEW_ANTES = "less than 0.001 Antes";
export const antes = (amount: string) => `${amount} Antes`;

export const SAME = "Playing and folding are worth exactly the same here.";
const OTHER = { play: "Folding", fold: "Playing" } as const;
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** "Folding would cost you $0.67 more on average." */
const otherCosts = (move: Move, cost: string) =>
  `${OTHER[move]} would cost you ${cost} more on average.`;
/** "Right. Folding would cost you $0.67 more on average." */
export const right = (move: Move, cost: string) => `Right. ${otherCosts(move, cost)}`;
export const rightIfCovered = (move: Move, cost: string) =>
  `Right, if the bank covers you. ${otherCosts(move, cost)}`;
/** "Close – folding was better by $0.02 on average." */
export const wrong = (move: Move, cost: string, close: boolean) => {
  const better = `${OTHER[move]} was better by ${cost} on average.`;
  return close ? `Close – ${lower(better)}` : better;
};
/** "Play. Folding would cost you $0.67 more on average." */
export const suggestion = (best: Move, cost: string) =>
  `${best === "play" ? "Play" : "Fold"}. ${otherCosts(best, cost)}`;
export const ifCovered = (says: string) => `If the bank covers you: ${lower(says)}`;
export const timeRanOut = (move: Move, says: string) =>
  `Time ran out and your hand was ${move === "play" ? "played" : "folded"}. ${says}`;
export const withReason = (says: string, reason: string) => `${says} ${reason}`;

// What the dealer may have

export const BEATS_YOU = "beats you";
export const DOES_NOT_QUALIFY = "doesn't qualify";
export const IN_NONE = "in none";
export const IN_EVERY_HAND = "in every hand";
export const FEWER_THAN_ONE = "fewer than 1";
export const MORE_THAN_99 = "more than 99";
export const often = (share: string) => `in ${share}`;
export const oftenOf100 = (share: string) => `in ${share} of 100 hands`;
export const does = (what: string, often: string) => `${what} ${often}`;
export const dealerDoes = (phrase: string, up: string) =>
  up ? `The dealer shows ${up} and ${phrase}.` : `The dealer ${phrase}.`;
export const dealerDoesBoth = (first: string, second: string, up: string) =>
  `${up ? `The dealer shows ${up},` : "The dealer"} ${first} and ${second}.`;
export const foldLosesSideBet = (bet: string) => ` A fold also gives up the ${wagerName(bet)} bet.`;

// The coach at a table

export const COACH = "Coach";
export const COACH_OFF = "The coach is off.";
export const OFF_WITH_PEOPLE = "Coach is off at tables with other people.";
export const TURN_ON = "Turn on";
export const TURN_OFF = "Turn off";
export const WEIGHING = "Working out both moves…";
export const DECIDE_FIRST = "Decide first – then I'll tell you.";
export const SIT_DOWN = "Sit down and I'll grade every decision.";
export const AFTER_EACH = "I'll grade every decision you make.";
export const noAnswer = (reason: string) => `No advice this time: ${reason}`;
export const ADVICE_FIRST = "Show advice before I decide";
export const spoken = (says: string, why: string) => `Coach: ${says} ${why}`.trim();
/** "You had a pair of tens against a king, with Ante $5.00 and Bonus $1.00." */
export const youHad = (hand: string, up: string, wagers: [string, number][]) =>
  `You had ${hand}${up ? ` against ${up}` : ""}, with ${list(wagers.map(([wager, stake]) => `${wagerName(wager)} ${money(stake)}`))}.`;

export const MOVES: readonly [Move, string][] = [
  ["play", "Play"],
  ["fold", "Fold"],
];
export const YOUR_MOVE_TOO = ", your move";
export const BETTER = "better";
export const BEST_STRATEGY = "Best strategy";
export const LOADING = "Loading…";

// Where the money went

export const WHERE_IT_WENT = "Where your money went";
export const THIS_VISIT = "This visit";
export const IN_THIS_BROWSER = "All visits";
export const PARTS = {
  price: (fees: boolean) => (fees ? "House edge and fees" : "House edge"),
  mistakes: "Mistakes",
  luck: "Luck",
} as const;
export const TOTAL = "Total";
export const RIGHT_DECISIONS = "Right decisions";
export const of = (count: number, all: number) => `${count} of ${all}`;
export const WHAT_ARE_THESE = "What are house edge, mistakes and luck?";
export const aboutParts = (fees: boolean) =>
  `House edge${fees ? " and fees" : ""} is what your bets cost on average with perfect play. Mistakes are what your other decisions cost on average, whether the hand won or lost. Luck is everything else. Over many hands it evens out. Hands that the bank might not cover aren't counted.`;

// The drill

export const DRILL_TITLE = "Queenhigh: Drill";
export const DRILL = "Drill";
export const drillOf = (game: string) => `Drill: ${game}`;
export const rulesOfTable = (table: string) => `the rules of table ${table}`;
export const ANOTHER_GAME = "Another game";
export const TRY_AGAIN = "Try again";
export const ABOUT_DRILL = "Close calls only. Play or fold – see at once what it cost.";
export const ABOUT_GAMES: Record<string, string> = {
  california: "Players bank. You see one dealer card before you decide.",
  house: "The house banks. You see only your own three cards.",
};
/** "So far 14 of 20 right. Cost per hand $1.05 at a $5 Ante." */
export const soFar = (right: number, hands: number, cost: string) =>
  `So far ${right} of ${hands} right. ${costPerHand(cost)}.`;
export const NOT_TRIED = "Not tried yet.";
export const DRILL_ANTE = 500;
export const COST_PER_HAND = "Cost per hand";
export const atAnAnte = `at a ${dollars(DRILL_ANTE)} Ante`;
export const costPerHand = (cost: string) => `${COST_PER_HAND} ${cost} ${atAnAnte}`;
export const SAMPLES = "Three hands like these, then seventeen more";
export const WOULD_YOU_PLAY = "Play or fold?";
export const START = "Start the drill";
export const aSample = (hand: string, up: string) =>
  `You have ${hand}${up && `, dealer shows ${up}`}`;

export const DEALER = "Dealer";
export const DEALERS_CARDS = "The dealer's cards";
export const YOUR_CARDS = "Your cards";
export const youHave = (hand: string, up: string) =>
  `You have ${hand}.${up ? ` The dealer shows ${up}.` : ""}`;
export const handAloud = (hand: string, cards: string, up: string) =>
  `You have ${hand}: ${cards}. ${up ? `The dealer shows ${up}. ` : ""}Play or fold?`;
export const WHAT_IT_WAS_WORTH = "What it was worth";
export const YOUR_MOVE = "Your move";
export const SEE_RESULTS = "See results";
export const NEXT_HAND = "Next hand";
export const KEYS = { next: "Enter", play: "P", fold: "F" } as const;
export const PLAY = "Play";
export const FOLD = "Fold";
export const allInAll = (right: number, hands: number, longest: number) =>
  `All in all: ${right} of ${hands} right, best streak ${longest}.`;

export const PROGRESS = "Progress";
export const HAND_NUMBER = "Hand";
export const RIGHT = "Right";
export const STREAK = "In a row";
export const marks = (number: number, state: "right" | "wrong" | "now" | "open") =>
  ({
    right: `Hand ${number}: right`,
    wrong: `Hand ${number}: wrong`,
    now: `Hand ${number}: now`,
    open: `Hand ${number}`,
  })[state];

export const rightOf = (right: number, hands: number) => `${right} of ${hands} right`;
export const yourMistakes = (cost: string, hands: number) =>
  `Your mistakes cost ${cost} in ${hands} hands.`;
export const YOUR_MISTAKES = "Your mistakes";
export const noMistakes = (hands: number) => `No mistakes: perfect play, ${hands} hands in a row.`;
export const AGAINST = "against";
/** "You folded queen-high against a king. Playing is better by 0.125 Antes." */
export const mistake = (move: Move, hand: string, up: string, cost: string) =>
  `You ${move === "play" ? "played" : "folded"} ${hand}${up ? ` against ${up}` : ""}. ${OTHER[move]} is better by ${cost}.`;
export const moreHands = (hands: number) => `Another ${hands} hands`;
