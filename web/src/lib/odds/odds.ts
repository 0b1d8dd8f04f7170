/** Rules that can be changed, and what the room says of the odds then. */
import { call, pathOf } from "../net/api";
import type { BetLine as Bet, Odds } from "../../generated/server";
import type { Rulebook, Rules } from "../net/rulebook";
import type { Strategy } from "./strategy_chart";
import { divided, fraction, negative, over, plus, type Fraction } from "./fraction";
import { spotName } from "../text/wager_names";
import { money, readDollars, sentence, wagerName } from "../text/format";

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
export const idle = (key: string) => /^(bank|fees|limits|increment)\b/.test(key);

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
      ? [["limits", "A bet"]]
      : Object.keys(document.limits ?? {})
          .filter((name) => name !== "scope")
          .map((name) => [`limits.${name}`, wagerName(name)]);
  return [
    amount("increment", "Wagers go in steps of"),
    ...limits.flatMap(([key, name]) => [
      amount(`${key}.min`, `${name} at least`),
      amount(`${key}.max`, `${name} at most`),
    ]),
    ...(document.fees?.rates ?? []).flatMap((rate, n) =>
      [
        ["min", "from"],
        ["max", "to"],
        ["player", "player pays"],
        ["banker", "banker pays"],
      ]
        .filter(([key]) => key! in rate)
        .map(([key, name]) => amount(`fees.rates.${n}.${key}`, `Rate ${n + 1}, ${name}`)),
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
    const [says = "", advice = ""] = (match?.[2] ?? line).trim().split(/; (?=write |make |leave )/);
    const step = Number(/increment a multiple of (\d+)/.exec(advice)?.[1] ?? 0);
    return { key: match?.[1] ?? "", says: sentence(`${inMoney(says)}.`), step };
  });
}

const inMoney = (text: string) =>
  text.replace(/(\d+) cents\b/g, (_, cents) => money(Number(cents)));

/** What is wrong with what is written into a field, in the words and amounts of the page. */
export function saidOf(field: Field, says: string): string {
  if (field.kind === "pays" && /not a ratio/.test(says))
    return `Write a pay such as 4 to 1.${/\d{8}/.test(says) ? " The most is 9,999,999 to 1." : ""}`;
  if (field.kind !== "money") return says;
  if (/not a whole number|will not do/.test(says)) return "Write an amount such as $5 or $2.50.";
  const text = says
    .replace("less than min", "less than the least")
    .replace("is not a multiple of the increment,", "does not go in steps of");
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

const QUESTIONS: Record<string, string> = {
  up: "Dealer cards seen before deciding",
  qualifier: "The dealer qualifies with",
  royal_flush: "A-K-Q of one suit is",
  ace_low: "A-2-3 is",
  short_ante: "The Ante against a dealer who does not qualify",
  tie: "Equal hands",
  zeros: "The wheel has",
  "zero.on_zero": "On a zero an even-money bet",
  "zero.second_zero": "A held bet that meets a zero again",
  "bank.coverage": "The bank is used up by",
  "bank.settle_order": "The bank meets wagers",
  "bank.fold_uncovered": "What a fold forfeits beyond the bank",
  "bank.first": "Action starts",
  "bank.rotation": "One may bank",
  "fees.fee_per": "A fee is paid",
  "fees.collect": "Fees are collected",
  "limits.scope": "A maximum holds for",
  "fees.notice_seconds": "Seconds of notice before fees or limits change",
};
const question = (key: string) =>
  key.endsWith(".on_fold")
    ? `${spotName(key.replace(".on_fold", ""))} after a fold`
    : (QUESTIONS[key] ?? words(key));

const READINGS: Record<string, Record<string, string>> = {
  up: { 0: "none", 1: "one", 2: "two" },
  qualifier: { none: "any hand", pair: "a pair or better" },
  royal_flush: { true: "a class of its own", false: "a straight flush" },
  ace_low: { true: "the lowest straight", false: "no straight" },
  short_ante: {
    ahead: "is paid to who is ahead, else returned",
    win: "is always paid",
    push: "is always returned",
  },
  tie: { push: "push", win: "win for the player", lose: "lose" },
  zeros: { 1: "a single zero", 2: "a double zero", 3: "a triple zero" },
  "zero.on_zero": {
    lose: "loses",
    la_partage: "loses half (la partage)",
    en_prison: "is held for the next spin (en prison)",
  },
  "zero.second_zero": { lose: "loses", half: "loses half", stay: "stays held" },
  "bonus.on_fold": { forfeit: "is lost", resolve: "is settled on the hand" },
  "pair_plus.on_fold": { forfeit: "is lost", resolve: "is settled on the hand" },
  "ante_bonus.on_fold": { forfeit: "is not paid", pay: "is paid" },
  "bank.coverage": { action: "every amount won or lost", net: "what it loses net" },
  "bank.settle_order": {
    seat: "seat by seat, side bets last",
    wager: "every Ante first, then every Play, then side bets",
    bonus_first: "seat by seat, side bets first",
  },
  "bank.fold_uncovered": { returned: "is returned", lost: "is lost whole" },
  "limits.scope": { each: "each wager", total: "all wagers of a seat together" },
  "bank.first": {
    left: "with seat 1",
    button: "one seat further each round",
    drawn: "where the shuffle says",
  },
  "bank.rotation": {
    two_rounds: "two rounds while others want to",
    every_round: "one round",
    free: "as long as one likes",
  },
  "fees.fee_per": {
    round: "once a round",
    wager: "on each wager",
    kind: "on each kind of wager that has a rate",
  },
  "fees.collect": { before: "before the deal", after: "after it" },
};

/** A value in words: "queen-high or better", "is always paid". */
export function reading(key: string, value: Value): string {
  const text = written(value);
  return (
    READINGS[key]?.[text] ?? (key === "qualifier" ? `${text} or better` : text.replaceAll("_", " "))
  );
}

/** A change in a sentence: "Bonus: flush pays 4 to 1 instead of 3 to 1". */
export function describeChange(field: Field, value: Value): string {
  if (field.kind === "choice") {
    return `${field.label} ${reading(field.id, value)} (was: ${reading(field.id, field.base)})`;
  }
  if (field.kind === "money")
    return `${field.label} ${toText(field, value)} instead of ${toText(field, field.base)}`;
  const pays = (pay: Value) => (pay === null ? "pays nothing" : `pays ${written(pay)}`);
  const what = field.id.includes(".pays.")
    ? `${spotName(field.of)}: ${field.label.toLowerCase()}`
    : field.label;
  return `${what} ${pays(value)} (was ${field.base === null ? "nothing" : written(field.base)})`;
}
