/** What a player sees and does at a wheel. */
import { prefersReducedMotion } from "svelte/motion";
import { RouletteSlip } from "../bets/roulette_slip.svelte";
import { freshStakes } from "../bets/stakes";
import { slowToShow } from "../fairness/seed_text";
import { account } from "../net/account.svelte";
import { placeIn, type Last } from "../net/protocol";
import type { WheelRules } from "../net/rulebook";
import { sound } from "../senses/sound";
import type { SessionOf } from "../table/session.svelte";
import { bareName } from "../text/format";
import { announcer } from "../ui/announcer.svelte";
import { Deadline } from "../ui/deadline.svelte";
import { handChips, othersChips, ownChips, settledChips } from "./chips_on_layout";
import { layOut } from "./layout";
import { RUN, Spin } from "./spin.svelte";
import * as texts from "../../texts/roulette";
import { netText, verdictOf } from "./verdict";
import { around, pocketWords } from "./wheel";

/** Bets that were not sent go down by themselves so long before bets close, in milliseconds. */
const SEND_BEFORE = 1500;
/** The result is heard so long after the ball, in milliseconds. */
const RESULT_AFTER = 350;

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
    const { pocket } = last.round;
    announcer.tell(
      pocket === undefined
        ? texts.VOID
        : `${pocketWords(pocket)}. ${netText(last, this.session.player)}`,
    );
    this.#soundResult();
    if (this.#isReceiving) return;
    this.#onShown();
    this.session.onSettled();
  }

  /** Chips that come, go, or stay; after the ball. */
  #soundResult() {
    const net = this.verdict?.isVoid ? undefined : this.verdict?.net;
    if (net === undefined) return;
    sound.play(net > 0 ? "win" : net < 0 ? "sweep" : "push", RESULT_AFTER);
  }

  /** Announce that bets are open, once nothing of the spin before is seen any more. */
  #onShown() {
    const open = this.spin.running ? null : this.#bettingRound;
    const isNew = open !== this.#openRound;
    this.#openRound = open;
    if (isNew && open && this.slip.me) announcer.tell(texts.BETS_OPEN);
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
        if (await slip.send(false)) announcer.tell(texts.SENT_IN_TIME);
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
    if (isEmpty) slip.wrong = slip.lacking || texts.NOTHING_TO_SPIN;
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

  /** What the last spin came to for the player, in a sentence; nothing where they had no bets. */
  readonly netText = $derived.by(() => netText(this.spin.last, this.session.player));
  /** The player's result of the last spin, as the felt shows it. */
  readonly verdict = $derived.by(() =>
    verdictOf(this.spin.last, this.session.player, this.rulesOfLast),
  );
  /** The rules of the last spin, which may have changed since. */
  get rulesOfLast() {
    const { last } = this.spin;
    return last ? this.session.rulesOf(last.end.round) : this.session.rules;
  }

  /** The players who have not asked for the spin yet. */
  readonly #awaited = $derived.by(() => {
    const { view, own } = this.session;
    const isReady = (place: number) =>
      view.round?.hands.some((hand) => hand.place === place && hand.ready);
    return view.places
      .filter(({ place, aside, away }) => place !== own.place && !aside && !away && !isReady(place))
      .map(({ player }) => bareName(player));
  });

  /** What goes on, in a sentence. */
  readonly status = $derived.by(() => {
    const { slip } = this;
    const { view } = this.session;
    const { phase } = view;
    if (phase === "closed") return texts.CLOSED;
    if (this.session.ruling) return this.session.ruling;
    if (this.spin.running) return texts.ROLLING;
    if (slip.sending) return texts.SENDING;
    if (slip.lacking) return slip.lacking;
    if (view.waits_for && !slip.me) return texts.EMPTY_TABLE;
    if (view.waits_for && slip.me?.aside) return texts.OUT_AND_WAITING;
    if (phase === "revealing")
      return this.#seedsAreSlow.hasPassed ? texts.WAITING_FOR_SEEDS : texts.NO_MORE_BETS;
    if (phase !== "betting")
      return view.last?.end.type === "round.voided/1" ? texts.VOID : texts.OPENING;
    if (!slip.me) return texts.WATCHING;
    if (slip.me.leaving) return texts.LEAVING_SOON;
    if (slip.me.aside) return texts.SITTING_OUT;
    if (!slip.isOpen) return texts.waitingFor(this.#awaited, slip.total > slip.inHand);
    if (!slip.total) return texts.CHOOSE;
    if (!slip.inHand) return texts.PLACED;
    return view.deadline ? texts.READY_TIMED : texts.READY;
  });
}
