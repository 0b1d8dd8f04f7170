/** The rules that a desk settles by; this browser keeps them, so that it works without the room. */
import { games } from "../coach/drill";
import { api, call } from "../net/api";
import { keptAnswer } from "../net/kept";
import type { PokerRules } from "../net/rulebook";
import { isRecord } from "../ui/stored";

/** What a desk needs of a rulebook. */
export type DeskBook = Pick<PokerRules, "document" | "betting" | "clauses">;

export interface DeskGame {
  name: string;
  title: string;
}

const GAMES = "queenhigh.desk.games";
const keyOf = (name: string) => `queenhigh.desk.rules.${name}`;
/** Of a table: its address within the desk. */
export const nameOfTable = (table: string) => `table/${table}`;

/** Whether a value has the parts of a rulebook's rules. */
export function isDeskBook(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { document, betting, clauses } = value;
  if (!isRecord(document) || !isRecord(betting) || !Array.isArray(clauses)) return false;
  return Array.isArray(document["settlement"]) && isRecord(betting["wagers"]);
}

const isGame = (value: unknown) =>
  isRecord(value) && typeof value["name"] === "string" && typeof value["title"] === "string";
const areGames = (value: unknown) => Array.isArray(value) && value.every(isGame);

/** Return the rules of a rulebook or a table; nothing if it is no game of cards. */
export function rulesFor(name: string, table?: string): Promise<DeskBook | null> {
  const ask = async () => {
    const rules = table
      ? await api.rules(table)
      : await call<PokerRules>("POST", "/api/rules", { rulebook: name });
    if (rules.game !== "three_card_poker") return null;
    const { document, betting, clauses } = rules as PokerRules;
    return { document, betting, clauses };
  };
  return keptAnswer(keyOf(name), ask, isDeskBook);
}

/** Return the games that a desk settles, and keep the rules of all of them. */
export async function deskGames(): Promise<DeskGame[]> {
  const ask = async () => (await games()).map(({ name, title }) => ({ name, title }));
  const all = await keptAnswer(GAMES, ask, areGames).catch(() => []);
  void Promise.allSettled(all.map(({ name }) => rulesFor(name)));
  return all;
}
