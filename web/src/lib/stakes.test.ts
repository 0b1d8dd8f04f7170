import { beforeEach, describe, expect, test, vi } from "vitest";
import { data } from "../../testing/data";
import type { Command } from "./protocol";
import { Chips, type Purse } from "./stakes.svelte";

const { house, california } = data.rules;
let sent: Command[];
let answer: (done: boolean) => void;
const purse = (change: Partial<Purse> = {}): Purse => ({
  rules: california,
  stack: 100_000,
  wallet: 0,
  ask: (command) => {
    sent.push(command);
    return new Promise((done) => (answer = done));
  },
  ...change,
});
let chips: Chips;

beforeEach(() => {
  sent = [];
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined });
  chips = new Chips("ca");
  chips.fit(california);
  chips.follow(7, false, purse());
});

describe("chips on the felt", () => {
  test("the chosen chip makes an Ante at every table", () => {
    expect(chips.chip).toBe(500);
    chips.fit(house);
    expect(chips.chip).toBe(100);
  });

  test("the first one makes up the least, and none goes above the most", () => {
    chips.chip = 100;
    chips.put("ante", purse());
    chips.put("ante", purse());
    chips.put("bonus", purse());
    expect(chips.stakes).toEqual({ ante: 600, bonus: 100 });
    chips.chip = 50_000;
    chips.put("bonus", purse());
    expect([chips.stakes, chips.wrong]).toEqual([
      { ante: 600, bonus: 10_000 },
      "Bonus is $100 at most.",
    ]);
  });

  test("more than one has is told at once", () => {
    chips.put("ante", purse({ stack: 600 }));
    expect(chips.wrong).toBe("You have $6 here. These wagers with Play and the fee need $11.");
    expect(chips.exceed(purse({ stack: 600 }))).toBe(true);
    chips.clear();
    expect([chips.stakes, chips.wrong]).toEqual([{}, ""]);
  });

  test("they are sent once, and are the last bets then", async () => {
    chips.put("ante", purse());
    const sending = chips.send(purse(), true);
    void chips.send(purse(), true);
    chips.put("ante", purse());
    chips.clear();
    expect(sent).toEqual([
      { type: "place_wagers", round: 7, wagers: [{ spot: "ante", cents: 500 }], ready: true },
    ]);
    answer(true);
    await sending;
    expect([chips.stakes, chips.last]).toEqual([{}, { ante: 500 }]);
    chips.again(purse());
    expect(chips.stakes).toEqual({ ante: 500 });
  });

  test("what is refused stays while bets are open, and comes back after", async () => {
    chips.put("ante", purse());
    let sending = chips.send(purse(), true);
    answer(false);
    await sending;
    expect([chips.stakes, chips.last]).toEqual([{ ante: 500 }, null]);
    sending = chips.send(purse(), true);
    chips.follow(null, false, purse());
    answer(false);
    await sending;
    expect([chips.stakes, chips.wrong]).toEqual([{}, "Too late: your chips came back."]);
  });

  test("what cannot be bet is not sent", async () => {
    chips.put("bonus", purse());
    await chips.send(purse(), true);
    await Promise.resolve();
    expect([sent, chips.wrong]).toEqual([[], "The Ante comes first: put one down too."]);
  });

  test("they come back with the reason when the round goes on", () => {
    chips.put("bonus", purse());
    chips.follow(null, false, purse());
    expect([chips.stakes, chips.wrong]).toEqual([
      {},
      "Your chips came back. The Ante comes first: put one down too.",
    ]);
    chips.follow(8, false, purse());
    expect(chips.wrong).toBe("");
    chips.put("ante", purse());
    chips.follow(8, true, purse());
    expect([chips.stakes, chips.wrong]).toEqual([
      {},
      "Your chips came back. You are in this round already.",
    ]);
  });
});
