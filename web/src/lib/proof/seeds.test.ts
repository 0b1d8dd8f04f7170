import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { prove } from "./prove";
import { down, placeCommitment } from "./chain";
import { changes, fixedInProof, type Fixed } from "./fixed";
import { isBound, isDealt } from "./seeds";
import type { Proof, Seen } from "./types";

const { known, old, chains } = data;
const cloned = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const nameOf = ({ table, round }: Proof) => `${table} ${round}`;
const OTHER = "5a".repeat(32);

/** What a window saw of a round, from the place of the first player who showed a seed. */
function seenOf(proof: Proof): Seen {
  const mine = proof.committed.find((entry) => entry.shown !== null);
  const by = (value: (one: Proof["committed"][number]) => string | null) =>
    Object.fromEntries(
      proof.committed
        .map((entry) => [entry.place, value(entry)])
        .filter(([, seed]) => seed !== null),
    ) as Record<string, string>;
  return {
    commitment: proof.commitment,
    chain: {
      number: proof.chain,
      end: chains[`${proof.table} ${proof.chain}`]!,
      epoch: 0,
      before: proof.round - proof.link,
    },
    fixed: fixedInProof(proof),
    shown: by((entry) => entry.shown),
    ...(mine && {
      place: mine.place,
      hidden: { seed: mine.shown!, commitment: mine.commitment, taken: true, counted: true },
    }),
  };
}

const judged = async (proof: Proof, seen: Seen) =>
  Object.fromEntries((await prove(proof, seen)).checks.map((check) => [check.id, check.fits]));
const says = async (proof: Proof, seen: Seen, id: string) =>
  (await prove(proof, seen)).checks.find((check) => check.id === id)?.says;

/** A round with a seed that was shown, and the next one at its table. */
const shownAt = known.findIndex(
  (proof, n) =>
    isDealt(proof) &&
    proof.committed.some(({ shown }) => shown !== null) &&
    known[n + 1]?.table === proof.table,
);
const [shown, next] = [known[shownAt]!, known[shownAt + 1]!];
const leftOut = known.find(
  (proof) => isDealt(proof) && proof.committed.some((place) => place.shown === null),
)!;

describe("rounds on a chain", () => {
  test("fit what was seen of them", async () => {
    for (const proof of known.filter(({ committed }) => committed.length)) {
      const checks = await judged(proof, seenOf(proof));
      expect(checks, `${proof.table} ${proof.round}`).toMatchObject({ chain: true, places: true });
      expect(Object.values(checks)).not.toContain(false);
    }
  });

  test("need one hash where the seed before was followed", async () => {
    const seen = seenOf(next);
    const tip = { link: shown.link, seed: shown.seed };
    expect((await judged(next, { ...seen, chain: { ...seen.chain!, tip } })).chain).toBe(true);
    const wrong = { ...seen.chain!, tip: { ...tip, seed: OTHER } };
    expect((await judged(next, { ...seen, chain: wrong })).chain).toBe(false);
    const later = { ...seen.chain!, tip: { link: next.link, seed: next.seed } };
    expect((await judged(shown, { ...seenOf(shown), chain: later })).chain).toBe(true);
  });

  test("name the seeds that were left out", async () => {
    const out = leftOut.committed.filter((entry) => entry.shown === null);
    const text = await says(leftOut, {}, "left");
    for (const entry of out) expect(text).toContain(`${entry.player} (seat ${entry.place})`);
    expect((await judged(leftOut, {})).left).toBeNull();
  });

  test("whose seed the room has lost are void", async () => {
    const proof = cloned(known.find((round) => round.ended === "voided" && !isDealt(round))!);
    proof.seed = proof.end.seed = "";
    const checks = await judged(proof, {});
    expect(checks).toMatchObject({ commitment: null, deal: null, settlement: true });
    const settled = cloned(shown);
    settled.seed = settled.end.seed = "";
    expect((await judged(settled, {})).commitment).toBe(false);
  });

  const CHOSEN =
    "No player with a bet has a hidden seed in this round, so the table could have chosen the result.";

  test("are bound by players' seeds where the verifiers say so", () => {
    const dealt = known.filter(isDealt).map((proof) => [nameOf(proof), isBound(proof, {})]);
    expect(Object.fromEntries(dealt)).toEqual(data.bound);
    expect(new Set(Object.values(data.bound))).toEqual(new Set([true, false]));
  });

  test("without a player's seed: the room could have chosen", async () => {
    const nobody = known.filter((proof) => isDealt(proof) && !proof.committed.length);
    expect(nobody.length).toBeGreaterThan(20);
    for (const proof of nobody) {
      expect(await says(proof, {}, "players")).toBe(CHOSEN);
      expect((await judged(proof, {})).players).toBeNull();
    }
    const early = known.filter((proof) => !isDealt(proof));
    for (const proof of early) expect(await says(proof, {}, "players")).toBeUndefined();
  });

  test("count seeds of players who bet or bank and are no bots", async () => {
    const bound = known.find(
      (proof) =>
        isDealt(proof) &&
        proof.committed.length === 1 &&
        proof.committed.every(
          ({ place, shown, bot }) =>
            shown !== null && !bot && proof.hands.some((hand) => hand.place === place),
        ),
    )!;
    const [{ place, shown: seed, commitment }] = bound.committed as [(typeof bound.committed)[0]];
    expect(await says(bound, {}, "players")).toBe(
      "A player's seed is in this round, so the table couldn't choose the result freely.",
    );
    const bot = cloned(bound);
    bot.committed[0]!.bot = true;
    const onlooker = cloned(bound);
    onlooker.hands = onlooker.hands.filter((hand) => hand.place !== place);
    const lost = cloned(bound);
    lost.seed = "";
    for (const proof of [bot, onlooker, lost])
      expect(await says(proof, {}, "players")).toBe(CHOSEN);
    const banker = { ...onlooker, banker: place } as Proof;
    const own = { place, hidden: { seed: seed!, commitment } };
    expect((await judged(banker, {})).players).toBe(true);
    expect((await judged(onlooker, own)).players).toBe(true);
    expect((await judged({ ...bound, chain: 0, link: 0 }, {})).players).toBeNull();
  });

  test("of scheme 1: the room could have chosen", async () => {
    for (const proof of old) {
      if (isDealt(proof)) expect(await says(proof, {}, "players")).toBe(CHOSEN);
      expect(await says(proof, {}, "chain")).toContain("The table could have chosen");
      expect((await judged(proof, {})).places).toBeUndefined();
    }
  });
});

describe("one's own seed", () => {
  const mine = leftOut.committed.find((entry) => entry.shown === null)!;
  const hidden = { seed: OTHER, commitment: mine.commitment, taken: true, sent: true };
  const seen = { ...seenOf(leftOut), place: mine.place };

  test("that was sent and left out is not counted", async () => {
    const checks = await judged(leftOut, { ...seen, hidden });
    expect(checks).toMatchObject({ dropped: null, places: true });
    expect(await says(leftOut, { ...seen, hidden }, "dropped")).toContain("was not counted");
  });

  test("that the table took and left out does not fit", async () => {
    const checks = await judged(leftOut, { ...seen, hidden: { ...hidden, counted: true } });
    expect(checks["hidden"]).toBe(false);
  });

  test("that never came into the round is not counted", async () => {
    const lost = { seed: OTHER, commitment: OTHER };
    expect(await judged(leftOut, { ...seen, hidden: lost })).toMatchObject({ dropped: null });
    expect((await judged(leftOut, { ...seen, hidden: { ...lost, taken: true } })).hidden).toBe(
      false,
    );
  });
});

/** Lies about a round, and the checks that find each: the first ones fit in themselves. */
const LIES: Record<string, [(proof: Proof, seen: Seen) => void | Promise<void>, string[]]> = {
  "a seed of another link": [
    (proof) => {
      const { seed, link, commitment } = next;
      Object.assign(proof, { seed, link, commitment });
      proof.end.seed = seed;
    },
    ["chain", "shown", "deal"],
  ],
  "another chain": [
    async (proof) => {
      const { table, chain, link } = proof;
      proof.commitment = await down(table, chain, link, OTHER, link - 1);
      proof.seed = proof.end.seed = OTHER;
    },
    ["chain", "shown", "deal"],
  ],
  "another end": [(_, seen) => void (seen.chain!.end = OTHER), ["chain"]],
  "a link that was passed over": [(_, seen) => void seen.chain!.before++, ["chain"]],
  "another number": [(_, seen) => void seen.chain!.number++, ["chain"]],
  "a round back to scheme 1": [
    (proof) => void Object.assign(proof, { chain: 0, link: 0 }),
    ["chain", "commitment", "places"],
  ],
  "a place that never committed": [
    (proof, { place }) => {
      proof.committed = proof.committed.filter((entry) => entry.place !== place);
    },
    ["fixed", "places", "hidden", "deal"],
  ],
  "a seed left out": [
    (proof, { place }) => {
      for (const entry of proof.committed) if (entry.place === place) entry.shown = null;
    },
    ["places", "hidden", "deal"],
  ],
  "own bytes replaced": [
    (proof, { place }) => {
      const mine = proof.committed.find((entry) => entry.place === place)!;
      mine.shown = OTHER;
      mine.commitment = placeCommitment(proof, mine.place, mine.player, OTHER);
    },
    ["fixed", "places", "hidden", "deal"],
  ],
  "bytes that were not committed to": [
    (proof) => void (proof.committed.find((entry) => entry.shown !== null)!.shown = OTHER),
    ["places", "hidden", "deal"],
  ],
  "a place that came late": [
    (proof) => {
      const commitment = placeCommitment(proof, 99, "zed", OTHER);
      proof.committed.push({ place: 99, player: "zed", commitment, shown: OTHER });
    },
    ["fixed", "deal"],
  ],
  "a place named twice": [
    (proof) => void proof.committed.push(cloned(proof.committed[0]!)),
    ["places", "deal"],
  ],
  "another's seed as one's own": [
    (proof) => void (proof.committed.find((entry) => entry.shown !== null)!.player = "zed"),
    ["fixed", "places", "deal"],
  ],
  "text that was added after bets closed": [
    (proof) => void Object.assign(proof.seeds, { 99: "lucky" }),
    ["fixed", "deal"],
  ],
};

describe("lies about seeds are found", () => {
  test.each(Object.entries(LIES))("%s", async (_, [tell, ids]) => {
    const [proof, seen] = [cloned(shown), cloned(seenOf(shown))];
    expect(Object.values(await judged(proof, seen))).not.toContain(false);
    await tell(proof, seen);
    const checks = await judged(proof, seen);
    for (const id of ids) expect(checks[id], id).toBe(false);
  });
});

test("bets fixed when bets close are compared by key, not by name", () => {
  const fixed = (spot: string): Fixed => ({
    ...{ banker: undefined, committed: {}, added: {} },
    hands: { 3: { seat: 2, wagers: [{ spot, cents: 500 }] } },
  });
  expect(changes(fixed("low"), fixed("low"))).toEqual([]);
  expect(changes(fixed("low"), fixed("1 to 18"))).toHaveLength(1);
  expect(changes(fixed("low"), fixed("red"))).toEqual([
    "Seat 3 bet 1 to 18 $5.00 at position 2; now it is Red $5.00 at position 2.",
  ]);
});

test("ten thousand links are followed in a moment", async () => {
  const end = await down("t", 1, 10_000, OTHER, 0);
  await expect(down("t", 1, 2_000_000, OTHER, 0)).rejects.toThrow("at most 1,000,000 links");
  expect(await down("t", 1, 4000, await down("t", 1, 10_000, OTHER, 4000), 0)).toBe(end);
});
