/** By which rules a table plays, and played the rounds before: they may change between two rounds. */
import type { Rules } from "./rulebook";
import type { TableView } from "./protocol";

interface Term {
  /** The first round that is seen to be played by them. */
  from: number;
  digest: string;
  /** Nothing: not known yet. */
  rules: Rules | null;
}

/** So many are remembered: rounds that are over stay in sight for as long as the next is played. */
const MOST = 3;

export class RulesHistory {
  #terms = $state.raw<readonly Term[]>([]);
  readonly #known = $derived(this.#terms.filter((term) => term.rules));
  /** Those of now; until they are known, those before. */
  readonly now = $derived(this.#known.at(-1)?.rules ?? null);

  /** Note since when the rules are those of a view. */
  see({ digest, round, next_round }: TableView) {
    if (this.#terms.at(-1)?.digest === digest) return;
    this.#terms = [...this.#terms, { from: round?.round ?? next_round, digest, rules: null }].slice(
      -MOST,
    );
  }

  learn(digest: string, rules: Rules) {
    this.#terms = this.#terms.map((term) => (term.digest === digest ? { ...term, rules } : term));
  }

  /** The rules that a round was played by; for a round from before this visit, the first rules that were seen. */
  of(round: number): Rules {
    const term = this.#known.filter(({ from }) => from <= round).at(-1) ?? this.#known[0];
    return term!.rules!;
  }
}
