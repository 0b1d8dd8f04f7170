import { beforeEach, describe, expect, test, vi } from "vitest";
import { data } from "../../../testing/data";
import { problemsOf } from "./check";
import { Desk } from "./desk.svelte";
import { entryOf, isLine, lineOf, spotsOf, type DeskRules, type Entry, type Line } from "./entry";
import { emptyEntry } from "./entering";
import type { Settled } from "./settle";

const { rules, hands, mistakes } = data.entered;
const californian = () => new Desk(() => data.rules.california, "");

/** What happened at the table, as far as only taps show that it is true. */
type Shuffle = <T>(items: readonly T[]) => T[];

/** Numbers that are the same in every run. */
function shuffled(seed: number): Shuffle {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return (items) => {
    const left = [...items];
    return items.map(() => left.splice(next(left.length), 1)[0]!);
  };
}

/** Tap the cards of a hand, which turns the desk away at the third. */
function tapCards(desk: Desk, cards: readonly number[], seat?: number) {
  for (const card of cards) {
    desk.target = seat === undefined ? { field: "dealer" } : { field: "cards", seat };
    desk.tapCard(card);
    const remedy = desk.refused?.remedies.find(({ kind }) => meant.has(kind));
    if (remedy) desk.accept(remedy);
  }
}
/** What went wrong in the hand that is being entered. */
let meant = new Set<string>();

/** Enter a line as people do, in any order: seats, bets, cards, what went wrong. */
function enter(rules: DeskRules, line: Line, shuffle: Shuffle): Desk {
  const desk = new Desk(() => rules, "");
  const entry = entryOf(line);
  meant = new Set(entry.irregularities.map(({ kind }) => kind));
  for (const { seat } of shuffle(entry.seats)) desk.goTo(seat);
  const steps: (() => void)[] = [
    () => tapCards(desk, entry.dealer),
    () => entry.bank !== undefined && desk.setBank(entry.bank),
    () => entry.bank !== undefined && desk.setFirst(entry.first),
    ...entry.seats.flatMap(({ seat, cards, stakes }) => [
      () => tapCards(desk, cards, seat),
      ...spotsOf(rules)
        .filter((spot) => stakes[spot])
        .map((spot) => () => desk.setStake(seat, spot, stakes[spot]!)),
    ]),
  ];
  for (const step of shuffle(steps)) step();
  for (const irregularity of entry.irregularities) desk.addIrregularity(irregularity);
  for (const { seat, move } of shuffle(entry.seats)) if (move) desk.tapMove(seat, move);
  return desk;
}

/** The same hand, whatever went wrong first. */
const asWritten = (line: Line) => ({
  ...line,
  seats: [...line.seats].sort((a, b) => a.seat - b.seat),
});

describe("a hand entered tap by tap", () => {
  test("settles as the oracle says", () => {
    expect(hands.length).toBeGreaterThan(data.full ? 1_900 : 500);
    for (const [n, { rules: index, line, settled }] of hands.entries()) {
      const desk = enter(rules[index]!, line, shuffled(n));
      expect({ line, problems: desk.problems }).toEqual({ line, problems: [] });
      const seats = (all: Settled) => [...all.seats].sort((a, b) => a.seat - b.seat);
      const now = desk.outcome!.settled;
      expect({ line, seats: seats(now), banker: now.banker, left: now.bank_left }).toEqual({
        line,
        seats: seats(settled),
        banker: settled.banker,
        left: settled.bank_left,
      });
    }
  });

  test("is found where a tap is lost", () => {
    const { rules: index, line } = hands.find(({ line }) => line.seats[0]!.cards)!;
    const desk = enter(rules[index]!, line, shuffled(1));
    desk.target = { field: "cards", seat: line.seats[0]!.seat };
    desk.tapCard(entryOf(line).seats[0]!.cards[0]!); // takes it back
    expect(desk.outcome).toBeNull();
  });
});

describe("an impossible entry", () => {
  test("is refused where it is made, or can't be settled", () => {
    for (const { rules: index, line, accepted } of mistakes) {
      const desk = enter(rules[index]!, line, (items) => [...items]);
      // What is refused is not in the hand; so a whole hand is a possible one.
      if (desk.outcome) expect(problemsOf(rules[index]!, desk.entry)).toEqual([]);
      const isSame =
        JSON.stringify(lineOf(desk.entry)) === JSON.stringify(lineOf(entryOf(asWritten(line))));
      if (isSame)
        expect({ line, settled: desk.outcome !== null }).toEqual({ line, settled: accepted });
    }
  });

  /** Enter a hand with an Ante of $5 at seats 1 and 2, and the dealer's and seat 1's cards. */
  function begun() {
    const desk = californian();
    desk.setBank(100_000);
    for (const seat of [1, 2]) {
      desk.goTo(seat);
      desk.tapChip(500);
    }
    tapCards(desk, [0, 1, 2]);
    tapCards(desk, [51, 47, 43], 1);
    return desk;
  }

  test.each<[string, (desk: Desk) => void, string, string[]]>([
    [
      "a card that is there",
      (desk) => {
        desk.target = { field: "cards", seat: 2 };
        desk.tapCard(51);
      },
      "The ace of spades is already on the table. If the deck had it twice, it's a foul deck (IR-5).",
      ["foul_deck"],
    ],
    [
      "a fourth card",
      (desk) => {
        desk.target = { field: "cards", seat: 1 };
        desk.tapCard(20);
      },
      "Seat 1 has 4 cards instead of three.",
      ["wrong_cards"],
    ],
    [
      "a fourth card of the dealer",
      (desk) => {
        desk.target = { field: "dealer" };
        desk.tapCard(20);
      },
      "The dealer has 4 cards instead of three.",
      ["misdeal"],
    ],
    [
      "a bet above the limit",
      (desk) => {
        desk.target = { field: "bets", seat: 2, spot: "ante" };
        desk.tapChip(100_000);
      },
      "Ante would be $1,005.00: the most on one Ante here is $1,000.00.",
      ["outside_limits"],
    ],
    [
      "a misdeal after a move",
      (desk) => {
        desk.tapMove(1, "play");
        desk.addIrregularity({ kind: "misdeal" });
      },
      "Seat 1 has already decided: it's too late for a misdeal.",
      [],
    ],
    [
      "a right number of cards as wrong",
      (desk) => desk.addIrregularity({ kind: "wrong_cards", seat: 1 }),
      "Seat 1 has three cards, which is the right number.",
      [],
    ],
    [
      "a move without an Ante",
      (desk) => {
        desk.goTo(3);
        desk.tapMove(3, "play");
      },
      "Seat 3 has no Ante, so it has no move.",
      [],
    ],
    [
      "an irregularity of a seat without a bet",
      (desk) => {
        desk.goTo(3);
        desk.addIrregularity({ kind: "wrong_cards", seat: 9 });
      },
      "A hand has a wrong number of cards: choose the seat.",
      [],
    ],
  ])("%s: nothing is lost, and what may have happened is offered", (_, tap, says, kinds) => {
    const desk = begun();
    let before: Entry = desk.entry;
    const keep = () => (before = desk.entry);
    keep();
    tap(desk);
    expect(desk.refused?.says).toBe(says);
    expect(desk.refused?.remedies.map(({ kind }) => kind)).toEqual(kinds);
    // The change that was refused is not there; what was done before it is.
    expect(desk.entry.seats.slice(0, 2).map(({ cards, stakes }) => ({ cards, stakes }))).toEqual(
      before.seats.map(({ cards, stakes }) => ({ cards, stakes })),
    );
    const [remedy] = desk.refused!.remedies;
    if (!remedy) return;
    desk.accept(remedy);
    expect(desk.refused).toBeUndefined();
    expect(desk.entry.irregularities.map(({ kind }) => kind)).toEqual([remedy.kind]);
  });

  test("an amount that is too large to count is said to be so, and is kept", () => {
    const desk = begun();
    desk.setBank(1e22);
    desk.setStake(2, "ante", 1e22);
    const wrong = desk.problems.filter(({ missing }) => !missing);
    const says = "The desk counts amounts up to $90,071,992,547,409.91.";
    expect(wrong).toEqual([
      { field: "bank", missing: false, says },
      { field: "bets", missing: false, seat: 2, says },
    ]);
    expect(entryOf(desk.line).bank).toBe(1e22);
    expect(isLine(JSON.parse(JSON.stringify(desk.line)))).toBe(true);
  });

  test("a bet below its least can't be settled, and says so where it lies", () => {
    const desk = begun();
    desk.setStake(2, "ante", 100);
    expect(desk.problems).toContainEqual({
      field: "bets",
      missing: false,
      seat: 2,
      says: "$1.00 on Ante is too little: the smallest Ante here is $5.00.",
    });
    expect(desk.remediesFor(2, "ante").map(({ kind }) => kind)).toEqual(["outside_limits"]);
  });
});

describe("a desk", () => {
  test("turns to what comes next", () => {
    const desk = californian();
    expect(desk.target).toEqual({ field: "bank" });
    desk.setBank(10_000);
    desk.goTo(4);
    expect(desk.target).toEqual({ field: "bets", seat: 4, spot: "ante" });
    desk.tapChip(500);
    desk.target = { field: "cards", seat: 4 };
    for (const card of [51, 47, 43]) desk.tapCard(card);
    desk.tapMove(4, "play");
    expect(desk.target).toEqual({ field: "dealer" });
    for (const card of [40, 21, 2]) desk.tapCard(card);
    expect(desk.target).toBeUndefined();
    expect(desk.outcome?.settled.seats[0]?.net).toBe(1_000);
  });

  test("gives a typed move to the hand that was just entered", () => {
    const desk = californian();
    desk.setBank(10_000);
    for (const seat of [1, 2, 3]) {
      desk.goTo(seat);
      desk.tapChip(500);
    }
    const moves = () => desk.entry.seats.map(({ move }) => move);
    desk.target = { field: "cards", seat: 1 };
    for (const card of [51, 47, 43]) desk.tapCard(card);
    expect(desk.target).toEqual({ field: "cards", seat: 2 });
    desk.typeMove("play");
    expect(moves()).toEqual(["play", undefined, undefined]);
    desk.undo();
    desk.typeMove("fold");
    expect(moves()).toEqual(["fold", undefined, undefined]);

    // Without a hand just entered it is for the seat in turn, and then for the first that lacks one.
    for (const card of [50, 46]) desk.tapCard(card);
    desk.target = { field: "cards", seat: 3 };
    for (const card of [49, 45, 41]) desk.tapCard(card);
    desk.typeMove("play");
    expect(moves()).toEqual(["fold", undefined, "play"]);
    desk.target = { field: "dealer" };
    desk.typeMove("play");
    expect(moves()).toEqual(["fold", "play", "play"]);
    desk.typeMove("play");
    expect(moves()).toEqual(["fold", "play", "play"]);
  });

  test("undoes, and starts over", () => {
    const desk = californian();
    desk.setBank(10_000);
    desk.goTo(4);
    desk.clear();
    expect(desk.entry).toEqual(emptyEntry());
    desk.undo();
    expect(desk.entry.seats.map(({ seat }) => seat)).toEqual([4]);
    desk.undo();
    desk.undo();
    expect(desk.entry).toEqual(emptyEntry());
    expect(desk.canUndo).toBe(false);
  });

  test("takes a bet's move with it, and a seat's irregularities", () => {
    const desk = californian();
    desk.goTo(4);
    desk.tapChip(500);
    desk.tapMove(4, "fold");
    desk.setStake(4, "ante", 0);
    expect(desk.entry.seats[0]?.move).toBeUndefined();
    desk.addIrregularity({ kind: "exposed_player", seat: 4 });
    desk.removeSeat(4);
    expect(desk.entry).toMatchObject({ seats: [], irregularities: [] });
  });
});

describe("what a browser keeps", () => {
  let isFull = false;
  const stored = new Map<string, string>();
  const storage = (values: Map<string, string>) => ({
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error("QuotaExceededError");
      values.set(key, value);
    },
  });
  beforeEach(() => {
    isFull = false;
    stored.clear();
    vi.stubGlobal("localStorage", storage(stored));
    openTab();
  });
  const openTab = () => vi.stubGlobal("sessionStorage", storage(new Map()));

  /** Enter a fold at a seat, and keep it. */
  function keepFold(desk: Desk, seat: number) {
    desk.setBank(10_000);
    desk.goTo(seat);
    desk.tapChip(500);
    desk.tapMove(seat, "fold");
    desk.keep();
  }
  const seats = (desk: Desk) => desk.hands.map((line) => line.seats[0]!.seat);

  test("is the hands of every tab", () => {
    const [first, second] = [californian(), californian()];
    keepFold(first, 1);
    keepFold(second, 2);
    keepFold(first, 3);
    expect(seats(first)).toEqual([1, 2, 3]);
    expect(seats(second)).toEqual([1, 2]);
    second.refreshHands();
    expect(seats(second)).toEqual([1, 2, 3]);
    keepFold(new Desk(() => data.rules.california, "other"), 4);
    first.forgetHands();
    expect(seats(californian())).toEqual([]);
    expect(seats(new Desk(() => data.rules.california, "other"))).toEqual([4]);
  });

  test("is a hand for each tab while it is entered, and the last one for a new tab", () => {
    const first = californian();
    first.goTo(1);
    const session = globalThis.sessionStorage;
    openTab();
    const second = californian();
    expect(second.entry.seats.map(({ seat }) => seat)).toEqual([1]);
    second.goTo(2);
    vi.stubGlobal("sessionStorage", session);
    expect(californian().entry.seats.map(({ seat }) => seat)).toEqual([1]);
  });

  test("is said to go with the page where the browser is full", () => {
    const desk = californian();
    keepFold(desk, 1);
    isFull = true;
    keepFold(desk, 2);
    keepFold(desk, 3);
    expect([seats(desk), desk.isUnstored]).toEqual([[1, 2, 3], true]);
    expect(seats(californian())).toEqual([1]);
    isFull = false;
    keepFold(desk, 4);
    expect([seats(desk), desk.isUnstored]).toEqual([[1, 2, 3, 4], false]);
    expect(seats(californian())).toEqual([1, 2, 3, 4]);
  });

  test.each([
    "5",
    "{}",
    "null",
    "[",
    '[null,5,{"rulebook":""},{"rulebook":"","line":{"seats":5}}]',
  ])("is not taken from %s", (text) => {
    stored.set("queenhigh.desk.hands", text);
    const desk = californian();
    expect(desk.hands).toEqual([]);
    keepFold(desk, 1);
    expect(seats(californian())).toEqual([1]);
  });

  test.each([
    '{"seats":[{"seat":1,"ante":500},{"seat":1,"ante":500}]}',
    '{"seats":[{"seat":1,"ante":"500"}]}',
    '{"seats":[{"seat":1,"ante":500,"move":"raise"}]}',
    '{"seats":[{"seat":1,"cards":"9z"}]}',
    '{"seats":[{"seat":1.5}]}',
    '{"seats":[null]}',
    '{"seats":[],"bank":"500"}',
    '{"seats":[],"dealer":[1]}',
    '{"seats":[],"irregularities":[{"kind":"theft"}]}',
    '{"seats":[],"irregularities":5}',
  ])("is no hand made of %s", (text) => {
    stored.set("queenhigh.desk.hand.", text);
    expect(californian().entry).toEqual(emptyEntry());
  });
});
