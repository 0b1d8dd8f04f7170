/** The rules that a desk settles by; this browser keeps them, so that it works without the room. */
import { games } from "../coach/drill";
import { api, ApiError, call } from "../net/api";
import type { PokerRules } from "../net/rulebook";
import { read, write } from "../ui/stored";

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

/** Return the rules of a rulebook or a table; the ones that are kept if the room does not answer. */
export async function rulesFor(name: string, table?: string): Promise<DeskBook | null> {
  try {
    const rules = table
      ? await api.rules(table)
      : await call<PokerRules>("POST", "/api/rules", { rulebook: name });
    if (rules.game !== "three_card_poker") return null;
    const { document, betting, clauses } = rules as PokerRules;
    write(() => localStorage, keyOf(name), { document, betting, clauses });
    return { document, betting, clauses };
  } catch (error) {
    const kept = read<DeskBook | undefined>(() => localStorage, keyOf(name), undefined);
    if (error instanceof ApiError || !kept) throw error;
    return kept;
  }
}

/** Return the games that a desk settles, and keep the rules of all of them. */
export async function deskGames(): Promise<DeskGame[]> {
  try {
    const all = (await games()).map(({ name, title }) => ({ name, title }));
    write(() => localStorage, GAMES, all);
    void Promise.allSettled(all.map(({ name }) => rulesFor(name)));
    return all;
  } catch {
    return read<DeskGame[]>(() => localStorage, GAMES, []);
  }
}
