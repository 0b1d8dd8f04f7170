import { afterEach, describe, expect, test, vi } from "vitest";
import fairness from "../../../../docs/fairness.md?raw";
import { data } from "../../../testing/data";
import { LIES } from "../../../testing/lies";
import { isWheel, type PokerProof, type Proof, type Seen } from "./types";
import { prove } from "./prove";

type Prove = typeof prove;

const { known, old, fresh, readings, ruled } = data;
const cloned = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The checks that do not fit, each with what is wrong. */
async function failures(proof: Proof, proveBy: Prove = prove): Promise<string[][]> {
  const { checks } = await proveBy(proof);
  return checks.filter(({ fits }) => fits === false).map(({ id, wrong }) => [id, ...wrong]);
}

/** What is wrong with rounds that are right: nothing, by a prover that is right. */
async function refused(proofs: Proof[], proveBy: Prove = prove): Promise<string[][][]> {
  const all: string[][][] = [];
  for (const proof of proofs) all.push(await failures(proof, proveBy));
  return all.filter((wrong) => wrong.length);
}

/** The lies about a few rounds each that a prover believes. */
async function believed(proveBy: Prove = prove): Promise<string[]> {
  const names: string[] = [];
  for (const [name, { fits, tell }] of Object.entries(LIES)) {
    const lies = cloned([...readings, ...ruled, ...known].filter(fits).slice(0, 3));
    expect(lies, name).not.toEqual([]);
    lies.forEach(tell);
    for (const lie of lies) if (!(await failures(lie, proveBy)).length) names.push(name);
  }
  return names;
}

describe("rounds that were played", () => {
  test("the known ones have settled and void rounds, and a bank that ran short", () => {
    expect(known.length).toBeGreaterThan(150);
    expect(new Set(known.map((proof) => proof.ended))).toEqual(new Set(["settled", "voided"]));
    const rows = known.flatMap(({ end }) =>
      (end.places ?? []).flatMap((place) => place.wagers ?? []),
    );
    expect(rows.filter((row) => row.clause === "CA-21")).not.toEqual([]);
    const voids = known.filter((proof) => proof.ended === "voided");
    expect(new Set(voids.map(isWheel))).toEqual(new Set([true, false]));
  });

  test("every round of every reading is proved", async () => {
    expect(await refused(known)).toEqual([]);
    expect(await refused(old)).toEqual([]);
    expect(await refused(readings)).toEqual([]);
    expect(await refused(ruled)).toEqual([]);
    expect(fresh).not.toEqual([]);
    expect(await refused(fresh)).toEqual([]);
  });

  test("they are proved with the page's own hashes too", async () => {
    vi.stubGlobal("crypto", {});
    expect((await prove(known[0]!)).native).toBe(false);
    expect(await refused(known.slice(0, 5))).toEqual([]);
  });

  test("a void round says what it gave back", async () => {
    for (const proof of known.filter((proof) => proof.ended === "voided")) {
      const back = [
        "all bets",
        ...(proof.bank === null ? [] : ["the bank"]),
        ...(proof.fees.length ? ["the fees"] : []),
      ];
      const last = back.pop()!;
      const all = back.length ? `${back.join(", ")} and ${last}` : last;
      const { checks } = await prove(proof);
      const says = checks.find(({ id }) => id === "settlement")!.says;
      expect(says).toBe(`The round is void, and ${all} were returned.`);
    }
  });
});

describe("rounds that were not played so", () => {
  test("no amount can be changed unseen", async () => {
    let changed = 0;
    const some = data.full ? known : known.filter((_, index) => index % 5 === 0);
    for (const proof of some) {
      for (const place of proof.end.places ?? []) {
        for (const row of [place, ...(place.wagers ?? []), ...(place.bets ?? [])]) {
          const amounts = row as Record<string, unknown>;
          for (const key of ["net", "stake", "action", "held"]) {
            const amount = amounts[key];
            if (typeof amount !== "number") continue;
            amounts[key] = amount + 1;
            const ids = (await failures(proof)).map(([id]) => id);
            amounts[key] = amount;
            expect(ids, `${proof.table} ${proof.round}: ${key}`).toContain("settlement");
            changed++;
          }
        }
      }
    }
    expect(changed).toBeGreaterThan(200);
  });

  test("every kind of ruling and correction is among them", () => {
    const rulings = ruled.flatMap(({ incidents = [] }) => incidents.map(({ ruling }) => ruling));
    const all = ["default_move", "play_on", "redeal", "void", "void_hand"];
    expect([...new Set(rulings)].sort()).toEqual(all);
    const corrected = ruled.filter(({ corrections }) => corrections);
    expect(corrected.some(isWheel) && corrected.some((proof) => proof.banker !== null)).toBe(true);
    expect(corrected.some(({ rulebook }) => rulebook.banker === "house")).toBe(true);
    expect(corrected.some(({ corrections }) => corrections!.length > 1)).toBe(true);
  });

  test("one person with two names corrects nothing where two have to", async () => {
    const proof = ruled.find(({ corrections }) => corrections)!;
    const [first, ...others] = proof.corrections!;
    const { at, asked_by: asker, approved_by: approver } = first!;
    const day = 24 * 3600 * 1000;
    const made = (member: string, maker: string, ago = 1000) => ({ member, maker, at: at - ago });
    const fits = async (...makers: ReturnType<typeof made>[]) =>
      (await prove({ ...proof, corrections: [{ ...first!, makers }, ...others] })).checks.find(
        ({ id }) => id === "correction",
      )!.fits;
    expect(await fits()).toBe(true);
    expect(await fits(made(approver, asker))).toBe(false);
    expect(await fits(made(asker, approver))).toBe(false);
    expect(await fits(made(asker, "Olga"), made(approver, "Olga"))).toBe(false);
    expect(await fits(made(approver, ""))).toBe(false);
    expect(await fits(made(approver, asker, day - 1))).toBe(false);
    expect(await fits(made(approver, asker, day))).toBe(true);
    expect(await fits(made(asker, ""), made(approver, "Olga"))).toBe(true);
  });

  test("a proof says who ruled and corrected, and what moved", async () => {
    const proof = ruled.find(({ corrections }) => corrections?.[0]?.moved.length === 1)!;
    const { asked_by, approved_by, moved } = proof.corrections![0]!;
    const { checks } = await prove(proof);
    const { says } = checks.find(({ id }) => id === "correction")!;
    expect(says).toContain(`${asked_by} asked for it (“seen on video”), and ${approved_by}`);
    expect(says).toContain(`seat ${moved[0]!.place}`);
    const round = ruled.find(({ incidents }) => incidents?.[0]?.ruling === "void_hand")!;
    const check = (await prove(round)).checks.find(({ id }) => id === "rulings")!;
    expect(check.says).toMatch(
      /ruled on an exposed card of seat \d+ \(IR-2\): the hand was void\./,
    );
  });

  test("money that no rule gives is found", async () => {
    expect(Object.keys(LIES)).toHaveLength(40);
    expect(await refused(known)).toEqual([]); // all of them are honest before
    expect(await believed()).toEqual([]);
  });

  test("another seed, card, pocket, table or rulebook is found", async () => {
    const settled = known.filter((proof) => proof.ended === "settled");
    const spin = settled.find((proof) => proof.pocket);
    const hand = settled.find((proof) => proof.cards.length);
    const other = "00".repeat(32);
    const wrong: [Proof, Partial<Proof>, string][] = [
      [hand!, { seed: other }, "commitment"],
      [hand!, { commitment: other }, "commitment"],
      [hand!, { seeds: { 1: "another" } }, "deal"],
      [hand!, { cards: hand!.cards.map((card) => (card + 1) % 52) }, "deal"],
      [hand!, { cards: hand!.cards.slice(3) }, "deal"],
      [hand!, { digest: `sha256:${other}` }, "rules"],
      [hand!, { ended: "voided" }, "round"],
      [hand!, { round: hand!.round + 1 }, "round"],
      [spin!, { pocket: spin!.pocket === "7" ? "8" : "7" }, "deal"],
      [spin!, { pocket: null }, "deal"],
    ];
    for (const [proof, change, id] of wrong) {
      expect(await failures(proof)).toEqual([]);
      const ids = (await failures({ ...proof, ...change } as Proof)).map(([one]) => one);
      expect(ids, JSON.stringify(change)).toContain(id);
    }
    const { checks } = await prove(hand!, {}, { table: hand!.table, round: hand!.round + 1 });
    expect(checks[0]).toMatchObject({ id: "round", fits: false });
  });

  test("a proof that makes no sense does not fit", async () => {
    const proof = { ...known[0]!, seed: "none", hands: null } as unknown as Proof;
    const ids = (await failures(proof)).map(([id]) => id);
    expect(ids).toEqual(expect.arrayContaining(["commitment", "settlement"]));
  });
});

describe("a prover that is wrong fails these tests", () => {
  afterEach(() => vi.resetModules());

  /** The prover with a part of it planted in its place. */
  async function planted(module: string, part: (real: never) => object): Promise<Prove> {
    vi.resetModules();
    vi.doMock(module, async (original) => {
      const real = await original();
      return { ...(real as object), ...part(real as never) };
    });
    const broken = await import("./prove");
    vi.doUnmock(module);
    return broken.prove;
  }

  test("one that pays a cent too much refuses rounds that are right", async () => {
    const broken = await planted("./pay", (real: typeof import("./pay")) => ({
      wins: (stake: number, pay: string) => real.wins(stake, pay) + 1,
    }));
    expect(await refused(known, broken)).not.toEqual([]);
  });

  test("one that draws other words refuses rounds that are right", async () => {
    const broken = await planted("./deal", (real: typeof import("./deal")) => ({
      keyOf: (seed: string) => real.keyOf(seed, { 1: "another" }),
    }));
    expect((await refused(old, broken)).length).toBeGreaterThan(10);
    const other = await planted("./chain", (real: typeof import("./chain")) => ({
      keyOnChain: (...[seed, of, digest, committed]: Parameters<typeof real.keyOnChain>) =>
        real.keyOnChain(seed, of, digest, committed, { 1: "another" }),
    }));
    expect((await refused(known, other)).length).toBeGreaterThan(100);
  });

  test.each([
    ["settle_order", "in turn"],
    ["settle_order", "bonus first"],
    ["fold_uncovered", "in turn"],
  ])("one that knows no %s refuses rounds that are right", async (key, table) => {
    const broken = await planted("./poker", (real: typeof import("./poker")) => ({
      settle: (proof: PokerProof) => {
        const bank = { ...proof.rulebook.bank!, [key]: undefined };
        return real.settle({ ...proof, rulebook: { ...proof.rulebook, bank } });
      },
    }));
    const rounds = readings.filter((proof) => proof.table === table);
    expect(await refused(rounds, broken)).not.toEqual([]);
  });

  test("one that takes any wager believes lies", async () => {
    const broken = await planted("./hands", () => ({ handsWrong: () => [] }));
    expect(await refused(known, broken)).toEqual([]);
    const lies = await believed(broken);
    expect(lies).toContain("a bet above the limit");
    expect(lies).toContain("bets above the total");
  });

  test("one that takes any correction believes lies about them", async () => {
    const broken = await planted("./corrections", () => ({ corrections: () => [] }));
    expect(await refused(known, broken)).toEqual([]);
    const lies = await believed(broken);
    expect(lies).toContain("a correction that pays more");
    expect(lies).not.toContain("a void hand that keeps its fee");
    const other = await planted("./rulings", () => ({ rulings: () => [] }));
    expect(await believed(other)).toContain("a void hand that keeps its fee");
  });
});

describe("what docs/fairness.md works out", () => {
  const cells = Object.fromEntries(
    [...fairness.matchAll(/^\| ([^|`]+?) \| `?([^|`]+?)`? \|$/gm)].map(([, key, value]) => [
      key,
      value,
    ]),
  ) as Record<string, string>;
  const seed = Array.from({ length: 32 }, (_, n) => n.toString(16).padStart(2, "0")).join("");
  const proof = {
    table: "t1",
    round: 7,
    at: 0,
    ended: "settled",
    digest: `sha256:${"ab".repeat(32)}`,
    rulebook: { game: "three_card_poker" },
    commitment: cells["commitment"],
    seed,
    seeds: { 1: "lucky", 4: "seven" },
    hands: [],
    fees: [],
    places: [1, 4],
    cards: Array.from({ length: 9 }, () => 0),
    banker: null,
    bank: null,
    first: null,
    pocket: null,
    end: { type: "round.settled/1", round: 7, seed },
  };

  test("is what the page works out", async () => {
    const values = Object.fromEntries((await prove(proof as unknown as Proof)).values);
    expect(values["Commitment"]).toBe(cells["commitment"]);
    expect(values["Key"]).toBe(cells["key"]);
    expect(values["Words 0 to 7"]).toBe(cells["words 0 to 7"]);
    expect(values["Seat 1"]).toBe("eight of clubs, ace of clubs, three of spades");
    expect(values["The dealer"]).toBe("six of diamonds, nine of diamonds, three of hearts");
  });

  test("is what a wheel comes to", async () => {
    const spin = { ...proof, rulebook: { game: "roulette", zeros: 1 }, pocket: "23" };
    const { values } = await prove(spin as unknown as Proof);
    expect(Object.fromEntries(values)["Pocket"]).toBe("23");
  });
});

describe("what this browser saw", () => {
  /** Whether a check fits; nothing where it cannot say. */
  const judged = async (proof: Proof, seen: Seen, id: string) =>
    (await prove(proof, seen)).checks.find((check) => check.id === id)?.fits;
  const hand = known.find((proof) => proof.bank && proof.cards.length && proof.hands.length)!;
  const spin = known.find((proof) => proof.ended === "settled" && isWheel(proof))!;

  test("the commitment and the rules are those that were shown", async () => {
    const { commitment, digest } = hand;
    expect(await judged(hand, { commitment }, "shown")).toBe(true);
    expect(await judged(hand, { commitment: "00".repeat(32) }, "shown")).toBe(false);
    expect(await judged(hand, {}, "shown")).toBeNull();
    expect(await judged(hand, { digest }, "rules")).toBe(true);
    expect(await judged(hand, { digest: "sha256:00" }, "rules")).toBe(false);
  });

  test("a bank is the one that was shown", async () => {
    const shown = known.find(
      (proof) => proof.bank && proof.cards.length && proof.ended === "settled",
    )!;
    expect(await judged(shown, { bank: shown.bank! }, "bank")).toBe(true);
    expect(await judged(shown, { bank: shown.bank! + 1 }, "bank")).toBe(false);
  });

  test("cards are those that were shown", async () => {
    const place = hand.places[0]!;
    const cards = hand.cards.slice(0, 3);
    expect(await judged(hand, { place, cards }, "cards")).toBe(true);
    expect(await judged(hand, { place, cards: [...cards].reverse() }, "cards")).toBe(false);
    expect(await judged(hand, { place: 99, cards }, "cards")).toBe(false);
  });

  test("wagers are those that were seen", async () => {
    const { place, wagers } = spin.hands[0]!;
    const held = wagers.map((bet) => ({ ...bet, in_prison: true }));
    const judge = (seen: Seen) => judged(spin, { place, ...seen }, "wagers");
    expect(await judge({ wagers, away: false })).toBe(true);
    expect(await judge({ wagers: held, away: false })).toBe(false);
    expect(await judge({ wagers: [], away: false })).toBe(false);
    expect(await judge({ wagers, away: true })).toBe(true);
    expect(await judge({ wagers: held, away: true })).toBeNull();
  });

  test("a seed of one's own is in the round", async () => {
    const proof = known.find(({ seeds }) => Object.keys(seeds).length)!;
    const [place, seed] = Object.entries(proof.seeds)[0]!;
    const judge = (seen: Seen) => judged(proof, { place: Number(place), ...seen }, "seed");
    expect(await judge({ seed, added: [seed] })).toBe(true);
    expect(await judge({ seed: "mine", added: ["mine"] })).toBe(false);
    expect(await judge({})).toBeNull();
  });

  test("the end is the one that was shown", async () => {
    expect(await judged(spin, { end: spin.end }, "result")).toBe(true);
    const end = { ...spin.end, net: spin.end.net! + 1 };
    expect(await judged(spin, { end }, "result")).toBe(false);
  });
});
