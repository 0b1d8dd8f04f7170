/** The Bank tab of the odds page: the figures of the rules as they are changed, and what is typed. */
import { figuresOf, type BankFigures } from "./figures";
import { readTerms, usualInputs, type BankInputs, type BankTerms } from "./terms";
import { ApiError } from "../net/api";
import type { Changes, Start } from "../odds/odds";
import { complaint } from "../text/format";

const PAUSE = 300;
const AGAIN = 1500;
const passing = (error: unknown) =>
  !(error instanceof ApiError) || error.code === "rate" || error.code === "busy";

export class BankTab {
  figures = $state.raw<BankFigures | null>(null);
  inputs = $state<BankInputs | null>(null);
  wrong = $state("");
  /** Whether the figures are of other changes. */
  stale = $state(false);

  readonly read = $derived(
    this.inputs && this.figures ? readTerms(this.inputs, this.figures) : null,
  );
  /** The last terms that could be read. */
  #good: BankTerms | null = null;
  readonly terms = $derived.by(() => {
    if (this.read?.terms) this.#good = this.read.terms;
    return this.#good;
  });

  #wanted = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Have the figures of these rules, as soon as typing has paused. */
  want(start: Start, changes: Changes) {
    const wanted = JSON.stringify([start, changes]);
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.stale = true;
    this.#later(this.figures ? PAUSE : 0, () => void this.#fetch(wanted, start, changes));
  }

  leave() {
    this.#wanted = "";
    clearTimeout(this.#timer);
  }

  #later(ms: number, then: () => void) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }

  async #fetch(wanted: string, start: Start, changes: Changes) {
    try {
      const figures = await figuresOf(start, changes);
      if (wanted !== this.#wanted) return;
      this.inputs ??= usualInputs(figures);
      this.figures = figures;
      [this.wrong, this.stale] = ["", false];
    } catch (error) {
      if (wanted !== this.#wanted) return;
      this.wrong = complaint(error);
      if (passing(error)) this.#later(AGAIN, () => void this.#fetch(wanted, start, changes));
    }
  }
}
