/** A desk: the hand that is being entered, what is wrong with it or missing, and its payouts. */
import { read, write } from "../ui/stored";
import { problemsOf } from "./check";
import {
  entryOf,
  isLine,
  lineOf,
  spotsOf,
  type DeskRules,
  type Entry,
  type Irregularity,
  type Line,
  type Move,
} from "./entry";
import * as taps from "./entering";
import { KeptHands } from "./kept_hands.svelte";
import { settle } from "./settle";

/** How many changes can be undone. */
const MOST_UNDONE = 100;
const current = (name: string) => `queenhigh.desk.hand.${name}`;

export class Desk {
  #entry = $state.raw<Entry>(taps.emptyEntry());
  #past = $state.raw<readonly { entry: Entry; seat: number | undefined }[]>([]);
  readonly #kept = new KeptHands();
  #target = $state.raw<taps.Target | undefined>();
  /** The seat that is being entered; the desk may have turned to another on its own. */
  #seat: number | undefined;
  /** What the last tap would have made wrong. */
  refused = $state.raw<taps.Refusal | undefined>();

  readonly problems = $derived.by(() => problemsOf(this.rules, this.#entry));
  readonly outcome = $derived.by(() =>
    this.problems.length ? null : settle(this.rules, this.#entry),
  );

  readonly #rules: () => DeskRules;

  /**
   * `rules`: those in force, which may change while the desk is open. `name`: of the rulebook, under
   * which the browser keeps the hand.
   */
  constructor(
    rules: () => DeskRules,
    readonly name: string,
  ) {
    this.#rules = rules;
    // A tab has a hand of its own; a new one goes on with the last that was changed.
    const line = read<unknown>(
      () => sessionStorage,
      current(name),
      read<unknown>(() => localStorage, current(name), null),
    );
    this.#entry = kept(this.rules, line);
    this.#target = taps.nextTarget(this.rules, this.#entry);
  }

  get rules() {
    return this.#rules();
  }

  /** Where the next tap goes. */
  get target() {
    return this.#target;
  }

  set target(target: taps.Target | undefined) {
    this.#target = target;
    this.#seat = target && "seat" in target ? target.seat : undefined;
  }

  get entry() {
    return this.#entry;
  }

  get line(): Line {
    return lineOf(this.#entry);
  }

  /** The settled hands that are kept, the oldest first. */
  get hands() {
    return this.#kept.of(this.name).map(({ line }) => line);
  }

  /** Whether the browser could not store some of them, so that they go with the page. */
  get isUnstored() {
    return this.#kept.isUnstored;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  // What is entered

  setBank = (cents: number | undefined) => this.#take(taps.withBank(this.#entry, cents));
  setFirst = (first: number) => this.#take({ ...this.#entry, first });
  setStake = (seat: number, spot: string, cents: number) =>
    this.#take(taps.withStake(this.#entry, seat, spot, cents));

  /** Add a seat, or turn to the one that is there. */
  goTo(seat: number) {
    if (!taps.seatOf(this.#entry, seat)) this.#take(taps.withSeat(this.#entry, seat));
    const { stakes, cards } = taps.seatOf(this.#entry, seat)!;
    const isBet = Object.keys(stakes).length > 0;
    this.target =
      isBet && cards.length < 3
        ? { field: "cards", seat }
        : { field: "bets", seat, spot: spotsOf(this.rules)[0]! };
  }

  removeSeat(seat: number) {
    this.#take(taps.withoutSeat(this.#entry, seat));
    if (this.#seat === seat) this.#seat = undefined;
    if (this.target && "seat" in this.target && this.target.seat === seat) this.goOn();
  }

  tapCard(card: number) {
    const { target } = this;
    if (target?.field !== "dealer" && target?.field !== "cards") return;
    if (!this.#try(taps.tapCard(this.rules, this.#entry, target, card))) return;
    this.target = target;
    const cards =
      target.field === "cards" ? taps.seatOf(this.#entry, target.seat)?.cards : this.#entry.dealer;
    if (cards?.length === 3) this.goOn();
  }

  tapChip(cents: number) {
    const { target } = this;
    if (target?.field === "bank") this.setBank((this.#entry.bank ?? 0) + cents);
    if (target?.field !== "bets") return;
    this.#try(taps.tapChip(this.rules, this.#entry, target.seat, target.spot, cents));
  }

  tapMove(seat: number, move: Move) {
    if (!this.#try(taps.tapMove(this.rules, this.#entry, seat, move))) return;
    this.#seat = undefined;
    this.goOn();
  }

  /** Enter a move without its seat: it is that of the hand just entered, or of the seat in turn. */
  typeMove(move: Move) {
    const { target } = this;
    const inTurn = target && "seat" in target ? target.seat : undefined;
    const next = this.problems.find(({ field, missing }) => field === "move" && missing)?.seat;
    const seat = this.#seat ?? inTurn ?? next;
    if (seat === undefined || taps.seatOf(this.#entry, seat)?.move === move) return;
    this.tapMove(seat, move);
  }

  addIrregularity(irregularity: Irregularity): boolean {
    return this.#try(taps.addIrregularity(this.rules, this.#entry, irregularity));
  }

  removeIrregularity = (irregularity: Irregularity) =>
    this.#take(taps.withoutIrregularity(this.#entry, irregularity));

  /** Keep what was refused, since that is what went wrong at the table. */
  accept(remedy: taps.Remedy) {
    this.#take(remedy.entry);
  }

  /** What may have gone wrong at the table, if what stands on a spot is right. */
  remediesFor(seat: number, spot: string): taps.Remedy[] {
    const without = taps.withStake(this.#entry, seat, spot, 0);
    return taps.remediesOf(this.rules, without, this.#entry, { field: "bets", seat, spot });
  }

  // Turning

  /** Turn to what is missing, if anything is. */
  goOn() {
    this.#target = taps.nextTarget(this.rules, this.#entry);
  }

  undo() {
    const last = this.#past.at(-1);
    if (!last) return;
    this.#past = this.#past.slice(0, -1);
    this.#set(last.entry);
    this.#seat = last.seat;
    this.goOn();
  }

  /** Keep the settled hand in this browser, and begin another at the same bank's table. */
  keep() {
    if (!this.outcome) return;
    this.#kept.add({ rulebook: this.name, line: this.line });
    this.clear();
    this.#past = [];
  }

  clear() {
    this.#take(taps.emptyEntry());
    this.#seat = undefined;
    this.goOn();
  }

  forgetHands = () => this.#kept.forget(this.name);
  refreshHands = () => this.#kept.refresh();

  #try(attempt: taps.Attempt): boolean {
    if ("refused" in attempt) {
      this.refused = attempt.refused;
      return false;
    }
    this.#take(attempt.entry);
    return true;
  }

  #take(entry: Entry) {
    const now = { entry: this.#entry, seat: this.#seat };
    this.#past = [...this.#past, now].slice(-MOST_UNDONE);
    this.#set(entry);
  }

  #set(entry: Entry) {
    this.refused = undefined;
    this.#entry = entry;
    for (const storage of [() => sessionStorage, () => localStorage])
      write(storage, current(this.name), lineOf(entry));
  }
}

/** The entry that a browser kept; another version, or somebody else, may have written it. */
function kept(rules: DeskRules, line: unknown): Entry {
  if (!isLine(line)) return taps.emptyEntry();
  try {
    const entry = entryOf(line);
    problemsOf(rules, entry);
    return entry;
  } catch {
    return taps.emptyEntry();
  }
}
