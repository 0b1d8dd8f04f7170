import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TableView } from "../net/protocol";
import { SettlementReplay } from "./settlement_replay.svelte";

let staging: SettlementReplay;
let hidden: boolean;
let reduced: boolean;

/** A view after so many rounds, the last of which settled some places. */
const view = (round: number, stack: number, change: Partial<TableView> = {}, places = 2) =>
  ({
    phase: "betting",
    places: [
      { place: 1, player: "Ann", stack },
      { place: 2, player: "Bo", stack },
    ],
    last: round
      ? {
          round: { dealer: [3, 2, 1] },
          end: { round, places: Array.from({ length: places }, () => ({})) },
        }
      : undefined,
    ...change,
  }) as unknown as TableView;
const stacks = () => staging.places.map((place) => place.stack);
const lastRound = () => staging.last?.end.round;

beforeEach(() => {
  vi.useFakeTimers();
  [hidden, reduced] = [false, false];
  vi.stubGlobal("document", {
    get hidden() {
      return hidden;
    },
  });
  vi.stubGlobal("matchMedia", () => ({ matches: reduced }));
  staging = new SettlementReplay();
});
afterEach(() => vi.useRealTimers());

describe("a settled round", () => {
  test("is shown at once to those who come after it", () => {
    staging.take(view(7, 100));
    expect([staging.running, stacks(), lastRound()]).toEqual([false, [100, 100], 7]);
  });

  test("is turned, then settled place by place, and only then in the stacks", () => {
    staging.take(view(7, 100));
    staging.take(view(8, 900));
    const seen: number[] = [];
    for (let time = 0; time < 3000; time += 10) {
      if (staging.settled !== seen.at(-1)) seen.push(staging.settled);
      if (staging.running) expect([stacks(), lastRound()]).toEqual([[100, 100], 7]);
      vi.advanceTimersByTime(10);
    }
    expect(seen).toEqual([-1, 0, 1, 2, Infinity]);
    expect([stacks(), lastRound()]).toEqual([[900, 900], 8]);
  });

  test("turns the dealer's cards one by one, with a breath before one that decides", () => {
    const turns = (up: number, decides: boolean) => {
      staging = new SettlementReplay(undefined, () => decides);
      const dealer = [3, 2, 1].map((card, n) => (n < up ? card : null));
      staging.take(view(7, 100, { round: { dealer } as TableView["round"] & object }));
      staging.take(view(8, 900));
      const times: [number, number][] = [];
      for (let time = 0; staging.settled < 0; time += 10) {
        if (staging.turned !== times.at(-1)?.[0]) times.push([staging.turned, time]);
        vi.advanceTimersByTime(10);
      }
      const now: [number, number][] = [...times, [staging.turned, -1]];
      staging.skip();
      expect(staging.turned).toBe(Infinity);
      return now;
    };
    expect(turns(1, false)).toEqual([
      [1, 0],
      [2, 160],
      [3, -1],
    ]);
    expect(turns(0, false).map(([count]) => count)).toEqual([0, 1, 2, 3]);
    const wait = (decides: boolean) => {
      turns(1, decides);
      staging.take(view(9, 700));
      let time = 0;
      for (; staging.settled < 0; time += 10) vi.advanceTimersByTime(10);
      staging.skip();
      return time;
    };
    expect(wait(true) - wait(false)).toBe(400);
  });

  test("takes a Play bet from the stack that ends the round with it", () => {
    const hand = { place: 1, wagers: [{ spot: "ante", cents: 30 }] };
    const last = (round: number, hands: unknown[]) => ({
      round: { dealer: [3, 2, 1], hands },
      end: { round, places: [{}, {}] },
      players: { 1: "Ann", 2: "Bo" },
    });
    const start = { round: { dealer: [], hands: [hand, { ...hand, place: 2, move: "play" }] } };
    staging.take(view(7, 100, start as unknown as Partial<TableView>));
    const ended = last(8, [
      { ...hand, move: "play" },
      { ...hand, place: 2, move: "play" },
    ]);
    staging.take(view(8, 900, { last: ended } as unknown as Partial<TableView>));
    expect([staging.running, stacks()]).toEqual([true, [70, 100]]);
    staging.skip();
    expect(stacks()).toEqual([900, 900]);
  });

  test("of many places takes no longer than four seconds", () => {
    staging.take(view(7, 100));
    staging.take(view(8, 900, {}, 40));
    vi.advanceTimersByTime(4200);
    expect([staging.running, lastRound()]).toEqual([false, 8]);
  });

  test("is shown at once where it is skipped", () => {
    staging.take(view(7, 100));
    staging.take(view(8, 900));
    staging.skip();
    expect([staging.running, stacks(), lastRound()]).toEqual([false, [900, 900], 8]);
    for (let time = 0; time < 5000; time += 100) {
      vi.advanceTimersByTime(100);
      expect(staging.settled).toBe(Infinity);
    }
  });

  test("is shown at once when the next hands are dealt", () => {
    staging.take(view(7, 100));
    staging.take(view(8, 900));
    staging.take(view(8, 800, { phase: "deciding" }));
    expect([staging.running, stacks(), lastRound()]).toEqual([false, [800, 800], 8]);
  });

  test.each(["hidden", "reduced"])("is shown at once where the page is %s", (why) => {
    staging.take(view(7, 100));
    [hidden, reduced] = [why === "hidden", why === "reduced"];
    staging.take(view(8, 900));
    expect([staging.running, stacks(), lastRound()]).toEqual([false, [900, 900], 8]);
  });

  test("goes on while others sit down, who have their own stack", () => {
    staging.take(view(7, 100));
    staging.take(view(8, 900));
    vi.advanceTimersByTime(200);
    const places = [...view(8, 900).places, { place: 3, player: "Cleo", stack: 555 }];
    staging.take(view(8, 900, { places }));
    expect([staging.running, stacks()]).toEqual([true, [100, 100, 555]]);
  });

  test("that is void settles nothing, and ends what is shown of the one before", () => {
    staging.take(view(7, 100));
    staging.take(view(8, 900));
    const end = { round: 9, type: "round.voided/1" };
    staging.take(view(9, 700, { last: { end } as TableView["last"] }));
    expect([staging.running, stacks(), lastRound()]).toEqual([false, [700, 700], 9]);
  });

  test("starts again with the next round", () => {
    staging.take(view(7, 100));
    staging.take(view(8, 900));
    vi.advanceTimersByTime(1000);
    staging.take(view(9, 700));
    expect([staging.settled, stacks(), lastRound()]).toEqual([-1, [100, 100], 7]);
    vi.advanceTimersByTime(5000);
    expect([staging.settled, stacks(), lastRound()]).toEqual([Infinity, [700, 700], 9]);
  });
});
