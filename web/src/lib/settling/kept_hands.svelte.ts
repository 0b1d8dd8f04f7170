/** The settled hands that a browser keeps, of every game and every tab; the oldest first. */
import { read, write } from "../ui/stored";
import { isLine, type Line } from "./entry";

const KEY = "queenhigh.desk.hands";

/** A settled hand and its rulebook. */
export interface KeptHand {
  rulebook: string;
  line: Line;
}

export class KeptHands {
  #stored = $state.raw<readonly KeptHand[]>(stored());
  /** Those that the browser could not store: they are gone once the page is left. */
  #unstored = $state.raw<readonly KeptHand[]>([]);

  of = (rulebook: string) => [...this.#stored, ...this.#unstored].filter(isOf(rulebook));

  /** Whether some are gone once the page is left. */
  get isUnstored() {
    return this.#unstored.length > 0;
  }

  add(hand: KeptHand) {
    this.#store(stored(), [...this.#unstored, hand]);
  }

  forget(rulebook: string) {
    const isOther = (hand: KeptHand) => !isOf(rulebook)(hand);
    this.#store(stored().filter(isOther), this.#unstored.filter(isOther));
  }

  /** Read what another tab has stored. */
  refresh() {
    this.#stored = stored();
  }

  #store(hands: readonly KeptHand[], more: readonly KeptHand[]) {
    const all = [...hands, ...more];
    const isStored = write(() => localStorage, KEY, all);
    this.#stored = isStored ? all : hands;
    this.#unstored = isStored ? [] : more;
  }
}

const isOf =
  (rulebook: string) =>
  (hand: KeptHand): boolean =>
    hand.rulebook === rulebook;

/** The hands in the browser's storage now; other tabs store theirs there too. */
function stored(): KeptHand[] {
  const hands = read<unknown>(() => localStorage, KEY, []);
  return Array.isArray(hands) ? hands.filter(isKept) : [];
}

// Another version of the page may have stored them, or somebody else.
const isKept = (hand: Partial<KeptHand> | null): hand is KeptHand =>
  typeof hand?.rulebook === "string" && isLine(hand.line);
