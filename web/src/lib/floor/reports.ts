/** Reports: what is asked for, as the address keeps it, and how figures are written and drawn. */
import type { Report, ReportColumn } from "../../generated/server";
import { money } from "../text/format";
import { shiftOf, stamp, type Period } from "./times";

export type Cell = string | number | null;
export type Column = ReportColumn;
export type CellKind = Column["kind"];

export const REPORTS = [
  "collection",
  "fees",
  "bankers",
  "results",
  "voids",
  "incidents",
  "corrections",
  "offers",
] as const;
/** What each report may be summed by; the first is the usual way. */
export const GROUPS: Record<string, readonly string[]> = {
  collection: ["day", "shift", "hour", "table", "rate", "payer", "role"],
  bankers: ["day", "shift", "hour", "table"],
  results: ["day", "shift", "hour"],
};

/** What a report is about. */
export interface Filter extends Period {
  table?: string;
  player?: string;
  rate?: string;
  by?: string;
}

/** The reports that can be narrowed to a rate. */
export const HAS_RATE = new Set<string>(["collection", "fees"]);

// The address

/** How an address says that a report is of all rounds. */
const ALL = "all";

/** A filter as a part of the page's address; and back. */
export function written(filter: Filter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
  // Without anything this would be no part of an address.
  if (!given.length) return ALL;
  return new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
}

export function readFilter(text: string | undefined, now: Date): Filter {
  if (text === undefined) return shiftOf(now);
  const given = new URLSearchParams(text);
  const time = (key: string) => Number(given.get(key)) || undefined;
  const filter: Filter = { since: time("since"), until: time("until") };
  for (const key of ["table", "player", "rate", "by"] as const) {
    const value = given.get(key);
    if (value) filter[key] = value;
  }
  return filter;
}

/** The groupings of a filter that a report knows, in their order. */
export const groupsOf = (report: string, filter: Filter): string[] =>
  (GROUPS[report] ?? []).filter((group) => (filter.by ?? "").split(",").includes(group));

/** What the server is asked for: only what the report knows, with the time zone of days. */
export function asked(report: string, filter: Filter, zone: string): Record<string, Cell> {
  const { since, until, table, player, rate, by } = filter;
  return {
    since: since ?? null,
    until: until ?? null,
    table: table ?? null,
    player: player ?? null,
    rate: HAS_RATE.has(report) ? (rate ?? null) : null,
    by: report in GROUPS && by !== undefined ? groupsOf(report, filter).join(",") || null : null,
    zone,
  };
}

// Figures

export const isFigure = (kind: CellKind) => kind !== "text" && kind !== "time";

const minus = (text: string) => text.replace(/^-/, "−");

/** A cell in words: money with its currency, a real minus sign, nothing for nothing. */
export function cellText(value: Cell | undefined, kind: CellKind): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (kind === "cents") return money(Math.round(value));
  if (kind === "time") return stamp(value);
  if (kind === "share") return minus(`${(100 * value).toFixed(1)}%`);
  if (kind === "number") return minus(Number.isInteger(value) ? String(value) : value.toFixed(2));
  return minus(value.toLocaleString("en-US"));
}

// The drawing

/** A bar: where it ends, and for a result where it was expected, give or take two deviations. */
export interface Bar {
  label: string;
  value: number;
  expected?: number;
  error?: number;
}
export interface Plot {
  bars: Bar[];
  /** What the bars are. */
  title: string;
}

/** A plot has at most so many bars: the others are in the table. */
export const MOST_BARS = 31;
/** The column that each report draws. */
const DRAWN: Record<string, string> = { collection: "cents", bankers: "cents", results: "counted" };
/** Columns that name nothing. */
const HIDDEN = new Set(["digest", "rulebook"]);

/** What can be drawn of a report; nothing where a table says it better. */
export function plotOf(report: Pick<Report, "report" | "columns" | "rows">): Plot | null {
  const index = (key: string) => report.columns.findIndex((column) => column.key === key);
  const drawn = index(DRAWN[report.report] ?? "");
  if (drawn < 0 || !report.rows.length) return null;
  const [expected, error] = [index("theoretical"), index("sd")];
  const labels = report.columns
    .map((column, n) => ({ ...column, n }))
    .filter(({ kind, key }) => !isFigure(kind) && !HIDDEN.has(key));
  const bars = report.rows.slice(-MOST_BARS).map((row) => ({
    label: labels
      .map(({ n, kind }) => cellText(row[n], kind))
      .filter(Boolean)
      .join(", "),
    value: Number(row[drawn] ?? 0),
    ...(expected < 0
      ? {}
      : { expected: Number(row[expected] ?? 0), error: 2 * Number(row[error] ?? 0) }),
  }));
  return { bars, title: report.columns[drawn]!.title };
}

/** The ends of an axis that all bars fit on: round amounts, with nothing between them. */
export function axisOf(bars: readonly Bar[]): { least: number; most: number } {
  const ends = bars.flatMap(({ value, expected = value, error = 0 }) => [
    value,
    expected - error,
    expected + error,
  ]);
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const step = 10 ** Math.floor(Math.log10(Math.max(100, most - least)));
  return {
    least: -Math.ceil(-least / step) * step || 0,
    most: Math.ceil(most / step) * step || (least ? 0 : step),
  };
}
