import { beforeEach, describe, expect, test, vi } from "vitest";
import { data } from "../../../testing/data";
import { RouletteSlip } from "./roulette_slip.svelte";
import type { Bet, Command, TableView } from "../net/protocol";
import { account } from "../net/account.svelte";

const rules = data.rules["roulette-european"];
let view: TableView;
let sent: Command[];
let accept: boolean;
let slip: RouletteSlip;

/** Open a round with these bets of ours down. */
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
  if (command.type === "place_wagers") seat([...down, ...(command.wagers ?? [])]);
  if (command.type === "clear_wagers") seat();
  return true;
}

beforeEach(() => {
  vi.stubGlobal("navigator", {}); // a device that cannot be felt
  sent = [];
  accept = true;
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined });
  account.me = { player: "Ann", guest: true, frozen: false, wallet: 50_000, seats: [] };
  account.known = true;
  seat();
  slip = new RouletteSlip({
    get view() {
      return view;
    },
    own: { place: 1 },
    late: "",
    rules,
    ask,
  });
  slip.follow(7);
});

const wrong = async () => {
  await Promise.resolve(); // the announcement repeats even if the text is the same
  return slip.wrong;
};

describe("bets at a wheel", () => {
  test("are in hand until they are sent, and down then", async () => {
    slip.add("red", 500);
    slip.add("red", 500);
    slip.add("split 17 20", 100);
    expect([slip.shown, slip.down]).toEqual([{ red: 1000, "split 17 20": 100 }, {}]);
    expect(await slip.send(true)).toBe(true);
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
    expect([slip.down, slip.inHand, slip.total]).toEqual([
      { red: 1000, "split 17 20": 100 },
      0,
      1100,
    ]);
  });

  test("go in parts of fifty, and only the last part is ready", async () => {
    const spots = rules.spots.slice(0, 120).map((spot) => spot.spot);
    spots.forEach((spot) => slip.add(spot, 100));
    await slip.send(true);
    const parts = sent.map((command) =>
      command.type === "place_wagers" ? [command.wagers?.length, command.ready] : [],
    );
    expect(parts).toEqual([
      [50, false],
      [50, false],
      [20, true],
    ]);
  });

  test("that are on their way are neither sent again nor cleared", async () => {
    slip.add("red", 500);
    const first = slip.send(true);
    expect(await slip.send(true)).toBe(false);
    await slip.clear();
    await slip.undo();
    expect(await first).toBe(true);
    expect([sent.length, slip.down]).toEqual([1, { red: 500 }]);
  });

  test("that are refused stay in hand", async () => {
    slip.add("red", 500);
    accept = false;
    expect(await slip.send(true)).toBe(false);
    expect([slip.stakes, slip.sending]).toEqual([{ red: 500 }, false]);
  });

  test("can be taken off, doubled and undone", async () => {
    slip.add("red", 500);
    slip.take("red", 100);
    slip.double();
    expect(slip.shown).toEqual({ red: 800 });
    slip.take("red", 750); // what would be less than a bet goes whole
    expect(slip.shown).toEqual({});
    await slip.undo();
    await slip.undo();
    expect(slip.shown).toEqual({ red: 400 });
  });

  test("that are down are taken back by undo, and gone by clear", async () => {
    slip.add("red", 500);
    await slip.send(false);
    slip.take("red", 100);
    expect(await wrong()).toBe("This bet is placed. Press Undo to change your bets.");
    await slip.undo();
    expect([sent.at(-1), slip.stakes]).toEqual([{ type: "clear_wagers", round: 7 }, { red: 500 }]);
    await slip.clear();
    expect(slip.shown).toEqual({});
  });

  test("can be made again, but not on top of what is down", async () => {
    slip.add("red", 500);
    await slip.send(false);
    slip.rebet();
    expect(await wrong()).toBe("Your bets are placed. Press Undo to change them.");
    seat();
    slip.follow(8);
    slip.rebet();
    expect(slip.shown).toEqual({ red: 500 });
  });

  test("on several spots are one change, made whole or not at all", async () => {
    const said: string[] = [];
    const spots = ["straight 2", "straight 25", "straight 17"];
    const describe = () => {
      said.push("three");
      return "Three bets.";
    };
    slip.add("straight 17", 100);
    expect(slip.addEach(spots, 500, describe)).toBe(true);
    expect(slip.stakes).toEqual({ "straight 2": 500, "straight 25": 500, "straight 17": 600 });
    await slip.undo();
    expect(slip.stakes).toEqual({ "straight 17": 100 });
    expect(slip.addEach(spots, 10_000, describe)).toBe(false);
    expect(slip.stakes).toEqual({ "straight 17": 100 });
    expect(said).toHaveLength(1);
  });

  test("come back when their round closes", () => {
    slip.add("red", 500);
    slip.follow(null);
    expect([slip.inHand, slip.wrong]).toEqual([
      0,
      "Bets closed before your $5.00 was placed. It is back in your stack.",
    ]);
    slip.follow(8);
    expect(slip.wrong).toMatch(/^Bets closed/); // for as long as nothing else is said
  });

  test("are made one at a time", async () => {
    let done: (value: boolean) => void = () => undefined;
    const first = slip.once(() => new Promise((resolve) => (done = resolve)));
    expect(await slip.once(() => Promise.resolve(true))).toBe(false);
    done(true);
    expect(await first).toBe(true);
    expect(await slip.once(() => Promise.resolve(true))).toBe(true);
  });
});

describe("why no bet is taken", () => {
  const refused = async (bets: [string, number][] = [["red", 500]]) => {
    expect(bets.map(([spot, cents]) => slip.add(spot, cents)).at(-1)).toBe(false);
    return wrong();
  };

  test("limits and chips", async () => {
    expect(await refused([["red", 20_000]])).toBe(
      "Red would be $200.00: the most on one bet here is $100.00.",
    );
    seat([], {}, 700);
    expect(await refused([["red", 800]])).toBe(
      "$8.00 is more than your stack of $7.00: bet less or add chips.",
    );
    expect(slip.isShort).toBe(true);
    seat([], {}, 50);
    expect(await refused()).toBe(
      "You have $0.50 here, and the minimum bet is $1.00. Add chips to bet.",
    );
    account.me = { ...account.me!, wallet: 0 };
    seat([], {}, 0);
    expect(await refused()).toBe("You have no chips here.");
  });

  test("places and phases", async () => {
    seat([], { phase: "between" });
    expect(await refused()).toBe("Bets are closed. Wait for the next round.");
    seat([{ spot: "odd", cents: 100 }]);
    view.round!.hands[0]!.ready = true;
    expect(await refused()).toBe("Your bets are placed. Press Undo to change them.");
    seat([], { places: [] });
    expect(await refused()).toBe("Take a seat first.");
    const full = Array.from({ length: 7 }, (_, n) => ({
      place: n + 2,
      player: `P${n}`,
      stack: 100,
    }));
    seat([], { places: full, settings: { places: 0 } as TableView["settings"] });
    expect(await refused()).toBe("Every seat is taken. You can watch.");
    account.me = null;
    expect(await refused()).toBe("Enter with a name first, then take a seat.");
  });
});
