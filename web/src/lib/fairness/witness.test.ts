import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Bet, Command, End, HandView, Own, TableView } from "../net/protocol";

type Witness = (typeof import("./witness.svelte"))["witness"];

const ANTE: Bet = { spot: "ante", cents: 500 };
const BONUS: Bet = { spot: "bonus", cents: 100 };
const HELD: Bet = { spot: "red", cents: 100, in_prison: true };
let witness: Witness;
let sent: Command[];
let accept: boolean;

function storage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  };
}
async function ask(command: Command) {
  sent.push(command);
  return accept;
}
/** Load the page again: storage stays as it is. */
async function load(): Promise<Witness> {
  vi.resetModules();
  const loaded = (await import("./witness.svelte")).witness;
  loaded.begin();
  return loaded;
}

const hand = (wagers: Bet[], change: Partial<HandView> = {}) => ({
  place: 2,
  seat: 1,
  wagers,
  ...change,
});
const view = (round: number, hands: HandView[], change: Partial<TableView> = {}) =>
  ({
    table: "ca",
    digest: "rules",
    phase: "betting",
    places: [],
    round: { round, commitment: `c${round}`, bank: 5000, hands },
    ...change,
  }) as unknown as TableView;
const END = { type: "round.settled/1", round: 7, seed: "s", at: 1 } as End;
const over = (hands: HandView[], end = END, places: object[] = []) =>
  ({
    ...view(7, []),
    phase: "between",
    round: undefined,
    places,
    last: { round: { ...view(7, hands).round }, end, players: { 2: "Ann" } },
  }) as unknown as TableView;
const ANN: Own = { place: 2 };
const watch = (now: TableView, own = ANN) => witness.watch(now, own, "Ann", ask);
const seen = () => witness.seen("ca", 7);

beforeEach(async () => {
  vi.stubGlobal("sessionStorage", storage());
  vi.stubGlobal("localStorage", storage());
  [sent, accept] = [[], true];
  witness = await load();
});

describe("what was seen of a round", () => {
  test("is what was shown first while bets were open", () => {
    watch(view(7, []));
    const changed = view(7, [], { digest: "other rules" });
    watch({ ...changed, round: { ...changed.round!, commitment: "other", bank: 1 } });
    expect(seen()).toMatchObject({ commitment: "c7", digest: "rules", bank: 5000 });
  });

  test("has wagers that come and go while bets are open", () => {
    watch(view(7, [hand([ANTE, BONUS])]));
    watch(view(7, [hand([ANTE])]));
    expect(seen().wagers).toEqual([ANTE]);
    watch(view(7, []));
    expect(seen().wagers).toEqual([]);
  });

  test("has what is in prison from the start", () => {
    watch(view(7, [hand([HELD])]));
    watch(view(7, [hand([{ ...HELD, cents: 1 }, ANTE])]));
    expect(seen().wagers).toEqual([HELD, ANTE]);
  });

  test("loses no wager once bets are closed, and takes one that came last", () => {
    watch(view(7, [hand([ANTE])]));
    const dealt: Own = { place: 2, hand: 2, cards: [1, 2, 3] };
    watch(view(7, [hand([])], { phase: "deciding" }), dealt);
    expect(seen().wagers).toEqual([ANTE]);
    watch(view(7, [hand([ANTE, BONUS])], { phase: "deciding" }), dealt);
    expect(seen()).toMatchObject({ wagers: [ANTE, BONUS], cards: [1, 2, 3], away: false });
  });

  test("has the cards, the move and the end as they were shown first", () => {
    watch(view(7, [hand([ANTE])]));
    const dealt = (cards: number[]): Own => ({ place: 2, hand: 2, cards });
    watch(view(7, [hand([ANTE])], { phase: "deciding" }), dealt([1, 2, 3]));
    watch(view(7, [hand([ANTE], { move: "play" })], { phase: "deciding" }), dealt([4, 5, 6]));
    watch(over([hand([ANTE], { move: "fold" })]));
    watch(over([hand([ANTE])], { ...END, seed: "another" }));
    expect(seen()).toMatchObject({ cards: [1, 2, 3], move: "play", end: { seed: "s" } });
  });

  test("has the first end for those who only look on too", () => {
    watch(view(7, []), {});
    watch(over([]), {});
    watch(over([], { ...END, seed: "another" }), {});
    expect(seen()).toEqual({ commitment: "c7", digest: "rules", bank: 5000, end: END });
  });

  test("drops wagers that a player took back on leaving", () => {
    watch(view(7, [hand([ANTE])]));
    watch(over([], END), {});
    expect(seen()).toMatchObject({ wagers: [], end: END });
  });

  test("starts over at another place", async () => {
    watch(view(7, [hand([ANTE])]));
    await witness.add(view(7, []), ANN, ask, "mine");
    watch(view(7, []), { place: 4 });
    expect(seen()).toEqual({
      ...{ commitment: "c7", digest: "rules", bank: 5000 },
      ...{ place: 4, wagers: [], away: false, added: ["mine"] },
    });
  });

  test("says whether this window looked away while bets closed", async () => {
    watch(view(7, [hand([ANTE])]));
    witness.begin();
    watch(view(7, [hand([ANTE])], { phase: "deciding" }), { place: 2, hand: 2, cards: [1, 2, 3] });
    expect(seen().away).toBe(true);
  });

  test("is no round of another room at the same address", () => {
    watch(view(7, [hand([ANTE])]));
    watch(over([hand([ANTE])]));
    const other = view(7, []);
    watch({ ...other, round: { ...other.round!, commitment: "new" } });
    expect(seen()).toMatchObject({ commitment: "new", wagers: [] });
    expect(seen().end).toBeUndefined();
  });

  test("is nothing where bets were never seen open", () => {
    watch(over([hand([ANTE])]));
    expect(seen()).toEqual({});
  });

  test("is kept when the page is loaded again, for the last hundred rounds", async () => {
    for (let round = 1; round <= 101; round++) watch(view(round, []));
    const again = await load();
    expect(again.seen("ca", 1)).toEqual({});
    expect(again.seen("ca", 2).commitment).toBe("c2");
    expect(again.seen("house", 2)).toEqual({});
  });
});

describe("a seed", () => {
  test("that the table took is kept", async () => {
    watch(view(7, []));
    expect(await witness.add(view(7, []), ANN, ask, "mine")).toBe(true);
    expect(sent).toEqual([{ type: "add_seed", round: 7, seed: "mine" }]);
    expect(seen()).toMatchObject({ seed: "mine", added: ["mine"] });
  });

  test("that was refused was only tried", async () => {
    accept = false;
    watch(view(7, []));
    expect(await witness.add(view(7, []), ANN, ask, "mine")).toBe(false);
    expect([seen().seed, seen().added]).toEqual([undefined, ["mine"]]);
  });

  test("of another window is known in this one", async () => {
    watch(view(7, []));
    const other = await load();
    await other.add(view(7, []), ANN, ask, "theirs");
    await witness.add(view(7, []), ANN, ask, "mine");
    expect(seen().added).toEqual(["theirs", "mine"]);
  });

  test("goes into every round once, where that was chosen", async () => {
    witness.every = true;
    watch(view(7, []));
    watch(view(7, []));
    watch(view(8, []));
    const seeds = sent.map((command) => (command.type === "add_seed" ? command.seed : ""));
    expect(sent.map((command) => "round" in command && command.round)).toEqual([7, 8]);
    expect(new Set(seeds).size).toBe(2);
    for (const seed of seeds) expect(seed).toMatch(/^[a-z2-9]{20}$/);
    expect((await load()).every).toBe(true);
  });

  test("does not go where nobody sits, bets are closed, or one is there", async () => {
    watch(view(7, []));
    await witness.add(view(7, []), ANN, ask, "mine");
    witness.every = true;
    watch(view(7, []));
    watch(view(8, []), {});
    watch(view(9, [], { phase: "deciding" }));
    expect(sent).toHaveLength(1);
  });
});
