import { announcer } from "./announce.svelte";
import type { Command, Own, TableView } from "./protocol";
import { keepBets, lastBets } from "./rebet";
import { session } from "./session.svelte";
import {
  BRING,
  freshStakes,
  merge,
  objection,
  Slip,
  stakesOf,
  sum,
  type Bounds,
  type Stakes,
} from "./slip.svelte";
import { spotName } from "./spots";
import type { WheelRules } from "./rulebook";
import { money } from "./words";

interface AtTable {
  view: TableView;
  own: Own;
  rules: WheelRules;
  ask: (command: Command) => Promise<boolean>;
}

/** A message may have 4 KiB: so many wagers fit in one. */
const IN_ONE = 50;
/** How long a view is waited for that shows what was answered, in milliseconds. */
const PATIENCE = 1000;
/** How a sentence ends about chips that came back. */
const BACK = "back in your stack.";

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/**
 * One's bets at a wheel: chips in hand are on the slip until they are sent, then they are down at
 * the table. What is refused stays on the slip for as long as its round takes bets.
 */
export class Betting {
  readonly slip = new Slip();
  /** What was wrong with the last thing that was tried. */
  wrong = $state("");
  /** More chips would have helped, and there are more. */
  readonly short = $derived(this.wrong.endsWith(BRING));
  sending = $state(false);
  #busy = false;
  /** The round that takes bets, and that chips in hand are meant for. */
  #round: number | null = null;
  #last = $state.raw<Stakes | null>(null);
  #frozen = $state.raw<Stakes | null>(null);

  readonly me = $derived.by(() =>
    this.at().view.places.find((one) => one.place === this.at().own.place),
  );
  /** A place that one could take. */
  readonly free = $derived.by(() => {
    const { settings, places } = this.at().view;
    return Array.from({ length: settings.places }, (_, n) => n + 1).find(
      (place) => !places.some((one) => one.place === place),
    );
  });
  readonly mine = $derived.by(() =>
    this.at().view.round?.hands.find((hand) => hand.place === this.at().own.place),
  );
  /** What is at the table and may be taken back. */
  readonly down = $derived(freshStakes(this.mine));
  readonly may = $derived.by(
    () => this.at().view.phase === "betting" && !!this.me && !this.me.aside && !this.me.leaving,
  );
  readonly open = $derived(this.may && !this.mine?.ready);
  /** All of one's chips on the felt; it does not flicker while they are on their way. */
  readonly seen = $derived(this.#frozen ?? merge(this.down, this.slip.stakes));
  readonly total = $derived(sum(this.seen));
  /** What was bet last, to bet it again. */
  readonly last = $derived.by((): Stakes => this.#last ?? lastBets(this.at().view.table) ?? {});
  readonly bounds = $derived.by((): Bounds => {
    const { limits, increment } = this.at().rules.document;
    return { min: limits.min, max: limits.max, increment };
  });

  /** That one has too little here for any bet, in a sentence; nothing: one can bet, or has bet. */
  readonly lacking = $derived.by(() => {
    const {
      me,
      bounds: { min },
    } = this;
    if (!me || me.leaving || this.total || me.stack >= min) return "";
    const few = me.stack
      ? `The ${money(me.stack)} you have here is less than the least bet`
      : "You have no chips here";
    return `${few}${(session.me?.wallet ?? 0) < min ? "." : ": bring more to bet."}`;
  });

  constructor(readonly at: () => AtTable) {}

  /** Do one thing at a time: whoever presses twice means it once. Tells whether it was done. */
  async once(work: () => Promise<boolean>): Promise<boolean> {
    if (this.#busy) return false;
    this.#busy = true;
    const done = await work();
    this.#busy = false;
    if (done) this.wrong = "";
    return done;
  }

  /** Take bets for a round, or with nothing for none: chips in hand are for no other, and come back. */
  follow(round: number | null) {
    if (round === this.#round) return;
    const opens = this.#round === null;
    this.#round = round;
    if (!opens && !this.sending) this.#comeBack();
    else if (opens && !this.wrong.endsWith(BACK)) this.wrong = "";
  }

  #comeBack() {
    const { total } = this.slip;
    this.slip.reset();
    this.wrong = total ? `Bets closed before your ${money(total)} was down: it is ${BACK}` : "";
  }

  add(spot: string, cents: number): boolean {
    const stakes = this.slip.stakes;
    return this.#put(
      { ...stakes, [spot]: (stakes[spot] ?? 0) + cents },
      () => `${spotName(spot)}: ${money(this.seen[spot] ?? 0)}.`,
    );
  }

  /** Take so much off a spot again; what would be less than a bet goes whole. */
  take(spot: string, cents: number) {
    const { [spot]: lies = 0, ...others } = this.slip.stakes;
    if (!lies && this.down[spot]) this.#refuse("This bet is down: press Undo to change your bets.");
    if (!lies) return;
    const left = lies - cents;
    this.#put(
      left < this.bounds.min ? others : { ...others, [spot]: left },
      () => `${spotName(spot)}: ${money(this.seen[spot] ?? 0)}.`,
    );
  }

  /** Bet again what was bet last, in place of what is in hand; not on top of what is down. */
  rebet() {
    if (sum(this.down)) this.#refuse("Your bets are down: press Undo to change them.");
    else this.#put(this.last, () => "Your last bets are back.");
  }

  double() {
    const doubled = Object.fromEntries(
      Object.entries(this.slip.stakes).map(([spot, cents]) => [spot, 2 * cents]),
    );
    this.#put(doubled, () => "Doubled.");
  }

  /** Undo the last change; if there is none, take back what is down and have it in hand. */
  async undo() {
    this.wrong = "";
    if (this.slip.changed) {
      this.slip.undo();
      announcer.tell(`Undone. ${money(this.total)} in all.`);
    } else if (sum(this.down)) {
      await this.#takeBack(this.down);
    }
  }

  async clear() {
    this.wrong = "";
    if (sum(this.down) && !(await this.#takeBack(this.seen))) return;
    this.slip.put({});
    announcer.tell("The layout is clear.");
  }

  /** Put what is in hand down at the table; `ready`: let the wheel be spun. */
  async send(ready: boolean): Promise<boolean> {
    const { view, ask } = this.at();
    this.wrong = "";
    const round = this.#round ?? 0;
    const wagers = Object.entries(this.slip.stakes).map(([spot, cents]) => ({ spot, cents }));
    const wanted = merge(this.down, this.slip.stakes);
    const parts = Array.from({ length: Math.max(1, Math.ceil(wagers.length / IN_ONE)) }, (_, at) =>
      wagers.slice(at * IN_ONE, (at + 1) * IN_ONE),
    );
    return this.#hold(async () => {
      for (const [at, part] of parts.entries()) {
        const whole = at === parts.length - 1;
        if (!(await ask({ type: "place_wagers", round, wagers: part, ready: ready && whole })))
          return false;
        const left = parts.slice(at + 1).flat();
        this.slip.reset(stakesOf(left));
      }
      if (sum(wanted)) {
        this.#last = wanted;
        keepBets(view.table, wanted);
      }
      await this.#until(() => this.#round !== round || sum(this.down) >= sum(wanted));
      return true;
    });
  }

  /** Take back what is down, and have so much in hand while its round takes bets. */
  async #takeBack(inHand: Stakes): Promise<boolean> {
    const round = this.#round ?? 0;
    return this.#hold(async () => {
      if (!(await this.at().ask({ type: "clear_wagers", round }))) return false;
      await this.#until(() => sum(this.down) === 0);
      this.slip.reset(inHand);
      return this.#round === round;
    });
  }

  #put(stakes: Stakes, told: () => string): boolean {
    const means = { stack: this.me?.stack ?? 0, wallet: session.me?.wallet ?? 0 };
    const why = this.#closed() || objection(stakes, this.down, this.bounds, means, spotName);
    if (why) {
      this.#refuse(why);
      return false;
    }
    this.wrong = "";
    this.slip.put(stakes);
    announcer.tell(`${told()} ${money(this.total)} in all.`);
    return true;
  }

  #closed(): string {
    if (!this.me && session.known && !session.me)
      return "Come in with a name first, then take a place.";
    if (!this.me)
      return this.free === undefined
        ? "Every place is taken. You can look on."
        : "Take a place first.";
    if (this.sending) return "Your bets are on their way: one moment.";
    if (this.lacking) return this.lacking;
    if (this.open) return "";
    if (this.may) return "Your bets are down. Press Undo to change them.";
    return "No bets are taken now: wait for the next round.";
  }

  #refuse(why: string) {
    this.wrong = "";
    queueMicrotask(() => (this.wrong = why)); // told again also if it was told before
  }

  /** Let the felt look as it does until something is done. */
  async #hold(work: () => Promise<boolean>): Promise<boolean> {
    const round = this.#round;
    this.#frozen = this.seen;
    this.sending = true;
    try {
      return await work();
    } finally {
      this.sending = false;
      this.#frozen = null;
      if (round !== this.#round) this.#comeBack();
    }
  }

  async #until(holds: () => boolean) {
    for (let waited = 0; !holds() && waited < PATIENCE; waited += 20) await pause(20);
  }
}
