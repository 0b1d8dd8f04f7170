import { beforeEach, describe, expect, test, vi } from "vitest";
import { data } from "../../../testing/data";
import { account } from "../net/account.svelte";
import type { Command, TableView } from "../net/protocol";
import type { PokerRules } from "../net/rulebook";
import { PokerSlip } from "./poker_slip.svelte";

const { house, california } = data.rules;
let sent: Command[];
let answer: (done: boolean) => void;
let rules: PokerRules;
let stack: number;
let slip: PokerSlip;

beforeEach(() => {
  [sent, rules, stack] = [[], california, 100_000];
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined });
  account.me = null;
  slip = new PokerSlip({
    get view() {
      return { table: "ca", places: [{ place: 1, player: "Ann", stack }] } as unknown as TableView;
    },
    get rules() {
      return rules;
    },
    own: { place: 1 },
    late: "",
    ask: (command) => {
      sent.push(command);
      return new Promise((done) => (answer = done));
    },
  });
  slip.fitChip();
  slip.follow(7, false);
});

describe("chips on the felt", () => {
  test("the chosen chip makes an Ante at every table", () => {
    expect(slip.chip).toBe(500);
    rules = house;
    slip.fitChip();
    expect(slip.chip).toBe(100);
  });

  test("the first one makes up the least, and none goes above the most", () => {
    slip.chip = 100;
    slip.placeChip("ante");
    slip.placeChip("ante");
    slip.placeChip("bonus");
    expect(slip.stakes).toEqual({ ante: 600, bonus: 100 });
    slip.chip = 50_000;
    slip.placeChip("bonus");
    expect([slip.stakes, slip.wrong]).toEqual([
      { ante: 600, bonus: 10_000 },
      "Bonus is $100 at most.",
    ]);
  });

  test("all together keep to one limit where a table has one", () => {
    rules = { ...house, betting: { ...house.betting, together: 400 } };
    slip.chip = 300;
    slip.placeChip("ante");
    slip.chip = 500;
    slip.placeChip("pair_plus");
    const says = "All your bets together can be $4 at most.";
    expect([slip.stakes, slip.wrong]).toEqual([{ ante: 300, pair_plus: 100 }, says]);
    slip.placeChip("ante");
    expect([slip.stakes, slip.wrong]).toEqual([{ ante: 300, pair_plus: 100 }, says]);
    slip.clear();
    slip.placeChip("ante");
    expect([slip.stakes, slip.wrong]).toEqual([{ ante: 400 }, "Ante is $4 at most."]);
    slip.chip = 100;
    slip.placeChip("pair_plus");
    expect([slip.stakes, slip.wrong]).toEqual([{ ante: 400 }, says]);
  });

  test("more than the stack is refused at once", () => {
    stack = 600;
    slip.placeChip("ante");
    expect(slip.wrong).toBe("You have $6 here. These bets with Play and the fee need $11.");
    expect(slip.exceedsStack).toBe(true);
    slip.clear();
    expect([slip.stakes, slip.wrong]).toEqual([{}, ""]);
  });

  test("they are sent once, and are the last bets then", async () => {
    slip.placeChip("ante");
    const sending = slip.send(true);
    void slip.send(true);
    slip.placeChip("ante");
    slip.clear();
    expect(sent).toEqual([
      { type: "place_wagers", round: 7, wagers: [{ spot: "ante", cents: 500 }], ready: true },
    ]);
    answer(true);
    await sending;
    expect([slip.stakes, slip.last]).toEqual([{}, { ante: 500 }]);
    slip.rebet();
    expect(slip.stakes).toEqual({ ante: 500 });
  });

  test("what is refused stays while bets are open, and comes back after", async () => {
    slip.placeChip("ante");
    let sending = slip.send(true);
    answer(false);
    await sending;
    expect([slip.stakes, slip.last]).toEqual([{ ante: 500 }, null]);
    sending = slip.send(true);
    slip.follow(null, false);
    answer(false);
    await sending;
    expect([slip.stakes, slip.wrong]).toEqual([{}, "Too late: your chips were returned."]);
  });

  test("what cannot be bet is not sent", async () => {
    slip.placeChip("bonus");
    await slip.send(true);
    await Promise.resolve();
    expect([sent, slip.wrong]).toEqual([[], "Ante comes first: place one too."]);
  });

  test("a wager without a rate is refused before it is sent", async () => {
    const ante = california.betting.wagers["ante"]!;
    const ranges = ante.ranges.map((range, n) => (n === 1 ? { ...range, min: 20_001 } : range));
    const wagers = { ...california.betting.wagers, ante: { ...ante, ranges } };
    rules = { ...california, betting: { ...california.betting, wagers } };
    for (slip.chip of [10_000, 500]) slip.placeChip("ante");
    await slip.send(true);
    await Promise.resolve();
    expect([sent, slip.wrong]).toEqual([
      [],
      "$105.00 on Ante has no fee posted: bet $5 to $100, $200.01 to $300 and $300.01 to $1,000.",
    ]);
  });

  test("the least Ante is one with a rate, whatever the limits are", () => {
    const limits = {
      ...california.document.limits,
      ante: { clause: "CA-7", min: 100, max: 100_000 },
    };
    rules = { ...california, document: { ...california.document, limits } };
    slip.chip = 100;
    slip.placeChip("ante");
    expect(slip.stakes).toEqual({ ante: 500 });
    expect(slip.betting.least_stack).toBe(1100);
  });

  test("they come back with the reason when the round goes on", () => {
    slip.placeChip("bonus");
    slip.follow(null, false);
    expect([slip.stakes, slip.wrong]).toEqual([
      {},
      "Your chips were returned. Ante comes first: place one too.",
    ]);
    slip.follow(8, false);
    expect(slip.wrong).toBe("");
    slip.placeChip("ante");
    slip.follow(8, true);
    expect([slip.stakes, slip.wrong]).toEqual([
      {},
      "Your chips were returned. You're already in this round.",
    ]);
  });
});
