/**
 * Chains of the rooms' seeds as this browser saw them first, how far it has followed them, what it
 * has counted, and what does not fit. Kept by the key that a room signs with.
 */
import { down } from "../proof/chain";
import type { SeenChain } from "../proof/types";
import type { TableView } from "../net/protocol";
import { history, NEW_KEY, RESTORED } from "../../texts/fairness";

const KEPT = "queenhigh.chains";
/** So many rooms at this address are remembered. */
const MOST_ROOMS = 8;

/** What this browser has counted at a table. */
export interface Counts {
  /** Rounds that it saw end; of those, seeds left out, and rounds void after bets were closed. */
  rounds: number;
  /** Rounds that a player's seed binds, and those that the room could have chosen. */
  bound: number;
  free: number;
  leftOut: number;
  voided: number;
  /** Rounds whose end it did not see although it had shown a seed. */
  lost: number;
  /** How often the table was put back to an earlier state. */
  restored: number;
}

interface Known extends SeenChain {
  /** The last round that was seen to be over. */
  ended: number;
  counts: Counts;
}

interface Room {
  tables: Record<string, Known>;
  /** By table, what does not fit. */
  wrong: Record<string, string>;
}

interface Kept {
  /** The key of the room that is there now. */
  room: string;
  rooms: Record<string, Room>;
}

const NONE: Counts = { rounds: 0, bound: 0, free: 0, leftOut: 0, voided: 0, lost: 0, restored: 0 };
const NEW: Room = { tables: {}, wrong: {} };

/** Why a chain cannot be the one that a table is on, after what was seen there. */
function departs(known: Known, now: SeenChain, round: number): string | undefined {
  if (now.epoch < known.epoch) return history.beforeRestore;
  if (round <= known.ended) return history.playedAgain(round);
  if (now.number < known.number) return history.earlierChain(now.number, known.number);
  if (now.number === known.number)
    return now.end === known.end && now.before === known.before
      ? undefined
      : history.otherChain(now.number);
  return now.before < known.ended ? history.startsTooEarly(now.number) : undefined;
}

/** What two windows know of a table, together. */
function together(own: Known, other: Known | undefined): Known {
  if (!other || other.epoch < own.epoch) return own;
  if (other.epoch > own.epoch) return other;
  const ahead = other.number > own.number ? other : own;
  const tips = [own, other].filter((chain) => chain.end === ahead.end).map((chain) => chain.tip);
  const tip = tips.reduce((a, b) => ((b?.link ?? 0) > (a?.link ?? 0) ? b : a), undefined);
  const counts = { ...NONE };
  for (const key of Object.keys(NONE) as (keyof Counts)[])
    counts[key] = Math.max(own.counts[key], other.counts[key]);
  return {
    ...chainOf(ahead),
    ended: Math.max(own.ended, other.ended),
    counts,
    ...(tip && { tip }),
  };
}

export class Chains {
  #kept = $state.raw<Kept>(load());
  /** What is new about this room since the page was loaded, in sentences. */
  #news = $state.raw<readonly string[]>([]);

  get #room(): Room {
    return this.#kept.rooms[this.#kept.room] ?? NEW;
  }

  /** The key of the room that is there now. */
  get room(): string {
    return this.#kept.room;
  }

  /** What is new about this room since the page was loaded, in sentences. */
  get news(): readonly string[] {
    return this.#news;
  }

  /** Begin with the room of a key. What is known of other rooms at this address stays with theirs. */
  begin(room: string | undefined) {
    const { room: before, rooms } = this.#kept;
    if (room === undefined || room === before) return;
    const known = Object.entries(rooms).filter(([key]) => key !== room && key !== "");
    // Before the first greeting nobody knows which room it is.
    const own = rooms[room] ?? (before === "" ? (rooms[""] ?? NEW) : NEW);
    this.#kept = { room, rooms: Object.fromEntries([...known, [room, own]].slice(-MOST_ROOMS)) };
    if (before !== "") this.#tell(NEW_KEY);
    this.#write();
  }

  #tell(sentence: string) {
    if (!this.#news.includes(sentence)) this.#news = [...this.#news, sentence];
  }

  #change(change: Partial<Room>) {
    const rooms = { ...this.#kept.rooms, [this.#kept.room]: { ...this.#room, ...change } };
    this.#kept = { ...this.#kept, rooms };
    this.#write();
  }

  /** What another window has stored of this room. */
  #stored(): Room {
    return load().rooms[this.#kept.room] ?? NEW;
  }

  #keep(table: string, known: Known) {
    const { tables } = this.#stored();
    const all = { ...this.#room.tables, ...tables, [table]: together(known, tables[table]) };
    this.#change({ tables: all });
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
    this.#change({ wrong: { [table]: says, ...this.#stored().wrong, ...this.#room.wrong } });
  }

  /** What does not fit at a table. */
  wrong(table: string): string | undefined {
    return this.#room.wrong[table];
  }

  /** Forget what does not fit at a table: somebody has read it. */
  dismiss(table: string) {
    const others = Object.entries(this.#room.wrong).filter(([name]) => name !== table);
    this.#change({ wrong: Object.fromEntries(others) });
  }

  /** What this browser has counted at a table. */
  counts(table: string): Counts {
    return this.#room.tables[table]?.counts ?? NONE;
  }

  /** The chain that a table is on, as it was shown first. */
  see({ table, chain, round }: TableView): SeenChain | undefined {
    const known = this.#room.tables[table];
    if (!chain || !round?.link || round.chain !== chain.number) {
      if (known && round) this.alarm(table, history.noChain(round.round));
      return known && chainOf(known);
    }
    const { number, end, epoch } = chain;
    const now = { number, end, epoch, before: round.round - round.link };
    if (!known || epoch > known.epoch) {
      const counts = known?.counts ?? NONE;
      const restored = counts.restored + Number(Boolean(known));
      this.#keep(table, { ...now, ended: 0, counts: { ...counts, restored } });
      if (known) this.#tell(RESTORED);
      return now;
    }
    const wrong = departs(known, now, round.round);
    if (wrong) {
      this.alarm(table, history.changed(wrong));
      return chainOf(known);
    }
    if (number === known.number) return chainOf(known);
    this.#keep(table, { ...now, ended: known.ended, counts: known.counts });
    return now;
  }

  /** A chain with the last seed of it that was followed down to its end. */
  followed(table: string, chain: SeenChain): SeenChain {
    const known = this.#room.tables[table];
    const same = known?.number === chain.number && known.end === chain.end;
    return same && known.tip ? { ...chain, tip: known.tip } : chain;
  }

  /** Note that a round is over, and count it, once however many windows look on. */
  over(
    table: string,
    round: number,
    { bound, leftOut, voided }: { bound: boolean | undefined; leftOut: number; voided: boolean },
  ) {
    const known = this.#room.tables[table];
    if (!known || round <= known.ended) return;
    const all = together(known, this.#stored().tables[table]);
    const isCounted = round <= all.ended; // by another window
    const counts = {
      ...all.counts,
      rounds: all.counts.rounds + 1,
      bound: all.counts.bound + Number(bound === true),
      free: all.counts.free + Number(bound === false),
      leftOut: all.counts.leftOut + leftOut,
      voided: all.counts.voided + Number(voided),
    };
    this.#keep(table, isCounted ? all : { ...all, ended: round, counts });
  }

  /** Count a round whose end was not seen although a seed was shown in it. */
  lose(table: string) {
    const known = this.#room.tables[table];
    if (known)
      this.#keep(table, { ...known, counts: { ...known.counts, lost: known.counts.lost + 1 } });
  }

  /** Keep how far a chain was followed: to a seed that leads down to its end. */
  async follow(table: string, chain: SeenChain, link: number, seed: string) {
    const { tip = { link: 0, seed: chain.end } } = this.followed(table, chain);
    if (!seed || link <= tip.link) return;
    const fits = await down(table, chain.number, link, seed, tip.link).then(
      (reached) => reached === tip.seed,
      () => false,
    );
    const known = this.#room.tables[table];
    if (fits && known?.end === chain.end) this.#keep(table, { ...known, tip: { link, seed } });
  }
}

/** A chain without what is kept beside it. */
const chainOf = ({ number, end, epoch, before, tip }: SeenChain): SeenChain => ({
  ...{ number, end, epoch, before },
  ...(tip && { tip }),
});

function load(): Kept {
  try {
    const saved = JSON.parse(localStorage.getItem(KEPT) ?? "null") as Kept | null;
    if (!saved || typeof saved.rooms !== "object") return { room: "", rooms: {} };
    // An older page did not count everything.
    for (const { tables } of Object.values(saved.rooms))
      for (const known of Object.values(tables)) known.counts = { ...NONE, ...known.counts };
    return saved;
  } catch {
    return { room: "", rooms: {} }; // no storage, or somebody else's writing in it
  }
}
