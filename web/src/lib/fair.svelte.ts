/**
 * What this window sees of rounds while they are played, kept until the window is closed: that is
 * what a commitment is for. And seeds of one's own.
 */
import { untrack } from "svelte";
import type { Command, Own, TableView } from "./protocol";
import type { Seen } from "./proof/types";

type Ask = (command: Command) => Promise<boolean>;

const SEEN = "queenhigh.seen";
const ADDED = "queenhigh.added";
const CHOICE = "queenhigh.seeds";
const MOST = 100;

const nameOf = (table: string, round: number) => `${round}/${table}`;

function read<T>(storage: () => Storage, key: string, usual: T): T {
  try {
    return JSON.parse(storage().getItem(key) ?? "null") ?? usual;
  } catch {
    return usual; // no storage, or somebody else's writing in it
  }
}

function write(storage: () => Storage, key: string, value: unknown) {
  try {
    storage().setItem(key, JSON.stringify(value));
  } catch {
    // full or refused; it holds until the page is left
  }
}

class Fair {
  /** Rounds by name, the oldest first. */
  #seen = $state.raw<Record<string, Seen>>(read(() => sessionStorage, SEEN, {}));
  /** Whether a random seed is added to every round. */
  #every = $state(read(() => localStorage, CHOICE, false));
  #sent = new Set<string>();

  get every() {
    return this.#every;
  }
  set every(value: boolean) {
    this.#every = value;
    write(() => localStorage, CHOICE, value);
  }

  /** What was seen of a round in this window; seeds also if another window of this browser added them. */
  seen(table: string, round: number): Seen {
    const name = nameOf(table, round);
    const seen = this.#seen[name] ?? {};
    const added = read<Record<string, string[]>>(() => localStorage, ADDED, {})[name];
    return added ? { ...seen, added } : seen;
  }

  /** Let the other windows know of a seed: of two the later one counts. */
  #tell(table: string, round: number, seed: string) {
    const name = nameOf(table, round);
    const { [name]: before = [], ...others } = read<Record<string, string[]>>(() => localStorage, ADDED, {});
    const all = Object.entries({ ...others, [name]: [...before, seed] }).slice(-MOST);
    write(() => localStorage, ADDED, Object.fromEntries(all));
  }

  /** Keep something about a round. */
  #keep(table: string, round: number, more: Seen) {
    const name = nameOf(table, round);
    const { [name]: before = {} as Seen, ...others } = this.#seen;
    const now = { ...before, ...more };
    if (JSON.stringify(now) === JSON.stringify(before)) return;
    const rounds = Object.entries({ ...others, [name]: now }).slice(-MOST);
    this.#seen = Object.fromEntries(rounds);
    write(() => sessionStorage, SEEN, this.#seen);
  }

  /** Look at a table: call it in an effect, with every view. It adds a seed where that was chosen. */
  watch(view: TableView, own: Own, ask: Ask) {
    void this.#every;
    untrack(() => {
      this.#look(view, own);
      this.#addSeed(view, own, ask);
    });
  }

  #look(view: TableView, own: Own) {
    const { table, round, last } = view;
    if (round && view.phase === "betting") this.#open(view, own);
    if (round && own.cards && own.hand !== undefined) {
      const hand = round.hands.find((one) => one.place === own.hand);
      const move = hand?.move ? { move: hand.move } : {};
      this.#keep(table, round.round, { place: own.hand, cards: own.cards, wagers: hand?.wagers ?? [], ...move });
    }
    if (last && this.seen(table, last.round.round).commitment) {
      const hand = last.round.hands.find((one) => one.place === this.seen(table, last.round.round).place);
      const mine = hand?.wagers.length ? { wagers: hand.wagers, ...(hand.move ? { move: hand.move } : {}) } : {};
      this.#keep(table, last.round.round, { ...mine, end: last.end });
    }
  }

  #addSeed(view: TableView, own: Own, ask: Ask) {
    const { table, round } = view;
    if (!this.every || own.place === undefined || view.phase !== "betting" || !round) return;
    const name = nameOf(table, round.round) + round.commitment;
    if (this.#sent.has(name) || this.seen(table, round.round).seed !== undefined) return;
    this.#sent.add(name);
    void this.add(view, own, ask, randomSeed());
  }

  /** Bets are open: what is shown first counts, whatever comes later. */
  #open(view: TableView, own: Own) {
    const { round, commitment } = view.round!;
    const before = this.seen(view.table, round);
    // A round that ended cannot open again: this is another room at the same address.
    const known = before.end ? {} : before;
    const hand = view.round!.hands.find((one) => one.place === own.place);
    const mine = own.place === undefined ? {} : { place: own.place, wagers: hand?.wagers ?? [] };
    if (before.end) this.#forget(view.table, round);
    this.#keep(view.table, round, { commitment: known.commitment ?? commitment, digest: known.digest ?? view.digest, ...mine });
  }

  #forget(table: string, round: number) {
    const { [nameOf(table, round)]: _, ...others } = this.#seen;
    this.#seen = others;
  }

  /** Add a seed to the round; tells whether the table took it. */
  async add(view: TableView, own: Own, ask: Ask, seed: string): Promise<boolean> {
    const { round } = view.round!;
    this.#tell(view.table, round, seed);
    const taken = await ask({ type: "add_seed", round, seed });
    if (taken && own.place !== undefined) this.#keep(view.table, round, { place: own.place, seed });
    return taken;
  }
}

export const fair = new Fair();

const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** Text that nobody foresees: twenty letters of five bits each. */
export function randomSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => LETTERS[byte % LETTERS.length]).join("");
}
