import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { down, placeCommitment } from "./proof/chain";
import type { Command, End, Own, RoundView, TableView } from "./protocol";

type Fair = (typeof import("./fair.svelte"))["fair"];
type Seeds = (typeof import("./seeds"))["seeds"];

let fair: Fair;
let seeds: Seeds;
let sent: Command[];
let accept: boolean;

const ANN: Own = { place: 2 };
const SEATS = [{ place: 2, player: "Ann", stack: 1000 }];
/** The seeds of a chain of three, from its end. */
const CHAIN: string[] = [];

function storage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  };
}

async function load() {
  vi.resetModules();
  fair = (await import("./fair.svelte")).fair;
  seeds = (await import("./seeds")).seeds;
  fair.begin();
}

beforeEach(async () => {
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  [sent, accept] = [[], true];
  for (let link = 0; link <= 3; link++) CHAIN[link] = await down("t", 1, 3, "77".repeat(32), link);
  await load();
});

// What is hashed when a round is over writes to the storage of its own test.
afterEach(() => new Promise((resume) => setTimeout(resume, 20)));

function view(change: Partial<RoundView> = {}, more: Partial<TableView> = {}): TableView {
  const round = { round: 7, chain: 1, link: 1, commitment: CHAIN[0], hands: [], ...change };
  const chain = { number: 1, epoch: 0, length: 3, used: 1, end: CHAIN[0], tip: CHAIN[0] };
  return {
    ...{ table: "t", digest: "rules", phase: "betting", places: SEATS, round },
    ...{ chain: { ...chain, reveal: 2000 }, ...more },
  } as unknown as TableView;
}
const revealing = (change: Partial<RoundView>) => view(change, { phase: "revealing" });
const send = async (command: Command) => {
  sent.push(command);
  return accept;
};
async function watch(now: TableView, own = ANN, player: string | null = "Ann") {
  fair.watch(now, own, player, send);
  seeds.watch(now, own, player, send);
  await Promise.resolve();
}
/** The commitment that was sent. */
const commitment = () => (sent[0] as { commitment: string }).commitment;
const hidden = () => fair.seen("t", 7).hidden;

describe("with bets open a page commits", () => {
  test("at once, and once", async () => {
    fair.watch(view(), ANN, "Ann", send);
    seeds.watch(view(), ANN, "Ann", send);
    expect(sent).toMatchObject([{ type: "commit_seed", round: 7 }]); // before anything is waited for
    await watch(view());
    await watch(view({ committed: { 2: commitment() } }));
    expect(sent).toHaveLength(1);
    expect(hidden()).toMatchObject({ commitment: commitment(), taken: true });
    const of = { table: "t", chain: 1, round: 7 };
    expect(placeCommitment(of, 2, "Ann", hidden()!.seed)).toBe(commitment());
  });

  test("to the same bytes after a reload, without saying so twice", async () => {
    await watch(view());
    await load();
    await watch(view({ committed: { 2: commitment() } }));
    expect(sent).toHaveLength(1);
    expect(hidden()).toMatchObject({ taken: true });
    await load();
    await watch(view());
    expect(sent[1]).toEqual(sent[0]);
  });

  test("again for a player who went and came back", async () => {
    await watch(view());
    await watch(view({ committed: { 2: commitment() } }));
    await watch(view({}, { places: [] }), {});
    await watch(view());
    expect(sent[1]).toEqual(sent[0]);
  });

  test("not where nobody sits or plays, or where there is no chain", async () => {
    await watch(view(), {});
    await watch(view(), ANN, null);
    await watch(view({}, { places: [{ ...SEATS[0]!, aside: true }] }));
    await watch(view({ chain: 0, link: 0 }));
    await watch(view({}, { phase: "deciding" }));
    expect(sent).toEqual([]);
  });
});

describe("with bets closed it shows", () => {
  test("what it committed to, once", async () => {
    await watch(view());
    await watch(revealing({ committed: { 2: commitment() } }));
    await watch(revealing({ committed: { 2: commitment() } }));
    expect(sent[1]).toEqual({ type: "show_seed", round: 7, seed: hidden()!.seed });
    expect(sent).toHaveLength(2);
    expect(hidden()).toMatchObject({ sent: true, counted: true });
  });

  test("the same bytes after a reload", async () => {
    await watch(view());
    const { seed } = hidden()!;
    await load();
    await watch(revealing({ committed: { 2: commitment() } }));
    expect(sent[1]).toEqual({ type: "show_seed", round: 7, seed });
  });

  test("nothing where another commitment counts, or the room's own is another", async () => {
    await watch(view());
    await watch(revealing({ committed: { 2: "another" } }));
    await watch(revealing({ committed: { 2: commitment() }, commitment: CHAIN[1]! }));
    await watch(revealing({}));
    expect(sent).toHaveLength(1);
  });

  test("and never commits to bytes that it has shown", async () => {
    await watch(view());
    await watch(revealing({ committed: { 2: commitment() } }));
    await load();
    await watch(view());
    expect((sent[2] as { commitment: string }).commitment).not.toBe(commitment());
  });

  test("nothing where the chain was never shown", async () => {
    await watch(view({}, { chain: undefined } as never));
    await watch(revealing({ committed: { 2: commitment() } }));
    expect(sent).toHaveLength(1);
  });

  test("nothing at a table where something does not fit", async () => {
    await watch(view());
    fair.chains.alarm("t", "wrong");
    await watch(revealing({ committed: { 2: commitment() } }));
    expect(sent).toHaveLength(1);
  });

  test("it once more if the room was busy", async () => {
    await watch(view());
    accept = false;
    await watch(revealing({ committed: { 2: commitment() } }));
    accept = true;
    await vi.waitFor(() => expect(sent).toHaveLength(3), { timeout: 2000 });
    expect(sent[2]).toEqual(sent[1]);
    await vi.waitFor(() => expect(hidden()!.counted).toBe(true));
  });

  test("what is refused does not count", async () => {
    await watch(view());
    accept = false;
    await watch(revealing({ committed: { 2: commitment() } }));
    expect(hidden()).toMatchObject({ taken: true, sent: true });
    expect(hidden()!.counted).toBeUndefined();
  });
});

describe("a chain", () => {
  const over = (link: number, seed: string, more: Partial<TableView> = {}) => {
    const round = { ...view().round!, round: 6 + link, link, commitment: CHAIN[link - 1]! };
    const end = { type: "round.voided/1", round: 6 + link, seed, at: 1 } as End;
    const last = { round, end, players: {} };
    return view({}, { phase: "between", round: undefined, last, ...more } as Partial<TableView>);
  };
  const opened = (link: number, change: Partial<TableView> = {}) =>
    view({ round: 6 + link, link, commitment: CHAIN[link - 1]! }, change);

  test("is followed seed by seed from the end that was shown first", async () => {
    for (const link of [1, 2, 3]) {
      await watch(opened(link), {});
      await watch(over(link, CHAIN[link]!), {});
      await vi.waitFor(() => expect(fair.seen("t", 6 + link).chain!.tip).toBeDefined());
    }
    await vi.waitFor(() =>
      expect(fair.seen("t", 8).chain).toMatchObject({
        ...{ number: 1, end: CHAIN[0], before: 6, tip: { link: 3, seed: CHAIN[3] } },
      }),
    );
    expect(fair.chains.wrong("t")).toBeUndefined();
  });

  test("that a seed does not belong to is broken", async () => {
    await watch(opened(1), {});
    await watch(over(1, CHAIN[2]!), {});
    await vi.waitFor(() => expect(fair.chains.wrong("t")).toContain("The room's seed of round 7"));
  });

  test("has the end that was shown first, whatever is shown later", async () => {
    await watch(opened(1), {});
    const other = { ...view().chain!, end: "00" };
    await watch(opened(2, { chain: other }), {});
    expect(fair.seen("t", 8).chain!.end).toBe(CHAIN[0]);
    await watch(opened(3, { chain: { ...other, number: 2 } }), {});
    expect(fair.seen("t", 9).chain).toEqual({ number: 2, end: "00", epoch: 0, before: 6 });
  });

  test("stays known where a round is of none", async () => {
    await watch(opened(1), {});
    await watch(view({ round: 8, chain: 0, link: 0 }, { chain: undefined } as never), {});
    expect(fair.seen("t", 8).chain!.number).toBe(1);
  });
});

test("what places committed to counts as it was when bets were closed", async () => {
  await watch(view({ committed: { 4: "a" } }), {});
  await watch(revealing({ committed: { 4: "b", 5: "c" } }), {});
  await watch(revealing({ committed: { 5: "c" }, shown: { 5: "s" } }), {});
  expect(fair.seen("t", 7)).toMatchObject({
    fixed: { committed: { 4: { commitment: "b" }, 5: { commitment: "c" } } },
    shown: { 5: "s" },
  });
});

describe("a room that has seen a seed", () => {
  const HAND = { place: 2, seat: 1, wagers: [{ spot: "ante", cents: 500 }] };
  const before = () => ({
    committed: { 2: commitment(), 4: "ab" },
    committed_by: { 2: "Ann", 4: "Cyd" },
    hands: [HAND],
  });
  async function shownIn(change: Partial<RoundView>) {
    await watch(view());
    await watch(revealing(before()));
    const round = { ...view().round!, ...before(), dealer: [1, 2, 3], ...change };
    const end = { type: "round.settled/1", round: 7, seed: CHAIN[1]!, at: 1 } as End;
    const last = { round, end, players: { 2: "Ann" } };
    await watch(view({}, { phase: "between", round: undefined, last } as Partial<TableView>));
  }

  test.each<[string, Partial<RoundView>]>([
    ["cannot deal in another hand", { hands: [HAND, { ...HAND, place: 3 }] }],
    ["cannot change a wager", { hands: [{ ...HAND, wagers: [{ spot: "ante", cents: 1 }] }] }],
    ["cannot add text", { added: { 4: "lucky" } }],
    ["cannot add text in one's own name", { added: { 2: "lucky" } }],
    ["cannot call a player by another name", { committed_by: { 2: "Ann", 4: "Cyd33" } }],
    ["cannot take a commitment in", { committed: { 2: "x", 4: "ab", 5: "cd" } }],
    ["cannot let another one bank", { banker: 3 }],
  ])("%s", async (_, change) => {
    await shownIn(change);
    expect(fair.chains.wrong("t")).toContain("Round 7 was changed after bets were closed.");
  });

  test("cannot deal other cards than the seeds give", async () => {
    await shownIn({});
    await vi.waitFor(() =>
      expect(fair.chains.wrong("t")).toContain("does not follow from its seeds"),
    );
  });

  test("gives a receipt of the moment before", async () => {
    await watch(view());
    const receipt = {
      key: "k",
      epoch: 0,
      stream: "table/t",
      version: 9,
      hash: "h",
      signature: "s",
    };
    const closed = revealing(before());
    fair.watch(closed, ANN, "Ann", send, { receipt });
    fair.watch(closed, ANN, "Ann", send, { receipt: { ...receipt, version: 10 } });
    expect(fair.seen("t", 7).receipt).toEqual(receipt);
  });
});

describe("a room cannot go back", () => {
  const at = (round: number, chain = {}, link = round - 6) =>
    view({ round, link, chain: 1 }, { chain: { ...view().chain!, ...chain } });
  const ended = (round: number) => {
    const last = {
      round: { ...view().round!, round, link: round - 6, hands: [] },
      end: { type: "round.voided/1", round, seed: "", at: 1 },
      players: {},
    };
    return view({}, { phase: "between", round: undefined, last } as never);
  };

  test.each<[string, TableView, string]>([
    ["to a round that is over", at(8), "Round 8 is over, and is played again."],
    ["to an earlier chain", at(9, { number: 1 }, 3), "The table is back on chain 1"],
    ["to another chain of that number", at(9, { number: 2, end: "00" }, 1), "Chain 2 is not"],
    ["to scheme 1", view({ round: 9, link: 0, chain: 0 }, { chain: undefined } as never), "on no"],
    ["by a chain that is older than it was", at(9, { number: 3, end: "00" }, 2), "Chain 3 is said"],
    ["before a restore", at(9, { number: 2, epoch: 4 }, 1), "before it was restored"],
  ])("%s", async (_, next, says) => {
    fair.begin("key");
    for (const round of [7, 8]) {
      await watch(at(round, { number: 2, epoch: 5, end: "ee" }, round - 6), {});
      await watch(ended(round), {});
    }
    await load(); // another day
    fair.begin("key");
    const honest = { ...next, chain: next.chain && { ...next.chain } } as TableView;
    if (honest.chain && honest.chain.epoch === 0) honest.chain = { ...honest.chain, epoch: 5 };
    await watch(honest, {});
    expect(fair.chains.wrong("t")).toContain(says);
  });

  test("but it may be restored, and is said to be", async () => {
    fair.begin("key");
    await watch(at(7), {});
    await watch(ended(7), {});
    await watch(at(7, { epoch: 1, end: "11" }), {});
    expect(fair.chains.wrong("t")).toBeUndefined();
    expect(fair.chains.seen("t")).toEqual({
      counts: { rounds: 1, leftOut: 0, voided: 0 },
      restored: true,
    });
    expect(fair.seen("t", 7).end).toBeUndefined();
  });

  test("unless it is another room at the same address", async () => {
    fair.begin("key");
    await watch(at(7), {});
    await watch(ended(7), {});
    expect(fair.chains.rekeyed).toBe(false);
    fair.begin("another");
    await watch(at(7, { end: "00" }), {});
    expect(fair.chains.wrong("t")).toBeUndefined();
    expect(fair.chains.rekeyed).toBe(true);
    expect(fair.seen("t", 7)).toMatchObject({ chain: { end: "00" } });
  });

  test("without being counted", async () => {
    await watch(at(7), {});
    await watch(revealing({ committed: { 2: "a", 3: "b" }, shown: { 2: "s" } }), {});
    const round = { ...revealing({}).round!, committed: { 2: "a", 3: "b" }, shown: { 2: "s" } };
    const end = { type: "round.settled/1", round: 7, seed: CHAIN[1]!, at: 1 };
    const over = { phase: "between", round: undefined, last: { round, end, players: {} } };
    (round as RoundView).pocket = "7";
    await watch(view({}, over as never), {});
    expect(fair.chains.seen("t").counts).toEqual({ rounds: 1, leftOut: 1, voided: 0 });
  });
});
