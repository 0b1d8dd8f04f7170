/**
 * The player's own seeds, hidden and then shown: with bets open the page commits to 32 fresh bytes,
 * and once bets are closed it shows them, by default and by itself.
 */
import { witness } from "./witness.svelte";
import { HiddenSeeds, type Hidden, type Where } from "./hidden_seeds";
import type { Command, Own, RoundView, TableView } from "../net/protocol";

/** Send a command and return whether the table took it; a refusal is not shown. */
type Send = (command: Command) => Promise<boolean>;

/** How often to send what was refused, and after how many milliseconds: the room may be busy. */
const TRIES = 3;
const PAUSE = 300;

async function insist(send: Send, command: Command): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    if (await send(command)) return true;
    if (tries === TRIES) return false;
    await new Promise((resume) => setTimeout(resume, PAUSE));
  }
}

class Seeds {
  #hidden = new HiddenSeeds();
  /** Commitments that were sent, and of those the ones that the table has shown; seeds shown. */
  #sent = new Set<string>();
  #seen = new Set<string>();
  #shown = new Set<string>();

  /** Look at a table: call it with every view, before anything else is sent. */
  watch(view: TableView, own: Own, player: string | null, send: Send) {
    const { table, round, phase } = view;
    const { place } = own;
    if (!round?.chain || place === undefined || player === null) return;
    const where = { table, chain: round.chain, round: round.round, place, player };
    const committed = round.committed?.[place];
    if (phase === "betting")
      this.#commit(view, { ...where, room: round.commitment }, committed, send);
    else if (committed)
      this.#show(phase, round, { ...where, room: round.commitment }, committed, send);
  }

  #commit(view: TableView, where: Where, committed: string | undefined, send: Send) {
    const me = view.places.find((seat) => seat.place === where.place);
    if (committed) {
      const hidden = this.#hidden.find(where, committed);
      this.#seen.add(committed);
      if (hidden) this.#note(where, hidden, { taken: true });
      else witness.foreign(where.table, where.round, where.place);
      return;
    }
    if (!me || me.aside || me.leaving) return;
    const hidden = this.#hidden.take(where);
    const { commitment } = hidden;
    // A commitment that is gone from the table went with its player, who is back.
    if (this.#sent.has(commitment) && !this.#seen.delete(commitment)) return;
    this.#sent.add(commitment);
    this.#note(where, hidden, {});
    void insist(send, { type: "commit_seed", round: where.round, commitment }).then(
      (taken) => taken && this.#note(where, hidden, { taken }),
    );
  }

  #show(phase: string, round: RoundView, where: Where, committed: string, send: Send) {
    const hidden = this.#hidden.find(where, committed);
    if (!hidden) return;
    const { seed } = hidden;
    if (hidden.fixed) witness.compare(where.table, where.round, hidden.fixed);
    if (round.shown?.[where.place] === seed) this.#note(where, hidden, { counted: true });
    else if (phase === "revealing" && !this.#shown.has(seed)) {
      // Once it is shown the room knows it: everything else must be written down before.
      const fixed = witness.fixed(where.table, where.round, where.place, committed);
      if (!fixed) return;
      this.#shown.add(seed);
      this.#hidden.show(where, hidden, fixed);
      this.#note(where, hidden, { taken: true, sent: true });
      void insist(send, { type: "show_seed", round: where.round, seed }).then((counted) => {
        if (counted) this.#note(where, hidden, { counted });
        else this.#shown.delete(seed); // it may be sent with the next view
      });
    }
  }

  #note({ table, round, place }: Where, { seed, commitment }: Hidden, more: object) {
    witness.hide(table, round, place, { seed, commitment, ...more });
  }
}

export const seeds = new Seeds();
