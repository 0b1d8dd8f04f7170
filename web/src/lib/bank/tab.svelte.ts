/** The Bank tab of the odds page: what is typed, the figures of the rules, and a sampled bank. */
import { figuresOf, type BankFigures } from "./figures";
import { sampleOf, type BankTable, type SampledTable } from "./sample";
import { readTerms, usualInputs, type BankInputs, type BankTerms } from "./terms";
import { Latest } from "../net/latest.svelte";
import type { Changes, Start } from "../odds/odds";

/** When to ask again for a finer sample, while the server prepares its fast engine. */
const PREPARED = 20_000;

export class BankTab {
  inputs = $state<BankInputs | null>(null);
  readonly latest = new Latest<BankFigures>({
    arrived: (figures) => (this.inputs ??= usualInputs(figures)),
  });
  readonly sampling = new Latest<SampledTable>({
    betterAfter: ({ sample }) => (sample.preparing ? PREPARED : 0),
  });

  readonly figures = $derived(this.latest.answer);
  readonly read = $derived(
    this.inputs && this.figures ? readTerms(this.inputs, this.figures) : null,
  );
  /** The last terms that could be read. */
  #good: BankTerms | null = null;
  readonly terms = $derived.by(() => {
    if (this.read?.terms) this.#good = this.read.terms;
    return this.#good;
  });

  /** Have the figures of these rules. */
  want(start: Start, changes: Changes) {
    const ask = () => figuresOf(start, changes);
    this.latest.want(JSON.stringify([start, changes]), ask, this.figures ? undefined : 0);
  }

  /** Have a sample of the table that is typed in, if its bank may run out. */
  wantSample(start: Start, changes: Changes) {
    const terms = this.terms;
    if (!terms || terms.bank === null) return this.sampling.forget();
    const { seats, ante, side, bank } = terms;
    const table: BankTable = { seats, ante, side, bank };
    this.sampling.want(JSON.stringify([start, changes, table]), () =>
      sampleOf(start, changes, table),
    );
  }

  leave() {
    this.latest.leave();
    this.sampling.leave();
  }
}
