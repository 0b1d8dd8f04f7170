/** The slip at a wheel: chips in hand are sent in parts, and what is down can be taken back. */
import { account } from "../net/account.svelte";
import type { WheelRules } from "../net/rulebook";
import { touch } from "../senses/haptics";
import { sound, type SoundName } from "../senses/sound";
import { money } from "../text/format";
import { spotName } from "../text/wager_names";
import * as texts from "../../texts/roulette";
import { announcer } from "../ui/announcer.svelte";
import { BetSlip } from "./slip.svelte";
import {
  asBets,
  boundsOf,
  BRING,
  chipSizes,
  freshStakes,
  merge,
  objection,
  stakesOf,
  sum,
  type Stakes,
} from "./stakes";

/** A message may have 4 KiB: so many wagers fit in one. */
const IN_ONE = 50;
/** How long a view is waited for that shows what was answered, in milliseconds. */
const PATIENCE = 1000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

export class RouletteSlip extends BetSlip<WheelRules> {
  /** More chips would have helped, and there are more. */
  readonly isShort = $derived(this.wrong.endsWith(BRING));
  #isBusy = false;
  #frozen = $state.raw<Stakes | null>(null);

  /** A place that the player could take. */
  readonly freePlace = $derived.by(() => {
    const { settings, places } = this.context.view;
    return Array.from({ length: settings.places }, (_, n) => n + 1).find(
      (number) => !places.some((place) => place.place === number),
    );
  });
  /** What is at the table and may be taken back. */
  readonly down = $derived(freshStakes(this.hand));
  /** Whether bets are taken from the player, or could be taken back. */
  readonly mayBet = $derived.by(
    () => this.context.view.phase === "betting" && !!this.me && !this.me.aside && !this.me.leaving,
  );
  readonly isOpen = $derived(this.mayBet && !this.hand?.ready);
  /** All of the player's chips on the layout; it does not flicker while they are on their way. */
  readonly shown = $derived(this.#frozen ?? merge(this.down, this.stakes));
  readonly total = $derived(sum(this.shown));
  readonly bounds = $derived(boundsOf(this.betting, ""));
  readonly sizes = $derived(chipSizes(this.bounds));

  /** That the player has too little here for any bet, in a sentence; nothing: they can bet, or have bet. */
  readonly lacking = $derived.by(() => {
    const {
      me,
      bounds: { min },
    } = this;
    if (!me || me.leaving || this.total || me.stack >= min) return "";
    const stack = me.stack ? money(me.stack) : "";
    return texts.tooFewChips(stack, money(min), (account.me?.wallet ?? 0) >= min);
  });

  /** Where the table has no such chip as the chosen one, choose the least. */
  fitChip() {
    if (!this.sizes.includes(this.chip)) this.chip = this.sizes[0]!;
  }

  /** Do one thing at a time, so that a double press counts once. Returns whether it was done. */
  async once(work: () => Promise<boolean>): Promise<boolean> {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    const done = await work();
    this.#isBusy = false;
    if (done) this.wrong = "";
    return done;
  }

  /** Take bets for a round, or with nothing for none: chips in hand are for no other, and come back. */
  follow(round: number | null) {
    if (round === this.round) return;
    const opens = this.round === null;
    this.round = round;
    if (!opens && !this.sending) this.#comeBack();
    else if (opens && !this.wrong.endsWith(texts.BACK)) this.wrong = "";
  }

  #comeBack() {
    const { inHand } = this;
    this.reset();
    this.wrong = inHand ? texts.closedTooEarly(money(inHand)) : "";
  }

  add(spot: string, cents: number): boolean {
    return this.#change(merge(this.stakes, { [spot]: cents }), () => this.#describe(spot));
  }

  /** Put as much on each of several spots, as one change; `describe` says so. */
  addEach(spots: readonly string[], cents: number, describe: () => string): boolean {
    const more = Object.fromEntries(spots.map((spot) => [spot, cents]));
    return this.#change(merge(this.stakes, more), describe, "stack");
  }

  /** Take so much off a spot again; what would be less than a bet goes whole. */
  take(spot: string, cents: number) {
    const { [spot]: stake = 0, ...others } = this.stakes;
    if (!stake && this.down[spot]) this.refuse(texts.UNDO_THIS_BET);
    if (!stake) return;
    const left = stake - cents;
    this.#change(left < this.bounds.min ? others : { ...others, [spot]: left }, () =>
      this.#describe(spot),
    );
  }

  #describe = (spot: string) => texts.onSpot(spotName(spot), money(this.shown[spot] ?? 0));

  /** Bet again what was bet last, in place of what is in hand; not on top of what is down. */
  rebet() {
    if (sum(this.down)) this.refuse(texts.UNDO_TO_CHANGE);
    else this.#change(this.last ?? {}, () => texts.REBET_DONE, "stack");
  }

  double() {
    const doubled = Object.fromEntries(
      Object.entries(this.stakes).map(([spot, cents]) => [spot, 2 * cents]),
    );
    this.#change(doubled, () => texts.DOUBLED, "stack");
  }

  /** Undo the last change; if there is none, take back what is down and have it in hand. */
  async undo() {
    if (this.sending) return;
    this.wrong = "";
    if (this.isChanged) {
      this.undoLast();
      announcer.tell(`${texts.UNDONE} ${texts.inAll(money(this.total))}`);
    } else if (sum(this.down)) {
      await this.#takeBack(this.down);
    }
  }

  async clear() {
    if (this.sending) return;
    this.wrong = "";
    if (sum(this.down) && !(await this.#takeBack(this.shown))) return;
    this.put({});
    sound.play("sweep");
    announcer.tell(texts.CLEARED);
  }

  /**
   * Put the chips in hand down at the table; `ready`: ask for the spin too. Chips that are on their
   * way are still in hand: they are not sent a second time.
   */
  async send(ready: boolean): Promise<boolean> {
    if (this.sending) return false;
    const { ask } = this.context;
    this.wrong = "";
    const round = this.round ?? 0;
    const wagers = asBets(this.stakes);
    const wanted = merge(this.down, this.stakes);
    const parts = Array.from({ length: Math.max(1, Math.ceil(wagers.length / IN_ONE)) }, (_, n) =>
      wagers.slice(n * IN_ONE, (n + 1) * IN_ONE),
    );
    return this.#hold(async () => {
      for (const [n, part] of parts.entries()) {
        const whole = n === parts.length - 1;
        if (!(await ask({ type: "place_wagers", round, wagers: part, ready: ready && whole })))
          return false;
        const left = parts.slice(n + 1).flat();
        this.reset(stakesOf(left));
      }
      if (sum(wanted)) {
        this.remember(wanted);
      }
      await this.#until(() => this.round !== round || sum(this.down) >= sum(wanted));
      return true;
    });
  }

  /** Take back what is down, and have so much in hand while its round takes bets. */
  async #takeBack(inHand: Stakes): Promise<boolean> {
    const round = this.round ?? 0;
    return this.#hold(async () => {
      if (!(await this.context.ask({ type: "clear_wagers", round }))) return false;
      await this.#until(() => sum(this.down) === 0);
      this.reset(inHand);
      return this.round === round;
    });
  }

  #change(stakes: Stakes, describe: () => string, heard: SoundName = "chip"): boolean {
    const why = this.#closed() || objection(stakes, this.down, this.betting, this.means, spotName);
    if (why) {
      this.refuse(why);
      return false;
    }
    this.wrong = "";
    this.put(stakes);
    sound.play(heard);
    touch();
    announcer.tell(`${describe()} ${texts.inAll(money(this.total))}`);
    return true;
  }

  #closed(): string {
    if (!this.me && account.known && !account.me) return texts.ENTER_FIRST;
    if (!this.me) return this.freePlace === undefined ? texts.SEATS_TAKEN : texts.SIT_FIRST;
    if (this.sending) return texts.ONE_MOMENT;
    if (this.lacking) return this.lacking;
    if (this.isOpen) return "";
    return this.mayBet ? texts.UNDO_TO_CHANGE : texts.WAIT_FOR_ROUND;
  }

  /** Freeze what the felt shows until some work is done. */
  async #hold(work: () => Promise<boolean>): Promise<boolean> {
    const round = this.round;
    this.#frozen = this.shown;
    this.sending = true;
    try {
      return await work();
    } finally {
      this.sending = false;
      this.#frozen = null;
      if (round !== this.round) this.#comeBack();
    }
  }

  async #until(holds: () => boolean) {
    for (let waited = 0; !holds() && waited < PATIENCE; waited += 20) await pause(20);
  }
}
