/** The rules that a level is played by; this browser keeps them, so that it works without the room. */
import { call } from "../net/api";
import { keptAnswer } from "../net/kept";
import type { Rules } from "../net/rulebook";
import { isDeskBook, type DeskBook } from "../settling/rules";
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

const rulesOf = (rulebook: string, set: Record<string, string>) =>
  keptAnswer(
    keyOf(rulebook, set),
    async () => neededOf(await call<Rules>("POST", "/api/rules", { rulebook, set })),
    (kept) => isDeskBook(kept) || isWheelBook(kept),
  );

/** Whether a value has the parts of a wheel's rules. */
const isWheelBook = (value: unknown) => {
  const { clauses, spots, pockets } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [clauses, spots, pockets].every(Array.isArray);
};

function neededOf(rules: Rules): DeskBook | WheelTerms {
  const { clauses } = rules;
  if (rules.game === "three_card_poker")
    return { clauses, document: rules.document, betting: rules.betting };
  return { clauses, document: rules.document, spots: rules.spots, pockets: rules.pockets };
}
