/** What a player sees and does at a table of Three Card Poker. */
import { PokerSlip } from "../bets/poker_slip.svelte";
import { leastToBring } from "../bets/stakes";
import { CoachController } from "../coach/controller.svelte";
import { slowToShow } from "../fairness/seed_text";
import { account } from "../net/account.svelte";
import { placeIn } from "../net/protocol";
import type { PokerRules } from "../net/rulebook";
import type { SessionOf } from "../table/session.svelte";
import { within } from "../text/format";
import { Deadline } from "../ui/deadline.svelte";
import { handName } from "./hands";
import { bankResult, mayMove, result, TableLog } from "./log.svelte";
import { bankerFee, bankLeft, inOrder, playerAt, playerThen, sideBets, upName } from "./settlement";
import { SettlementReplay } from "./settlement_replay.svelte";

/** Chips on the felt go into the round so long before bets close, in milliseconds. */
const SEND_BEFORE = 1200;

export class PokerFelt {
  readonly game = "three_card_poker";
  readonly slip: PokerSlip;
  readonly replay = new SettlementReplay(() => this.#onReplayEnd());
  readonly log = new TableLog();
  readonly coach: CoachController;
  /** What the player brings to the table when they sit down, and why that cannot be. */
  buyIn = $state(100_000);
  buyInWrong = $state("");

  readonly #seedsAreSlow = new Deadline();
  readonly #pause = new Deadline();
  readonly #closing = new Deadline(() => this.#sendInTime());
  #wasSeated: boolean | undefined;
  #inHand = 0;
  #isSitting = false;

  constructor(readonly session: SessionOf<PokerRules>) {
    this.slip = new PokerSlip(session);
    this.slip.onChange = () => this.#onSlipChange();
    this.coach = new CoachController(() => ({
      view: session.view,
      own: session.own,
      player: session.player,
      rules: session.rules,
      settling: this.replay.running,
    }));
  }

  leave() {
    this.coach.leave();
    this.replay.stop();
    for (const deadline of [this.#seedsAreSlow, this.#pause, this.#closing]) deadline.clear();
  }

  // Messages

  /** Take the newest view, or rules that have become known. */
  receive() {
    const { view, own, skew } = this.session;
    this.slip.fitChip();
    this.replay.take(view);
    this.#seedsAreSlow.set(slowToShow(view, skew));
    this.#pause.set((view.deadline ?? 0) - skew);
    const isBetting = view.phase === "betting";
    this.#closing.set(isBetting && view.deadline ? view.deadline - skew - SEND_BEFORE : undefined);
    const isEngaged =
      !!this.hand?.wagers.length || (view.phase === "offering" && view.offered_to === own.place);
    this.slip.follow(isBetting ? (view.round?.round ?? null) : null, isEngaged);
    this.coach.receive();
    this.#writeLog();
    if (!this.me && this.#wasSeated !== false) this.slip.takeBack(); // players who leave take their chips along
    this.#wasSeated = !!this.me;
    this.#sendInTime();
  }

  #onReplayEnd() {
    this.#writeLog();
    this.coach.showTotals();
    this.session.onSettled();
  }

  #writeLog() {
    const { view, own, player, rulesOf } = this.session;
    if (!this.replay.running) this.log.see(view, own, player, rulesOf);
  }

  #onSlipChange() {
    if (this.slip.inHand === this.#inHand) return;
    this.#inHand = this.slip.inHand;
    queueMicrotask(() => this.#sendInTime());
  }

  /** Bet what lies on the felt a moment before bets close, as at any table. */
  #sendInTime() {
    if (this.#closing.hasPassed && this.isOpen && this.slip.inHand) void this.slip.send(false);
  }

  // What the player does

  /** Put a chip down; what is shown of the last round has been seen. */
  placeChip = (spot: string) => {
    this.replay.skip();
    this.slip.placeChip(spot);
  };

  rebet = () => {
    this.replay.skip();
    this.slip.rebet();
  };

  /** Sit down at the first of these places; where somebody was faster, at the next. */
  async sit(...places: number[]) {
    if (this.#isSitting || this.buyInWrong) return;
    this.#isSitting = true;
    const wallet = account.me?.wallet ?? 0;
    const cents = within(this.buyIn, leastToBring(this.slip.betting, wallet), wallet);
    for (const [n, place] of places.entries()) {
      let isTaken = false;
      await this.session.ask(
        { type: "sit", place, cents },
        { ignoreCodes: (code) => (isTaken = code === "place.taken" && n < places.length - 1) },
      );
      if (!isTaken) break;
    }
    this.#isSitting = false;
  }

  // What there is to see

  get me() {
    return this.slip.me;
  }
  /** The player's hand in the round that is played. */
  get hand() {
    return this.slip.hand;
  }
  get isSettling() {
    return this.replay.running;
  }

  readonly spots = $derived.by(() => ["ante", ...sideBets(this.session.rules)]);
  /** Whether the last round is shown: until it is settled on screen, or until the next is dealt. */
  readonly isOver = $derived.by(() => {
    const { last, phase, round } = this.session.view;
    return !!last && phase !== "deciding" && (this.replay.running || !round);
  });
  /** The round that is shown, how it ended, and by which rules it was played. */
  readonly round = $derived.by(() => {
    const { view } = this.session;
    return this.isOver ? view.last!.round : (view.round ?? null);
  });
  readonly end = $derived.by(() => (this.isOver ? this.session.view.last!.end : undefined));
  readonly rules = $derived.by(() =>
    this.end ? this.session.rulesOf(this.end.round) : this.session.rules,
  );
  readonly isAceLow = $derived(this.rules.document.ace_low ?? true);
  /** The player's place in that round: they may sit elsewhere now. */
  readonly place = $derived.by(() => {
    const { view, own, player } = this.session;
    return this.isOver ? placeIn(view.last, player) : (own.hand ?? own.place);
  });
  readonly shownHand = $derived(
    this.round?.hands.find((hand) => hand.place === this.place && this.place !== undefined),
  );
  readonly isDealt = $derived(!!this.round?.dealer?.length);
  readonly isShowdown = $derived(this.isOver && this.replay.settled >= 0);

  /** Settled places in order of action. */
  readonly #order = $derived(inOrder(this.end?.places ?? [], this.round?.first));
  /** Where action starts: it matters where a player banks. */
  readonly firstPlace = $derived(
    this.round?.banker === undefined
      ? undefined
      : inOrder(this.round.hands, this.round.first)[0]?.place,
  );
  /** What a place won or lost, once that is settled on screen. */
  settledAt(place: number) {
    const n = this.#order.findIndex((settled) => settled.place === place);
    return n >= 0 && n < this.replay.settled ? this.#order[n] : undefined;
  }
  readonly settled = $derived(this.place === undefined ? undefined : this.settledAt(this.place));

  readonly dealer = $derived.by(() => {
    const isHidden = (index: number) =>
      this.isOver && !this.isShowdown && index >= (this.rules.document.up ?? 0);
    return (this.round?.dealer ?? []).map((card, index) => (isHidden(index) ? null : card));
  });
  readonly bankLeft = $derived.by(() => {
    const { end, round } = this;
    return end
      ? bankLeft(end, round?.bank ?? 0, this.#order, this.replay.settled, this.rules)
      : (this.session.view.round?.bank ?? 0);
  });
  readonly banker = $derived.by(() => {
    const { view } = this.session;
    const banker = this.round?.banker;
    if (banker === undefined) return null;
    if (banker === this.place) return "You";
    return this.isOver ? playerThen(view.last!, banker) : playerAt(view, banker);
  });
  readonly qualifier = $derived.by(() => {
    const needs = String(this.rules.document.qualifier);
    return needs === "none"
      ? "Every dealer hand qualifies"
      : `Dealer plays with ${needs === "pair" ? "a pair" : needs} or better`;
  });

  /** Whether bets are open, and the player has none in the round. */
  readonly isOpen = $derived.by(() => {
    const { view, own } = this.session;
    return (
      view.phase === "betting" &&
      !!this.me &&
      !this.me.aside &&
      view.round?.banker !== own.place &&
      !this.hand?.wagers.length
    );
  });
  readonly isBanking = $derived(
    this.round?.banker !== undefined && this.round.banker === this.place && !this.isOpen,
  );
  /** What lies on the player's spots, in hand or in the round. */
  readonly stakes = $derived.by(() => {
    const { shownHand } = this;
    if (!shownHand || (!this.isOver && this.hand && !this.hand.wagers.length))
      return this.slip.stakes;
    const bets = Object.fromEntries(shownHand.wagers.map((bet) => [bet.spot, bet.cents]));
    return shownHand.move === "play" ? { ...bets, play: bets["ante"] ?? 0 } : bets;
  });
  /** What the player has, without what is not yet settled on screen. */
  readonly stack = $derived.by(
    () => this.replay.places.find((place) => place.place === this.session.own.place)?.stack ?? 0,
  );

  // Places

  /** Whether there is still time to look at the round before. */
  readonly #isLingering = $derived.by(
    () =>
      this.isOver &&
      (this.replay.running || (this.session.view.phase === "between" && !this.#pause.hasPassed)),
  );
  /** The place that the felt is seen from: the player's own; after leaving with a round, until that was shown. */
  readonly seenFrom = $derived.by(() => {
    const { own, view } = this.session;
    if (own.place !== undefined || !this.#isLingering) return own.place;
    return view.places.some((place) => place.place === this.place) ? undefined : this.place;
  });
  readonly #places = $derived.by(() =>
    Array.from({ length: this.session.view.settings.places }, (_, n) => n + 1),
  );
  /** The other places clockwise, as they are seen from the player's own. */
  readonly otherPlaces = $derived.by(() => {
    const [from, places] = [this.seenFrom, this.#places];
    if (from === undefined) return places;
    return places.map((_, n) => ((from + n) % places.length) + 1).slice(0, -1);
  });
  /** The free places, one in the middle first. */
  readonly freePlaces = $derived.by(() => {
    const { view } = this.session;
    const free = this.#places.filter(
      (number) => !view.places.some((place) => place.place === number),
    );
    const middle = Math.floor((free.length - 1) / 2);
    return [...free.slice(middle), ...free.slice(0, middle)];
  });

  // Time and text

  /** How long the phase lasts, in milliseconds. */
  readonly phaseLength = $derived.by(() => {
    const { settings, chain, phase } = this.session.view;
    return {
      between: settings.pace.pause,
      offering: settings.pace.offer,
      betting: settings.pace.bets,
      revealing: chain?.reveal ?? 0,
      deciding: settings.pace.moves,
      closed: 0,
    }[phase];
  });

  /** What the round that is over came to; nothing where the player had no part in it. */
  readonly #outcome = $derived.by(() => {
    const { end, place, settled } = this;
    if (end?.type === "round.voided/1")
      return `The round is void: ${end.reason}. Everything came back.`;
    if (settled) return result(settled.net, this.shownHand?.fee);
    return end && place !== undefined && end.banker === place
      ? bankResult(end.net ?? 0, bankerFee(this.session.view.last!))
      : "";
  });

  /** What goes on, in a sentence. */
  readonly status = $derived.by(() => {
    const { view, own } = this.session;
    const [me, round, outcome] = [this.me, view.round, this.#outcome];
    if (view.phase === "closed") return "This table is closed.";
    if (mayMove(view, own)) {
      const up = upName(round);
      return `You have ${handName(own.cards!, this.isAceLow)}.${up ? ` The dealer shows ${up}.` : ""}`;
    }
    if (this.isOver && this.replay.running)
      return this.isShowdown ? "Settling, in order of action." : "No more decisions.";
    if (view.phase === "offering")
      return view.offered_to === own.place
        ? "The bank is offered to you."
        : `The bank is offered to ${playerAt(view, view.offered_to)}.`;
    if (this.#isLingering && outcome) return outcome;
    if (view.waits_for === "banker") return "Nobody banks yet. The table waits for one who does.";
    if (view.waits_for === "players")
      return me ? "The table waits for players." : "Take a place to begin.";
    if (view.phase === "betting") {
      if (this.isOpen) return "Bets are open.";
      if (me && round?.banker === own.place) return "Your bank is open for bets.";
      return this.hand ? "Your bet is down." : "Others are betting.";
    }
    if (view.phase === "revealing")
      return this.#seedsAreSlow.hasPassed ? "No more bets. Waiting for seeds." : "No more bets.";
    if (view.phase === "deciding") return me ? "Others are deciding." : "The players decide.";
    return outcome || "The next round begins in a moment.";
  });
}
