/** The strategy chart: which hands share a row, and what its cells say. */
import type { StrategyMap } from "../../generated/server";
import { decimal, fraction, less, near, over, sign, size, type Fraction } from "./fraction";
import { handOf, kindName, RANK_NAMES, RANKS } from "../poker/hands";
import { sentence as asSentence } from "../text/format";
import * as texts from "../../texts/odds";

export type { Strategy } from "../../generated/server";

interface Cell {
  plays: boolean;
  /** In Antes; the same where a row is one hand. */
  least: Fraction;
  most: Fraction;
  /** Of how many deals how many are played, where suits decide. */
  suits?: [played: number, deals: number];
}

export interface Row {
  /** What stands beside the row, and what is read out. */
  label: string;
  name: string;
  /** The hands in it by their place in the map; none in a row of better hands. */
  from: number;
  to: number;
  cells: Cell[];
}

/** An up card in a sentence: "a king", "an eight". */
export function against(up: string): string {
  if (up === "any") return "";
  const name = RANK_NAMES[RANKS.indexOf(up as (typeof RANKS)[number])]!;
  return texts.against(name);
}

export class Chart {
  readonly #suits = new Map<string, [number, number]>();
  readonly #moves: string[];
  readonly #highs: string[];
  readonly #twos: string[];

  constructor(readonly map: StrategyMap) {
    for (const [row, column, played, deals] of map.suits)
      this.#suits.set(`${row} ${column}`, [played, deals]);
    this.#highs = map.hands.map((hand) => hand.replace(/-.*/, ""));
    this.#twos = map.hands.map((hand) => hand.replace(/-[^-]*$/, ""));
    this.#moves = map.hands.map((_, row) =>
      map.ups.map((_, column) => this.#move(row, column)).join(""),
    );
  }

  #move(row: number, column: number): string {
    const plays = this.map.gains[row]![column]! > 0;
    return this.#suits.has(`${row} ${column}`) ? (plays ? "p" : "f") : plays ? "P" : "F";
  }

  /** One cell for all hands from one place to another. */
  #cell(from: number, to: number, column: number): Cell {
    const gains = this.map.gains.slice(from, to + 1).map((row) => row[column]!);
    const cell: Cell = {
      plays: gains[0]! > 0,
      least: over(Math.min(...gains), this.map.over),
      most: over(Math.max(...gains), this.map.over),
    };
    const suits = this.#suits.get(`${from} ${column}`);
    if (suits) cell.suits = from === to ? suits : [0, 0];
    return cell;
  }

  #row(from: number, to: number, label: string): Row {
    const { hands, ups } = this.map;
    const name = from === to ? hands[from]! : texts.range(hands[to]!, hands[from]!);
    return { label, name, from, to, cells: ups.map((_, column) => this.#cell(from, to, column)) };
  }

  /** The rows of the chart, the strongest first: every hand, or neighbours that are played alike in one. */
  rows(every: boolean): Row[] {
    const hands = this.map.hands;
    const cuts = hands.map((_, index) => every || index === 0 || this.#cut(index));
    const starts = hands.flatMap((_, index) => (cuts[index] ? [index] : []));
    const rows = starts.map((from, n) => {
      const to = (starts[n + 1] ?? hands.length) - 1;
      return this.#row(from, to, this.#label(from, to));
    });
    return [...this.#better(every), ...rows];
  }

  #high = (index: number) => this.#highs[index]!;
  #two = (index: number) => this.#twos[index]!;
  /** Whether all hands around one that begin alike are played alike. */
  #alike(index: number, key: (index: number) => string): boolean {
    return this.map.hands.every(
      (_, other) => key(other) !== key(index) || this.#moves[other] === this.#moves[index],
    );
  }

  /** Whether a row begins with this hand. */
  #cut(index: number): boolean {
    const same = this.#moves[index] === this.#moves[index - 1];
    if (this.#high(index) !== this.#high(index - 1)) {
      const folded =
        /^F*$/.test(this.#moves[index]!) &&
        this.#moves.slice(index).every((moves) => moves === this.#moves[index]);
      return !same || !folded || !this.#alike(index - 1, this.#high);
    }
    if (!same) return true;
    if (this.map.ups.length > 1 || this.#alike(index, this.#high)) return false;
    // With one column there is room: around the line every hand, further off those with the same two cards.
    return this.#two(index) !== this.#two(index - 1) || !this.#alike(index, this.#two);
  }

  #label(from: number, to: number): string {
    const { hands } = this.map;
    const whole = (key: (index: number) => string) =>
      key(from) === key(to) &&
      (from === 0 || key(from - 1) !== key(from)) &&
      (to + 1 === hands.length || key(to + 1) !== key(to));
    const high = this.#high(from);
    if (from === to) return hands[from]!;
    if (high !== this.#high(to)) return texts.orLess(high);
    if (whole(this.#high)) return texts.highCard(high);
    if (this.map.ups.length === 1 && whole(this.#two)) return this.#two(from);
    return `${hands[to]}+`;
  }

  /** Pairs and better: one row where all of them are played, as they nearly always are. */
  #better(every: boolean): Row[] {
    const { classes, ups } = this.map;
    const cell = (of: StrategyMap["classes"], column: number): Cell => {
      const gains = of.map((each) => fraction(each.worth[column]!));
      const cell: Cell = {
        plays: sign(gains[0]!) > 0,
        least: gains.reduce((a, b) => (less(b, a) ? b : a)),
        most: gains.reduce((a, b) => (less(a, b) ? b : a)),
      };
      if (of.length === 1 && !["0", "1"].includes(of[0]!.play_rates[column]!)) cell.suits = [0, 0];
      return cell;
    };
    const all = classes.every((each) => each.play_rates.every((share) => share === "1"));
    const groups = all && !every ? [classes] : classes.map((each) => [each]);
    return groups.map((of) => {
      const label = of.length > 1 ? texts.PAIR_OR_BETTER : of[0]!.hand;
      return {
        label,
        name: of.length > 1 ? texts.A_PAIR_OR_BETTER : texts.aHand(label),
        from: -1,
        to: -1,
        cells: ups.map((_, column) => cell(of, column)),
      };
    });
  }

  /** Where a hand of three cards and an up card are on the chart. */
  find(
    rows: Row[],
    cards: readonly number[],
    up?: number,
  ): { row: number; column: number; hand: number } | null {
    const { kind, ranks } = handOf(cards, !this.map.hands.includes("A-3-2"));
    const hand =
      kind === "high_card"
        ? this.map.hands.indexOf(ranks.map((rank) => RANKS[rank]).join("-"))
        : -1;
    const column = this.map.ups.length === 1 ? 0 : up === undefined ? -1 : up >> 2;
    if (column < 0) return null;
    const row =
      hand >= 0
        ? rows.findIndex((each) => each.from <= hand && hand <= each.to)
        : this.#class(rows, kind);
    return row < 0 ? null : { row, column, hand };
  }

  #class(rows: Row[], kind: string): number {
    const name = kindName(kind.replace("royal", "straight"));
    const own = rows.findIndex((row) => row.from < 0 && row.label === name);
    return own >= 0 ? own : rows.findIndex((row) => row.from < 0);
  }

  /** A row of one hand alone. */
  single = (hand: number): Row => this.#row(hand, hand, this.map.hands[hand]!);
}

/** To a thousandth; what is less than that, to a millionth. */
const rounded = (a: Fraction) => decimal(a, sign(a) && near(a) < 0.0005 ? 6 : 3);

/** How much, between two bounds, without a sign: "0.013", "0.1 to 0.3". */
function amount(cell: Cell): string {
  const [low, high] =
    sign(cell.most) > 0 ? [cell.least, cell.most] : [size(cell.most), size(cell.least)];
  const [a, b] = [rounded(low), rounded(high)];
  return a === b ? a : texts.range(a, b);
}

/** With its sign, between two bounds: "+0.013", "−0.3 to −0.1". */
export function signed(cell: Cell): string {
  const [a, b] = [cell.least, cell.most].map(
    (each) => `${sign(each) > 0 ? "+" : ""}${decimal(each, 3)}`,
  );
  return a === b ? a! : texts.range(a!, b!);
}

/** A cell in a few words: "play, 0.013 better". */
export function shortly(cell: Cell): string {
  const move = cell.plays ? "play" : "fold";
  if (sign(cell.most) === 0 && sign(cell.least) === 0) return texts.SAME_EITHER_WAY;
  return texts.cellShort(move, amount(cell), !!cell.suits);
}

/** A cell as a sentence: "Q-6-4 against a king: playing is worth 0.013 Antes less than folding." */
export function sentence(row: Row, cell: Cell, up: string): string {
  const hand = `${asSentence(row.name)}${against(up)}`;
  if (sign(cell.most) === 0 && sign(cell.least) === 0) return texts.cellEqual(hand);
  const worth = texts.cellSentence(hand, amount(cell), cell.plays);
  return worth + (cell.suits ? texts.suitsDecide(...cell.suits) : texts.FULL_STOP);
}

/** How deep a cell is coloured, 0 to 1: the deeper, the more the wrong move costs. */
export function depth(cell: Cell): number {
  const middle = Math.abs(near(cell.least) + near(cell.most)) / 2;
  return Math.min(1, Math.sqrt(middle / 1.5));
}
