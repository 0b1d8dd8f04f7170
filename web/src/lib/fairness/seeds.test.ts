import { beforeAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { down, keyOnChain, placeCommitment } from "../proof/chain";
import { Words } from "../proof/deal";
import type { Command, End, Last, Own, RoundView, TableView } from "../net/protocol";

type Witness = (typeof import("./witness.svelte"))["witness"];
type Seeds = (typeof import("./seeds"))["seeds"];

let witness: Witness;
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
  witness = (await import("./witness.svelte")).witness;
  seeds = (await import("./seeds")).seeds;
  witness.begin();
}

/** Wait until something holds, however busy the machine is. */
const eventually = (holds: () => void) => vi.waitFor(holds, { timeout: 60_000 });

beforeAll(async () => {
  for (let link = 0; link <= 3; link++) CHAIN[link] = await down("t", 1, 3, "77".repeat(32), link);
});

beforeEach(async () => {
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  [sent, accept] = [[], true];
  await load();
});

/** What is being hashed, and what has been since somebody looked. */
const hashing = { now: 0, since: 0 };
for (const name of ["digest", "importKey", "sign"] as const) {
  const real = crypto.subtle[name].bind(crypto.subtle) as (...of: unknown[]) => Promise<unknown>;
  const counted = (...of: unknown[]) => {
    hashing.now++;
    hashing.since++;
    return real(...of).finally(() => hashing.now--);
  };
  Object.defineProperty(crypto.subtle, name, { value: counted, configurable: true });
}

// What is hashed when a round is over writes to the storage of its own test.
afterEach(async () => {
  do {
    hashing.since = 0;
    await new Promise((resume) => setTimeout(resume, 5));
  } while (hashing.now || hashing.since);
});

function view(change: Partial<RoundView> = {}, more: Partial<TableView> = {}): TableView {
  const round = { round: 7, chain: 1, link: 1, commitment: CHAIN[0], hands: [], ...change };
  const chain = { number: 1, epoch: 0, length: 3, used: 1, end: CHAIN[0], tip: CHAIN[0] };
  return {
    ...{ table: "t", game: "three_card_poker", digest: "rules", phase: "betting" },
    ...{ places: SEATS, round },
    ...{ chain: { ...chain, reveal: 2000 }, ...more },
  } as unknown as TableView;
}
const revealing = (change: Partial<RoundView>) => view(change, { phase: "revealing" });
const send = async (command: Command) => {
  sent.push(command);
  return accept;
};
async function watch(now: TableView, own = ANN, player: string | null = "Ann") {
  witness.watch(now, own, player, send);
  seeds.watch(now, own, player, send);
  await Promise.resolve();
}
/** The commitment that was sent. */
const commitment = () => (sent[0] as { commitment: string }).commitment;
const hidden = () => witness.seen("t", 7).hidden;

describe("with bets open a page commits", () => {
  test("at once, and once", async () => {
    witness.watch(view(), ANN, "Ann", send);
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
    witness.chains.alarm("t", "wrong");
    await watch(revealing({ committed: { 2: commitment() } }));
    expect(sent).toHaveLength(1);
  });

  test("it once more if the room was busy", async () => {
    await watch(view());
    accept = false;
    await watch(revealing({ committed: { 2: commitment() } }));
    accept = true;
    await eventually(() => expect(sent).toHaveLength(3));
    expect(sent[2]).toEqual(sent[1]);
    await eventually(() => expect(hidden()!.counted).toBe(true));
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
      await eventually(() => expect(witness.seen("t", 6 + link).chain!.tip).toBeDefined());
    }
    await eventually(() =>
      expect(witness.seen("t", 8).chain).toMatchObject({
        ...{ number: 1, end: CHAIN[0], before: 6, tip: { link: 3, seed: CHAIN[3] } },
      }),
    );
    expect(witness.chains.wrong("t")).toBeUndefined();
  });

  test("that a seed does not belong to is broken", async () => {
    await watch(opened(1), {});
    await watch(over(1, CHAIN[2]!), {});
    await eventually(() =>
      expect(witness.chains.wrong("t")).toContain("Round 7: The commitment doesn't match"),
    );
  });

  test("has the end that was shown first, whatever is shown later", async () => {
    await watch(opened(1), {});
    const other = { ...view().chain!, end: "00" };
    await watch(opened(2, { chain: other }), {});
    expect(witness.seen("t", 8).chain!.end).toBe(CHAIN[0]);
    const next = opened(3, { chain: { ...other, number: 2 } });
    await watch({ ...next, round: { ...next.round!, chain: 2 } }, {});
    expect(witness.seen("t", 9).chain).toEqual({ number: 2, end: "00", epoch: 0, before: 6 });
  });

  test("stays known where a round is of none", async () => {
    await watch(opened(1), {});
    await watch(view({ round: 8, chain: 0, link: 0 }, { chain: undefined } as never), {});
    expect(witness.seen("t", 8).chain!.number).toBe(1);
  });
});

test("what places committed to counts as it was when bets were closed", async () => {
  await watch(view({ committed: { 4: "a" } }), {});
  await watch(revealing({ committed: { 4: "b", 5: "c" } }), {});
  await watch(revealing({ committed: { 5: "c" }, shown: { 5: "s" } }), {});
  expect(witness.seen("t", 7)).toMatchObject({
    fixed: { committed: { 4: { commitment: "b" }, 5: { commitment: "c" } } },
    shown: { 5: "s" },
  });
});

describe("a room that has seen a seed", () => {
  const HAND = { place: 2, seat: 1, wagers: [{ spot: "ante", cents: 500 }] };
  const OTHERS = { ...HAND, place: 4, seat: 3 };
  const before = () => ({
    committed: { 2: commitment(), 4: "ab" },
    committed_by: { 2: "Ann", 4: "Cyd" },
    hands: [HAND, OTHERS],
  });
  /** Bet, show the seed, and see a round end. */
  async function close() {
    await watch(view());
    await watch(revealing(before()));
  }
  /** The end of the round as an honest room shows it, dealt from its seeds. */
  async function honest(change: Partial<RoundView> = {}): Promise<Last> {
    const shown = { 2: hidden()!.seed };
    const round = { ...view().round!, ...before(), shown, ...change } as RoundView;
    const seeds = Object.entries(round.committed!).map(([place, made]) => ({
      ...{ place: Number(place), player: round.committed_by![place]!, commitment: made },
      shown: round.shown![place] ?? null,
    }));
    const of = { table: "t", chain: 1, round: 7 };
    const key = await keyOnChain(CHAIN[1]!, of, "rules", seeds, round.added ?? {});
    const deck = await new Words(key).shuffle();
    const seated = [...round.hands].sort((one, other) => one.seat - other.seat);
    round.hands = seated.map((hand, n) => ({ ...hand, cards: deck.slice(3 * n, 3 * n + 3) }));
    round.dealer = deck.slice(3 * seated.length, 3 * seated.length + 3);
    const end = { type: "round.settled/1", round: 7, seed: CHAIN[1]!, at: 1 } as End;
    return { round, end, players: { 2: "Ann" } };
  }
  const over = (last: Last) =>
    watch(view({}, { phase: "between", round: undefined, last } as Partial<TableView>));
  const wrong = () => witness.chains.wrong("t");
  /** Wait until the page has checked the round to the end, whatever it has found. */
  const checked = () =>
    eventually(() => expect(witness.seen("t", 7).checked ?? wrong()).toBeTruthy());

  test("and is honest raises no alarm", async () => {
    await close();
    await over(await honest());
    await over(await honest());
    await eventually(() => expect(witness.seen("t", 7).checked).toBe(true));
    expect(wrong()).toBeUndefined();
    const counts = { rounds: 1, bound: 1, free: 0, leftOut: 1, lost: 0 };
    expect(witness.chains.counts("t")).toMatchObject(counts);
  });

  const CHANGED = "The round was changed after bets closed.";
  test.each<[string, () => Partial<RoundView>, string]>([
    ["deal in another hand", () => ({ hands: [HAND, OTHERS, { ...HAND, place: 3 }] }), CHANGED],
    [
      "deal in a hand without wagers",
      () => ({ hands: [HAND, OTHERS, { place: 3, seat: 2, wagers: [] }] }),
      "What the table shows doesn't follow from the seeds.",
    ],
    [
      "exchange seats",
      () => ({
        hands: [
          { ...HAND, seat: 3 },
          { ...OTHERS, seat: 1 },
        ],
      }),
      CHANGED,
    ],
    [
      "change a wager",
      () => ({ hands: [{ ...HAND, wagers: [{ spot: "ante", cents: 1 }] }, OTHERS] }),
      CHANGED,
    ],
    ["add text", () => ({ added: { 4: "lucky" } }), CHANGED],
    ["add text in one's own name", () => ({ added: { 2: "lucky" } }), CHANGED],
    ["name a player otherwise", () => ({ committed_by: { 2: "Ann", 4: "Cyd33" } }), CHANGED],
    ["take a commitment in", () => ({ committed: { ...before().committed, 5: "cd" } }), CHANGED],
    ["let another one bank", () => ({ banker: 3 }), CHANGED],
    [
      "make up the bytes of a place",
      () => ({ shown: { 2: hidden()!.seed, 4: "77".repeat(32) } }),
      "The seats' seeds don't match what they committed to or showed.",
    ],
    ["leave out bytes that it took", () => ({ shown: {} }), "Your hidden seed isn't in the round"],
  ])("cannot %s", async (_, change, says) => {
    await close();
    await over(await honest(change()));
    await eventually(() => expect(wrong()).toContain(says));
    expect(witness.seen("t", 7).checked).toBeUndefined();
  });

  test.each<[string, (last: Last) => void, string]>([
    ["deal other cards", ({ round }) => round.dealer!.reverse(), "doesn't follow from the seeds"],
    ["name another chain", ({ round }) => (round.chain = 2), "The commitment doesn't match"],
    ["name another link", ({ round }) => (round.link = 2), "The commitment doesn't match"],
    [
      "name another commitment",
      ({ round }) => (round.commitment = "00"),
      "The commitment doesn't match",
    ],
    [
      "take another seed",
      ({ end }) => (end.seed = "11".repeat(32)),
      "The commitment doesn't match",
    ],
    ["keep its seed back", ({ end }) => (end.seed = ""), "The commitment doesn't match"],
    ["end another round", ({ end }) => (end.round = 0), "This is not a proof of round 7"],
    [
      "settle without a deal",
      ({ round }) => (round.dealer = []),
      "It is settled, but the table shows no",
    ],
  ])("cannot %s", async (_, change, says) => {
    await close();
    const last = await honest();
    change(last);
    await over(last);
    await eventually(() => expect(wrong()).toContain(says));
  });

  test("cannot exchange cards that it has shown", async () => {
    await close();
    const decided = view({ ...before(), shown: { 2: hidden()!.seed } }, { phase: "deciding" });
    await watch(decided, { place: 2, hand: 2, cards: [1, 2, 3] });
    await over(await honest());
    await eventually(() => expect(wrong()).toContain("doesn't follow from the seeds"));
  });

  test("cannot show another end later", async () => {
    await close();
    await over(await honest());
    const last = await honest();
    last.end.net = 5;
    await over(last);
    expect(wrong()).toContain("Round 7 now has a different end than before.");
  });

  test("cannot let the round vanish uncounted", async () => {
    await close();
    await watch(view({ round: 8, link: 2, commitment: CHAIN[1]! }));
    expect(witness.chains.counts("t").lost).toBe(1);
    await watch(view({ round: 8, link: 2, commitment: CHAIN[1]! }));
    expect(witness.chains.counts("t").lost).toBe(1);
  });

  test("cannot void it uncounted", async () => {
    await close();
    const last = await honest({ hands: [] });
    last.end.type = "round.voided/1";
    await over(last);
    const counts = { rounds: 1, voided: 1 };
    await eventually(() => expect(witness.chains.counts("t")).toMatchObject(counts));
  });

  test.each<[string, () => Promise<Last>]>([
    ["without its player's seed", () => honest({ shown: {} })],
    ["with no bet at that place", () => honest({ shown: { 4: "12".repeat(32) }, hands: [HAND] })],
  ])("could have chosen a round %s", async (_, end) => {
    await watch(view()); // this window shows nothing
    await over(await end());
    await checked();
    expect(witness.chains.counts("t")).toMatchObject({ rounds: 1, bound: 0, free: 1 });
  });

  test("is counted on where an older page counted before", async () => {
    await close();
    const kept = JSON.parse(localStorage.getItem("queenhigh.chains")!);
    const known = kept.rooms[kept.room].tables.t;
    known.counts = { rounds: 8, leftOut: 2, voided: 1, lost: 0, restored: 0 };
    localStorage.setItem("queenhigh.chains", JSON.stringify(kept));
    await load();
    await over(await honest());
    await checked();
    const counts = { rounds: 9, bound: 1, free: 0, leftOut: 3 };
    expect(witness.chains.counts("t")).toMatchObject(counts);
  });

  test("cannot show another close to another window", async () => {
    await close();
    const { seed } = hidden()!;
    vi.stubGlobal("sessionStorage", storage());
    await load();
    await watch(view({ committed: { 2: commitment() } }));
    await watch(revealing({ ...before(), added: { 4: "lucky" }, shown: { 2: seed } }));
    expect(wrong()).toContain("Two of your windows saw round 7 close differently.");
  });

  test("is not believed again after a reload, until somebody has read why", async () => {
    await close();
    witness.chains.alarm("t", "wrong");
    await load();
    expect(wrong()).toBe("wrong");
    witness.chains.dismiss("t");
    expect(wrong()).toBeUndefined();
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
    witness.watch(closed, ANN, "Ann", send, { receipt });
    witness.watch(closed, ANN, "Ann", send, { receipt: { ...receipt, version: 10 } });
    expect(witness.seen("t", 7).receipt).toEqual(receipt);
  });
});

test("a seed that is not from this browser is said to be at one's place", async () => {
  await watch(view({ committed: { 2: "another" } }));
  expect(sent).toEqual([]);
  expect(witness.seen("t", 7).foreign).toBe(true);
});

describe("a room cannot go back", () => {
  const at = (round: number, chain = {}, link = round - 6) =>
    view(
      { round, link, chain: (chain as { number?: number }).number ?? 1 },
      { chain: { ...view().chain!, ...chain } },
    );
  const ended = (round: number) => {
    const last = {
      round: { ...view().round!, round, link: round - 6, hands: [] },
      end: { type: "round.voided/1", round, seed: "", at: 1 },
      players: {},
    };
    return view({}, { phase: "between", round: undefined, last } as never);
  };

  test.each<[string, TableView, string]>([
    ["to a round that is over", at(8), "Round 8 was over, and is being played again."],
    ["to an earlier chain", at(9, { number: 1 }, 3), "It is back on chain 1"],
    ["to another chain of that number", at(9, { number: 2, end: "00" }, 1), "Chain 2 isn't"],
    ["to scheme 1", view({ round: 9, link: 0, chain: 0 }, { chain: undefined } as never), "on no"],
    ["by a chain that is older than it was", at(9, { number: 3, end: "00" }, 2), "Chain 3 starts"],
    ["before a restore", at(9, { number: 2, epoch: 4 }, 1), "before it was restored"],
  ])("%s", async (_, next, says) => {
    witness.begin("key");
    for (const round of [7, 8]) {
      await watch(at(round, { number: 2, epoch: 5, end: "ee" }, round - 6), {});
      await watch(ended(round), {});
    }
    await load(); // another day
    witness.begin("key");
    const honest = { ...next, chain: next.chain && { ...next.chain } } as TableView;
    if (honest.chain && honest.chain.epoch === 0) honest.chain = { ...honest.chain, epoch: 5 };
    await watch(honest, {});
    expect(witness.chains.wrong("t")).toContain(says);
  });

  test("but it may be restored, and is said to be", async () => {
    witness.begin("key");
    await watch(at(7), {});
    await watch(ended(7), {});
    await watch(at(7, { epoch: 1, end: "11" }), {});
    expect(witness.chains.wrong("t")).toBeUndefined();
    expect(witness.chains.counts("t")).toMatchObject({ rounds: 1, restored: 1 });
    expect(witness.chains.news).toEqual([
      "The server was restored from a backup. Rounds may be missing.",
    ]);
    expect(witness.seen("t", 7).end).toBeUndefined();
  });

  test("unless it is another room at the same address", async () => {
    witness.begin("key");
    await watch(at(7), {});
    await watch(ended(7), {});
    expect(witness.chains.news).toEqual([]);
    witness.begin("another");
    await watch(at(7, { end: "00" }), {});
    expect(witness.chains.wrong("t")).toBeUndefined();
    expect(witness.chains.news).toEqual([
      "The server at this address has a different signing key than before.",
    ]);
    expect(witness.seen("t", 7)).toMatchObject({ chain: { end: "00" } });
    witness.begin("key");
    await watch(at(7), {});
    expect(witness.chains.wrong("t")).toContain("Round 7 was over, and is being played again.");
  });

  test("by a round that names another chain than its own", async () => {
    await watch(at(7), {});
    await watch(view({ round: 8, link: 2, chain: 0 }), {});
    expect(witness.chains.wrong("t")).toContain("Round 8 is on no chain");
  });

  test("because of a window that is late", async () => {
    await watch(at(7), {});
    const late = witness;
    await load();
    for (const round of [8, 9]) {
      await watch(at(round), {});
      await watch(ended(round), {});
    }
    late.watch(ended(7), {}, null, send);
    await new Promise((resume) => setTimeout(resume, 20));
    await load();
    await watch(at(9, { number: 9, end: "00" }, 1), {});
    expect(witness.chains.wrong("t")).toContain("Round 9 was over, and is being played again.");
  });
});
