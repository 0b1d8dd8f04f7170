/** What the page says about a table's rules: marks, fees, the rule card, and the help at a table. */
import type { FeeSchedule, PostedRate } from "../generated/server";
import { dollars, wagerName } from "../lib/text/format";

// House rules

/** How far a table's rules are from the standard ones, if its game has any. */
export function differText(count: number | null | undefined, isCustom = false): string {
  const points = count === 1 ? "1 point" : `${count} points`;
  if (count === null || count === undefined) return "Custom rulebook";
  if (isCustom) return count ? `Custom rulebook: differs in ${points}` : "Custom rulebook";
  return count ? `House rules differ in ${points}` : "Standard rules";
}

export const LOADING = "Loading…";
export const STANDARD_RULES = "This table plays by the standard rules.";
export const CUSTOM_RULES = "This table has its own rulebook.";
export const nothingToCompare = (title: string) =>
  `“${title}” is a custom rulebook, so there are no standard rules to compare it with.`;
export const customButSame = (title: string, standard: string) =>
  `“${title}” is a custom rulebook. It plays by the standard rules of ${standard}.`;
export const playsBy = (title: string) => `This table plays by the standard rules of ${title}.`;
export const comparedWith = (title: string) =>
  `Standard → this table, compared with the standard rules of ${title}.`;
export const STANDARD_VALUE = "standard: ";
export const VALUE_HERE = "here: ";
export const oddsHere = (isRoulette: boolean) =>
  isRoulette ? "Odds here" : "Odds and best play here";
export const PRACTICE_RULES = "Practice with these rules";
export const OTHER_SHEETS = "Signs, strategy card and felt";
export const PRINT_CARD = "Print rule card";
export const DOWNLOAD_RULEBOOK = "Copy as your own rulebook";
export const RULEBOOK_FILE = "rulebook.toml";

export const tableStart = (table: string, differs: string) => `${table}: ${differs}`;
export const FIGURES_HERE = "Every figure below uses this table's rules.";
export const FIGURES_COMPARED =
  "Every figure below uses this table's rules, with the standard ones beside it.";
export const BACK_TO_TABLE = "Back to the table";
export const SEE_TABLES = "See the tables";

// Edges

export const EDGES = "The edge of every bet";
export const BET = "Bet";
export const EDGE_HERE = "Edge here";
export const STANDARD = "Standard";
export const NOT_OFFERED = "not offered";
export const EVERY_BET = "Every bet";
export const THE_BANKER = "the banker";
export const THE_HOUSE = "the house";
export const YOU = "you";
export const betterFor = (points: string, side: string) => `${points} points better for ${side}`;

// Fees

/** What a rate is charged on: "Ante $5 to $100", "each bet $5 to $100", "Bonus". */
export function rateText(per: string, rate: PostedRate): string {
  const what =
    per === "wager" ? "each bet" : wagerName(per === "kind" ? (rate.on ?? "ante") : "ante");
  return rate.min && rate.max ? `${what} ${dollars(rate.min)} to ${dollars(rate.max)}` : what;
}

const PER: Record<string, string> = {
  round: "You pay once a round, by the size of your Ante.",
  wager: "You pay for each bet by its size: Ante, Play and side bets.",
  kind: "You pay for each kind of bet; kinds that aren't listed are free.",
};

/** Whether Play pays a fee of its own. */
const chargesPlay = ({ per, rates }: FeeSchedule) =>
  per === "wager" || (per === "kind" && rates.some((rate) => rate.on === "play"));

/** How fees are charged: on what, how much a round comes to, and when. */
export function feeText(schedule: FeeSchedule): string {
  const { per, charged, least, most, collect } = schedule;
  const amount = `${least === most ? "" : `${dollars(least)} to `}${dollars(most)}`;
  const when =
    collect === "after"
      ? "Fees are taken after the cards are dealt."
      : `Fees are taken before the cards are dealt${chargesPlay(schedule) ? "; the fee on Play when you play" : ""}.`;
  return `${PER[per] ?? `You pay ${charged}.`} A round costs you ${amount} in fees. ${when}`;
}

export const FEES = "Fees";
export const POSTED_FEES = "Posted fees";
export const CHARGED_ON = "Charged on";
export const PLAYER = "Player";
export const BANKER = "Banker";
export const BANKER_PAYS = "The banker pays once a round, by the largest Ante.";
export const NO_FEES = "None.";

// Digests

export const DIGESTS = [
  { name: "Rules", about: "the same for every rulebook with the same rules" },
  { name: "Document", about: "of the rulebook's own text; proofs name it" },
] as const;
export const digestLine = (name: string, about: string) => `${name} digest, ${about}:`;
export const digestName = (name: string) => `the ${name.toLowerCase()} digest`;

// The rule card

export const cardTitle = (table: string) => `Queenhigh: rule card of ${table}`;
export const PRINT = "Print";
export const TO_TABLE = "Back to the table";
export const PLAY_MONEY = "Play money only";
export const WHAT = "What";
export const AT_THIS_TABLE = "At this table";
export const CLAUSE = "Clause";
export const ANTE_AND_PLAY = "Ante and Play";
export const DEALER = "Dealer";
export const YOUR_HAND = "Your hand";
export const ANTE = "Ante";
export const PLAY = "Play";
export const BETS = "Bets";
export const NUMBERS = "Numbers";
export const PAYS = "Pays";
export const LIMITS = "Limits";
export const LEAST_BANK = "Smallest bank";
export const EACH_BET = "Each bet";
export const HERE = "Here";
export const NONE = "–";
export const edgeFor = (bank: string) => `Edge for ${bank}`;
export const EXACT = "Exact: every deal counted, with best play, before fees.";
export const CLAUSES = "Full rules, clause by clause";
export const source = (date: string, source: string, name: string, version: string) =>
  `${date}. ${source}. Rulebook ${name}, version ${version}.`;
export const rulesDigest = (digest: string) => `Rules digest ${digest}`;
export const documentDigest = (digest: string) => `Document digest ${digest}`;
export const paysTitle = (wager: string) => `${wager} pays`;
export const limitRange = (min: number, max: number) => `${dollars(min)} to ${dollars(max)}`;

// Help at a table

export const HELP = "How this table works";
export const CLOSE = "Close";
export const GOAL = "The idea";
export const POKER_GOAL =
  "You and the dealer each get three cards. Bet that your hand is better, or fold it.";
export const HAND_ORDER = "Hands, best first";
export const A_ROUND = "A round";
export const QUALIFIES = "What “qualifies” means";
export const THE_BANK = "The bank";
export const TIME = "Time and being away";
export const CHIPS = "Your chips";
export const STACK_AND_BALANCE =
  "Your stack is what you have at this table. Your balance is the rest: when you leave, your stack returns to it.";
export const MORE = "More";
export const FULL_CARD = "Full rule card";
export const ODDS_AND_STRATEGY = "Odds and best strategy";
export const ODDS = "Odds";
export const LEARN = "How to play in 60 seconds";

/** A class of hands: its name, and what it is. */
export const HAND_KINDS: Record<string, [name: string, about: string]> = {
  royal_flush: ["Royal flush", "ace, king and queen of one suit"],
  straight_flush: ["Straight flush", "three in a row, one suit"],
  three_of_a_kind: ["Three of a kind", "three of one rank"],
  straight: ["Straight", "three in a row"],
  flush: ["Flush", "three of one suit"],
  pair: ["Pair", "two of one rank"],
  high_card: ["High card", "anything else; the highest card counts, then the next"],
};

export const aceLow = (isLow: boolean) =>
  isLow
    ? "Ace-king-queen is the best straight, ace-two-three the lowest."
    : "Ace-king-queen is the best straight. Ace-two-three is no straight.";

export const betAnte = (limits: string, required: boolean) =>
  required ? `Bet an Ante, ${limits}.` : `Bet an Ante, ${limits}, or only the side bet.`;
export const sideBet = (name: string, limits: string) =>
  `Optional: ${name}, ${limits}. It pays for your own three cards, whatever the dealer has.`;
/** What becomes of a side bet when its player folds. */
export const sideBetOnFold = (name: string, isForfeit: boolean) =>
  isForfeit ? `If you fold, you lose ${name} too.` : `If you fold, ${name} is still paid.`;
export const seeCards = (up: number) =>
  up === 0
    ? "Look at your three cards. The dealer's stay face down."
    : `Look at your three cards and ${up === 1 ? "one" : "two"} of the dealer's.`;
export const PLAY_OR_FOLD =
  "Play: put up a second bet as large as your Ante. Fold: give up your Ante.";
export const anteBonus = (hands: string) =>
  `Ante bonus: ${hands} pay extra on your Ante, even if the dealer's hand is better.`;

/** What the dealer needs: "The dealer needs queen-high or better to qualify." */
export function qualifierText(qualifier: string): string {
  if (qualifier === "none") return "Every dealer hand qualifies, so hands are always compared.";
  const needs = qualifier === "pair" ? "a pair" : qualifier;
  return `The dealer needs ${needs} or better to qualify, that is, for your Play bet to count.`;
}
export const SETTLEMENT = "What happens to Ante and Play";

export const bankText = (foldsWhole: boolean) =>
  `One player is the bank in each round: the bank pays winners and keeps what losers bet, up to the amount put up${foldsWhole ? ", and what a folded hand bet in full" : ""}. The bank passes round the table; you can always decline.`;
export const leastBank = (cents: number) => `A bank is at least ${dollars(cents)}.`;
export const IRREGULAR = "If a round goes wrong";
export const byClause = (clause: string, id: string) => `${clause} (${id})`;
export const HOUSE_BANKS = "You play against the house.";

const seconds = (ms: number) => `${Math.round(ms / 1000)} seconds`;
export const pokerClock = (bets: number, moves: number, folds: boolean) =>
  `With other people you have ${seconds(bets)} to bet and ${seconds(moves)} to decide. If time runs out, your hand ${folds ? "folds" : "plays"}.`;
export const wheelClock = (bets: number) =>
  `With other people you have ${seconds(bets)} to bet before each spin.`;
export const NO_CLOCK = "No clock runs while you're the only person at the table.";
export const AWAY =
  "If you lose the connection or miss your turn, you sit out from the next round. Your seat is held for ten minutes.";

export const WHEEL_GOAL =
  "Put chips on numbers or groups of numbers. The ball picks one; every bet that covers it wins.";
export const wheelPockets = (zeros: number) =>
  `The wheel has the numbers 1 to 36 and ${["no zero", "one zero", "two zeros", "three zeros"][zeros]}.`;
export const wheelLimits = (limits: string) => `Each bet is ${limits}.`;
export const ON_ZERO: Record<string, string> = {
  lose: "On zero, every bet that doesn't cover it loses.",
  la_partage: "La partage: on zero, even-money bets lose only half.",
  en_prison:
    "En prison: on zero, even-money bets stay for one more spin, and win only their stake back.",
};
