/** The bet slip that both games have: chips in hand on this page's felt, until the round has them. */
import { account } from "../net/account.svelte";
import type { Command, Own, TableView } from "../net/protocol";
import type { Rules } from "../net/rulebook";
import { read, write } from "../ui/stored";
import { sum, type Stakes } from "./stakes";

/** `ignoreCodes`: refusals that are not shown; `name`: what to call the command if its answer takes long. */
export interface AskOptions {
  ignoreCodes?: (code: string) => boolean;
  name?: string;
}
/** Ask the table for something; a refusal is shown. Returns whether it was done. */
export type Ask = (command: Command, options?: AskOptions) => Promise<boolean>;

/** The table that a slip is filled in at, as it is now, and the player's own part of it. */
export interface AtTable<TableRules extends Rules = Rules> {
  readonly view: TableView;
  readonly own: Own;
  readonly rules: TableRules;
  readonly ask: Ask;
  /** What was asked and has no answer yet, in a sentence. */
  readonly late: string;
}

const MOST_CHANGES = 200;

export abstract class BetSlip<TableRules extends Rules = Rules> {
  /** Chips in hand, by spot. */
  #stakes = $state.raw<Stakes>({});
  #past = $state.raw<readonly Stakes[]>([]);
  #last = $state.raw<Stakes | null>(null);
  /** The chip that is put down with a tap, in cents. */
  chip = $state(0);
  /** What was wrong with the last thing that was tried. */
  wrong = $state("");
  #sending = $state(false);
  /** The round that takes bets, and that chips in hand are meant for. */
  protected round: number | null = null;
  /** Called whenever chips in hand change, or are sent. */
  onChange: () => void = () => undefined;

  readonly inHand = $derived(sum(this.#stakes));
  readonly me = $derived.by(() => {
    const { view, own } = this.context;
    return view.places.find((place) => place.place === own.place);
  });
  /** The player's hand in the round that is played. */
  readonly hand = $derived.by(() => {
    const { view, own } = this.context;
    return view.round?.hands.find((hand) => hand.place === own.place && own.place !== undefined);
  });
  /** On which terms the table takes bets. */
  readonly betting = $derived.by(() => this.context.rules.betting);
  /** What was bet last, to bet it again. */
  readonly last = $derived.by(
    (): Stakes | null => this.#last ?? storedBets(this.context.view.table),
  );

  constructor(readonly context: AtTable<TableRules>) {}

  /** Chips that the player can choose from, the least first. */
  abstract readonly sizes: number[];

  get stakes(): Stakes {
    return this.#stakes;
  }

  get sending(): boolean {
    return this.#sending;
  }

  protected set sending(value: boolean) {
    this.#sending = value;
    this.onChange();
  }

  /** What the player has at the table and beside it. */
  get means() {
    return { stack: this.me?.stack ?? 0, wallet: account.me?.wallet ?? 0 };
  }

  /** Whether there is a change to take back. */
  get isChanged(): boolean {
    return this.#past.length > 0;
  }

  /** Have these chips in hand; it can be undone. */
  protected put(stakes: Stakes) {
    this.#past = [...this.#past.slice(1 - MOST_CHANGES), this.#stakes];
    this.#stakes = Object.fromEntries(Object.entries(stakes).filter(([, cents]) => cents > 0));
    this.onChange();
  }

  protected undoLast() {
    this.#stakes = this.#past.at(-1) ?? this.#stakes;
    this.#past = this.#past.slice(0, -1);
    this.onChange();
  }

  /** Start over: what was in hand is at the table now, or was taken back from it. */
  reset(stakes: Stakes = {}) {
    this.#stakes = stakes;
    this.#past = [];
    this.onChange();
  }

  /** Keep what was bet, to bet it again. */
  protected remember(stakes: Stakes) {
    this.#last = stakes;
    storeBets(this.context.view.table, stakes);
  }

  /** Show what is wrong; a screen reader reads it again even if it is the same as before. */
  protected refuse(why: string) {
    this.wrong = "";
    queueMicrotask(() => (this.wrong = why));
  }
}

// A player's last bets at each table outlive a reload, and end with the tab.

const keyOf = (table: string) => `queenhigh.bets.${account.me?.player ?? ""}/${table}`;

const storedBets = (table: string) => read<Stakes | null>(() => sessionStorage, keyOf(table), null);
const storeBets = (table: string, stakes: Stakes) =>
  write(() => sessionStorage, keyOf(table), stakes);
