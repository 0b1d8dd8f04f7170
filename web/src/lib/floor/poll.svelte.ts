/** An answer that is fetched again and again while somebody can see the page. */
import { ApiError } from "../net/api";
import { staff } from "./staff.svelte";

/** How long to wait between two answers, in milliseconds. */
const EVERY = 3000;

export class Poll<Answer> {
  answer = $state.raw<Answer | null>(null);
  /** Why there is no new answer. */
  wrong = $state("");
  /** The table that it is about is closed, or there is none: nothing more is asked. */
  gone = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #asked = 0;

  constructor(
    readonly ask: () => Promise<Answer>,
    readonly every = EVERY,
  ) {
    document.addEventListener("visibilitychange", this.#seen);
    void this.refresh();
  }

  #seen = () => {
    if (!document.hidden && !this.gone) void this.refresh();
  };

  /** Fetch the answer now; a later one replaces it. */
  async refresh() {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    try {
      const answer = await this.ask();
      if (asked !== this.#asked || this.#stopped) return;
      this.answer = answer;
      this.wrong = "";
    } catch (error) {
      if (asked !== this.#asked || this.#stopped) return;
      this.wrong = staff.explain(error);
      this.gone = error instanceof ApiError && error.code === "table.none";
    }
    this.#later();
  }

  #later() {
    if (!document.hidden && !this.gone)
      this.#timer = setTimeout(() => void this.refresh(), this.every);
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#seen);
  }
}

/** An answer that is fetched once, and when somebody asks for it. */
export class Once<Answer> {
  answer = $state.raw<Answer | null>(null);
  wrong = $state("");
  busy = $state(false);
  #asked = 0;

  constructor(readonly ask?: () => Promise<Answer>) {
    if (ask) void this.fetch(ask);
  }

  async refresh() {
    if (this.ask) await this.fetch(this.ask);
  }

  /** Fetch an answer; the last one that was asked for counts. */
  async fetch(ask: () => Promise<Answer>) {
    const asked = ++this.#asked;
    this.busy = true;
    try {
      const answer = await ask();
      if (asked !== this.#asked) return;
      this.answer = answer;
      this.wrong = "";
    } catch (error) {
      if (asked !== this.#asked) return;
      this.wrong = staff.explain(error);
    }
    this.busy = false;
  }

  forget() {
    this.#asked++;
    this.answer = null;
    this.wrong = "";
    this.busy = false;
  }
}

/** A list that goes back in time, a page at a time. */
export class Pages<Line> {
  lines = $state.raw<Line[] | null>(null);
  wrong = $state("");
  busy = $state(false);
  more = $state(false);
  #asked = 0;

  constructor(
    readonly ask: (before: number | undefined) => Promise<Line[]>,
    readonly number: (line: Line) => number,
    readonly size: number,
  ) {}

  /** Fetch the newest lines. */
  async first() {
    await this.#fetch(undefined);
  }

  /** Fetch the lines before the last one. */
  async next() {
    const last = this.lines?.at(-1);
    if (last) await this.#fetch(this.number(last));
  }

  /** Fetch lines that are newer than the first one, and keep the others. */
  async newer() {
    const known = this.lines;
    if (!known?.length || this.busy) return known ? this.first() : undefined;
    const asked = this.#asked;
    try {
      const page = await this.ask(undefined);
      if (asked !== this.#asked) return;
      const newest = this.number(known[0]!);
      const fresh = page.filter((line) => this.number(line) > newest);
      if (fresh.length === page.length && fresh.length) {
        this.lines = page;
        this.more = page.length === this.size;
      } else if (fresh.length) this.lines = [...fresh, ...known];
      this.wrong = "";
    } catch (error) {
      this.wrong = staff.explain(error);
    }
  }

  async #fetch(before: number | undefined) {
    const asked = ++this.#asked;
    this.busy = true;
    try {
      const page = await this.ask(before);
      if (asked !== this.#asked) return;
      this.lines = before === undefined ? page : [...(this.lines ?? []), ...page];
      this.more = page.length === this.size;
      this.wrong = "";
    } catch (error) {
      if (asked !== this.#asked) return;
      this.wrong = staff.explain(error);
    }
    this.busy = false;
  }
}
