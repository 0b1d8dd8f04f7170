/** The floor's log in words: who acted, and what was different before and after. */
import { money, sentence } from "../text/format";
import { log as words } from "../../texts/floor_staff";
import { stamp } from "./times";

/** A value that changed: what it is called, if anything, and what it was and is. */
export interface Changed {
  name: string;
  before: string;
  after: string;
}

/** Keys whose values are cents. */
const CENTS = /(^|\.)(held|cents|least_bank|player|banker|min|max|owed|returned)$|^returned\./;
const MOST_TEXT = 90;

/** The sender of an act, as the log names it: a person, a program, or the first token. */
export function actor(by: string): string {
  if (by.startsWith("staff ")) return by.slice("staff ".length);
  if (by.startsWith("token ")) return words.program(by.slice("token ".length));
  const [, address] = /^floor from (.+)$/.exec(by) ?? [];
  if (address) return words.firstToken(address);
  return by === "floor" ? words.COMMAND_LINE : by;
}

/** What an entry of the log changed, a line for each value that differs. */
export function changesOf(before: unknown, after: unknown): Changed[] {
  const [old, now] = [flat(before), flat(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key))
    .map((key) => ({ name: nameOf(key), before: old.get(key) ?? "", after: now.get(key) ?? "" }));
}

/** What was done, in the words of the log, or as the server names it. */
export function actionWords(action: string, after: unknown = null): string {
  const { clock } = (after ?? {}) as { clock?: string };
  const said = clock === undefined ? words.ACTIONS[action] : words.CLOCKS[clock];
  return said ?? sentence(action);
}

/** The first digits of a hash are enough to compare. */
const HASH = /^(sha256:)?([0-9a-f]{12})[0-9a-f]{20,}$/;
/** Times are milliseconds, and no other number of the log is as large. */
const FIRST_TIME = 1_000_000_000_000;

/** A single value in words. */
function valueText(value: unknown, path: string): string {
  if (typeof value === "number") {
    if (value > FIRST_TIME) return stamp(value);
    return CENTS.test(path) ? money(value) : String(value);
  }
  if (typeof value === "boolean") return value ? words.YES : words.NO;
  const text = String(value);
  return short(text.replace(HASH, "$2…"));
}

const nameOf = (key: string) => key.replaceAll("_", " ").replaceAll(".", ", ");

function flat(value: unknown, path = "", into = new Map<string, string>()): Map<string, string> {
  if (value === null || value === undefined || value === "") return into;
  if (typeof value !== "object") return into.set(path, valueText(value, path));
  const first = Array.isArray(value) ? 1 : 0;
  for (const [key, item] of Object.entries(value as Record<string, unknown>)) {
    const name = first ? String(Number(key) + first) : key;
    flat(item, path ? `${path}.${name}` : name, into);
  }
  return into;
}

const short = (text: string) => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text);
