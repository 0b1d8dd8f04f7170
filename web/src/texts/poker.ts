/** What a table of Three Card Poker says: status line, buttons, seats, and the print on the felt. */
import { bareName, dollars, list, money, wagerName } from "../lib/text/format";

/** Names in a sentence: at most three, then how many more. */
export function names(players: readonly string[]): string {
  const bare = players.map(bareName);
  return bare.length > 3 ? list([...bare.slice(0, 2), `${bare.length - 2} more`]) : list(bare);
}

// The status line

export const status = {
  closed: "This table is closed.",
  youHave: (hand: string, up: string) => `You have ${hand}.${up ? ` Dealer shows ${up}.` : ""}`,
  showdown: "Dealer turns the cards.",
  payingOut: (first: string) => (first ? `Paying out, starting at ${first}.` : "Paying out."),
  offeredToYou: "Your turn to bank. Take it?",
  bankHint: "You can't lose more than you put up.",
  offeredTo: (player: string) => `${player} is deciding on the bank.`,
  noBanker: "No banker yet. Take the bank to start the round.",
  noPlayers: "Waiting for players.",
  takeSeat: "Take a seat to start.",
  betsOpen: "Place your bets.",
  bankOpen: "Your bank is open. Waiting for bets.",
  youAreIn: (waiting: string) => (waiting ? `You're in. Waiting for ${waiting}.` : "You're in."),
  waitingForBets: (waiting: string) => (waiting ? `Waiting for ${waiting}.` : "Waiting for bets."),
  dealtAgain: "Dealt again with the same bets: press Ready.",
  noMoreBets: "No more bets.",
  waitingForSeeds: "No more bets. Mixing the shuffle.",
  waitingFor: (waiting: string) => `Waiting for ${waiting}.`,
  deciding: "Players are deciding.",
  nextRound: "The next round starts in a moment.",
  youAreAway: "You missed your turn and sit out. Press “I'm back” to play.",
};

// Buttons and hints

export const controls = {
  label: "What you can do",
  full: "Every seat is taken. You can watch until one is free.",
  buyIn: "Buy in for",
  sit: "Sit",
  getChips: "Get play chips",
  play: "Play",
  fold: "Fold",
  putUp: "Put up",
  takeBank: "Take the bank",
  decline: "Pass",
  dealMeIn: "Deal me in",
  ready: "Ready",
  rebet: "Rebet",
  clear: "Clear",
  addChips: "Add chips",
  add: "Add",
  sitOut: "Sit out next round",
  back: "I'm back",
  leave: "Leave",
  leaving: "You'll leave after this hand. Your chips return to your balance.",
  outNext: "You'll sit out from the next round.",
  balance: (cents: number) => `Balance ${dollars(cents)}`,
  stackNow: (cents: number) => `You have ${dollars(cents)} at the table now.`,
  cost: (cents: number, fee: number) => `Bet ${money(cents)}${fee ? ` + ${money(fee)} fee` : ""}.`,
  playCosts: (cents: number, fee: number) =>
    `Playing costs ${money(cents)} more${fee ? ` + ${money(fee)} fee` : ""}.`,
  bankFee: (least: number, most: number) =>
    most === 0
      ? ""
      : `Banker's fee: ${least === most ? dollars(least) : `${dollars(least)} to ${dollars(most)}, by the biggest Ante. ${dollars(most)} is held until bets close`}.`,
  chooseChip: "Tap a chip, then tap Ante. Your bets count when time runs out, too.",
  chooseChipUntimed: "Tap a chip, then tap Ante. Take your time.",
  move: (move: string) => (move === "play" ? "Sending your Play" : "Sending your fold"),
  sending: "Sending",
  yourBet: "Sending your bet",
};

export const slipText = {
  most: (wager: string, cents: number) => `${wagerName(wager)} is ${dollars(cents)} at most.`,
  /** "Ante $1.00, Pair Plus $1.00. $2.00 in total." */
  piles: (piles: readonly [wager: string, cents: number][], total: number) =>
    `${piles.map(([wager, cents]) => `${wagerName(wager)} ${money(cents)}`).join(", ")}. ${money(total)} in total.`,
  takenBack: "Your chips are back in your hand.",
  alreadyIn: "You're already in this round.",
  returned: (why: string) => `Your chips were returned. ${why}`,
  tooLate: "Too late: your chips were returned.",
};

// Seats

export const seats = {
  list: "Seats",
  ownCards: "Your cards",
  take: (place: number) => `Take seat ${place}`,
  free: (place: number) => `Free: seat ${place}`,
  actionStarts: "Action starts here",
  bot: "bot",
  away: "away",
  sittingOut: "sitting out",
  leaving: "leaving",
  offered: "deciding on the bank",
  plays: "plays",
  folds: "folds",
  folded: "folded",
  decides: "deciding",
  ready: "ready",
  bets: "betting",
  handVoid: "void",
  void: "Void",
  banks: "banker",
  returned: (cents: number) => `${money(cents)} returned`,
  stack: "Stack",
  you: "You",
};

export const spots = {
  returned: "Returned",
};

// The dealer and the bank

export const dealer = {
  cards: "The dealer's cards",
  qualifier: (needs: string) =>
    needs === "none"
      ? "Every dealer hand qualifies"
      : `Dealer plays with ${needs === "pair" ? "a pair" : needs.replace("-high", " high")} or better`,
  bank: (banker: string, isYou: boolean) => (isYou ? "Your bank" : `${banker}'s bank`),
  left: "Left to cover bets",
};

// What is printed on the felt

export const print = {
  pays: (wager: string) => `${wagerName(wager)} pays`,
  bets: "Bets at this table",
  fee: "Fee",
  limits: (least: string, most: string) => (least === most ? least : `${least} to ${most}`),
};

// The column beside the felt

export const column = {
  label: "About this table",
  show: "Show panel",
  hide: "Hide panel",
  tabs: "Coach and last hand",
  coach: "Coach",
  hand: "Hand",
  menu: "Rules, fairness, history",
  about: "This table",
  log: "What happened",
  noRound: "The result of each hand appears here, with the rule behind every amount.",
  nothing: "Nothing yet.",
};

// The panel about the table

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

export const about = {
  odds: "Rules, odds and best strategy",
  limits: "Limits",
  together: (cents: number) => `All bets together: ${dollars(cents)} at most.`,
  pace: (bets: number, moves: number, folds: boolean) =>
    `${seconds(bets)} to bet, ${seconds(moves)} to decide. If time runs out, you ${folds ? "fold" : "play"}.`,
  untimed: "No clock runs while you play with bots only.",
  leastBank: (cents: number) => `A bank is ${dollars(cents)} or more.`,
  bots: (mayBank: boolean) =>
    `Bots belong to the room and play with chips it issues${mayBank ? "; they may bank" : ""}.`,
};
