/** What a player sees and does at a table of Three Card Poker. */
import { PokerSlip } from "../bets/poker_slip.svelte";
import { boundsOf, leastToBring } from "../bets/stakes";
import { CoachController } from "../coach/controller.svelte";
import { slowToShow } from "../fairness/seed_text";
import { account } from "../net/account.svelte";
import { placeIn, type Move } from "../net/protocol";
import { payTable, type PokerRules } from "../net/rulebook";
import type { SessionOf } from "../table/session.svelte";
import { within } from "../text/format";
import { bankerResult, playerResult, voidRound } from "../../texts/results";
import { YOUR_HAND_IS_VOID } from "../../texts/rulings";
import { controls, dealer, names, seats, status as words } from "../../texts/poker";
import { Deadline } from "../ui/deadline.svelte";
import { touch } from "../senses/haptics";
import { sound } from "../senses/sound";
import { stage } from "../senses/stage.svelte";
import { betsOf, expectation, likelyBets, roundRisk } from "./bank_risk";
import { Banking } from "./banking.svelte";
import { handName, handOf } from "./hands";
import { mustConfirm, voidedCents } from "./rulings";
import { mayMove, TableLog } from "./log.svelte";
import {
  bankLeft,
  dealerText,
  inOrder,
  lastCardDecides,
  playerAt,
  playerThen,
  sideBets,
  upName,
} from "./settlement";
import { SettlementReplay } from "./settlement_replay.svelte";
import { bankStatus, verdictOf, type Verdict } from "./verdict";

/** Chips on the felt go into the round so long before bets close, in milliseconds. */
const SEND_BEFORE = 1200;
/** How long the verdict on a round lies on the felt, in milliseconds, unless a chip is put down. Without a clock, until then. */
const VERDICT = 3000;

export class PokerFelt {
  readonly game = "three_card_poker";
  readonly slip: PokerSlip;
  readonly replay = new SettlementReplay(
    () => this.#onReplayEnd(),
    (last) => lastCardDecides(last, this.session.rulesOf(last.end.round)),
  );
  readonly log = new TableLog();
  readonly coach: CoachController;
  /** What the player brings to the table when they sit down, and why that cannot be. */
  buyIn = $state(100_000);
  buyInWrong = $state("");
  /** What the player would put up as a bank. */
  bankAmount = $state(50_000);
  readonly #banking = new Banking();

  readonly #seedsAreSlow = new Deadline();
  readonly #pause = new Deadline();
  readonly #closing = new Deadline(() => this.#sendInTime());
  readonly #verdictEnd = new Deadline(() => this.isVerdictOpen || this.#hideVerdict());
  /** Whether the player reads the clauses of the verdict: then it stays. */
  isVerdictOpen = $state(false);
  #verdict = $state.raw<Verdict | null>(null);
  #judged: number | undefined;
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
    for (const deadline of [this.#seedsAreSlow, this.#pause, this.#closing, this.#verdictEnd])
      deadline.clear();
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
    this.#judge();
    if (this.mustAct === "bank" || this.isBanking) this.#banking.look(view);
    if (!this.me && this.#wasSeated !== false) this.slip.takeBack(); // players who leave take their chips along
    this.#wasSeated = !!this.me;
    this.#sendInTime();
  }

  #onReplayEnd() {
    this.#writeLog();
    this.#judge();
    this.coach.showTotals();
    this.session.onSettled();
  }

  #writeLog() {
    const { view, own, player, rulesOf } = this.session;
    if (!this.replay.running) this.log.see(view, own, player, rulesOf);
  }

  /** Show the verdict on a round once it is settled on screen; rounds from before the visit have none. */
  #judge() {
    const { last, phase } = this.session.view;
    const round = last?.end.round ?? 0;
    if (phase === "deciding") this.#hideVerdict();
    if (this.replay.running || this.#judged === round) return;
    if (this.#judged !== undefined) {
      this.#verdict = this.#judgement();
      const isTimed = !this.session.view.untimed;
      this.#verdictEnd.set(isTimed ? Date.now() + VERDICT : undefined);
    }
    this.#judged = round;
  }

  #hideVerdict() {
    [this.#verdict, this.isVerdictOpen] = [null, false];
    this.#verdictEnd.clear();
  }

  /** What the last round came to for the player; nothing where they had no part in it. */
  #judgement(): Verdict | null {
    const { view, player, rulesOf } = this.session;
    return view.last ? verdictOf(view.last, player, rulesOf(view.last.end.round)) : null;
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

  /** Clear the felt: what is shown of the last round has been seen. */
  clear() {
    this.replay.skip();
    this.#hideVerdict();
  }

  placeChip = (spot: string) => {
    this.clear();
    this.slip.placeChip(spot);
    sound.play("chip");
    touch();
  };

  rebet = () => {
    this.clear();
    this.slip.rebet();
    sound.play("stack");
    touch();
  };

  #isChoosing = false;
  /** Play or fold; a double press counts once. */
  choose = async (move: Move) => {
    const { round } = this.session.view;
    if (this.#isChoosing || this.mustAct !== "move" || !round) return;
    this.#isChoosing = true;
    touch();
    const command = { type: "choose", round: round.round, move } as const;
    try {
      await this.session.ask(command, { name: controls.move(move) });
    } finally {
      this.#isChoosing = false;
    }
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

  #isConfirming = false;
  /** Confirm the bets that were put down again. */
  confirm = async () => {
    const { round } = this.session.view;
    if (this.#isConfirming || !this.mustConfirm || !round) return;
    this.#isConfirming = true;
    this.clear();
    touch();
    const { round: number } = round;
    const command = { type: "place_wagers" as const, round: number, wagers: [], ready: true };
    try {
      await this.session.ask(command, { name: controls.sending });
    } finally {
      this.#isConfirming = false;
    }
  };

  // What there is to see

  /** Whether the round is dealt again with the player's bets, which they have still to confirm. */
  readonly mustConfirm = $derived.by(() => mustConfirm(this.session.view, this.session.own));
  /** What came back of the player's bets in the round that is shown, if their hand is void. */
  readonly voided = $derived.by(() => voidedCents(this.round, this.place));

  /** What the last round came to, as long as it lies on the felt. */
  get verdict() {
    return this.#verdict;
  }
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
  /** Whether the last round stays although bets are open: where no clock runs, until the player bets. */
  readonly #isKept = $derived.by(
    () => this.#verdict !== null && !!this.session.view.untimed && this.isOpen && !this.slip.inHand,
  );
  /** Whether the last round is shown: until it is settled on screen, or until the next is dealt. */
  readonly isOver = $derived.by(() => {
    const { last, phase, round } = this.session.view;
    return !!last && phase !== "deciding" && (this.replay.running || !round || this.#isKept);
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
      this.isOver && index >= Math.max(this.rules.document.up ?? 0, this.replay.turned);
    return (this.round?.dealer ?? []).map((card, index) => (isHidden(index) ? null : card));
  });
  readonly bankLeft = $derived.by(() => {
    const { end, round } = this;
    return end
      ? bankLeft(end, round?.bank ?? 0, this.#order, this.replay.settled, this.rules)
      : (this.session.view.round?.bank ?? 0);
  });
  /** How far the bank went, in a line. */
  readonly bankLine = $derived.by(() => {
    const last = this.isOver && this.isShowdown ? this.session.view.last : undefined;
    return this.round ? bankStatus(this.round, last, this.replay.settled, this.rules) : "";
  });
  readonly banker = $derived.by(() => {
    const { view } = this.session;
    const banker = this.round?.banker;
    if (banker === undefined) return null;
    if (banker === this.place) return seats.you;
    return this.isOver ? playerThen(view.last!, banker) : playerAt(view, banker);
  });
  /** "Dealer has king-high and qualifies", once every card is known. */
  readonly dealerText = $derived.by(() => dealerText(this.dealer, this.rules));
  readonly qualifier = $derived.by(() => dealer.qualifier(String(this.rules.document.qualifier)));

  /** Which card of the whole deal a place's n-th card is: round the table, the dealer last. */
  dealIndex(place: number | "dealer" | undefined): (index: number) => number {
    const { round } = this;
    const places = inOrder(round?.hands ?? [], round?.first).map((hand) => hand.place);
    const position =
      place === "dealer" ? places.length : places.findIndex((each) => each === place);
    return (index) => index * (places.length + 1) + Math.max(0, position);
  }

  /** The rows of the pay tables that the player's hand was just paid by. */
  readonly litRows = $derived.by(() => {
    const { settled, shownHand, rules } = this;
    if (!settled || !shownHand?.cards) return new Set<string>();
    const { kind } = handOf(shownHand.cards, this.isAceLow);
    const rows = (settled.wagers ?? []).flatMap(({ wager, net }) => {
      const pays = payTable(rules.document, wager)?.pays;
      if (!pays || net <= 0) return [];
      return [`${wager} ${kind in pays ? kind : "straight_flush"}`];
    });
    return new Set(rows);
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
  /** What the player's bank risks, seat by seat; nothing for players who don't bank. */
  readonly risk = $derived.by(() => {
    const { view } = this.session;
    if (!this.isBanking) return null;
    const last = this.isOver ? view.last : undefined;
    return roundRisk(view, last, this.replay.settled, this.rules);
  });
  /** What a bank here wins and loses on average; fetched when the player is offered it. */
  readonly figures = $derived.by(() => this.#banking.figuresOf(this.session.view.digest));
  /** What the bank is expected to win or lose in the round. */
  readonly expected = $derived.by(() =>
    this.figures ? expectation(this.figures, betsOf(this.round?.hands ?? [])) : null,
  );
  /** What the others will probably bet against a bank that the player takes. */
  readonly likelyBets = $derived.by(() => {
    const { view, own } = this.session;
    return likelyBets(view, own.place, boundsOf(this.slip.betting, "ante").min);
  });
  /** The most that the player can post as a bank: their stack less the banker's fee. */
  readonly mostBank = $derived.by(() =>
    Math.max(0, (this.me?.stack ?? 0) - this.slip.betting.banker_fee.most),
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

  /** The places that the table waits for now; nobody while a round is still being shown. */
  readonly awaited = $derived.by(() => (this.isSettling ? [] : (this.session.view.awaited ?? [])));
  /** The others that the table waits for, in a sentence. */
  readonly #waitingFor = $derived.by(() => {
    const { view, own } = this.session;
    const players = this.awaited.filter((place) => place !== own.place);
    const people = players.filter((place) => !this.#isBot(place));
    return names((people.length ? people : players).map((place) => playerAt(view, place)));
  });
  #isBot(place: number): boolean {
    return !!this.session.view.places.find((seat) => seat.place === place)?.bot;
  }

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

  /** What the table waits for the player to do; bets are no matter while no clock runs. */
  readonly mustAct = $derived.by((): "move" | "bank" | "bet" | null => {
    const { view, own } = this.session;
    if (mayMove(view, own)) return "move";
    if (view.phase === "offering" && view.offered_to === own.place) return "bank";
    return (this.isOpen || this.mustConfirm) && view.deadline ? "bet" : null;
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

  /** What the round that is over came to for the player. */
  readonly #result = $derived.by(() =>
    this.isOver && !this.isSettling ? this.#judgement() : null,
  );
  /** The same in a sentence; a void is known to spectators too. */
  readonly #outcome = $derived.by(() => {
    const { end } = this;
    if (end && this.isVoid) return voidRound(end.round, end.reason ?? "");
    const result = this.#result;
    if (!result) return "";
    const part = { net: result.net + result.fee, fee: result.fee };
    return result.isBank ? bankerResult(part) : playerResult(part);
  });

  /** What goes on, in a sentence. */
  readonly status = $derived.by(() => {
    const { view, own } = this.session;
    const [me, round, outcome, waiting] = [this.me, view.round, this.#outcome, this.#waitingFor];
    if (view.phase === "closed") return words.closed;
    if (this.session.ruling) return this.session.ruling;
    if (mayMove(view, own))
      return stage.isDealing
        ? words.noMoreBets
        : words.youHave(handName(own.cards!, this.isAceLow), upName(round));
    if (this.isOver && this.replay.running && !this.isVoid)
      return this.isShowdown ? words.payingOut(this.#firstPaid) : words.showdown;
    if (view.phase === "offering")
      return view.offered_to === own.place
        ? words.offeredToYou
        : words.offeredTo(playerAt(view, view.offered_to));
    if (this.#isLingering && outcome) return outcome;
    if (me?.away) return words.youAreAway;
    if (view.waits_for === "banker") return words.noBanker;
    if (view.waits_for === "players") return me ? words.noPlayers : words.takeSeat;
    if (view.phase === "betting") {
      if (this.isOpen) return words.betsOpen;
      if (me && round?.banker === own.place) return words.bankOpen;
      if (this.mustConfirm) return words.dealtAgain;
      return this.hand?.wagers.length ? words.youAreIn(waiting) : words.waitingForBets(waiting);
    }
    if (view.phase === "revealing")
      return this.#seedsAreSlow.hasPassed ? words.waitingForSeeds : words.noMoreBets;
    if (view.phase === "deciding" && this.voided) return YOUR_HAND_IS_VOID;
    if (view.phase === "deciding") return waiting ? words.waitingFor(waiting) : words.deciding;
    return outcome || words.nextRound;
  });

  /** Who is settled first, where a player banks. */
  readonly #firstPaid = $derived.by(() => {
    const { view } = this.session;
    const first = this.firstPlace;
    if (first === undefined || !view.last) return "";
    return first === this.place ? seats.you.toLowerCase() : playerThen(view.last, first);
  });
  readonly isVoid = $derived(this.end?.type === "round.voided/1");
}
