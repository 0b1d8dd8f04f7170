/** What a banker wants to know of a table: its figures, fetched once for its rules. */
import { tableFigures, type BankFigures } from "../bank/figures";
import type { TableView } from "../net/protocol";

export class Banking {
  #known = $state.raw<{ digest: string; figures: BankFigures } | null>(null);
  #asked = "";

  /** Ask for the figures of the table's rules, unless that was done. Without them there is only less to read. */
  look({ table, digest }: TableView, fetchFigures = tableFigures) {
    if (this.#asked === digest) return;
    this.#asked = digest;
    fetchFigures(table).then(
      (figures) => {
        if (this.#asked === digest) this.#known = { digest, figures };
      },
      () => {
        if (this.#asked === digest) this.#asked = ""; // the next view asks again
      },
    );
  }

  /** The figures by these rules; nothing until they are known. */
  figuresOf(digest: string): BankFigures | null {
    return this.#known?.digest === digest ? this.#known.figures : null;
  }
}
