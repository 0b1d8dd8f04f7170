/** What a player sees and does at a wheel. */
import { prefersReducedMotion } from "svelte/motion";
import { RouletteSlip } from "../bets/roulette_slip.svelte";
import { freshStakes } from "../bets/stakes";
import { slowToShow } from "../fairness/seed_text";
import { account } from "../net/account.svelte";
import { placeIn, type Last } from "../net/protocol";
import type { WheelRules } from "../net/rulebook";
import type { SessionOf } from "../table/session.svelte";
import { money } from "../text/format";
import { announcer } from "../ui/announcer.svelte";
import { Deadline } from "../ui/deadline.svelte";
import { handChips, othersChips, ownChips, settledChips } from "./chips_on_layout";
import { layOut } from "./layout";
import { RUN, Spin } from "./spin.svelte";
import { around, pocketWords } from "./wheel";

/** Bets that were not sent go down by themselves so long before bets close, in milliseconds. */
const SEND_BEFORE = 1500;

export class RouletteFelt {
  readonly game = "roulette";
  readonly slip: RouletteSlip;
  readonly spin: Spin;
  readonly #seedsAreSlow = new Deadline();
  #sendTimer: ReturnType<typeof setTimeout> | undefined;
  /** The chips that were sent by themselves last. */
  #sent: object | null = null;
  #isReceiving = false;
  #openRound: number | null = null;
  #wasGoing = false;
  #wasLacking = false;

  constructor(readonly session: SessionOf<WheelRules>) {
    this.slip = new RouletteSlip(session);
    this.slip.onChange = () => queueMicrotask(() => this.#onSlipChange());
    this.spin = new Spin(session.view.table, (last) => this.#onLanded(last));
  }

  leave() {
    this.spin.leave();
    this.#seedsAreSlow.clear();
    clearTimeout(this.#sendTimer);
  }

  // Messages

  /** Take the newest view, or rules that have become known. */
  receive() {
    const { view, skew } = this.session;
    this.slip.fitChip();
    const isStale = (view.last?.end.at ?? 0) < Date.now() + skew - RUN;
    this.#isReceiving = true;
    this.spin.take(view, isStale || prefersReducedMotion.current || document.hidden);
    this.#isReceiving = false;
    this.#seedsAreSlow.set(slowToShow(view, skew));
    this.slip.follow(this.#bettingRound);
    this.#onSlipChange();
    this.#onShown();
    this.#letGo();
  }

  #onLanded(last: Last) {
    if (last.round.pocket === undefined) announcer.tell("The round is void. Everything came back.");
    else announcer.tell(`${pocketWords(last.round.pocket)}. ${this.netText(last)}`);
    if (this.#isReceiving) return;
    this.#onShown();
    this.session.onSettled();
  }

  /** Announce that bets are open, once nothing of the spin before is seen any more. */
  #onShown() {
    const open = this.spin.running ? null : this.#bettingRound;
    const isNew = open !== this.#openRound;
    this.#openRound = open;
    if (isNew && open && this.slip.me) announcer.tell("Bets are open.");
    this.#lookWhetherBroke();
  }

  /** Players who leave take the chips in hand along, and what was wrong with them. */
  #letGo() {
    const isGoing = !this.slip.me || !!this.slip.me.leaving;
    if (isGoing && !this.#wasGoing) {
      this.slip.wrong = "";
      this.slip.reset();
    }
    this.#wasGoing = isGoing;
  }

  #onSlipChange() {
    this.#sendInTime();
    this.#lookWhetherBroke();
  }

  /** Send bets that are seen on the layout before bets close: nobody loses them. */
  #sendInTime() {
    const { slip, session } = this;
    const { stakes } = slip;
    const { deadline } = session.view;
    clearTimeout(this.#sendTimer);
    if (!slip.isOpen || slip.sending || !slip.inHand || deadline === undefined) return;
    if (stakes === this.#sent) return;
    const wait = deadline - (Date.now() + session.skew) - SEND_BEFORE;
    this.#sendTimer = setTimeout(
      async () => {
        this.#sent = stakes;
        if (await slip.send(false)) announcer.tell("Time is nearly over: your bets are down.");
      },
      Math.max(0, wait),
    );
  }

  /** A player with nothing left here may be broke: the room knows, and what it knew was before the spin. */
  #lookWhetherBroke() {
    const isLacking = !this.spin.running && !!this.slip.lacking;
    if (isLacking && !this.#wasLacking) void account.look().catch(() => {});
    this.#wasLacking = isLacking;
  }

  // What the player does

  /** Spin the wheel. */
  async play() {
    const { slip, session } = this;
    const isEmpty = !slip.total && !session.view.round?.hands.some((hand) => hand.wagers.length);
    if (isEmpty) slip.wrong = slip.lacking || "Put a chip on the layout first.";
    else await slip.send(true);
  }

  // What there is to see

  get isSettling() {
    return this.spin.running;
  }

  readonly layout = $derived.by(() => {
    const { spots, pockets } = this.session.rules;
    return layOut(spots, pockets);
  });
  /** The pockets as they lie on the wheel. */
  readonly order = $derived.by(() => around(this.session.rules.pockets));
  readonly #bettingRound = $derived.by(() => {
    const { phase, round } = this.session.view;
    return phase === "betting" ? (round?.round ?? null) : null;
  });
  /** Whether a round goes on: bets are open, or closed and the ball has not landed yet. */
  readonly isUnderWay = $derived.by(() => {
    const { phase } = this.session.view;
    return phase === "betting" || phase === "revealing";
  });
  /** The pocket that the layout marks. */
  readonly markedPocket = $derived.by(() => {
    const { running, isLingering, to } = this.spin;
    return running || (!isLingering && this.isUnderWay) ? null : (to?.pocket ?? null);
  });

  /** The player's part in the last round: they may have left since, or sit elsewhere. */
  readonly #lastPlace = $derived.by(() => placeIn(this.session.view.last, this.session.player));
  readonly #lastHand = $derived.by(() =>
    this.session.view.last?.round.hands.find((hand) => hand.place === this.#lastPlace),
  );
  /** Bets that a zero holds. */
  readonly held = $derived.by(() => {
    const { running, prison } = this.spin;
    const bets = running ? this.#lastHand?.wagers : this.slip.hand?.wagers;
    const ofPlace = running ? [] : (prison[String(this.session.own.place)] ?? []);
    return bets?.filter((bet) => bet.in_prison) ?? ofPlace;
  });
  /** What the player has at stake, in hand or at the table; while the ball runs, on this spin. */
  readonly stakes = $derived.by(() =>
    this.spin.running ? freshStakes(this.#lastHand) : this.slip.shown,
  );
  /** What the player has, without what the ball has not shown yet. */
  readonly stack = $derived.by(
    () => this.spin.places.find((place) => place.place === this.session.own.place)?.stack ?? 0,
  );
  /** The chips that lie on the layout. */
  readonly chips = $derived.by(() => {
    const { spin, slip, held } = this;
    const { view, own, player } = this.session;
    if (spin.running)
      return [...othersChips(view.last?.round, this.#lastPlace), ...handChips(this.#lastHand)];
    if ((spin.isLingering || !this.isUnderWay) && !slip.total) {
      const settled = spin.last ? settledChips(spin.last.end, placeIn(spin.last, player)) : [];
      return settled.length && (spin.isLingering || view.phase === "between")
        ? settled
        : ownChips({}, held);
    }
    return [...othersChips(view.round, own.place), ...ownChips(slip.shown, held)];
  });

  // Text

  /** What a spin came to for the player, in a sentence; nothing where they had no bets. */
  netText(last: Last | undefined): string {
    const own = last && placeIn(last, this.session.player);
    const settled = last?.end.places?.find((place) => place.place === own);
    if (!settled?.bets?.length) return "";
    const held = settled.bets.reduce((all, bet) => all + (bet.held ?? 0), 0);
    const rest = held ? ` ${money(held)} is held.` : "";
    if (settled.net === 0) return held ? rest.trim() : "You come out even.";
    return `You ${settled.net > 0 ? "win" : "lose"} ${money(Math.abs(settled.net))}.${rest}`;
  }

  /** What goes on, in a sentence. */
  readonly status = $derived.by(() => {
    const { slip } = this;
    const { view } = this.session;
    const { phase } = view;
    if (phase === "closed") return "This table is closed.";
    if (this.spin.running) return "No more bets. The ball runs.";
    if (slip.sending) return "Your bets are on their way.";
    if (slip.lacking) return slip.lacking;
    if (view.waits_for && !slip.me) return "The wheel waits for players. Take a place to begin.";
    if (view.waits_for && slip.me?.aside) return "The wheel waits: come back, and bets open.";
    if (phase === "revealing")
      return this.#seedsAreSlow.hasPassed ? "No more bets. Waiting for seeds." : "No more bets.";
    if (phase !== "betting")
      return view.last?.end.type === "round.voided/1"
        ? "The round is void. Everything came back."
        : "Bets open in a moment.";
    if (!slip.me) return "Bets are open. Take a place to bet.";
    if (slip.me.leaving) return "You leave after this round.";
    if (slip.me.aside) return "You sit out.";
    if (!slip.isOpen)
      return `${slip.total > slip.inHand ? "Your bets are down." : "You sit this spin out."} We wait for the others.`;
    if (!slip.total) return "Bets are open. Choose a chip and tap the layout.";
    if (!slip.inHand) return "Your bets are down. Add to them, or press Spin.";
    return view.deadline
      ? "Press Spin. If time runs out, your bets still count."
      : "Press Spin when you are done.";
  });
}
