/**
 * What this window sees of rounds while they are played, kept until the window is closed: that is
 * what a commitment is for. And the player's own seeds.
 */
import type { Bet, Command, Last, Own, Receipt, RoundView, TableView } from "../net/protocol";
import { Chains } from "./chains.svelte";
import { changes, fixedInView, type Fixed } from "../proof/fixed";
import type { OwnHidden, Seen } from "../proof/types";
import { isBound } from "../proof/seeds";
import { endOf, shownAsProof, whatIsWrong } from "./recheck";
import type { Rulebook } from "../net/rulebook";
import { read, write } from "../ui/stored";
import { aboutRound, closedTwice, endedTwice } from "../../texts/fairness";

type Ask = (command: Command) => Promise<boolean>;
/** What comes beside a view: what the room has signed, and the rules of the table, where they are known. */
interface More {
  receipt?: Receipt | undefined;
  book?: Rulebook | undefined;
}

const SEEN = "queenhigh.seen";
const ADDED = "queenhigh.added";
const CHOICE = "queenhigh.seeds";
const MOST = 100;

/** The number of a round by its name, if it is one at this table. */
function numberOf(name: string, table: string): number | undefined {
  return name.endsWith(table) ? Number(name.slice(0, -table.length)) : undefined;
}

const OWN = ["place", "seed", "hidden", "cards", "wagers", "move", "away"] as const;

/** Return what was seen of a round, without what is a place's own. */
function everyones(seen: Seen): Seen {
  const others = { ...seen };
  for (const key of OWN) delete others[key];
  return others;
}

const isHeld = (bet: Bet) => Boolean(bet.in_prison);
const isFresh = (bet: Bet) => !bet.in_prison;

/** The player's wagers while bets are open: they come and go, but what is in prison was so from the start. */
function whileOpen(known: Bet[] | undefined, shown: Bet[]): Bet[] {
  return known ? [...known.filter(isHeld), ...shown.filter(isFresh)] : shown;
}

/**
 * The player's wagers once bets are closed: a last one may have come that was not shown before, but none
 * has gone. Only players who left, or the last one before a round without wagers, took back all that could be.
 */
function onceClosed(before: Bet[] | undefined, shown: Bet[], cleared: boolean): Bet[] {
  if (!before) return shown;
  const known = cleared && !shown.some(isFresh) ? before.filter(isHeld) : before;
  const stand = JSON.stringify(shown.slice(0, known.length)) === JSON.stringify(known);
  return stand ? [...known, ...shown.slice(known.length).filter(isFresh)] : known;
}

class Witness {
  /** Rounds by name, the oldest first. */
  #seen = $state.raw<Record<string, Seen>>(read(() => sessionStorage, SEEN, {}));
  readonly chains = new Chains();
  /** Whether a random seed is added to every round. */
  #every = $state(read(() => localStorage, CHOICE, false));
  #sent = new Set<string>();
  #addSeed: () => void = () => undefined;
  /** How often this window came to a table, and in which of these visits it saw which bets open. */
  #visits = 0;
  #looked = "";

  get every() {
    return this.#every;
  }
  set every(value: boolean) {
    this.#every = value;
    write(() => localStorage, CHOICE, value);
    this.#addSeed(); // to the round that is open at the table that is watched
  }

  /** What was seen of a round in this window; seeds also if another window of this browser added them. */
  seen(table: string, round: number): Seen {
    const name = this.#name(table, round);
    const saved = this.#of(table, round);
    const seen = saved.chain
      ? { ...saved, chain: this.chains.followed(table, saved.chain) }
      : saved;
    const added = read<Record<string, string[]>>(() => localStorage, ADDED, {})[name];
    return added ? { ...seen, added } : seen;
  }

  #of(table: string, round: number): Seen {
    return this.#seen[this.#name(table, round)] ?? {};
  }

  /** A table, by the room that it is in: another room may come to this address. */
  #prefix(table: string): string {
    return `/${this.chains.room.slice(0, 16)}/${table}`;
  }

  #name(table: string, round: number): string {
    return `${round}${this.#prefix(table)}`;
  }

  /** Share a seed with the other windows: of two the later one counts. */
  #tell(table: string, round: number, seed: string) {
    const name = this.#name(table, round);
    const { [name]: before = [], ...others } = read<Record<string, string[]>>(
      () => localStorage,
      ADDED,
      {},
    );
    const all = Object.entries({ ...others, [name]: [...before, seed] }).slice(-MOST);
    write(() => localStorage, ADDED, Object.fromEntries(all));
  }

  /** Keep what is known of a round. */
  #keep(table: string, round: number, now: Seen) {
    const name = this.#name(table, round);
    const { [name]: before, ...others } = this.#seen;
    if (JSON.stringify(now) === JSON.stringify(before)) return;
    const rounds = Object.entries({ ...others, [name]: now }).slice(-MOST);
    this.#seen = Object.fromEntries(rounds);
    write(() => sessionStorage, SEEN, this.#seen);
  }

  /** Take note that a connection begins, to a room with this key: nobody looked on before it. */
  begin(room?: string) {
    this.#visits++;
    this.chains.begin(room);
  }

  /** Look at a table: call it with every view. It adds a seed where that was chosen. */
  watch(view: TableView, own: Own, player: string | null, ask: Ask, more: More = {}) {
    this.#look(view, own, player, more);
    this.#addSeed = () => this.#addSeedTo(view, own, ask);
    this.#addSeed();
  }

  #look(view: TableView, own: Own, player: string | null, { receipt, book }: More) {
    const { table, round, last } = view;
    if (last) this.#over(view, last, own, player, book);
    this.#lose(view);
    if (round && view.phase === "betting") this.#open(view, own);
    else if (round) this.#fix(table, round, receipt);
    if (round && own.cards && own.hand !== undefined)
      this.#closed(table, round, own.hand, { cards: own.cards });
  }

  #visit(table: string, round: number): string {
    return `${this.#visits} ${this.#name(table, round)}`;
  }

  #addSeedTo(view: TableView, own: Own, ask: Ask) {
    const { table, round } = view;
    if (!this.every || own.place === undefined || view.phase !== "betting" || !round) return;
    const name = `${own.place} ${this.#name(table, round.round)} ${round.commitment}`;
    if (this.#sent.has(name) || this.#of(table, round.round).seed !== undefined) return;
    this.#sent.add(name);
    void this.add(view, own, ask, randomSeed());
  }

  /** Bets are open: what is shown first counts, whatever comes later. A player who changes places starts over. */
  #open(view: TableView, own: Own) {
    const { table, digest } = view;
    const { round, commitment, hands, bank } = view.round!;
    const seen = this.#of(table, round);
    // What was seen of a round before the room was restored is of another round.
    const isOther = (view.chain?.epoch ?? 0) > (seen.chain?.epoch ?? 0);
    const before = (seen.chain ? isOther : seen.end) ? {} : seen;
    const chain = this.chains.see(view);
    if (before.end) return; // it cannot open again
    const known = before.place === own.place ? before : everyones(before);
    const shown = hands.find((hand) => hand.place === own.place)?.wagers ?? [];
    const ownPart =
      own.place === undefined
        ? {}
        : { place: own.place, wagers: whileOpen(known.wagers, shown), away: false };
    this.#looked = this.#visit(table, round);
    const first = known.chain ?? chain;
    const all = { commitment, digest, bank, ...known, ...ownPart };
    this.#keep(table, round, first ? { ...all, chain: first } : all);
  }

  /** Bets are closed: what the deal follows from counts as it is shown first, and what places show. */
  #fix(table: string, round: RoundView, receipt?: Receipt) {
    const known = this.#of(table, round.round);
    if (!known.chain || known.end) return;
    const signed = known.receipt ?? receipt;
    this.#keep(table, round.round, {
      ...known,
      fixed: known.fixed ?? fixedInView(round),
      shown: { ...round.shown, ...known.shown },
      ...(signed && { receipt: signed }),
    });
  }

  /** Everything that the deal will follow from, if it is written down and a seed may be shown. */
  fixed(table: string, round: number, place: number, commitment: string): Fixed | undefined {
    const { chain, fixed } = this.#of(table, round);
    const isOwn = fixed?.committed[place]?.commitment === commitment;
    return chain && isOwn && this.chains.wrong(table) === undefined ? fixed : undefined;
  }

  /** Compare what was shown when bets were closed with what another window was shown. */
  compare(table: string, round: number, other: Fixed) {
    const { fixed } = this.#of(table, round);
    const [wrong] = fixed ? changes(other, fixed) : [];
    if (wrong) this.chains.alarm(table, closedTwice(round, wrong));
  }

  /** Note that a place has a commitment that is not from this browser. */
  foreign(table: string, round: number, place: number) {
    const known = this.#of(table, round);
    if (known.place === place && !known.hidden)
      this.#keep(table, round, { ...known, foreign: true });
  }

  /** Keep what has become of the seed that this browser hides. */
  hide(table: string, round: number, place: number, hidden: OwnHidden) {
    const known = this.#of(table, round);
    const same = known.hidden?.commitment === hidden.commitment;
    if (known.place !== place || (known.end && !same)) return;
    const before = same ? known.hidden : {};
    this.#keep(table, round, { ...known, hidden: { ...before, ...hidden } });
  }

  /** Bets are closed: nothing of the player's own changes any more. */
  #closed(table: string, { round, hands }: RoundView, place: number, more: Seen, cleared = false) {
    const before = this.#of(table, round);
    const known = before.place === place ? before : everyones(before);
    const hand = hands.find((hand) => hand.place === place);
    const wagers = onceClosed(known.wagers, hand?.wagers ?? [], cleared);
    const away = this.#looked !== this.#visit(table, round);
    this.#keep(table, round, {
      ...more,
      ...known,
      place,
      wagers,
      move: known.move ?? hand?.move,
      away,
    });
  }

  /** A round is over: how it ended counts as it is shown first. What somebody else did is not the player's own. */
  #over(view: TableView, last: Last, own: Own, player: string | null, book?: Rulebook) {
    const { table, places } = view;
    const { round, end, players } = last;
    const known = this.#of(table, round.round);
    if (known.ended !== undefined && known.ended !== endOf(last))
      this.chains.alarm(table, endedTwice(round.round));
    this.#fix(table, round);
    const before = this.#of(table, round.round);
    const { place } = before;
    if (!before.commitment || before.end) return;
    if (before.chain) this.#keep(table, round.round, { ...before, ended: endOf(last) });
    const left = own.place !== place || places.some((seat) => seat.place === place && seat.leaving);
    const cleared = left || !round.hands.some((hand) => hand.wagers.length);
    if (place !== undefined && (own.place === place || players[place] === player))
      this.#closed(table, round, place, { end }, cleared);
    else this.#keep(table, round.round, { ...everyones(this.#of(table, round.round)), end });
    if (before.chain) void this.#check(view, last, own, known.fixed !== undefined, book);
  }

  /** Check, without being asked, that a round on a chain is what it was said to be. */
  async #check(view: TableView, last: Last, own: Own, closed: boolean, book?: Rulebook) {
    const { table } = view;
    const { round, end } = last;
    const seen = this.seen(table, round.round);
    const voided = end.type === "round.voided/1";
    const dealt = Boolean(round.dealer?.length) || round.pocket !== undefined;
    const left = Object.keys(round.committed ?? {}).length - Object.keys(round.shown ?? {}).length;
    const bound = isBound(shownAsProof(view, last, seen), seen);
    const counted = { bound, leftOut: dealt ? left : 0, voided: voided && closed };
    this.chains.over(table, round.round, counted);
    const wrong = await whatIsWrong(view, last, own, seen, book);
    if (wrong.length) this.chains.alarm(table, aboutRound(round.round, wrong[0]!));
    else {
      await this.chains.follow(table, seen.chain!, round.link ?? 0, end.seed);
      this.#keep(table, round.round, { ...this.#of(table, round.round), checked: true });
    }
  }

  /** A round whose seed was shown and whose end never comes is counted. */
  #lose({ table, round, last }: TableView) {
    for (const [name, seen] of Object.entries(this.#seen)) {
      if (!seen.hidden?.sent || seen.end || seen.lost) continue;
      const number = numberOf(name, this.#prefix(table));
      if (number === undefined || number === round?.round || number === last?.round.round) continue;
      this.#keep(table, number, { ...seen, lost: true });
      this.chains.lose(table);
    }
  }

  /** Add a seed to the round; returns whether the table took it. */
  async add(view: TableView, own: Own, ask: Ask, seed: string): Promise<boolean> {
    const { round } = view.round!;
    this.#tell(view.table, round, seed);
    const taken = await ask({ type: "add_seed", round, seed });
    const known = this.#of(view.table, round);
    if (taken && known.place === own.place) this.#keep(view.table, round, { ...known, seed });
    return taken;
  }
}

export const witness = new Witness();

const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** Unpredictable text: twenty letters of five bits each. */
export function randomSeed(): string {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(20)),
    (byte) => LETTERS[byte % LETTERS.length],
  ).join("");
}
