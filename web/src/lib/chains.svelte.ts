/**
 * Chains of the rooms' seeds as this browser saw them first, how far it has followed them, and what
 * does not fit. They are kept for as long as the room at this address has the same key.
 */
import { down } from "./proof/chain";
import type { SeenChain } from "./proof/types";
import type { TableView } from "./protocol";

const KEPT = "queenhigh.chains";

/** What this browser has counted of the rounds that it saw end at a table. */
export interface Counts {
  rounds: number;
  leftOut: number;
  /** Rounds that were void after bets were closed. */
  voided: number;
}

interface Known extends SeenChain {
  /** The last round that was seen to be over. */
  ended: number;
  counts: Counts;
  /** The room was put back to an earlier state since it was seen first. */
  restored?: boolean;
}

interface Kept {
  /** The key that the room signs with. */
  room: string;
  tables: Record<string, Known>;
  /** Another room was known at this address before. */
  rekeyed?: boolean;
}

const NONE: Counts = { rounds: 0, leftOut: 0, voided: 0 };

/** Why a chain cannot be the one that a table is on, after what was seen there. */
function departs(known: Known, now: SeenChain, round: number): string | undefined {
  if (now.epoch < known.epoch) return "The table is back at a time before it was restored.";
  if (round <= known.ended) return `Round ${round} is over, and is played again.`;
  if (now.number < known.number)
    return `The table is back on chain ${now.number}, after chain ${known.number}.`;
  if (now.number === known.number)
    return now.end === known.end && now.before === known.before
      ? undefined
      : `Chain ${now.number} is not the one that was shown before.`;
  return now.before < known.ended
    ? `Chain ${now.number} is said to be older than the rounds that were played.`
    : undefined;
}

export class Chains {
  #kept = $state.raw<Kept>(load());
  /** By table, what does not fit. */
  #wrong = $state.raw<Record<string, string>>({});

  /** Begin with a room; what is known of another one at this address means nothing. Tells whether it is another. */
  begin(room: string | undefined): boolean {
    if (room === undefined || room === this.#kept.room) return false;
    const other = this.#kept.room !== "";
    this.#kept = other ? { room, tables: {}, rekeyed: true } : { ...this.#kept, room };
    if (other) this.#wrong = {};
    this.#write();
    return other;
  }

  /** Whether the room at this address has another key than one that was known here before. */
  get rekeyed(): boolean {
    return this.#kept.rekeyed ?? false;
  }

  #keep(table: string, known: Known) {
    const stored = load();
    const others = stored.room === this.#kept.room ? stored.tables : {};
    this.#kept = { ...this.#kept, tables: { ...this.#kept.tables, ...others, [table]: known } };
    this.#write();
  }

  #write() {
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.#kept));
    } catch {
      // full or refused; it holds until the page is left
    }
  }

  /** Take note of something that does not fit; the first thing counts. */
  alarm(table: string, says: string) {
    this.#wrong = { [table]: says, ...this.#wrong };
  }

  /** What does not fit at a table. */
  wrong(table: string): string | undefined {
    return this.#wrong[table];
  }

  /** What this browser has counted at a table, and whether the table was put back to an earlier state. */
  seen(table: string): { counts: Counts; restored: boolean } {
    const known = this.#kept.tables[table];
    return { counts: known?.counts ?? NONE, restored: known?.restored ?? false };
  }

  /** The chain that a table is on, as it was shown first. */
  see({ table, chain, round }: TableView): SeenChain | undefined {
    const known = this.#kept.tables[table];
    if (!chain || !round?.link) {
      if (known && round)
        this.alarm(table, `Round ${round.round} is on no chain, and rounds before it were.`);
      return known && plain(known);
    }
    const { number, end, epoch } = chain;
    const now = { number, end, epoch, before: round.round - round.link };
    if (!known || epoch > known.epoch) {
      const counts = known?.counts ?? NONE;
      this.#keep(table, { ...now, ended: 0, counts, ...(known && { restored: true }) });
      return now;
    }
    const wrong = departs(known, now, round.round);
    if (wrong) {
      this.alarm(table, `The room shows another past than before. ${wrong}`);
      return plain(known);
    }
    if (number > known.number) {
      const { ended, counts, restored } = known;
      this.#keep(table, { ...now, ended, counts, ...(restored && { restored }) });
      return now;
    }
    return plain(known);
  }

  /** A chain with the last seed of it that was followed down to its end. */
  followed(table: string, chain: SeenChain): SeenChain {
    const known = this.#kept.tables[table];
    const same = known?.number === chain.number && known.end === chain.end;
    return same && known.tip ? { ...chain, tip: known.tip } : chain;
  }

  /** Note that a round is over, and count it, once however many windows look on. */
  over(table: string, round: number, leftOut: number, voided: boolean) {
    const known = this.#kept.tables[table];
    if (!known || round <= known.ended) return;
    const stored = load();
    const other = stored.room === this.#kept.room ? stored.tables[table] : undefined;
    const { rounds, leftOut: out, voided: voids } = other?.counts ?? known.counts;
    const counts =
      other && round <= other.ended
        ? other.counts // by another window
        : { rounds: rounds + 1, leftOut: out + leftOut, voided: voids + Number(voided) };
    this.#keep(table, { ...known, ended: round, counts });
  }

  /** Follow a seed that was shown down to the last one that was, or to the end. */
  async follow(table: string, chain: SeenChain, round: number, seed: string) {
    const link = round - chain.before;
    const { tip = { link: 0, seed: chain.end } } = this.followed(table, chain);
    if (!seed || link <= tip.link) return;
    const fits = await down(table, chain.number, link, seed, tip.link).then(
      (found) => found === tip.seed,
      () => false,
    );
    const known = this.#kept.tables[table];
    if (!fits)
      this.alarm(table, `The room's seed of round ${round} is not the next one of its chain.`);
    else if (known?.end === chain.end) this.#keep(table, { ...known, tip: { link, seed } });
  }
}

/** A chain without what is kept beside it. */
const plain = ({ number, end, epoch, before, tip }: Known): SeenChain => ({
  ...{ number, end, epoch, before },
  ...(tip && { tip }),
});

function load(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null") as Kept | null;
    return kept && typeof kept.tables === "object" ? kept : { room: "", tables: {} };
  } catch {
    return { room: "", tables: {} }; // no storage, or somebody else's writing in it
  }
}
