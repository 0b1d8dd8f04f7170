import { announcer } from "../ui/announcer.svelte";
import { ApiError } from "../net/api";
import type { Strategy } from "./strategy_chart";
import {
  divided,
  fraction,
  minus,
  over,
  percent,
  plus,
  sign,
  size,
  times,
  type Fraction,
} from "./fraction";
import {
  commandLine,
  valueAt,
  edge,
  fieldsOf,
  idle,
  pricing,
  readProblems,
  readWritten,
  saidOf,
  toText,
  toValue,
  written,
  type Book,
  type Changes,
  type Field,
  type Odds,
  type Problem,
  type Start,
  type Value,
} from "./odds";
import { to } from "../ui/route.svelte";
import { spotName } from "../text/wager_names";
import { complaint } from "../text/format";
import * as texts from "../../texts/odds";

/** What is gone after a while: too many questions, or no connection. */
const passing = (error: unknown) =>
  !(error instanceof ApiError) || error.code === "rate" || error.code === "busy";
const later = (ms: number) => new Promise((done) => setTimeout(done, ms));
/** What follows when typing has paused: the chart, the link, what a screen reader hears. */
const PAUSE = 250;
/** How long to wait where the room is busy, or asked too often. */
const BUSY = 400;
/** What a side bet pays changes nobody's best play. */
const SIDE = /^(bonus|pair_plus)\./;

/**
 * A rulebook, what is changed in it, and the odds it has then. Every change is asked for at once,
 * one question at a time, and the newest wins. What cannot be priced keeps the last good figures.
 */
export class Pricing {
  book = $state.raw<Book | null>(null);
  /** The rulebook with the changes, for the words of its clauses. */
  rendered = $state.raw<Book | null>(null);
  /** Beside a table's rules: the shipped rulebook of that name; nothing where there is none. */
  standard = $state.raw<Book | null>(null);
  /** The odds as shipped, and with the changes. Of a table with a rulebook of its own: as it plays. */
  shipped = $state.raw<Odds | null>(null);
  odds = $state.raw<Odds | null>(null);
  strategy = $state.raw<Strategy | null>(null);
  /** What is written into fields, by their id. */
  typed = $state<Record<string, string>>({});
  /** Keys from a link for which there is no field. */
  others = $state<Record<string, string>>({});
  /** What is wrong, by field; and what is wrong with none of them. */
  problems = $state.raw<Record<string, Problem>>({});
  wrong = $state("");
  /** Whether the room has not said yet what the odds are with the changes. */
  waiting = $state(false);

  readonly fields = $derived(this.book ? fieldsOf(this.book) : []);
  readonly #byId = $derived(new Map(this.fields.map((field) => [field.id, field])));
  readonly changed = $derived(this.fields.filter((field) => this.isChanged(field)));
  /** Whether what is written now cannot be priced. */
  readonly refused = $derived(Object.keys(this.problems).length > 0 || this.wrong !== "");
  /** Whether the figures are of an earlier moment. */
  readonly stale = $derived(this.refused || this.waiting);

  #busy = false;
  #again = false;
  #last = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left = false;
  /** The changes that best play was found for. */
  #played = "";

  /** The changes that the words of the clauses were made for. */
  #worded = "{}";

  /** `name` is a shipped rulebook; with a `table`, its rules are where everything starts. */
  constructor(
    readonly name: string,
    readonly table = "",
  ) {}

  get start(): Start {
    return this.table ? { table: this.table } : { rulebook: this.name };
  }

  /** Fetch the rulebook and its odds, with the changes of a link. */
  async open(link: string) {
    while (!this.book && !this.#left) {
      try {
        const [book, odds] = await Promise.all([
          this.table ? pricing.tableRules(this.table) : pricing.rules(this.start, {}),
          pricing.odds(this.start, {}),
        ]);
        const rulebook = book.standard?.name ?? book.name;
        this.shipped = book.differences?.length ? await pricing.odds({ rulebook }, {}) : odds;
        this.standard = book.differences?.length ? await pricing.rules({ rulebook }, {}) : null;
        this.book = this.rendered = book;
        this.odds = odds;
        this.wrong = "";
      } catch (error) {
        this.wrong = error instanceof ApiError ? complaint(error) : texts.NO_SERVER;
        if (!passing(error)) return;
        await later(2 * BUSY);
      }
    }
    this.restore(link);
  }

  leave() {
    this.#left = true;
    clearTimeout(this.#timer);
  }

  field = (id: string): Field | undefined => this.#byId.get(id);
  of = (table: string): Field[] =>
    this.fields.filter((field) => field.of === table && this.#isThere(field));
  text = (field: Field): string => this.typed[field.id] ?? toText(field, this.#usual(field));
  value = (field: Field): Value => toValue(field, this.text(field));
  isChanged = (field: Field): boolean =>
    this.typed[field.id] !== undefined &&
    this.value(field) !== this.#usual(field) &&
    this.#isThere(field);

  /** Whether the suited A-K-Q is paid as a class of its own. */
  get royal(): boolean {
    const field = this.field("royal_flush");
    return field !== undefined && this.value(field) === true;
  }
  #isThere = (field: Field): boolean => this.royal || !field.id.endsWith(".royal_flush");
  /** As shipped; a royal flush that becomes a class of its own is paid as the straight flush was. */
  #usual(field: Field): Value {
    if (field.base !== null || !field.id.endsWith(".royal_flush")) return field.base;
    return valueAt(this.book!.document, field.id.replace("royal", "straight")) ?? null;
  }

  /** What is sent: all keys that are to be different. */
  get changes(): Changes {
    const set: Changes = {};
    for (const [key, text] of Object.entries(this.others))
      set[key] = /^-?\d+$/.test(text) ? Number(text) : ({ true: true, false: false }[text] ?? text);
    for (const field of this.fields) {
      if (!this.#isThere(field)) {
        if (field.base !== null) set[field.id] = null;
      } else if (this.isChanged(field) || (field.base === null && this.#usual(field) !== null)) {
        for (const key of field.keys) set[key] = this.value(field);
      }
    }
    return set;
  }

  write(field: Field, text: string) {
    this.typed[field.id] = text;
    this.#last = field.id;
    void this.#ask();
  }

  /** Show what was read; forget what is as shipped. */
  tidy(field: Field) {
    if (this.typed[field.id] === undefined || this.problems[field.id]) return;
    if (this.isChanged(field)) this.typed[field.id] = toText(field, this.value(field));
    else delete this.typed[field.id];
  }

  reset(...ids: string[]) {
    for (const id of ids) {
      delete this.typed[id];
      delete this.others[id];
    }
    this.#last = "";
    void this.#ask();
  }
  resetAll = () => this.reset(...Object.keys(this.typed), ...Object.keys(this.others));

  /** Change the increment of wagers and fit the limits to it, so that a pay comes to whole cents. */
  /** Whether limits in such steps keep within the law of the rulebook. */
  mayStepBy(cents: number): boolean {
    const law = this.book?.document.law ?? [];
    return law.every(
      ({ key, min, max }) =>
        !key.startsWith("limits.") ||
        max === undefined ||
        Math.floor(max / cents) * cents >= Math.max(min ?? 0, cents),
    );
  }

  stepBy(cents: number) {
    const fit = (field: Field, fitted: number) => {
      if (fitted !== this.value(field)) this.typed[field.id] = toText(field, fitted);
      return fitted;
    };
    fit(this.field("increment")!, cents);
    let below = 0; // the end of the range of fees before
    for (const least of this.fields.filter(
      (each) => each.kind === "money" && each.id.endsWith(".min"),
    )) {
      const most = this.field(least.id.replace(/min$/, "max"))!;
      const rate = least.id.startsWith("fees.");
      const [from, to] = [this.value(least), this.value(most)].map((value) => Number(value) || 0);
      const low = fit(
        least,
        Math.max(Math.ceil(from! / cents) * cents, cents, rate ? below + cents : 0),
      );
      const high = fit(most, Math.max(Math.floor(to! / cents) * cents, low));
      if (rate) below = high;
    }
    void this.#ask();
  }

  /** What a field has by the standard rules, where this table has something else. */
  standardValue(field: Field): Value | undefined {
    if (!this.standard) return undefined;
    const value = valueAt(this.standard.document, field.id) ?? null;
    return value === field.base ? undefined : value;
  }

  /** The command line that gives the same odds; nothing where there is none. */
  get command(): string {
    if (this.book?.differences === null) return "";
    const own = (this.table ? this.book?.changes : {}) as Changes;
    if (this.book?.differences?.length && !Object.keys(own).length) return "";
    return commandLine(this.book?.standard?.name ?? this.book?.name ?? this.name, {
      ...own,
      ...this.changes,
    });
  }

  // The link

  get link(): string {
    const changed = this.changed.map((field) => [field.id, written(this.value(field))] as const);
    const said = [...changed, ...Object.entries(this.others)].map(
      ([key, text]) => `${key}=${encodeURIComponent(text)}`,
    );
    const start = this.table ? to("odds", "table", this.table) : to("odds", this.name);
    return [start, ...(said.length ? [said.join("&")] : [])].join("/");
  }

  restore(link: string) {
    const typed: Record<string, string> = {};
    const others: Record<string, string> = {};
    for (const [key, text] of link
      .split("&")
      .filter(Boolean)
      .map((part) => part.split(/=(.*)/s) as [string, string?])) {
      const field = this.fields.find((each) => each.keys.includes(key));
      if (field) typed[field.id] = readWritten(field, text ?? "");
      else others[key] = text ?? "";
    }
    this.typed = typed;
    this.others = others;
    void this.#ask();
  }

  // Asking

  async #ask() {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    do {
      this.#again = false;
      await this.#askOnce();
    } while (this.#again && !this.#left);
    this.#busy = false;
    clearTimeout(this.#timer);
    if (!this.#left) this.#timer = setTimeout(() => void this.#follow(), PAUSE);
  }

  async #askOnce() {
    const slow = setTimeout(() => (this.waiting = true), BUSY);
    try {
      this.odds = await pricing.odds(this.start, this.changes);
      this.problems = {};
      this.wrong = "";
      this.waiting = false;
    } catch (error) {
      if (passing(error)) {
        this.waiting = true;
        this.#again = true;
        await later(BUSY);
      } else if (!this.#again) this.#tell(error as ApiError);
    } finally {
      clearTimeout(slow);
    }
  }

  /** Put each sentence under the field it is about, and one under the field last written into. */
  #tell(error: ApiError) {
    const listed =
      error.code === "rulebook.invalid"
        ? readProblems(error.message)
        : [{ key: "", says: complaint(error), step: 0 }];
    const problems: Record<string, Problem> = {};
    let wrong = "";
    for (const problem of listed) {
      const field = this.#about(problem.key);
      if (field) problems[field.id] ??= { ...problem, says: saidOf(field, problem.says) };
      else wrong ||= problem.says;
    }
    if (this.field(this.#last) && !problems[this.#last]) {
      const [first] = Object.entries(problems);
      problems[this.#last] = {
        key: this.#last,
        says: wrong || texts.about(this.field(first![0])!.label, first![1].says),
        step: 0,
      };
      wrong = "";
    }
    this.waiting = false;
    this.problems = problems;
    this.wrong = wrong;
  }

  #about(key: string): Field | undefined {
    const within = (a: string, b: string) => a === b || a.startsWith(`${b}.`);
    return this.fields.find(
      (each) =>
        key && this.#isThere(each) && each.keys.some((own) => within(own, key) || within(key, own)),
    );
  }

  async #follow() {
    if (!this.odds || this.#left) return;
    if (this.refused) return announcer.tell(this.problems[this.#last]?.says ?? this.wrong);
    history.replaceState(null, "", this.link);
    this.#announce();
    void this.#word();
    const matter = JSON.stringify(
      Object.entries(this.changes).filter(([key]) => !idle(key) && !SIDE.test(key)),
    );
    if (this.book?.game !== "three_card_poker" || (this.strategy && this.#played === matter))
      return;
    try {
      const strategy = await pricing.strategy(this.start, this.changes);
      if (this.#busy || this.#left) return;
      this.strategy = strategy;
      this.#played = matter;
    } catch (error) {
      if (!passing(error)) return;
      await later(BUSY);
      if (!this.#busy) void this.#follow();
    }
  }

  /** Fetch the words of the clauses as the changed rulebook reads them. */
  async #word() {
    const changes = JSON.stringify(this.changes);
    if (changes === this.#worded) return;
    try {
      const rules = await pricing.rules(this.start, this.changes);
      if (changes !== JSON.stringify(this.changes)) return;
      this.rendered = rules;
      this.#worded = changes;
    } catch {
      // the words of before stay; the next change asks for them again
    }
  }

  /** What the change is worth to the bank, in shares of the wager. */
  change(bet: string): Fraction | null {
    const [before, after] = [this.shipped?.bets[bet], this.odds?.bets[bet]];
    return before && after ? minus(edge(after), edge(before)) : null;
  }

  /** The average fee on the smallest stake of a bet, as a share of it; nothing where there is none. */
  feeOn(bet: string): { share: Fraction; stake: number } | null {
    const range = this.rendered?.betting.wagers[bet]?.ranges[0];
    const rate = this.odds?.bets[bet]?.play_rate ?? null;
    if (!range) return null;
    const later = rate === null ? over(0, 1) : times(fraction(rate), range.reserve_fee);
    const fee = plus(over(range.fee, 1), later);
    return sign(fee) ? { share: divided(fee, over(range.min, 1)), stake: range.min } : null;
  }

  /** The side that keeps an edge. */
  get bank(): string {
    return this.book?.document.banker === "player" ? texts.THE_BANKER : texts.THE_HOUSE;
  }

  /** "+0.42 percentage points for the house", or nothing. */
  difference(bet: string): string {
    const change = this.change(bet);
    if (!change || !sign(change)) return "";
    const points = percent(size(change)).replace("%", "");
    return texts.points(points, sign(change) > 0 ? this.bank : texts.THE_PLAYER);
  }

  #announce() {
    const bets = Object.keys(this.odds!.bets)
      .filter((bet) => this.difference(bet))
      .slice(0, 4);
    announcer.tell(
      bets
        .map((bet) =>
          texts.edgeAloud(
            spotName(bet),
            percent(edge(this.odds!.bets[bet]!)),
            this.difference(bet),
          ),
        )
        .join(" "),
    );
  }
}
