/** The rules that a level is played by; this browser keeps them, so that it works without the room. */
import { ApiError, call } from "../net/api";
import type { Rules } from "../net/rulebook";
import type { DeskBook } from "../settling/rules";
import { read, write } from "../ui/stored";
import type { Level } from "./levels";
import type { WheelTerms } from "./picture";

/** By rulebook. */
export type Books = ReadonlyMap<string, DeskBook | WheelTerms>;

const keyOf = (book: string, set: unknown) =>
  `queenhigh.trainer.rules.${book}.${JSON.stringify(set)}`;

/** Return the rules of each rulebook of a level; the kept ones if the room does not answer. */
export async function booksFor(level: Level): Promise<Books> {
  const set = level.game === "cards" ? (level.set ?? {}) : {};
  const books = level.books.map(async (book) => [book, await rulesOf(book, set)] as const);
  return new Map(await Promise.all(books));
}

async function rulesOf(book: string, set: Record<string, string>) {
  const key = keyOf(book, set);
  try {
    const rules = await call<Rules>("POST", "/api/rules", { rulebook: book, set });
    const needed = neededOf(rules);
    write(() => localStorage, key, needed);
    return needed;
  } catch (error) {
    const kept = read<DeskBook | WheelTerms | undefined>(() => localStorage, key, undefined);
    if (error instanceof ApiError || !kept) throw error;
    return kept;
  }
}

function neededOf(rules: Rules): DeskBook | WheelTerms {
  const { clauses } = rules;
  if (rules.game === "three_card_poker")
    return { clauses, document: rules.document, betting: rules.betting };
  return { clauses, document: rules.document, spots: rules.spots, pockets: rules.pockets };
}
