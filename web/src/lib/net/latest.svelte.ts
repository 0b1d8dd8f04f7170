/** The newest answer to a question that changes while somebody types. */
import { ApiError } from "./api";
import { complaint } from "../text/format";

/** How long typing has to pause, and how soon a question that failed for now is asked again. */
const PAUSE = 300;
const AGAIN = 1500;
const passing = (error: unknown) =>
  !(error instanceof ApiError) || error.code === "rate" || error.code === "busy";

/** What happens with an answer that is still wanted when it comes. */
interface Handling<Answer> {
  arrived?: (answer: Answer) => void;
  /** After how many milliseconds to ask for a better one; not at all where it is 0. */
  betterAfter?: (answer: Answer) => number;
}

export class Latest<Answer> {
  answer = $state.raw<Answer | null>(null);
  /** Why there is no answer. */
  wrong = $state("");
  /** Whether the answer is to an earlier question. */
  stale = $state(false);

  #wanted = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly handling: Handling<Answer> = {}) {}

  /** Ask as soon as typing has paused, unless the question is the same as before. */
  want(question: string, ask: () => Promise<Answer>, pause = PAUSE) {
    if (question === this.#wanted) return;
    this.#wanted = question;
    this.stale = true;
    this.#later(pause, () => void this.#ask(question, ask));
  }

  /** Want nothing any more, and keep no answer. */
  forget() {
    this.leave();
    this.answer = null;
    [this.wrong, this.stale] = ["", false];
  }

  leave() {
    this.#wanted = "";
    clearTimeout(this.#timer);
  }

  #later(ms: number, then: () => void) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }

  async #ask(question: string, ask: () => Promise<Answer>) {
    const again = () => void this.#ask(question, ask);
    try {
      const answer = await ask();
      if (question !== this.#wanted) return;
      this.handling.arrived?.(answer);
      this.answer = answer;
      [this.wrong, this.stale] = ["", false];
      const better = this.handling.betterAfter?.(answer);
      if (better) this.#later(better, again);
    } catch (error) {
      if (question !== this.#wanted) return;
      this.wrong = complaint(error);
      if (passing(error)) this.#later(AGAIN, again);
    }
  }
}
