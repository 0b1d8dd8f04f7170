/** What a browser keeps of practice: by level, and the results as a sheet. */
import { isCount, isRecord, read, write } from "../ui/stored";
import { LEVELS } from "./levels";
import type { Mark } from "./run.svelte";

export interface LevelProgress extends Mark {
  rounds: number;
  /** The round with the largest share right; of equal ones the quickest. */
  best: Mark;
  last: Mark;
  /** The day of the last round, as 2026-11-19. */
  day: string;
}
/** By the number of the level. */
export type Progress = Readonly<Record<string, LevelProgress>>;

const KEY = "queenhigh.trainer.progress";

export const kept = (): Progress => {
  const saved = read<unknown>(() => localStorage, KEY, {});
  if (typeof saved !== "object" || saved === null) return {};
  return Object.fromEntries(Object.entries(saved).filter(([, each]) => isProgress(each)));
};
const keep = (progress: Progress) => write(() => localStorage, KEY, progress);
export const clear = () => keep({});

// What is kept may be of another version, or somebody else's writing.

const isMark = (mark: unknown): mark is Mark =>
  isRecord(mark) && [mark.asked, mark.right, mark.ms].every(isCount) && mark.asked !== 0;
const isProgress = (value: unknown): value is LevelProgress =>
  isRecord(value) &&
  isMark(value) &&
  isCount((value as Partial<LevelProgress>).rounds) &&
  isMark((value as Partial<LevelProgress>).best) &&
  isMark((value as Partial<LevelProgress>).last) &&
  typeof (value as Partial<LevelProgress>).day === "string";

const isBetter = (mark: Mark, other: Mark) => {
  const apart = mark.right * other.asked - other.right * mark.asked;
  return apart > 0 || (apart === 0 && mark.ms * other.asked < other.ms * mark.asked);
};

/** Return progress with another round in it. */
export function withRound(progress: Progress, level: number, mark: Mark, day: string): Progress {
  const before = progress[level];
  const { asked = 0, right = 0, ms = 0, rounds = 0, best = mark } = before ?? {};
  const now: LevelProgress = {
    rounds: rounds + 1,
    asked: asked + mark.asked,
    right: right + mark.right,
    ms: ms + mark.ms,
    best: isBetter(mark, best) ? mark : best,
    last: mark,
    day,
  };
  return { ...progress, [level]: now };
}

/**
 * Keep another round; another tab may have kept some since this one was opened. Return whether the
 * browser could store it.
 */
export const keepRound = (level: number, mark: Mark, day: string): boolean =>
  keep(withRound(kept(), level, mark, day));

/** Percent of the answers that are right, rounded down: 100 means all of them. */
export const percent = ({ asked, right }: Mark) => Math.floor((100 * right) / asked);
/** Seconds for an answer, to a tenth. */
export const secondsEach = ({ asked, ms }: Mark) => Math.round(ms / asked / 100) / 10;

/** A line of the sheet for each level that was practised. */
export interface SheetLine {
  level: number;
  progress: LevelProgress;
}
export const sheetOf = (progress: Progress): SheetLine[] =>
  LEVELS.flatMap(({ id }) => (progress[id] ? [{ level: id, progress: progress[id] }] : []));

/** A cell of a CSV file; a spreadsheet must not take a name for a formula. */
function cell(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Return the sheet as a CSV file. */
export function csvOf(name: string, progress: Progress, heads: readonly string[]): string {
  const rows = sheetOf(progress).map(({ level, progress: each }) => [
    name,
    level,
    each.rounds,
    each.asked,
    each.right,
    percent(each),
    secondsEach(each),
    percent(each.best),
    secondsEach(each.best),
    percent(each.last),
    secondsEach(each.last),
    each.day,
  ]);
  return [heads, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
