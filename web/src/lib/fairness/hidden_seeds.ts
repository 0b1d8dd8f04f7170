/**
 * The player's own seeds, hidden until bets are closed. They are kept in the browser, so that
 * a page that is loaded again, or another window, shows what was committed to.
 */
import { placeCommitment } from "../proof/chain";
import type { Fixed } from "../proof/fixed";
import { hex } from "../proof/sha256";

/** A place in a round on a chain, and the room's commitment that was shown there. */
export interface Where {
  table: string;
  chain: number;
  round: number;
  place: number;
  player: string;
  room: string;
}

export interface Hidden {
  seed: string;
  commitment: string;
  /** What the deal follows from beside the seeds, as it was when this one was shown. */
  fixed?: Fixed;
}

interface Kept extends Hidden {
  room: string;
  /** When it was made. */
  at: number;
  /** It was shown once, so it is no secret any more: nobody commits to it again. */
  shown?: boolean;
}

const PREFIX = "queenhigh.hidden/";
/** Longer than any round takes, in milliseconds. */
const OLD = 24 * 3600_000;

const keyOf = ({ table, chain, round, place, player }: Where) =>
  PREFIX + JSON.stringify([table, chain, round, place, player]);

export class HiddenSeeds {
  /** What this window made, where the browser keeps nothing. */
  #own = new Map<string, Kept>();

  #read(key: string): Kept | undefined {
    try {
      const text = localStorage.getItem(key);
      return text ? (JSON.parse(text) as Kept) : this.#own.get(key);
    } catch {
      return this.#own.get(key);
    }
  }

  #write(key: string, saved: Kept) {
    this.#own.set(key, saved);
    try {
      localStorage.setItem(key, JSON.stringify(saved));
    } catch {
      // full or refused: it holds until the page is left
    }
  }

  /** The seed for a place in a round: that of another window, or a fresh one. */
  take(where: Where, now = Date.now()): Hidden {
    const key = keyOf(where);
    const known = this.#read(key);
    if (known && known.room === where.room && !known.shown) return known;
    this.#clean(where, now);
    const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
    const commitment = placeCommitment(where, where.place, where.player, seed);
    const made = { seed, commitment, room: where.room, at: now };
    this.#write(key, made);
    return made;
  }

  /** The seed that was committed to, if this browser made it and the room's own is the same still. */
  find(where: Where, commitment: string): Hidden | undefined {
    const key = keyOf(where);
    return [this.#own.get(key), this.#read(key)].find(
      (saved) => saved?.commitment === commitment && saved.room === where.room,
    );
  }

  /** Note that a seed is shown: it serves for nothing else from now on. */
  show(where: Where, { seed, commitment }: Hidden, fixed?: Fixed, now = Date.now()) {
    const saved = { seed, commitment, room: where.room, at: now, shown: true };
    this.#write(keyOf(where), fixed ? { ...saved, fixed } : saved);
  }

  /** Forget seeds of rounds before at this table, and what is old. */
  #clean({ table, chain, round }: Where, now: number) {
    for (const key of this.#own.keys()) if (isPast(key)) this.#own.delete(key);
    try {
      for (const key of Object.keys(localStorage)) {
        if (!key.startsWith(PREFIX)) continue;
        const old = !((this.#read(key)?.at ?? 0) > now - OLD);
        if (old || isPast(key)) localStorage.removeItem(key);
      }
    } catch {
      // then nothing is kept there
    }

    function isPast(key: string): boolean {
      const [ofTable, ofChain, ofRound] = JSON.parse(key.slice(PREFIX.length)) as [
        string,
        number,
        number,
      ];
      return ofTable === table && (ofChain !== chain || ofRound < round);
    }
  }
}
