/** A run of ten rounds at a level: what is asked now, what was answered, and how long it took. */
import type { DeskBook } from "../settling/rules";
import type { Entry } from "../settling/entry";
import { dealRound, planOf } from "./deal";
import { ROUNDS, type CardLevel, type Level, type WheelLevel } from "./levels";
import { chipsPaid, dealSpins, type Spin, type WheelTerms } from "./picture";
import { isRight, questionsOf, type Question } from "./questions";
import { drawFrom } from "./random";
import type { Books } from "./rules";

/** Chips that a spin is paid. */
export interface ChipsQuestion {
  ask: "chips";
  spin: Spin;
  right: number;
}

export interface CardRound {
  game: "cards";
  book: string;
  rules: DeskBook;
  entry: Entry;
  questions: readonly Question[];
}
export interface WheelRound {
  game: "wheel";
  book: string;
  rules: WheelTerms;
  questions: readonly ChipsQuestion[];
}
export type Round = CardRound | WheelRound;
export type AnyQuestion = Question | ChipsQuestion;

export interface Answer {
  question: AnyQuestion;
  given: number | string;
  isRight: boolean;
}

/** What a round came to. */
export interface Mark {
  asked: number;
  right: number;
  /** Milliseconds of thinking; reading why an answer was wrong costs none. */
  ms: number;
}

/** What happens now: a question waits, a wrong answer is explained, a round or the run is over. */
export type Phase = "asking" | "explaining" | "round_over" | "over";

/** Return what deals the rounds of a run; a round is dealt when it is its turn. */
export function dealer(level: Level, books: Books, seed: string): (round: number) => Round {
  const draw = drawFrom(`${seed} ${level.id}`);
  return level.game === "wheel" ? wheelDealer(level, books, draw) : cardDealer(level, books, draw);
}

function cardDealer(level: CardLevel, books: Books, draw: ReturnType<typeof drawFrom>) {
  const plan = planOf(level, draw);
  return (round: number): CardRound => {
    const turn = plan[round]!;
    const rules = books.get(turn.book) as DeskBook;
    const entry = dealRound(level, rules, turn, draw);
    const questions = questionsOf(rules, entry, level.asks);
    return { game: "cards", book: turn.book, rules, entry, questions };
  };
}

function wheelDealer(level: WheelLevel, books: Books, draw: ReturnType<typeof drawFrom>) {
  const book = level.books[0]!;
  const rules = books.get(book) as WheelTerms;
  const spins = dealSpins(level, rules, ROUNDS, draw);
  return (round: number): WheelRound => ({
    game: "wheel",
    book,
    rules,
    questions: spins[round]!.map((spin) => ({
      ask: "chips",
      spin,
      right: chipsPaid(rules, spin),
    })),
  });
}

export class Run {
  #deal: (round: number) => Round;
  #answers = $state.raw<readonly Answer[]>([]);
  #marks = $state.raw<readonly Mark[]>([]);
  #since = $state(0);
  #spent = $state(0);
  round = $state.raw() as Round;
  phase = $state<Phase>("asking");

  constructor(
    readonly level: Level,
    books: Books,
    seed: string,
    readonly now: () => number = () => performance.now(),
  ) {
    this.#deal = dealer(level, books, seed);
    this.#begin();
  }

  /** Rounds are counted from 1. */
  readonly number = $derived(this.#marks.length + (this.isOver ? 0 : 1));
  readonly question = $derived(
    this.phase === "asking" ? this.round.questions[this.#answers.length] : undefined,
  );

  get answers() {
    return this.#answers;
  }

  get last() {
    return this.#answers.at(-1);
  }

  get marks() {
    return this.#marks;
  }

  get isOver() {
    return this.phase === "round_over" || this.phase === "over";
  }

  /** Milliseconds that this round has taken until now. */
  spentAt(now: number) {
    return this.#spent + (this.phase === "asking" ? Math.max(0, now - this.#since) : 0);
  }

  answer(given: number | string): Answer | undefined {
    const { question } = this;
    if (!question) return undefined;
    const answer = { question, given, isRight: isRight(question, given) };
    this.#spent = this.spentAt(this.now());
    this.#answers = [...this.#answers, answer];
    if (answer.isRight) this.#goOn();
    else this.phase = "explaining";
    return answer;
  }

  /** Go on: to the next question, or to the next round. */
  next() {
    if (this.phase === "explaining") this.#goOn();
    else if (this.phase === "round_over") this.#begin();
  }

  #goOn() {
    const { length } = this.#answers;
    if (length < this.round.questions.length) {
      this.phase = "asking";
      this.#since = this.now();
      return;
    }
    const right = this.#answers.filter((answer) => answer.isRight).length;
    this.#marks = [...this.#marks, { asked: length, right, ms: Math.round(this.#spent) }];
    this.phase = this.#marks.length < ROUNDS ? "round_over" : "over";
  }

  #begin() {
    this.round = this.#deal(this.#marks.length);
    this.#answers = [];
    this.#spent = 0;
    this.phase = "asking";
    this.#since = this.now();
  }
}
