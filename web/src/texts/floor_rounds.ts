/** The floor's rounds, their corrections, and the players. */
import { dollars, tableTitle } from "../lib/text/format";

export const ROUNDS = "Rounds";
export const SEARCH = {
  TABLE: "Table",
  NUMBER: "Round",
  PLAYER: "Player",
  SINCE: "From",
  UNTIL: "Until",
  FIND: "Find rounds",
  ANY_TABLE: "Every table",
};
export const NO_ROUNDS = "No round matches.";
export const COLUMNS = {
  time: "Ended",
  round: "Round",
  banker: "Banker",
  players: "Players",
  wagered: "Bets",
  net: "Bank result",
  fees: "Fees",
  notes: "Notes",
} as const;
export const VOID = "Void";
export const ruled = (count: number) => (count === 1 ? "1 ruling" : `${count} rulings`);
export const corrected = (count: number) => (count === 1 ? "1 correction" : `${count} corrections`);
export const HOUSE = "the house";
export const roundAt = (table: string, round: number) => `${tableTitle(table)}, round ${round}`;

// A round
export const BACK = "All rounds";
export const ENDED = (time: string) => `Ended ${time}.`;
export const IS_VOID = (reason: string) =>
  `This round is void: ${reason}. All bets and fees were returned.`;
export const bankLine = (banker: string, net: string) => `${banker} banked: ${net}.`;
export const DEALER = "Dealer";
export const POCKET = (pocket: string) => `The ball landed on ${pocket}.`;
export const FACTS = "What was played";
export const PLACES = {
  seat: "Seat",
  player: "Player",
  cards: "Cards",
  bets: "Bets",
  move: "Move",
  net: "Result",
  fee: "Fee",
} as const;
export const MOVES: Record<string, string> = { play: "Played", fold: "Folded" };
export const NOT_SHOWN = "not shown";
export const HAND_VOID = "Hand void";
export const STEPS = "Step by step";
export const RULINGS = "Rulings";
export const CORRECTIONS = "Corrections";
export const SEE_TABLE = "See the table";
export const PROOF = "Verify this round";
export const FIXED = (why: string) => `This round can't be corrected: ${why}.`;
export const ASK = "Ask for a correction";
export const ASK_NOTE =
  "Say what should have been different. Cards and numbers follow from the seeds and can't be wrong.";
export const seen = (what: string) => `What was seen: ${what}.`;
export const WHOLE_ROUND = "The whole round should have been void";
export const HAND_SHOULD_BE_VOID = "Should have been void";
export const VOID_OF = (player: string) => `${player}'s hand should have been void`;
export const MOVE_OF = (player: string) => `${player}'s move`;
export const BET_OF = (player: string, spot: string) => `${player}'s ${spot}`;
export const MOVE_CHOICES: Record<string, string> = { play: "Play", fold: "Fold" };
export const SAME = "Nothing is different yet.";
export const AMOUNT_WRONG = "Enter amounts in dollars, such as 5 or 2.50.";
export const UNDO = "Start from the facts as played";
export const FACTS_NOW = "These are the facts of the last correction.";
export const PREVIEW = "What would move";
export const ASK_BUTTON = "Ask…";
export const ask = {
  title: (table: string, round: number) =>
    `Ask for a correction of round ${round} at ${tableTitle(table)}`,
  says: (bank: string) => [
    bank,
    "Nothing moves until another person approves it. You can withdraw it until then.",
  ],
  confirm: "Ask for it",
  done: (correction: number) => `Correction ${correction} waits for another person.`,
};
/** "The bank's result changes from +$5 to −$10." */
export const bankMoves = (before: string, after: string) =>
  before === after
    ? `The bank's result stays ${before}.`
    : `The bank's result changes from ${before} to ${after}.`;
export const ROUND_VOID = "The whole round becomes void.";

// What moves
export const MOVED = {
  seat: "Seat",
  player: "Player",
  bank: "From the bank",
  fees: "From fees",
  owed: "Owed",
  chips: "Chips",
  where: "Where",
} as const;
export const TO_SEAT = (seat: number) => `seat ${seat}`;
export const TO_BALANCE = "balance";
export const OWED_NOTE =
  "What is owed isn't covered by the payer's chips. A second correction with the same facts moves it later.";
export const AS_BANKER = "as banker";
export const NOTHING_MOVES = "Nothing moves.";

// The list of corrections
export const WAITING = "Waiting";
export const DECIDED = "Decided";
export const NONE_WAITING = "No correction is waiting.";
export const NONE_DECIDED = "No correction has been made or rejected yet.";
export const STATUS: Record<string, string> = {
  waiting: "Waiting",
  made: "Approved",
  rejected: "Rejected",
  withdrawn: "Withdrawn",
};
export const correctionOf = (correction: number, round: number, table: string) =>
  `Correction ${correction}: round ${round} at ${tableTitle(table)}`;
export const askedBy = (name: string, time: string) => `${name} asked at ${time}.`;
export const decidedBy = (status: string, name: string, time: string) =>
  status === "made" ? `${name} approved it at ${time}.` : `${name} rejected it at ${time}.`;
export const withdrawnBy = (name: string, time: string) => `${name} withdrew it at ${time}.`;
export const SHOULD_BE = "What should be different";
export const factVoid = "The whole round is void.";
export const factHandVoid = (player: string) => `${player}: the hand is void.`;
export const factMove = (player: string, move: string) => `${player}: ${move.toLowerCase()}.`;
export const factBets = (player: string, bets: string) => `${player}: ${bets}.`;
export const factNone = "Everything as it was played: earlier corrections are undone.";
export const SEE_ROUND = "See the round";
export const SEE_MOVES = "See what would move";
export const HIDE_MOVES = "Hide what would move";
export const APPROVE = "Approve…";
export const REJECT = "Reject…";
export const WITHDRAW = "Withdraw…";
export const OWN_NOTE = "You asked for this: another person has to approve it.";
/** Who made or changed a login: an empty name is the command line. */
export const waitNote = (from: string, maker: string, me: string, asker: string) =>
  `You can approve this from ${from} on, a day after ${maker === me ? "you" : maker || "the command line"} ` +
  `made or changed ${maker === me ? `the login of ${asker}` : !maker || maker === asker ? "your login" : "both your logins"}.`;
export const ROLE_NOTE = "An owner or the floor has to approve it.";
export const approve = {
  title: (correction: number) => `Approve correction ${correction}`,
  says: "The round is settled again with these facts alone: earlier corrections of it no longer hold. The difference moves at once. No round may be open at the table: pause it first.",
  confirm: "Approve it",
  done: (correction: number, moved: number) =>
    `Correction ${correction} is made. ${dollars(moved)} moved.`,
};
export const reject = {
  title: (correction: number) => `Reject correction ${correction}`,
  says: "Nothing moves. The round stays as it is.",
  confirm: "Reject it",
  done: (correction: number) => `Correction ${correction} is rejected.`,
};
export const withdraw = {
  title: (correction: number) => `Withdraw correction ${correction}`,
  says: "Nothing moves. You can ask again.",
  confirm: "Withdraw it",
  done: (correction: number) => `Correction ${correction} is withdrawn.`,
};

// Players
export const players = {
  HEADING: "Players",
  SEARCH: "Name",
  FIND: "Find",
  NONE: "No player matches.",
  COLUMNS: {
    player: "Player",
    balance: "Balance",
    seats: "At tables",
    total: "Total",
    state: "Account",
  } as const,
  GUEST: "guest",
  FROZEN: "Frozen",
  FREEZE: "Freeze…",
  THAW: "Unfreeze…",
  seat: (table: string, place: number, cents: number) =>
    `${tableTitle(table)}, seat ${place}: ${dollars(cents)}`,
  freezeLabel: (player: string) => `Freeze ${player}`,
  thawLabel: (player: string) => `Unfreeze ${player}`,
  freeze: {
    says: [
      "Bets that can still be withdrawn go back to them. A hand that is dealt is theirs to finish.",
      "Then they leave their tables with their chips. They can't sit down until you unfreeze the account.",
    ],
    confirm: "Freeze the account",
    done: (player: string) => `${player} is frozen.`,
  },
  holds: {
    hand: (table: string) =>
      `In a hand at ${tableTitle(table)}: they may finish it, then they leave with their chips.`,
    bets: (table: string) =>
      `In a round at ${tableTitle(table)}: when it is over, they leave with their chips.`,
    bank: (table: string) =>
      `Banking at ${tableTitle(table)}: when the round is over, they leave with their chips.`,
    prison: (table: string) =>
      `A bet in prison at ${tableTitle(table)}: the next spin decides it, then they leave with their chips.`,
  },
  thaw: {
    says: ["They can sit down and play again."],
    confirm: "Unfreeze the account",
    done: (player: string) => `${player} is no longer frozen.`,
  },
  MORE: (count: number) => `Only the first ${count} are listed: enter more of the name.`,
};
