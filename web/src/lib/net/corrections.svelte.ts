/** Corrections of the player's rounds: read at the table or wherever the player comes in, until dismissed. */
import type { CorrectedPart, OwnCorrection } from "../../generated/server";
import { corrected, type Corrected } from "../../texts/rulings";
import { read, write } from "../ui/stored";
import { account } from "./account.svelte";
import { api } from "./api";

/** Older ones are in the history only, in milliseconds. */
const RECENT = 30 * 24 * 3_600_000;
const MOST_KEPT = 200;

interface Notice {
  key: string;
  text: string;
}

export class Corrections {
  #notices = $state.raw<readonly (Notice & { player: string })[]>([]);
  #player: string | null = null;
  /** The last correction of each table, by its number. */
  #counted = new Map<string, number>();

  constructor(readonly now: () => number = Date.now) {}

  /** What the player who is logged in has not dismissed yet, the newest first. */
  get notices(): readonly Notice[] {
    const player = account.me?.player;
    return this.#notices.filter((notice) => notice.player === player);
  }

  /** Ask the room when another player comes in; without an answer the history still has them. */
  async look() {
    const player = account.me?.player ?? null;
    if (player === this.#player) return;
    this.#player = player;
    if (player !== null) await this.#fetch(player);
  }

  async #fetch(player: string) {
    try {
      const parts = await api.corrections();
      for (const part of [...parts].reverse()) this.#take(player, part);
    } catch {
      if (this.#player === player) this.#player = null;
    }
  }

  /** Take what a table says of the last correction there; only the room has its reason. */
  see(player: string | null, table: string, own: OwnCorrection | undefined) {
    if (!player || !own) return;
    if (this.#take(player, { owed: 0, to_wallet: false, ...own, table })) void this.#fetch(player);
  }

  /** Ask again when another correction was made at a table: it may concern an earlier round. */
  count(player: string | null, table: string, last: number) {
    const before = this.#counted.get(table);
    this.#counted.set(table, last);
    if (player && before !== undefined && last > before) void this.#fetch(player);
  }

  /** Take a correction; return whether it is new. */
  #take(player: string, part: Corrected & Pick<CorrectedPart, "correction" | "at">): boolean {
    const key = `${part.table}/${part.correction}`;
    const isKnown = this.#notices.some((each) => each.player === player && each.key === key);
    if (this.now() - part.at > RECENT || this.#dismissed(player).includes(key)) return false;
    const notice = { player, key, text: corrected(part) };
    if (!isKnown) this.#notices = [notice, ...this.#notices];
    else if (part.reason)
      this.#notices = this.#notices.map((each) =>
        each.player === player && each.key === key ? notice : each,
      );
    return !isKnown;
  }

  dismiss(key: string) {
    const player = account.me?.player ?? "";
    const kept = [...this.#dismissed(player), key].slice(-MOST_KEPT);
    write(() => localStorage, keyOf(player), kept);
    this.#notices = this.#notices.filter((each) => each.player !== player || each.key !== key);
  }

  #dismissed = (player: string) => read<string[]>(() => localStorage, keyOf(player), []);
}

const keyOf = (player: string) => `queenhigh.corrections.${player}`;

export const corrections = new Corrections();
