/** A visit to a table: receives its messages, and owns everything that follows from them. */
import type { Ask, AskOptions, AtTable } from "../bets/slip.svelte";
import { seeds } from "../fairness/seeds";
import { seedStatus, whoseSeeds } from "../fairness/seed_text";
import { witness } from "../fairness/witness.svelte";
import { account } from "../net/account.svelte";
import { api } from "../net/api";
import { corrections } from "../net/corrections.svelte";
import type { Command, TableView } from "../net/protocol";
import type { PokerRules, Rules, WheelRules } from "../net/rulebook";
import { RulesHistory } from "../net/rules_history.svelte";
import { TableSocket } from "../net/socket.svelte";
import { PokerFelt } from "../poker/felt.svelte";
import { rulingLines } from "../poker/rulings";
import { RouletteFelt } from "../roulette/felt.svelte";
import { complaint } from "../text/format";
import { announcer } from "../ui/announcer.svelte";
import * as shell from "../../texts/shell";
import { table as words } from "../../texts/table";

/** How long to wait before rules that did not come are asked for again, in milliseconds. */
const RULES_AGAIN = 1500;
/** A shorter time without a connection is not shown, in milliseconds; one in doubt is shown at once. */
const LOST_AFTER = 400;
/** A command without an answer after so long is shown to be on its way, in milliseconds. */
const LATE_AFTER = 400;
const MOST_FINISHED = 5;

/** A round that ended during the visit, and whose seeds its cards followed from. */
export interface FinishedRound {
  round: number;
  seed: string;
  says: string;
}

/** A session at a table of a game, as far as its felt uses it. */
export interface SessionOf<TableRules extends Rules> extends AtTable<TableRules> {
  readonly player: string | null;
  /** What to add to this machine's clock to have the server's. */
  readonly skew: number;
  /** That the clock stands while the floor rules on the round, in a sentence. */
  readonly ruling: string;
  readonly rulesOf: (round: number) => TableRules;
  readonly onSettled: () => void;
}

/** The player who is logged in; `null` for nobody, `undefined` while that is not known yet. */
const loggedIn = () => (account.known ? (account.me?.player ?? null) : undefined);

export class TableSession {
  readonly socket: TableSocket;
  /** What the player sees and does at the table; nothing until its rules are known. */
  felt = $state.raw<PokerFelt | RouletteFelt | null>(null);
  /** Why the last thing that the player asked for was refused. */
  refusal = $state("");
  /** Whether the connection has been gone for a while. */
  isLost = $state(false);
  /** What was asked and has no answer yet, in a sentence. */
  late = $state("");
  /** The newest first. */
  finished = $state.raw<readonly FinishedRound[]>([]);

  readonly #history = new RulesHistory();
  #digest = "";
  #player = loggedIn();
  #walletSeen = "";
  #lostTimer: ReturnType<typeof setTimeout> | undefined;
  #hasLeft = false;
  #lastView: TableView | null = null;

  constructor(readonly table: string) {
    this.socket = new TableSocket(table, {
      onHello: () => this.#onHello(),
      onView: () => this.#onView(),
      onChange: () => this.#onConnection(),
    });
    account.listeners.add(this.#onAccount);
    this.#onConnection();
    this.#lookAtWallet();
  }

  leave() {
    this.#hasLeft = true;
    this.socket.leave();
    account.listeners.delete(this.#onAccount);
    this.#stopLostTimer();
    this.felt?.leave();
  }

  // What there is to see

  /** The newest view; there is one as soon as there is a felt. */
  get view(): TableView {
    return this.socket.view ?? this.#lastView!;
  }
  get own() {
    return this.socket.own;
  }
  get player() {
    return this.socket.player;
  }
  get skew() {
    return this.socket.skew;
  }

  /** The rules of the table; nothing until they are known. */
  get rules(): Rules | null {
    return this.#history.now;
  }

  /** Whether a round that is over is still being shown. */
  get isSettling(): boolean {
    return this.felt?.isSettling ?? false;
  }

  /** Why there is no connection, where that is known. */
  readonly shut = $derived.by(() => {
    if (this.socket.ended) return complaint(this.socket.ended);
    return this.socket.crowded ? shell.TOO_MANY_TABS : "";
  });

  /** What stays the player's while the connection is lost. */
  readonly seatText = $derived.by(() => {
    const { view, own } = this.socket;
    if (own.place === undefined) return "";
    const hasBets = view?.round?.hands.some(
      (hand) => hand.place === own.place && hand.wagers.length > 0,
    );
    return hasBets ? shell.BETS_SAFE : shell.SEAT_SAFE;
  });

  /** What is wrong with the seeds of the last round, once that is shown. */
  readonly #brokenSeeds = $derived.by(() => {
    const { view } = this.socket;
    if (!view || this.isSettling) return "";
    const broken = witness.chains.wrong(view.table);
    if (broken) return shell.seeFairness(broken);
    const { last, table } = view;
    const status = last && seedStatus(last.round, "over", witness.seen(table, last.round.round));
    return status?.fits === false ? shell.ofRound(last!.round.round, status.says) : "";
  });

  /** What a player reads whose account the floor has frozen. */
  readonly frozen = $derived.by(() => {
    const { frozen, view, own, ended } = this.socket;
    if (!frozen || !view || ended) return "";
    if (own.place === undefined) return shell.FROZEN;
    const decides = view.phase === "deciding" && view.awaited?.includes(own.place);
    return decides ? shell.FROZEN_IN_A_HAND : shell.FROZEN_IN_A_ROUND;
  });

  readonly news = $derived.by(() => {
    const { news, ended, view } = this.socket;
    const closing = ended ? undefined : view?.closing;
    const lines = [
      news.disabled ? shell.PAUSED : "",
      news.change ? shell.rulesChange(news.change) : "",
      closing ? shell.tableCloses(closing) : "",
      ...(view && !ended ? rulingLines(view, this.own) : []),
      this.#brokenSeeds,
      ...witness.chains.news,
      ...(news.notices ?? []),
    ];
    return [...new Set(lines.filter(Boolean))];
  });

  get ruling() {
    return this.socket.news.ruling && this.socket.view?.round ? shell.RULING : "";
  }

  // What the player asks for

  readonly ask: Ask = async (command, options = {}) => {
    const { name } = options;
    const timer =
      name === undefined ? undefined : setTimeout(() => this.#tellLate(name), LATE_AFTER);
    const done = await this.#answer(command, options);
    if (timer !== undefined) {
      clearTimeout(timer);
      this.late = "";
    }
    return done;
  };

  async #answer(command: Command, { ignoreCodes }: AskOptions): Promise<boolean> {
    try {
      await this.socket.ask(command);
      this.refusal = "";
      return true;
    } catch (error) {
      if (!ignoreCodes?.((error as { code?: string }).code ?? "")) this.refusal = complaint(error);
      return false;
    }
  }

  #tellLate(name: string) {
    this.late = shell.sending(name);
    announcer.tell(this.late);
  }

  /** Send a command that the player did not ask for: a refusal is not shown. */
  readonly #send = (command: Command) =>
    this.socket.ask(command).then(
      () => true,
      () => false,
    );

  // Messages

  #onHello() {
    witness.begin(this.socket.key);
    if (!this.socket.view) this.#forget();
    this.#lookAtWallet();
  }

  /** Another player is logged in: what the one before saw is not theirs. */
  #forget() {
    this.felt?.leave();
    this.felt = null;
    this.finished = [];
  }

  #onView() {
    const { view, own, player } = this;
    const { receipt } = this.socket;
    this.#lastView = view;
    this.#history.see(view);
    if (view.digest !== this.#digest) {
      this.#digest = view.digest;
      void this.#fetchRules(view.digest);
    }
    // What is shown now is what a proof is compared with later. It comes before all else, so that
    // the commitment to a seed is on its way before a bet is.
    witness.watch(view, own, player, this.ask, { receipt, book: this.rules?.document });
    seeds.watch(view, own, player, this.#send);
    corrections.see(player, view.table, own.correction);
    corrections.count(player, view.table, view.corrected ?? 0);
    this.#noteFinished(view);
    this.#showFelt();
    this.#lookAtWallet();
  }

  async #fetchRules(digest: string) {
    const isCurrent = () => !this.#hasLeft && digest === this.#digest;
    try {
      const rules = await api.rules(this.table);
      if (!isCurrent()) return;
      this.#history.learn(digest, rules);
      this.#showFelt();
    } catch {
      setTimeout(() => isCurrent() && void this.#fetchRules(digest), RULES_AGAIN);
    }
  }

  #showFelt() {
    const { rules } = this;
    if (!rules || !this.socket.view) return;
    this.felt ??=
      rules.game === "roulette"
        ? new RouletteFelt(this as SessionOf<WheelRules>)
        : new PokerFelt(this as SessionOf<PokerRules>);
    this.felt.receive();
  }

  /** The rules that a round was played by: the table's may have changed since. */
  readonly rulesOf = (round: number): Rules => this.#history.of(round);

  #noteFinished({ table, last }: TableView) {
    if (!last) return;
    const { round, seed } = last.end;
    const [newest] = this.finished;
    if (newest?.round === round && newest.seed === seed) return;
    const says = whoseSeeds(last.round, "over", witness.seen(table, round));
    this.finished = [
      { round, seed, says },
      ...this.finished.filter((finished) => finished.round < round),
    ].slice(0, MOST_FINISHED);
  }

  /** Go on after a round that is settled on screen. */
  onSettled() {
    this.#lookAtWallet();
  }

  /**
   * Look at the wallet when the player has sat down, left or been frozen, and when the connection is new. A
   * player who left with a round must not read there how it ended before the table shows it.
   */
  #lookAtWallet() {
    const seen = `${this.own.place} ${this.socket.greeted} ${this.socket.frozen}`;
    if (this.isSettling || seen === this.#walletSeen) return;
    this.#walletSeen = seen;
    void account.look().catch(() => {});
  }

  /** Called after every attempt to connect: a loss is announced once, counted from its start. */
  #onConnection() {
    const { ended, connected, inDoubt } = this.socket;
    if (ended || connected || this.#hasLeft) this.#stopLostTimer();
    if (ended || this.#hasLeft) return;
    if (inDoubt && !this.isLost) this.#onLost();
    else if (connected && !inDoubt) {
      if (this.isLost) announcer.tell(shell.RECONNECTED);
      this.isLost = false;
    } else if (!this.isLost && this.#lostTimer === undefined) {
      this.#lostTimer = setTimeout(() => this.#onLost(), LOST_AFTER);
    }
  }

  #onLost() {
    this.#lostTimer = undefined;
    this.isLost = true;
    announcer.tell(words.lost(this.seatText));
  }

  #stopLostTimer() {
    clearTimeout(this.#lostTimer);
    this.#lostTimer = undefined;
  }

  /** A player who logs in is at the table under their name; one who logs out is not. */
  #onAccount = () => {
    const [before, now] = [this.#player, loggedIn()];
    this.#player = now;
    if (before !== undefined && now !== before && now !== this.player) this.socket.refresh();
  };
}
