import { beforeEach, describe, expect, test, vi } from "vitest";
import { data } from "../../testing/data";
import { Betting } from "./betting.svelte";
import type { Bet, Command, TableView } from "./protocol";
import { session } from "./session.svelte";

const rules = data.rules["roulette-european"];
let view: TableView;
let sent: Command[];
let accept: boolean;
let betting: Betting;

/** Let a round be open with these bets of ours down. */
function seat(wagers: Bet[] = [], change: Partial<TableView> = {}, stack = 50_000) {
  view = {
    table: "wheel",
    phase: "betting",
    settings: { places: 7 },
    places: [{ place: 1, player: "Ann", stack }],
    round: {
      round: 7,
      commitment: "",
      hands: wagers.length ? [{ place: 1, seat: 1, wagers }] : [],
    },
    ...change,
  } as TableView;
}

/** Do as a table does: what it takes is down in the next view. */
async function ask(command: Command): Promise<boolean> {
  sent.push(command);
  if (!accept) return false;
  const down = view.round?.hands[0]?.wagers ?? [];
  if (command.type === "place_wagers") seat([...down, ...command.wagers]);
  if (command.type === "clear_wagers") seat();
  return true;
}

beforeEach(() => {
  sent = [];
  accept = true;
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined });
  session.me = { player: "Ann", guest: true, frozen: false, wallet: 50_000, seats: [] };
  session.known = true;
  seat();
  betting = new Betting(() => ({ view, own: { place: 1 }, rules, ask }));
  betting.follow(7);
});

const wrong = async () => {
  await Promise.resolve(); // the announcement repeats even if the text is the same
  return betting.wrong;
};

describe("bets at a wheel", () => {
  test("are in hand until they are sent, and down then", async () => {
    betting.add("red", 500);
    betting.add("red", 500);
    betting.add("split 17 20", 100);
    expect([betting.seen, betting.down]).toEqual([{ red: 1000, "split 17 20": 100 }, {}]);
    expect(await betting.send(true)).toBe(true);
    expect(sent).toEqual([
      {
        type: "place_wagers",
        round: 7,
        wagers: [
          { spot: "red", cents: 1000 },
          { spot: "split 17 20", cents: 100 },
        ],
        ready: true,
      },
    ]);
    expect([betting.down, betting.slip.total, betting.total]).toEqual([
      { red: 1000, "split 17 20": 100 },
      0,
      1100,
    ]);
  });

  test("go in parts of fifty, and only the last part is ready", async () => {
    const spots = rules.spots.slice(0, 120).map((one) => one.spot);
    spots.forEach((spot) => betting.add(spot, 100));
    await betting.send(true);
    const parts = sent.map((one) =>
      one.type === "place_wagers" ? [one.wagers.length, one.ready] : [],
    );
    expect(parts).toEqual([
      [50, false],
      [50, false],
      [20, true],
    ]);
  });

  test("that are refused stay in hand", async () => {
    betting.add("red", 500);
    accept = false;
    expect(await betting.send(true)).toBe(false);
    expect([betting.slip.stakes, betting.sending]).toEqual([{ red: 500 }, false]);
  });

  test("can be taken off, doubled and undone", async () => {
    betting.add("red", 500);
    betting.take("red", 100);
    betting.double();
    expect(betting.seen).toEqual({ red: 800 });
    betting.take("red", 750); // what would be less than a bet goes whole
    expect(betting.seen).toEqual({});
    await betting.undo();
    await betting.undo();
    expect(betting.seen).toEqual({ red: 400 });
  });

  test("that are down are taken back by undo, and gone by clear", async () => {
    betting.add("red", 500);
    await betting.send(false);
    betting.take("red", 100);
    expect(await wrong()).toBe("This bet is down: press Undo to change your bets.");
    await betting.undo();
    expect([sent.at(-1), betting.slip.stakes]).toEqual([
      { type: "clear_wagers", round: 7 },
      { red: 500 },
    ]);
    await betting.clear();
    expect(betting.seen).toEqual({});
  });

  test("can be made again, but not on top of what is down", async () => {
    betting.add("red", 500);
    await betting.send(false);
    betting.rebet();
    expect(await wrong()).toBe("Your bets are down: press Undo to change them.");
    seat();
    betting.follow(8);
    betting.rebet();
    expect(betting.seen).toEqual({ red: 500 });
  });

  test("come back when their round closes", () => {
    betting.add("red", 500);
    betting.follow(null);
    expect([betting.slip.total, betting.wrong]).toEqual([
      0,
      "Bets closed before your $5.00 was down: it is back in your stack.",
    ]);
    betting.follow(8);
    expect(betting.wrong).toMatch(/^Bets closed/); // for as long as nothing else is said
  });

  test("are made one at a time", async () => {
    let done: (value: boolean) => void = () => undefined;
    const first = betting.once(() => new Promise((resolve) => (done = resolve)));
    expect(await betting.once(() => Promise.resolve(true))).toBe(false);
    done(true);
    expect(await first).toBe(true);
    expect(await betting.once(() => Promise.resolve(true))).toBe(true);
  });
});

describe("why no bet is taken", () => {
  const refused = async (bets: [string, number][] = [["red", 500]]) => {
    expect(bets.map(([spot, cents]) => betting.add(spot, cents)).at(-1)).toBe(false);
    return wrong();
  };

  test("limits and chips", async () => {
    expect(await refused([["red", 20_000]])).toBe(
      "Red would have $200.00: the most on one bet here is $100.00.",
    );
    seat([], {}, 700);
    expect(await refused([["red", 800]])).toBe(
      "$8.00 is more than the $7.00 you have here: bet less, or bring more chips.",
    );
    expect(betting.short).toBe(true);
    seat([], {}, 50);
    expect(await refused()).toBe(
      "The $0.50 you have here is less than the least bet: bring more to bet.",
    );
    session.me = { ...session.me!, wallet: 0 };
    seat([], {}, 0);
    expect(await refused()).toBe("You have no chips here.");
  });

  test("places and phases", async () => {
    seat([], { phase: "between" });
    expect(await refused()).toBe("No bets are taken now: wait for the next round.");
    seat([{ spot: "odd", cents: 100 }]);
    view.round!.hands[0]!.ready = true;
    expect(await refused()).toBe("Your bets are down. Press Undo to change them.");
    seat([], { places: [] });
    expect(await refused()).toBe("Take a place first.");
    const full = Array.from({ length: 7 }, (_, n) => ({
      place: n + 2,
      player: `P${n}`,
      stack: 100,
    }));
    seat([], { places: full, settings: { places: 0 } as TableView["settings"] });
    expect(await refused()).toBe("Every place is taken. You can look on.");
    session.me = null;
    expect(await refused()).toBe("Come in with a name first, then take a place.");
  });
});
