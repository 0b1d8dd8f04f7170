import { describe, expect, test } from "vitest";
import { against, Chart, depth, sentence, shortly, signed } from "./strategy_chart";
import { RANKS } from "../poker/hands";

type Map = ConstructorParameters<typeof Chart>[0];

const PAIRS = ["pair", "flush", "straight", "three of a kind", "straight flush"];
const classes = (ups: number, played = "1"): Map["classes"] =>
  PAIRS.map((hand, at) => ({
    hand,
    worth: Array<string>(ups).fill(`${at + 1}/4`),
    play_rates: Array<string>(ups).fill(played),
  }));

/** A game without an up card: the line is below Q-6-4. */
const GAINS = {
  "A-K-J": 900,
  "A-K-10": 800,
  "K-Q-10": 500,
  "Q-6-5": 20,
  "Q-6-4": 1,
  "Q-6-3": -20,
  "Q-5-4": -60,
  "J-10-8": -200,
  "10-9-7": -300,
};
const ONE: Map = {
  ups: ["any"],
  hands: Object.keys(GAINS),
  over: 1000,
  gains: Object.values(GAINS).map((gain) => [gain]),
  suits: [],
  classes: classes(1),
};

/** A game with an up card: K-Q-9 is folded against an ace, where suits decide about K-Q-10. */
const worth = (gain: number, ace = gain) => [...Array<number>(12).fill(gain), ace];
const MANY: Map = {
  ups: [...RANKS],
  hands: ["K-Q-10", "K-Q-9", "K-Q-8", "Q-J-9", "Q-J-8"],
  over: 100,
  gains: [worth(50, 2), worth(40, -2), worth(40, -3), worth(-10), worth(-20)],
  suits: [[0, 12, 20, 36]],
  classes: classes(13),
};

const labels = (map: Map, every = false) => new Chart(map).rows(every).map((row) => row.label);
const cards = (...names: [string, number][]) =>
  names.map(([rank, suit]) => 4 * RANKS.indexOf(rank as (typeof RANKS)[number]) + suit);

describe("rows", () => {
  test("around the line every hand has one, further off neighbours share one", () => {
    expect(labels(ONE)).toEqual([
      "pair or better",
      "A-high",
      "K-Q-10",
      "Q-6-5",
      "Q-6-4",
      "Q-6-3",
      "Q-5-4",
      "J-high or less",
    ]);
  });

  test("with an up card, hands that are played alike against all of them share one", () => {
    expect(labels(MANY)).toEqual(["pair or better", "K-Q-10", "K-Q-8+", "Q-high"]);
    const folded = { ...MANY, gains: [...MANY.gains.slice(0, 3), worth(-10, 1), worth(-20)] };
    expect(labels(folded)).toEqual(["pair or better", "K-Q-10", "K-Q-8+", "Q-J-9", "Q-J-8"]);
  });

  test("every hand and every class has its own if asked for", () => {
    expect(labels(ONE, true)).toEqual([...PAIRS, ...ONE.hands]);
  });

  test("classes that are not always played have their own", () => {
    const [pair, ...better] = ONE.classes;
    const map = { ...ONE, classes: [{ ...pair!, play_rates: ["1/3"] }, ...better] };
    const rows = new Chart(map).rows(false).slice(0, 6);
    expect(rows.map((row) => row.label)).toEqual([...PAIRS, "A-high"]);
    expect(rows.map((row) => Boolean(row.cells[0]!.suits))).toEqual([
      true,
      ...Array(5).fill(false),
    ]);
  });

  test("a shared row goes from its least gain to its most", () => {
    const [better, aces, , , , , , rest] = new Chart(ONE).rows(false);
    expect([better, aces, rest].map((row) => signed(row!.cells[0]!))).toEqual([
      "+0.250 to +1.250",
      "+0.800 to +0.900",
      "−0.300 to −0.200",
    ]);
    expect([aces!.name, rest!.name]).toEqual(["A-K-10 to A-K-J", "10-9-7 to J-10-8"]);
    expect([aces!.cells[0]!.plays, rest!.cells[0]!.plays]).toEqual([true, false]);
  });

  test("of a hand alone has its own gains", () => {
    const row = new Chart(ONE).single(1);
    expect([row.label, signed(row.cells[0]!)]).toEqual(["A-K-10", "+0.800"]);
  });
});

describe("a hand on the chart", () => {
  const chart = new Chart(ONE);
  const rows = chart.rows(false);
  const all = chart.rows(true);

  test("is in the row that has it, in any order of its cards", () => {
    const hand = cards(["4", 2], ["Q", 0], ["6", 1]);
    expect(chart.find(rows, hand)).toEqual({ row: 4, column: 0, hand: 4 });
    const low = cards(["10", 2], ["9", 0], ["7", 1]);
    expect(chart.find(rows, low)).toEqual({ row: 7, column: 0, hand: 8 });
  });

  test("from a pair up is in the row of its class, or of all of them", () => {
    const pair = cards(["9", 0], ["9", 1], ["4", 0]);
    const royal = cards(["A", 0], ["K", 0], ["Q", 0]);
    expect(chart.find(rows, pair)).toEqual({ row: 0, column: 0, hand: -1 });
    expect([chart.find(all, pair)!.row, chart.find(all, royal)!.row]).toEqual([0, 4]);
  });

  test("of ace, three and deuce is a straight unless the chart has it as ace-high", () => {
    const wheel = cards(["A", 0], ["3", 1], ["2", 0]);
    expect(chart.find(all, wheel)!.row).toBe(PAIRS.indexOf("straight"));
    const hands = [...ONE.hands.slice(0, 2), "A-3-2", ...ONE.hands.slice(2)];
    const gains = [...ONE.gains.slice(0, 2), [700], ...ONE.gains.slice(2)];
    const high = new Chart({ ...ONE, hands, gains });
    expect(high.find(high.rows(true), wheel)).toEqual({ row: 7, column: 0, hand: 2 });
  });

  test("has the column of the up card, and no place without one", () => {
    const many = new Chart(MANY);
    const hand = cards(["K", 0], ["Q", 1], ["9", 2]);
    const [king] = cards(["K", 3]);
    expect(many.find(many.rows(false), hand, king)).toEqual({ row: 2, column: 11, hand: 1 });
    expect(many.find(many.rows(false), hand)).toBeNull();
  });
});

describe("a cell in words", () => {
  const chart = new Chart({ ...ONE, gains: [[1000], [0], ...ONE.gains.slice(2)] });
  const tell = (hand: number) => {
    const row = chart.single(hand);
    return [shortly(row.cells[0]!), sentence(row, row.cells[0]!, "any")];
  };

  test("says how much better the move is", () => {
    expect(tell(4)).toEqual([
      "play, 0.001 better",
      "Q-6-4: playing is worth 0.001 Antes more than folding.",
    ]);
    expect(tell(5)).toEqual([
      "fold, 0.020 better",
      "Q-6-3: playing is worth 0.020 Antes less than folding.",
    ]);
    expect(tell(0)[1]).toBe("A-K-J: playing is worth 1.000 Ante more than folding.");
  });

  test("of a shared row has the smaller amount first", () => {
    const rows = new Chart(ONE).rows(false);
    expect([rows[1]!, rows[7]!].map((row) => shortly(row.cells[0]!))).toEqual([
      "play, 0.800 to 0.900 better",
      "fold, 0.200 to 0.300 better",
    ]);
  });

  test("does not round a small gain to nothing", () => {
    const row = new Chart({ ...ONE, over: 100_000 }).single(4);
    expect(shortly(row.cells[0]!)).toBe("play, 0.000010 better");
  });

  test("where both moves are worth the same is a fold", () => {
    expect(tell(1)[0]).toBe("fold, worth the same");
    expect(tell(1)[1]).toContain("worth exactly the same");
  });

  test("tells where suits decide, and in how many deals", () => {
    const row = new Chart(MANY).rows(false)[1]!;
    expect(shortly(row.cells[12]!)).toBe("suits decide, mostly play, 0.020 better");
    expect(sentence(row, row.cells[12]!, "A")).toBe(
      "K-Q-10 against an ace: playing is worth 0.020 Antes more than folding on average." +
        " Suits decide: play in 20 of 36 deals.",
    );
    expect(row.cells[0]!.suits).toBeUndefined();
  });

  test.each([
    ["any", ""],
    ["K", " against a king"],
    ["8", " against an eight"],
    ["A", " against an ace"],
  ])("names the up card %s", (up, says) => {
    expect(against(up)).toBe(says);
  });

  test("is the deeper, the more the wrong move costs", () => {
    const deep = (gain: number) =>
      depth(new Chart({ ...ONE, gains: ONE.hands.map(() => [gain]) }).single(0).cells[0]!);
    expect([0, 375, -375, 1500, 9000].map(deep)).toEqual([0, 0.5, 0.5, 1, 1]);
  });
});
