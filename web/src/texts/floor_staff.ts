/** The floor's staff: members, programs, sessions, and both logs. */
export const HEADING = "Staff";
export const TABS: Record<string, string> = {
  members: "Members",
  programs: "Programs",
  sessions: "Sessions",
  log: "Changes",
};
export const TABS_LABEL = "About the staff";

// Members
export const COLUMNS = {
  name: "Name",
  role: "Role",
  twoFactor: "Two-factor",
  since: "Since",
  acts: "Change",
} as const;
export const ON = "On";
export const OFF = "Off";
export const YOU = "you";
export const ROLE_OF = (name: string) => `Role of ${name}`;
export const FORMER = "Former members";
export const PASSWORD = "Set a password…";
export const passwordLabel = (name: string) => `Set a password for ${name}`;
export const TWO_FACTOR_OFF = "Two-factor off…";
export const twoFactorTitle = (name: string) => `Switch two-factor login off for ${name}`;
export const twoFactorLabel = (name: string) => `Two-factor off for ${name}`;
export const REMOVE = "Remove…";
export const removeLabel = (name: string) => `Remove ${name}`;
export const add = {
  HEADING: "Add a member",
  NAME: "Name",
  ROLE: "Role",
  PASSWORD: "First password",
  PASSWORD_NOTE: "Give it to them in person. With it they choose their own at their first login.",
  BUTTON: "Add",
  done: (name: string) => `${name} is on the staff.`,
};
export const role = {
  title: (name: string, role: string) => `Make ${name} ${role}`,
  says: (name: string, explained: string) => [explained, `${name} has it from the next request.`],
  confirm: "Change the role",
  done: (name: string, role: string) => `${name} is ${role} now.`,
};
/** "an owner", "a cashier", "the floor" */
export const ROLE_NAMES: Record<string, string> = {
  owner: "an owner",
  floor: "a member of the floor",
  cashier: "a cashier",
  auditor: "an auditor",
};
export const removal = {
  says: ["Their sessions end at once.", "Their name stays in the log and can't be given again."],
  confirm: "Remove from the staff",
  done: (name: string) => `${name} is no longer on the staff.`,
};
export const reset = {
  asks: "New password",
  says: [
    "Their sessions end at once.",
    "Give them the password in person. With it they choose their own at the next login, which tells them who set it.",
    "For a day the two of you count as one person: neither approves what the other asked for.",
  ],
  confirm: "Set the password",
  done: (name: string) => `${name} has a new password.`,
};
export const twoFactor = {
  says: ["Their password alone will be enough to log in.", "Do this only if they lost the device."],
  confirm: "Switch it off",
  done: (name: string) => `Two-factor login is off for ${name}.`,
};

// Programs
export const programs = {
  NOTE: "A program acts with a token. It can't rule, ask for corrections, approve them or sign.",
  COLUMNS: { name: "Program", role: "Role", since: "Since", state: "Token" } as const,
  TOKENS: "Tokens of programs",
  FIRST: "The server's first token",
  VALID: "Valid",
  REVOKED: "Revoked",
  REVOKE: "Revoke…",
  revokeLabel: (name: string) => `Revoke the token of ${name}`,
  revoke: {
    says: ["The program is refused from the next request on.", "The token can't be used again."],
    confirm: "Revoke the token",
    done: (name: string) => `The token of ${name} is revoked.`,
  },
  GRANT: "Grant a token",
  NAME: "Program",
  ROLE: "Role",
  REASON: "Reason",
  BUTTON: "Grant",
  granted: (name: string) => `The token of ${name}, shown only this once:`,
  TOKEN: "the token",
  HIDE: "I've copied it",
};

// The logs
export const log = {
  HEADING: "What the floor did",
  STAFF_HEADING: "Changes of the staff",
  COLUMNS: {
    time: "Time",
    who: "By",
    action: "What",
    subject: "Where",
    change: "Before and after",
    reason: "Reason",
  } as const,
  NONE: "Nothing yet.",
  program: (name: string) => `the program ${name}`,
  firstToken: (address: string) => `the first token, from ${address}`,
  COMMAND_LINE: "the command line",
  FIRST_TOKEN: "the first token",
  ACTIONS: {
    "open table": "Opened the table",
    "close table": "Closed the table",
    "void round": "Voided the round",
    "abandon table": "Abandoned the table",
    "disable table": "Paused the table",
    "enable table": "Resumed the table",
    "change rules": "Changed the rules",
    "announce change": "Announced a change",
    "withdraw change": "Withdrew the change",
    "post notice": "Posted a notice",
    "take notice down": "Took a notice down",
    "rule incident": "Made a ruling",
    "ask correction": "Asked for a correction",
    "approve correction": "Approved a correction",
    "reject correction": "Rejected a correction",
    "withdraw correction": "Withdrew a correction",
    "sign report": "Signed a report",
    freeze: "Froze the account",
    thaw: "Unfroze the account",
  } as Record<string, string>,
  /** Entries of a ruling that only stop the clock, or let it run again. */
  CLOCKS: {
    stopped: "Stopped the clock to rule",
    runs: "Started the clock again",
  } as Record<string, string>,
  YES: "yes",
  NO: "no",
  BEFORE: "before",
  AFTER: "after",
  NOTHING: "nothing",
  changes: (count: number) => (count === 1 ? "1 value" : `${count} values`),
};
