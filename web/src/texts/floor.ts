/** The floor's page: its frame, logging in, your own account, and what every act says. */
export const TITLE = (screen: string) => `Queenhigh floor: ${screen}`;
export const FLOOR = "Floor";
export const NAVIGATION = "Floor";
export const SCREENS: Record<string, string> = {
  tables: "Tables",
  open: "Open a table",
  rounds: "Rounds",
  corrections: "Corrections",
  players: "Players",
  reports: "Reports",
  staff: "Staff",
  log: "Log",
  me: "Your account",
};
export const ROLES: Record<string, string> = {
  owner: "Owner",
  floor: "Floor",
  cashier: "Cashier",
  auditor: "Auditor",
};
/** What each role may do, in a sentence. */
export const ROLES_EXPLAINED: Record<string, string> = {
  owner: "An owner may do everything, and changes the staff.",
  floor: "The floor runs tables, rules on irregularities, approves corrections and signs reports.",
  cashier: "A cashier freezes accounts, asks for corrections and signs reports.",
  auditor: "An auditor sees everything and changes nothing.",
};
export const READ_ONLY = "You see everything on the floor and can't change anything.";
export const LOADING = "Loading…";
export const TRY_AGAIN = "Try again";
export const MORE = "Show more";
export const NOT_NEWEST = (problem: string) => `This may be out of date. ${problem}`;
export const SEAT = (place: number) => `Seat ${place}`;
export const NONE = "none";

// Log in
export const LOG_IN = "Log in to the floor";
export const LOG_IN_NOTE = "For the staff of this room. Players log in on the tables' page.";
export const NAME = "Name";
export const PASSWORD = "Password";
export const CODE = "Code";
export const CODE_NOTE = "The six digits that your authenticator shows now.";
export const NEW_PASSWORD = "Your own password";
export const NEW_PASSWORD_NOTE = "With the one above you can only choose this one.";
export const LOG_IN_BUTTON = "Log in";
export const LOG_OUT = "Log out";
export const welcome = (name: string) => `Logged in as ${name}.`;

// The first owner
export const FIRST_OWNER = "Set up the floor";
export const FIRST_OWNER_NOTE =
  "Nobody is on the staff yet. Make the first owner with the token that the server printed when it first started.";
export const TOKEN = "Token";
export const YOUR_NAME = "Your name";
export const MAKE_OWNER = "Become the owner";
export const PASSWORD_NOTE = "Choose one that you use nowhere else.";

// Acts
export const REASON = "Reason";
export const REASON_SEEN = "Players read it, and it's kept in the log with your name.";
export const REASON_NOTE = "It's kept in the log with your name.";
export const CANCEL = "Cancel";
export const PLEASE_WAIT = "Saving…";
export const DISMISS = "OK";

// Your own account
export const me = {
  PASSWORD: "Password",
  OLD_PASSWORD: "Your password now",
  NEW_PASSWORD: "New password",
  CHANGE_PASSWORD: "Change password",
  PASSWORD_CHANGED: "Your password is changed. Your other sessions have ended.",
  TWO_FACTOR: "Two-factor login",
  IS_ON: "On: logging in takes your password and a code.",
  IS_OFF: "Off: your password alone is enough to log in.",
  START: "Set up two-factor login",
  START_SAYS: "You get a key for your authenticator app, and confirm it with a first code.",
  START_NEXT: "Show the key",
  KEY_NOTE:
    "Scan this with your authenticator app, or add the key to it, then enter the code that it shows.",
  KEY_PICTURE: "QR code of the key",
  KEY_COPY: "the key",
  OPEN_APP: "Open in an authenticator app",
  CONFIRM: "Switch on",
  SWITCHED_ON: "Two-factor login is on.",
  SWITCH_OFF: "Switch off",
  SWITCH_OFF_TITLE: "Switch two-factor login off",
  SWITCH_OFF_SAYS: "Your password alone will be enough to log in.",
  SWITCHED_OFF: "Two-factor login is off.",
  SESSIONS: "Your sessions",
};

// Sessions
export const sessions = {
  MEMBER: "Member",
  FROM: "From",
  STARTED: "Started",
  SEEN: "Last seen",
  UNTIL: "Ends",
  CURRENT: "This session",
  END: "End session",
  endOf: (member: string, address: string) => `End session of ${member} from ${address}`,
  ended: (member: string) => `The session of ${member} has ended.`,
  NONE: "Nobody is logged in.",
};

// How long something lasts
export const lasts = {
  hours: (hours: number, minutes: string) => `${hours} h ${minutes} min`,
  minutes: (minutes: number) => `${minutes} min`,
  seconds: (seconds: number) => `${seconds} s`,
};
