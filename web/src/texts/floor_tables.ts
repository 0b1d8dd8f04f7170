/** The floor's tables: all of them at a glance, one of them, and opening another. */
import { dollars, tableTitle } from "../lib/text/format";

export const HEADING = "Tables";
export const OPEN_TABLE = "Open a table";
/** "9 people, 14 bots" */
export const company = (people: number, bots: number) =>
  `${people} ${people === 1 ? "person" : "people"}, ${bots} ${bots === 1 ? "bot" : "bots"}`;
export const NO_TABLES = "No table is open.";
export const COLUMNS = {
  table: "Table",
  state: "Now",
  banker: "Banker",
  round: "Round",
  pace: "Rounds an hour",
  people: "People",
  bots: "Bots",
  away: "Away",
  chips: "Chips",
  alarms: "Needs a look",
} as const;
export const PHASES: Record<string, string> = {
  between: "Between rounds",
  offering: "Bank is offered",
  betting: "Bets are open",
  revealing: "Seeds are shown",
  deciding: "Players decide",
  closed: "Closed",
};
/** Who banks where no player does. */
export const HOUSE = "the house";
/** On a phone: "Players decide. Round 12, 80 an hour. Ann banks." */
export const brief = (phase: string, round: number, perHour: number, banker: string | null) =>
  `${phase}. Round ${round}, ${perHour} an hour.${banker ? ` ${banker} banks.` : ""}`;
/** What needs a look, by its code: at a table, or in the whole room. */
export const ALARMS: Record<string, string> = {
  damaged: "Damaged: it can't go on",
  paused: "Paused",
  closing: "Closing after the round",
  change: "Fees or limits will change",
  correction: "A correction is waiting",
  away: "A player is away",
  no_banker: "Players wait for a banker",
  clock_stopped: "No clock: one person plays with bots",
  slow: "The disk is slow",
  books_behind: "The history is behind: reports and rounds may be incomplete",
};
/** Codes that are worth knowing and no reason to act. */
export const CALM = new Set(["clock_stopped"]);
export const ALL_WELL = "Nothing";
export const waiting = (count: number) =>
  count === 1 ? "1 correction is waiting" : `${count} corrections are waiting`;
export const SEE_CORRECTIONS = "See corrections";
export const PAUSED = "Paused";
export const closing = (reason: string) => `Closing: ${reason}`;
export const changesAt = (time: string) => `New fees or limits from ${time}`;

// Notices and damaged tables
export const NOTICES = "Notices to players";
export const NO_NOTICES = "No notice is posted.";
export const EVERYWHERE = "Everywhere";
export const POST_NOTICE = "Post a notice";
export const POST = "Post";
export const NOTICE = "Text";
export const EVERY_TABLE = "every table";
export const TAKE_DOWN = "Take down";
export const takeDown = (text: string) => `Take down the notice “${text}”`;
export const NOTICE_PLACEHOLDER = "What players should read";
export const noticePosted = (where: string) => `The notice for ${where} is posted.`;
export const TAKE_NOTICE_DOWN = "Take the notice down";
export const TAKE_DOWN_SAYS = "Players no longer see it.";
export const NOTICE_TAKEN = "The notice is taken down.";
export const noticeSays = (where: string) => `Players at ${where} see it at once.`;
export const DAMAGED = "Damaged tables";
export const DAMAGED_NOTE =
  "A damaged table can't go on. Abandoning it returns the chips that everyone had at its last good event.";
export const ABANDON = "Abandon…";
export const abandonTitle = (table: string) => `Abandon ${tableTitle(table)}`;
export const ABANDON_SAYS = [
  "The table is closed for good.",
  "Everyone gets the chips they had at its last good event, once.",
];
export const abandoned = (table: string, cents: number, unpaid: readonly string[]) =>
  `${tableTitle(table)} is abandoned. ${dollars(cents)} was returned.${
    unpaid.length ? ` Still unpaid, since their balances are damaged: ${unpaid.join(", ")}.` : ""
  }`;

// Processes
export const PROCESSES = "Processes of this room";
export const PROCESS_COLUMNS = { id: "Process", address: "Address", held: "Tables" } as const;
export const STOPPING = "stopping";
export const lag = (ms: number) => `Seen ${(ms / 1000).toFixed(1)} s ago.`;

// A table
export const TABS: Record<string, string> = {
  now: "Now",
  rulings: "Rulings",
  rules: "Fees and limits",
  rotation: "Bank",
  log: "Log",
};
export const TABS_OF = (table: string) => `About ${tableTitle(table)}`;
export const BACK = "All tables";
export const PAST_ONLY = "What happened here is under Log and Bank, and in its rounds.";
export const GONE = "This table is closed, or there is no such table.";
export const SEE_ROUNDS = "Its rounds";
export const AS_PLAYERS_SEE = "As players see it";
export const ACTS = "What you can do here";
export const acts = {
  pause: "Pause…",
  resume: "Resume…",
  close: "Close…",
  void: "Void the round…",
  rule: "Rule on an irregularity…",
  notice: "Post a notice…",
};
export const pause = {
  title: (table: string) => `Pause ${tableTitle(table)}`,
  says: ["The round under way is finished.", "No new round begins until you resume the table."],
  confirm: "Pause the table",
  done: (table: string) => `${tableTitle(table)} is paused.`,
};
export const resume = {
  title: (table: string) => `Resume ${tableTitle(table)}`,
  says: ["Rounds begin again at once."],
  confirm: "Resume the table",
  done: (table: string) => `${tableTitle(table)} is open again.`,
};
export const close = {
  title: (table: string) => `Close ${tableTitle(table)}`,
  says: (players: number) => [
    "The round under way is finished, then the table closes for good.",
    players === 1
      ? "The chips of 1 player return to their balance."
      : `The chips of ${players} players return to their balances.`,
  ],
  confirm: "Close the table",
  done: (table: string) => `${tableTitle(table)} closes after its round.`,
};
export const voidRound = {
  title: (round: number) => `Void round ${round}`,
  says: (held: number) => [
    `All bets and fees are returned: ${dollars(held)} on the table now, the bank included.`,
    "This can't be undone. Where a rule covers what happened, make a ruling instead.",
  ],
  confirm: "Void the round",
  done: (round: number) => `Round ${round} is void. Everything was returned.`,
};

// Now
export const ROUND = (round: number) => `Round ${round}`;
export const NO_ROUND = (next: number) => `Round ${next} is next`;
export const bankOf = (player: string, cents: number, fee: number) =>
  `${player} banks ${dollars(cents)}${fee ? `, fee ${dollars(fee)}` : ""}.`;
export const offeredTo = (player: string) => `The bank is offered to ${player}.`;
export const DEALER = "Dealer";
export const WAITS_FOR: Record<string, string> = {
  banker: "Waiting for a banker.",
  players: "Waiting for players.",
};
export const waitsFor = (names: string) => `Waiting for ${names}.`;
export const SEATS = {
  seat: "Seat",
  player: "Player",
  stack: "Chips",
  bets: "Bets",
  fee: "Fee",
  move: "Move",
  state: "State",
} as const;
export const SEATS_TITLE = "Seats";
export const NO_SEATS = "Nobody is seated.";
export const MOVES: Record<string, string> = { play: "Plays", fold: "Folds" };
export const BY_CLOCK = "by the clock";
export const READY = "Ready";
export const DECIDING = "Deciding";
export const VOID_HAND = "Void";
export const PLAYER_STATES = {
  banker: "banker",
  away: "away",
  aside: "sitting out",
  leaving: "leaving",
} as const;
export const ACCOUNTS = "Chips at this table";
export const ACCOUNT_NAMES: Record<string, string> = {
  stack: "stacks",
  held: "bets and bank of the round",
  fees: "fees",
};
export const TOTAL = "Total";
export const LAST_ROUND = (round: number) => `See round ${round}`;

// The log
export const LOG_COLUMNS = { time: "Time", round: "Round", what: "What happened" } as const;
export const LOG_EMPTY = "Nothing has happened yet.";

// The bank
export const TURNS = "Turns at the bank";
export const OFFERS = "Offers of the bank";
export const NO_TURNS = "Nobody has banked here yet.";
export const NO_OFFERS = "The bank hasn't been offered yet.";
export const TURN_COLUMNS = {
  player: "Banker",
  rounds: "Rounds",
  from: "From",
  lasted: "Lasted",
  net: "Bank result",
  fees: "Fees",
} as const;
export const OFFER_COLUMNS = {
  time: "Time",
  round: "Round",
  player: "Player",
  what: "Answer",
  cents: "Bank",
} as const;
export const roundsOf = (first: number, last: number, count: number) =>
  count === 1 ? `${first}` : `${first} to ${last}`;
export const ANSWERS: Record<string, string> = {
  offered: "Is asked",
  accepted: "Takes it",
  posted: "Takes it",
  declined: "Declines",
  unwanted: "Everyone has declined",
};

// Fees and limits
export const PENDING_NOTE =
  "A further change builds on the announced one, and its notice starts again.";
export const WITHDRAW = "Withdraw the announced change…";
export const withdraw = {
  title: "Withdraw the announced change",
  says: ["Fees and limits stay what they are now.", "Players see at once that it is withdrawn."],
  confirm: "Withdraw it",
  done: "The announced change is withdrawn.",
};
export const RATES = "Fees";
export const RATE_COLUMNS = {
  min: "Bets from",
  max: "to",
  player: "Player pays",
  banker: "Banker pays",
} as const;
export const rateField = (name: string, rate: number) => `${name}, rate ${rate}`;
export const ADD_RATE = "Add a rate";
export const REMOVE_RATE = "Remove";
export const removeRate = (rate: number) => `Remove rate ${rate}`;
export const LIMITS = "Limits";
export const LIMITS_NOTE = "The limits of the Ante are those of its fees.";
export const ANY_BET = "Every bet";
export const LEAST = "least";
export const MOST = "most";
export const limitField = (bet: string, end: string) => `${bet}, ${end}`;
export const LEAST_BANK = "Smallest bank";
export const RUNNING = "How it runs";
export const PACE = "Pace";
export const PACES: Record<string, string> = { quick: "Quick", normal: "Normal", slow: "Slow" };
/** "As now: 20 s to bet, 20 s to decide" */
export const paceNow = (bets: number, moves: number) =>
  `As now: ${bets / 1000} s to bet, ${moves / 1000} s to decide`;
export const SILENCE = "If a player's time runs out";
export const SILENCES: Record<string, string> = { fold: "they fold", play: "they play" };
export const CHANGE = "Change…";
export const NOTHING_CHANGED = "Nothing is different yet.";
export const AMOUNT_WRONG = "Enter amounts in dollars, such as 5 or 2.50.";
export const WILL_ANNOUNCE = "What will be announced";
export const change = {
  title: (table: string) => `Change ${tableTitle(table)}`,
  notice: (time: string, seconds: number) =>
    `Players are given ${seconds} seconds' notice: it holds for rounds that start after ${time}.`,
  atOnce: "It holds from the next round.",
  line: (name: string, old: string, now: string) => `${name}: ${now} instead of ${old}.`,
  announce: "Announce the change",
  make: "Change it",
  announced: (time: string) => `The change is announced. It holds for rounds after ${time}.`,
  made: "The change holds from the next round.",
};

// Rulings
export const WHAT_HAPPENED = "What happened?";
export const INCIDENTS: Record<string, string> = {
  misdeal: "A misdeal",
  exposed_player: "A player's card was exposed",
  exposed_dealer: "A down card of the dealer was exposed",
  player_gone: "A player is gone",
};
export const RULINGS: Record<string, string> = {
  play_on: "The hand plays on",
  void: "The round is void",
  redeal: "The round is dealt again",
  void_hand: "The hand is void",
  default_move: "The table's default move is made",
};
export const whoseHand = "Whose hand?";
export const CHOOSE_SEAT = "Choose a seat";
export const NOTHING_TO_RULE =
  "Nothing can be ruled on right now: rulings are made while players decide.";
export const NO_IRREGULARITIES =
  "This table's rulebook has no irregularities. Void the round instead.";
export const SEE_WHAT_FOLLOWS = "See what follows";
export const FOLLOWS = (clause: string, ruling: string) => `By ${clause}: ${ruling.toLowerCase()}`;
export const FOLLOW_COLUMNS = {
  seat: "Seat",
  player: "Player",
  returned: "Returned",
  fee: "Fees in that",
  then: "Then",
} as const;
export const REDEALT = "bets again";
export const PLAYS_ON = "plays on";
export const OUT = "out of the round";
export const clockStopped = (by: string | null, until: string) =>
  by === null
    ? `The clock is stopped until you are done, at the latest until ${until}. Players can see it.`
    : `${by} has stopped the clock, at the latest until ${until}. Players can see it.`;
export const CLOCK_RUNS = "The clock runs. It stops once a round, for two minutes.";
export const ASK_INSTEAD = "Ask for a correction…";
export const rule = {
  title: (round: number) => `Rule on round ${round}`,
  confirm: "Make the ruling",
  done: (round: number, clause: string, steps: readonly string[]) =>
    `Ruled in round ${round} by ${clause}. ${steps.join(". ")}`,
};
export const PAST_RULINGS = "Rulings at this table";
export const inThisRound = (what: string, clause: string, ruling: string, reason: string) =>
  `In this round: ${what}. ${clause}: ${ruling.toLowerCase()}. ${reason}`;
export const NO_RULINGS = "No ruling has been made here.";
export const PAST_COLUMNS = {
  time: "Time",
  round: "Round",
  what: "What happened",
  ruling: "Ruling",
  returned: "Returned",
  staff: "By",
  reason: "Reason",
} as const;
export const withSeat = (what: string, player: string, seat: number) =>
  `${what}: ${player}, seat ${seat}`;
export const BANKER_ROW = "banker";

// Open a table
export const NEW = {
  HEADING: "Open a table",
  FROM: "Rules",
  SHIPPED: "A standard rulebook",
  FILE: "A rulebook file",
  NAME: "Table name",
  RULEBOOK: "Rulebook",
  TEXT: "Text of the file (TOML)",
  READ_FILE: "Read a file",
  CHANGES: "Keys that are different",
  CHANGES_NOTE: "One on each line, such as “fees.notice_seconds = 120” or “seats = 7”.",
  BOTS: "Bots",
  BOTS_BANK: "Bots take the bank when it's offered to them",
  SEATS: "Seats",
  PACE: "Pace",
  SILENCE: "If a player's time runs out",
  LEAST_BANK: "Smallest bank, if different",
  AS_RULEBOOK: "as the rulebook says",
  REASON: "Reason, for the log",
  OPEN: "Open the table",
  opened: (table: string) => `${tableTitle(table)} is open.`,
  badLine: (line: string) => `“${line}” isn't a key and a value: write key = value.`,
};
