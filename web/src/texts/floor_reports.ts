/** The floor's reports: what is asked for, the figures, and signing them. */
export const HEADING = "Reports";
export const NAMES: Record<string, string> = {
  collection: "Fees summed",
  fees: "Fee by fee",
  bankers: "Bankers",
  results: "Results",
  voids: "Void rounds",
  incidents: "Rulings",
  corrections: "Corrections",
  offers: "Bank offers",
};
export const CHOOSE = "Report";
export const PERIOD = "Period";
export const PERIODS: Record<string, string> = {
  shift: "This shift",
  last_shift: "Last shift",
  today: "Today",
  yesterday: "Yesterday",
  week: "Last 7 days",
  all: "Everything",
  own: "From and until",
};
export const FROM = "From";
export const UNTIL = "Until";
export const TABLE = "Table";
export const EVERY_TABLE = "Every table";
export const PLAYER: Record<string, string> = {
  collection: "Paid by",
  fees: "Paid by",
  bankers: "Banker",
};
export const ANY_PLAYER = "Player";
export const RATE = "Rate";
export const EVERY = "any";
export const SUMMED_BY = "Summed by";
export const GROUPS: Record<string, string> = {
  day: "Day",
  shift: "Shift",
  hour: "Hour",
  table: "Table",
  rate: "Rate",
  payer: "Payer",
  role: "Player or banker",
};
export const SHOW = "Show";
export const FIGURES = "Figures";
export const TOTAL = "Total";
export const NO_ROWS = "Nothing in this period.";
export const LEFT_OFF = (count: number) =>
  `${count.toLocaleString("en-US")} more rows are in the totals and in the CSV file, and not listed here.`;
export const DOWNLOAD_CSV = "Download CSV";
export const DOWNLOAD_PDF = "Download PDF";

// The drawing
export const plotLabel = (title: string) => `${title}, as bars. The table below has the numbers.`;
export const EXPECTED = "expected by the odds";
export const ERROR = "two standard deviations to each side";
export const LAST_BARS = (count: number) => `The last ${count} rows are drawn.`;

// Signing
export const SIGN = "Sign off…";
export const SIGN_TITLE = "Sign this report";
export const signSays = (title: string, words: string) => [
  `${title}. ${words}.`,
  "Your name, the time and the hash of the figures are kept.",
  "If the figures change later, the signature shows that it no longer holds.",
];
export const SIGN_CONFIRM = "Sign it";
export const NOTE = "Note";
export const signed = (n: number) => `Signature ${n} is kept.`;
export const OPEN_PERIOD = "A report can be signed when its period is over.";
export const SIGNATURES = "Signatures";
export const NO_SIGNATURES = "No report has been signed yet.";
export const COLUMNS = {
  n: "No.",
  time: "Signed",
  by: "By",
  report: "Report",
  period: "About",
  note: "Note",
  holds: "Figures",
} as const;
export const HOLDS = "Still the same";
export const BROKEN = "Have changed";
export const UNCHECKED = "Not checked";
export const CHECK = "Check every signature";
export const CHECKING = "Checking…";
export const period = (since: string, until: string) => `${since} to ${until}`;
