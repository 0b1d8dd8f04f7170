import { beforeEach, describe, expect, test, vi } from "vitest";
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
    expect(fair.chains.broken("t")).toBeUndefined();
  });

  test("that a seed does not belong to is broken", async () => {
    await watch(opened(1), {});
    await watch(over(1, CHAIN[2]!), {});
    await vi.waitFor(() => expect(fair.chains.broken("t")).toBe(7));
  });

  test("has the end that was shown first, whatever is shown later", async () => {
    await watch(opened(1), {});
    const other = { ...view().chain!, end: "00" };
    await watch(opened(2, { chain: other }), {});
    expect(fair.seen("t", 8).chain!.end).toBe(CHAIN[0]);
    await watch(opened(3, { chain: { ...other, number: 2 } }), {});
    expect(fair.seen("t", 9).chain).toEqual({ number: 2, end: "00", before: 6 });
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
  expect(fair.seen("t", 7)).toMatchObject({ committed: { 4: "b", 5: "c" }, shown: { 5: "s" } });
});
