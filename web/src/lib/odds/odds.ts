/** Rules that can be changed, and what the room says of the odds then. */
import { call, pathOf } from "../net/api";
import type { BetLine as Bet, Odds } from "../../generated/server";
import type { Rulebook, Rules } from "../net/rulebook";
import type { Strategy } from "./strategy_chart";
import { divided, fraction, negative, over, plus, type Fraction } from "./fraction";
import { spotName } from "../text/wager_names";
import { money, readDollars, sentence, wagerName } from "../text/format";
import * as texts from "../../texts/odds";

export type { BetLine as Bet, Odds } from "../../generated/server";
export type Book = Rules & {
  /** Keys that take one of a few values. */
  choices: Record<string, Value[]>;
  /** Keys that the document leaves out at their default. */
  defaults: Record<string, Value>;
};
export type Value = string | number | boolean | null;
export type Changes = Record<string, Value>;

/** The rules to start from: of a shipped rulebook, or of a table. */
export type Start = { rulebook: string } | { table: string };

export const pricing = {
  rules: (start: Start, set: Changes) => call<Book>("POST", "/api/rules", { ...start, set }),
  tableRules: (table: string) => call<Book>("GET", `${pathOf(table)}/rules`),
  odds: (start: Start, set: Changes) => call<Odds>("POST", "/api/odds", { ...start, set }),
  strategy: (start: Start, set: Changes) =>
    call<Strategy>("POST", "/api/strategy", { ...start, set }),
};

export const edge = (bet: Bet): Fraction => negative(fraction(bet.ev));

/** What the bank keeps of all that is wagered, the Play bets with it. */
export const elementOfRisk = (bet: Bet): Fraction =>
  bet.play_rate === null
    ? edge(bet)
    : divided(edge(bet), plus(over(1, 1), fraction(bet.play_rate)));

/** What a unit gains, how many deals of all gain it, the least first. */
export const gains = (bet: Bet): { gain: Fraction; count: number }[] =>
  Object.entries(bet.distribution)
    .map(([gain, count]) => ({ gain: fraction(gain), count }))
    .sort((a, b) => Number(a.gain.n * b.gain.d - b.gain.n * a.gain.d));

/** The share of deals with a gain (1), none (0) or a loss (-1). */
export const rate = (bet: Bet, deals: number, wanted: -1 | 0 | 1): Fraction =>
  over(
    gains(bet).reduce((sum, { gain, count }) => {
      const is = gain.n > 0n ? 1 : gain.n < 0n ? -1 : 0;
      return is === wanted ? sum + BigInt(count) : sum;
    }, 0n),
    deals,
  );

/** Something in a rulebook that one can write something else into. */
export interface Field {
  /** Its first key; a field of several bets of one name has them all. */
  id: string;
  keys: string[];
  kind: "pays" | "choice" | "money";
  /** The bet or table it belongs to, by its key. */
  of: string;
  label: string;
  /** As shipped; nothing where the rulebook says nothing. */
  base: Value;
  values: Value[];
  /** Whether it may be left empty. */
  optional: boolean;
}

export const CLASSES = [
  "royal_flush",
  "straight_flush",
  "three_of_a_kind",
  "straight",
  "flush",
  "pair",
  "high_card",
];
const PAY_TABLES = ["bonus", "pair_plus", "ante_bonus"] as const;
/** Other values here would be another game. */
const FIXED = new Set(["banker", "ante.required"]);
/** These change how a table is run and not what a bet is worth. */
export const idle = (key: string) => /^(bank|fees|limits|increment|irregularities)\b/.test(key);

/** Look up a dotted path. */
export function valueAt(document: Rulebook, key: string): Value | undefined {
  const step = (table: unknown, part: string) =>
    (table as Record<string, unknown> | undefined)?.[part];
  return key.split(".").reduce<unknown>(step, document) as Value | undefined;
}

/** All that can be changed in a rulebook. */
export function fieldsOf(book: Book): Field[] {
  const { document } = book;
  const field = (given: Partial<Field> & Pick<Field, "id" | "kind" | "of" | "label">): Field => ({
    keys: [given.id],
    values: [],
    optional: false,
    base: valueAt(document, given.id) ?? book.defaults[given.id] ?? null,
    ...given,
  });
  const pays = PAY_TABLES.filter(
    (of) => document.game === "three_card_poker" && document[of],
  ).flatMap((of) =>
    CLASSES.map((kind) =>
      field({ id: `${of}.pays.${kind}`, kind: "pays", of, label: words(kind), optional: true }),
    ),
  );
  const choices = Object.entries(book.choices)
    .filter(([key]) => !FIXED.has(key))
    .map(([id, values]) =>
      field({ id, kind: "choice", of: "readings", label: question(id), values }),
    );
  return [
    ...pays,
    ...betFields(document.game === "roulette" ? document.bets : [], field),
    ...choices,
    ...moneyFields(document, field),
  ];
}

type Make = (given: Partial<Field> & Pick<Field, "id" | "kind" | "of" | "label">) => Field;

/** The bets of a wheel: those of one name, dozens among them, pay the same and are changed together. */
function betFields(bets: { name: string }[], field: Make): Field[] {
  const names = bets.map((bet) => bet.name.replace(/ \d$/, ""));
  return [...new Set(names)].map((name) => {
    const keys = names.flatMap((other, n) => (other === name ? [`bets.${n}.pays`] : []));
    return field({ id: keys[0]!, keys, kind: "pays", of: name, label: spotName(name) });
  });
}

function moneyFields(document: Rulebook, field: Make): Field[] {
  const amount = (id: string, label: string) => field({ id, kind: "money", of: "limits", label });
  const limits: [string, string][] =
    document.game === "roulette"
      ? [["limits", texts.A_BET]]
      : Object.keys(document.limits ?? {})
          .filter((name) => name !== "scope")
          .map((name) => [`limits.${name}`, wagerName(name)]);
  return [
    amount("increment", texts.STEPS),
    ...limits.flatMap(([key, name]) => [
      amount(`${key}.min`, texts.atLeast(name)),
      amount(`${key}.max`, texts.atMost(name)),
    ]),
    ...(document.fees?.rates ?? []).flatMap((rate, n) =>
      texts.RATE_PARTS.filter(([key]) => key in rate).map(([key, name]) =>
        amount(`fees.rates.${n}.${key}`, texts.ratePart(n + 1, name)),
      ),
    ),
  ];
}

// From what is typed to what is sent, and back.

const PAYS = /^(\d+(?:\.\d{1,3})?)\s*(?:(?:to|:|\/|-|for every)\s*(\d+))?$/i;

/** Read "4 to 1", "4:1", "4" and "1.5"; what cannot be read goes to the room as it is. */
function readPays(text: string): string {
  const match = PAYS.exec(text.trim());
  if (!match) return text.trim();
  const [whole, part = ""] = match[1]!.split(".");
  const stake = BigInt(match[2] ?? "1") * 10n ** BigInt(part.length);
  const gain = BigInt(whole! + part);
  if (!gain || !stake) return text.trim();
  const { n, d } = part ? over(gain, stake) : { n: gain, d: stake };
  return `${n} to ${d}`;
}

export function toValue(field: Field, text: string): Value {
  const trimmed = text.trim();
  if (field.kind === "choice")
    return field.values.find((value) => String(value) === trimmed) ?? trimmed;
  if (field.kind === "pays") return trimmed === "" && field.optional ? null : readPays(text);
  const cents = readDollars(trimmed);
  return Number.isInteger(cents) ? cents : trimmed;
}

export function toText(field: Field, value: Value): string {
  if (value === null) return "";
  return field.kind === "money" && typeof value === "number" ? money(value) : String(value);
}

/** A value as `--set` and a link write it: plain text. */
export const written = (value: Value) => (value === null ? "" : String(value));

/** Read what a link or a command line wrote. */
export function readWritten(field: Field, text: string): string {
  return field.kind === "money" && /^\d+$/.test(text) ? money(Number(text)) : text;
}

/** What is wrong with a rulebook, and in which steps wagers could go to mend it. */
export interface Problem {
  key: string;
  says: string;
  /** In cents; nothing where that would not help. */
  step: number;
}

/** Sort the room's sentences about a rulebook by the key they are about. What to write into a file is no help here. */
export function readProblems(message: string): Problem[] {
  return message.split("\n").map((line) => {
    const match = /^[\w-]+(?::\d+)?: (?:([a-z_]+(?:\.\w+)*): )?(.*)$/.exec(line);
    const [says = "", advice = ""] = (match?.[2] ?? line)
      .trim()
      .split(/; (?=write |make |remove |use )/);
    const step = Number(/increment a multiple of (\d+)/.exec(advice)?.[1] ?? 0);
    return { key: match?.[1] ?? "", says: sentence(`${inMoney(says)}.`), step };
  });
}

const inMoney = (text: string) =>
  text.replace(/(\d+) cents\b/g, (_, cents) => money(Number(cents)));

/** What is wrong with what is written into a field, in the words and amounts of the page. */
export function saidOf(field: Field, says: string): string {
  if (field.kind === "pays" && /not a ratio/.test(says))
    return [texts.WRITE_A_PAY, ...(/\d{8}/.test(says) ? [texts.LARGEST_PAY] : [])].join(" ");
  if (field.kind !== "money") return says;
  if (/not a whole number|is not valid/.test(says)) return texts.WRITE_AN_AMOUNT;
  const text = says
    .replace(/less than min\b/, texts.LESS_THAN_MINIMUM)
    .replace(/is not a multiple of the increment,/, texts.NO_MULTIPLE_OF);
  return text.replace(/(?<![-$.,\d])\d+(?![.,]\d)/g, (cents) => money(Number(cents)));
}

/** The command line that gives the same odds. */
export function commandLine(rulebook: string, changes: Changes): string {
  const sets = Object.entries(changes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => {
      const text = written(value);
      return ` --set ${key}=${/^[\w.-]+$/.test(text) ? text : `"${text.replaceAll(/(["\\$`])/g, "\\$1")}"`}`;
    });
  return `queenhigh odds ${rulebook}${sets.join("")}`;
}

// Words

const words = (key: string) => sentence(key.replace(/^.*\./, "").replaceAll("_", " "));

const question = (key: string) =>
  key.endsWith(".on_fold")
    ? texts.afterFold(spotName(key.replace(".on_fold", "")))
    : (texts.QUESTIONS[key] ?? words(key));

/** A value in words: "queen-high or better", "is always paid". */
export function reading(key: string, value: Value): string {
  const text = written(value);
  return (
    texts.READINGS[key]?.[text] ??
    (key === "qualifier" ? texts.orBetter(text) : text.replaceAll("_", " "))
  );
}

/** A change in a sentence: "Bonus: flush pays 4 to 1 instead of 3 to 1". */
export function describeChange(field: Field, value: Value): string {
  if (field.kind === "choice") {
    return texts.choiceChanged(
      field.label,
      reading(field.id, value),
      reading(field.id, field.base),
    );
  }
  if (field.kind === "money")
    return texts.amountChanged(field.label, toText(field, value), toText(field, field.base));
  const pays = (pay: Value) => (pay === null ? texts.NOTHING : written(pay));
  const what = field.id.includes(".pays.")
    ? texts.payOf(spotName(field.of), field.label.toLowerCase())
    : field.label;
  return texts.payChanged(what, pays(value), pays(field.base));
}
