import { api } from "../net/api";
import type { Bet, Place, TableView } from "../net/protocol";
import { freshStakes, sum } from "../bets/stakes";
import { sound } from "../senses/sound";

/** How long the ball runs, in milliseconds. */
export const RUN = 4000;
/** When the ball falls among the pockets. */
const FALL = 0.72 * RUN;
/** How long the chips of a spin stay on the felt when bets are open again. */
const LINGER = 3000;
/** So many of the last numbers are counted. */
export const MOST_NUMBERS = 200;

export interface Landed {
  round: number;
  pocket: string;
}

/** The places with their stacks from before the last spin: without what it paid, and with what was bet since. */
function unpaid(view: TableView): Place[] {
  return view.places.map((place) => {
    const same = view.last?.players[place.place] === place.player;
    const bets =
      (same && view.last?.end.places?.find((settled) => settled.place === place.place)?.bets) || [];
    const paid = bets.reduce((all, bet) => all + bet.stake + bet.net - (bet.held ?? 0), 0);
    const since = sum(freshStakes(view.round?.hands.find((hand) => hand.place === place.place)));
    return { ...place, stack: place.stack - paid + since };
  });
}

/**
 * What may be seen of a spin. A view tells how it ended as soon as it is settled; the result, the
 * stacks and the numbers are held back here until the ball lies, and not longer.
 */
export class Spin {
  running = $state(false);
  /** The spin that the wheel shows: it runs to this pocket, or the ball lies there. */
  to = $state.raw<Landed | null>(null);
  last = $state.raw<TableView["last"]>(undefined);
  places = $state.raw<readonly Place[]>([]);
  prison = $state.raw<Record<string, Bet[]>>({});
  numbers = $state.raw<readonly Landed[]>([]);
  /** The chips of the last spin still lie there, paid or lost. */
  isLingering = $state(false);

  #view: TableView | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What ends the sounds of the ball. */
  #sounds: (() => void)[] = [];
  #landed: (last: NonNullable<TableView["last"]>) => void;

  constructor(table: string, landed: (last: NonNullable<TableView["last"]>) => void) {
    this.#landed = landed;
    void this.#recall(table);
  }

  /** Fill up what came before this page was there; nothing that is still held back. */
  async #recall(table: string) {
    try {
      const came = await api.numbers(table, MOST_NUMBERS);
      const first =
        this.numbers.at(-1)?.round ?? (this.running ? this.to?.round : this.#view?.next_round) ?? 0;
      this.numbers = [...this.numbers, ...came.filter((landed) => landed.round < first)].slice(
        0,
        MOST_NUMBERS,
      );
    } catch {
      // then they are those that come from now on
    }
  }

  /** Take the newest view. `still`: run no ball, as on entering, or where nothing should move. */
  take(view: TableView, still: boolean) {
    const over = view.last;
    const first = this.#view === null;
    const fresh = over !== undefined && over.round.round !== this.#view?.last?.round.round;
    if (fresh && this.running) this.land();
    this.#view = view;
    if (fresh) this.#begin(over, first, still);
    this.#show();
  }

  #begin(over: NonNullable<TableView["last"]>, first: boolean, still: boolean) {
    const pocket = over.round.pocket;
    clearTimeout(this.#timer);
    this.isLingering = false;
    if (pocket === undefined) {
      if (!first) this.#onVoid(over);
      return;
    }
    this.to = { round: over.round.round, pocket };
    if (first) {
      this.#note();
      return;
    }
    this.running = true;
    if (still) {
      this.land();
      return;
    }
    this.#sounds = [sound.play("ball"), sound.play("drop", FALL)];
    this.#timer = setTimeout(() => this.#rest(), RUN);
  }

  /** A void round has no ball to wait for; that it is void is shown as long as a result. */
  #onVoid(over: NonNullable<TableView["last"]>) {
    this.#linger();
    this.#show();
    this.#landed(over);
  }

  #linger() {
    this.isLingering = true;
    this.#timer = setTimeout(() => (this.isLingering = false), LINGER);
  }

  /** Land the ball now, before it has run its time. */
  land() {
    if (!this.running) return;
    this.#hush();
    sound.play("drop");
    this.#rest();
  }

  #hush() {
    for (const end of this.#sounds) end();
    this.#sounds = [];
  }

  #rest() {
    const over = this.#view?.last;
    if (!this.running || !over) return;
    clearTimeout(this.#timer);
    this.running = false;
    this.#linger();
    this.#note();
    this.#show();
    this.#landed(over);
  }

  #note() {
    if (!this.to || this.numbers[0]?.round === this.to.round) return;
    this.numbers = [this.to, ...this.numbers].slice(0, MOST_NUMBERS);
  }

  #show() {
    const view = this.#view;
    if (!view) return;
    this.places = this.running ? unpaid(view) : view.places;
    if (this.running) return;
    this.last = view.last;
    this.prison = view.prison ?? {};
  }

  leave() {
    this.#hush();
    clearTimeout(this.#timer);
  }
}
