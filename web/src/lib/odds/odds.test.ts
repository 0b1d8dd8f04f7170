import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { plain } from "./fraction";
import {
  valueAt,
  commandLine,
  edge,
  elementOfRisk,
  fieldsOf,
  gains,
  idle,
  rate,
  readProblems,
  readWritten,
  saidOf,
  toText,
  toValue,
  written,
  type Bet,
  type Book,
  type Field,
} from "./odds";

const house = {
  ...data.rules.house,
  choices: { up: [0, 1, 2], banker: ["house", "player"] },
  defaults: {},
} as Book;
const european = {
  ...data.rules["roulette-european"],
  choices: { "zero.on_zero": ["lose", "la_partage"] },
  defaults: {},
} as Book;
const field = (id: string, book = house): Field => fieldsOf(book).find((each) => each.id === id)!;

describe("what can be changed", () => {
  test("are pays, readings and limits as the rulebook has them", () => {
    expect(field("pair_plus.pays.flush")).toMatchObject({
      kind: "pays",
      base: "3 to 1",
      optional: true,
      label: "Flush",
    });
    expect(field("pair_plus.pays.royal_flush").base).toBeNull();
    expect(field("up")).toMatchObject({ kind: "choice", values: [0, 1, 2], base: 0 });
    expect(field("limits.ante.max")).toMatchObject({
      kind: "money",
      base: 400,
      label: "Ante at most",
    });
    expect(field("banker")).toBeUndefined(); // that would be another game
    expect(field("bonus.pays.flush")).toBeUndefined();
    expect(field("limits.max", european)).toMatchObject({ base: 10_000, label: "A bet at most" });
  });

  test("bets of one name pay the same and are changed together", () => {
    const dozens = fieldsOf(european).find((field) => field.of === "dozen")!;
    expect(dozens.keys).toHaveLength(3);
    for (const key of dozens.keys) expect(valueAt(european.document, key)).toBe("2 to 1");
  });

  test("some of it changes no edge", () => {
    expect(["limits.ante.max", "increment", "bank.first", "fees.collect"].every(idle)).toBe(true);
    expect(["up", "bonus.pays.flush", "banker"].some(idle)).toBe(false);
  });
});

describe("what is written", () => {
  test.each([
    ["7 to 1", "7 to 1"],
    ["7:1", "7 to 1"],
    ["7", "7 to 1"],
    [" 7/1 ", "7 to 1"],
    ["14 to 2", "14 to 2"],
    ["1.5", "3 to 2"],
    ["1.5 to 2", "3 to 4"],
    ["3.001", "3001 to 1000"],
    ["4 to", "4 to"],
    ["0", "0"],
    ["4 to 0", "4 to 0"],
    ["much", "much"],
    ["", null],
  ])("the pay %o is sent as %o", (text, value) => {
    expect(toValue(field("pair_plus.pays.flush"), text)).toBe(value);
  });

  test("amounts are sent in cents, and what is none as it is", () => {
    const most = field("limits.ante.max");
    expect(["$5", "2.50", "0.001", "$1,0000", ""].map((text) => toValue(most, text))).toEqual([
      500,
      250,
      "0.001",
      "$1,0000",
      "",
    ]);
    expect(toText(most, 250)).toBe("$2.50");
    expect(readWritten(most, "250")).toBe("$2.50");
    expect(readWritten(field("pair_plus.pays.flush"), "4 to 1")).toBe("4 to 1");
  });

  test("choices are sent as their values", () => {
    expect(toValue(field("up"), "1")).toBe(1);
    expect(toValue(field("up"), "three")).toBe("three");
    expect([
      toText(field("up"), 1),
      toText(field("up"), null),
      written(null),
      written(true),
    ]).toEqual(["1", "", "", "true"]);
  });

  test("is a command line too, quoted where a shell needs it", () => {
    expect(commandLine("house", {})).toBe("queenhigh odds house");
    expect(
      commandLine("house", {
        up: 1,
        "pair_plus.pays.flush": "4 to 1",
        "pair_plus.pays.pair": null,
      }),
    ).toBe('queenhigh odds house --set up=1 --set pair_plus.pays.flush="4 to 1"');
    expect(commandLine("house", { a: 'x"$`\\' })).toBe(
      'queenhigh odds house --set a="x\\"\\$\\`\\\\"',
    );
  });
});

describe("what the room says is wrong", () => {
  test("goes to its field, without advice for a file", () => {
    const said = [
      "house:12: limits.ante.max: 50 is less than min, 100 (HO-1); write 100 or more",
      "house: 3 to 2 on a wager of 1 cents would not be whole cents (TCP-4); make increment a multiple of 2, and the limits with it",
    ].join("\n");
    expect(readProblems(said)).toEqual([
      { key: "limits.ante.max", says: "50 is less than min, 100 (HO-1).", step: 0 },
      { key: "", says: "3 to 2 on a wager of $0.01 would not be whole cents (TCP-4).", step: 2 },
    ]);
  });

  test("uses the words of the page", () => {
    const most = field("limits.ante.max");
    expect(saidOf(most, "50 is less than min, 100 (HO-1).")).toBe(
      "$0.50 is less than the minimum, $1.00 (HO-1).",
    );
    expect(saidOf(most, "'x' is not a whole number.")).toBe("Write an amount such as $5 or $2.50.");
    const pay = field("pair_plus.pays.flush");
    expect(saidOf(pay, "'4 to' is not a ratio.")).toBe("Write a payout such as 4 to 1.");
    expect(saidOf(pay, "'123456789' is not a ratio.")).toBe(
      "Write a payout such as 4 to 1. The largest is 9,999,999 to 1.",
    );
    expect(saidOf(pay, "Other.")).toBe("Other.");
  });
});

describe("odds", () => {
  const everyRate = { edge: "", element_of_risk: "", win_rate: "", push_rate: "", lose_rate: "" };
  const bet: Bet = {
    ...everyRate,
    ev: "-1/20",
    sd: 1,
    skew: 0,
    play_rate: "2/3",
    distribution: { "1": 5, "-1": 8, "0": 2, "3/2": 5 },
  };

  test("edge and element of risk are exact", () => {
    expect(plain(edge(bet))).toBe("1/20");
    expect(plain(elementOfRisk(bet))).toBe("3/100");
    expect(plain(elementOfRisk({ ...bet, play_rate: null }))).toBe("1/20");
  });

  test("gains go from the least, and shares add up", () => {
    expect(gains(bet).map(({ gain }) => plain(gain))).toEqual(["-1", "0", "1", "3/2"]);
    expect(([-1, 0, 1] as const).map((wanted) => plain(rate(bet, 20, wanted)))).toEqual([
      "2/5",
      "1/10",
      "1/2",
    ]);
  });
});
