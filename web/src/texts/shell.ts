/** What the page says around the tables: header, settings, connection, clock, shortcuts. */

import { money } from "../lib/text/format";

export const CARD_FACE_DOWN = "a card face down";

// Header
export const SKIP = "Skip to content";
export const HOME = "Queenhigh, all tables";
export const APP = "Queenhigh";
export const NAVIGATION = "Main";
export const SCREENS = { tables: "Tables", odds: "Odds", drill: "Drill", history: "History" };
export const BALANCE = "Balance";
export const SOUND = "Sound";
export const LOADING_FAILED = "This part of the page didn't load. Check your connection, then";
export const RELOAD = "reload the page";

// Settings
export const SETTINGS = "Settings";
export const CHOICES = {
  theme: {
    title: "Theme",
    values: { auto: "System", light: "Light", dark: "Dark" },
  },
  deck: {
    title: "Deck",
    values: { two: "Two colours", four: "Four colours" },
  },
  coach: {
    title: "Coach",
    values: { practice: "Only with bots", always: "At every table", never: "Never" },
  },
};
export const SOUND_AND_VIBRATION = "Sound and vibration";
export const KEYBOARD_SHORTCUTS = "Keyboard shortcuts";
export const SAVE_ACCOUNT = "Save your account: set a password";
export const SAVE = "Save";
export const saved = (player: string) =>
  `Saved. Next time, log in as ${player} with your password.`;
export const LOG_OUT = "Log out";
export const LOG_OUT_ANYWAY = "Log out anyway";
export const loseGuest = (player: string, chips: number) =>
  `You haven't set a password. If you log out, ${player} and ${money(chips)} are gone for good.`;
export const FROZEN = "Your account is frozen. Ask the floor why.";
export const FROZEN_IN_A_HAND =
  "The floor has frozen your account. Finish this hand; then you leave with your chips.";
export const FROZEN_IN_A_ROUND =
  "The floor has frozen your account. When this round is over, you leave with your chips.";
export const STAFF = "Staff: go to the floor";
export const NOT_LOGGED_OUT = "Can't reach the server. You're still logged in.";

// Inviting
export const INVITE = "Invite a friend";
export const LINK = "Link to this table";
export const LINK_COPIED = "Link copied";
export const COPIED = "The link is copied.";
export const COPY_YOURSELF = "Copy the link from the field.";

// Announced fees and limits
const CHARGED: Record<string, string> = {
  round: "once a round",
  wager: "on each bet",
  kind: "on each kind of bet",
};
export const change = {
  none: "none",
  charged: (charged: string, collect?: string | null) =>
    `${CHARGED[charged] ?? charged}, ${collect} the start of play`,
  range: (least: string, most: string) => `${least} to ${most}`,
  rate: (player: string, banker: string) => `${player}, banker ${banker}`,
  fee: "Fee",
  feeOn: (wagers: string) => `Fee, ${wagers}`,
  feesAreCharged: "Fees are charged",
  leastBank: "Smallest bank",
  instead: (name: string, now: string, old: string) => `${name}: ${now} instead of ${old}.`,
  announced: (seconds: number) =>
    `Fees or limits change ${seconds ? `for rounds that start in ${seconds} seconds` : "from the next round"}.`,
  withdrawn: "The announced change of fees or limits is withdrawn.",
  inForce: "The announced fees and limits apply now.",
};
export const CHANGE_LABEL = "Announced change of fees or limits";
export const CHANGE_TITLE = "Fees or limits change";
export const changesFrom = (time: string) => `for rounds that start after ${time}`;
export const changesIn = (left: string) => `, in ${left}`;
export const CHANGES_NEXT_ROUND = "from the next round.";
export const changeReason = (reason: string) => `Reason: ${reason}.`;
export const OLD_AMOUNT = "from";
export const NEW_AMOUNT = "to";

// The player's turn
export const YOUR_TURN = (table: string) => `▶ Your turn – ${table}`;
export const TIME_LEFT = "time left";
export const SECONDS_LEFT = (seconds: number) =>
  seconds === 1 ? "1 second left." : `${seconds} seconds left.`;

// The connection
export const SEAT_SAFE = " Your seat is safe.";
export const BETS_SAFE = " Your seat and bets are safe.";
export const SOMEONE_ELSE = "Someone else has logged in here.";
export const RECONNECTED = "Reconnected.";
export const TOO_MANY_TABS =
  "Too many tabs are connected to this table. Close one; we'll keep trying.";
/** `what` is on its way: "Sending your bet". */
export const sending = (what: string) => `${what}…`;

// News of a table
export const PAUSED = "The floor has paused this table.";
export const RULING = "The floor is ruling on this round. The clock is stopped.";
export const rulesChange = (reason: string) => `The rules change after this round: ${reason}.`;
export const tableCloses = (reason: string) => `This table closes after this round: ${reason}.`;
export const seeFairness = (broken: string) => `${broken} See “Provably fair”.`;
export const ofRound = (round: number, text: string) => `Round ${round}: ${text}`;

// Shortcuts
export const SHORTCUTS_TITLE = "Keyboard shortcuts";
export const SHORTCUTS_OFF = "Shortcuts are off. Turn them on in the settings.";
export const KEY_NAMES: Record<string, string> = { " ": "Space", "12345": "1–5" };
export const SHORTCUT_TEXTS = {
  chip: "Choose a chip",
  ante: "Put it on Ante",
  side: "Put it on the side bet",
  deal: "Deal me in",
  spin: "Spin",
  rebet: "Rebet",
  clear: "Clear your bets",
  play: "Play",
  fold: "Fold",
  help: "Rules and shortcuts",
} as const;
