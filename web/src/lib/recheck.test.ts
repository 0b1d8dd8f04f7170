import { expect, test } from "vitest";
import { data } from "../../testing/data";
import type { End, Last } from "./protocol";
import { isWheel, type Proof } from "./proof/types";
import { isDealt } from "./proof/seeds";
import { followsFromSeeds } from "./recheck";

const handAt = (list: number[], n: number) => list.slice(3 * n, 3 * n + 3);

/** The end of a round as a table shows it; every hand is shown. */
function lastOf(proof: Proof): Last {
  const by = <T>(value: (one: Proof["committed"][number]) => T) =>
    Object.fromEntries(proof.committed.map((one) => [one.place, value(one)]));
  const shown = Object.entries(by((one) => one.shown)).filter(([, seed]) => seed !== null);
  const seat = (place: number) => proof.hands.find((one) => one.place === place)!;
  return {
    round: {
      round: proof.round,
      commitment: proof.commitment,
      chain: proof.chain,
      link: proof.link,
      committed: by((one) => one.commitment),
      committed_by: by((one) => one.player),
      shown: Object.fromEntries(shown) as Record<string, string>,
      added: proof.seeds,
      hands: proof.places.map((place, n) => ({ ...seat(place), cards: handAt(proof.cards, n) })),
      dealer: isWheel(proof) ? [] : handAt(proof.cards, proof.places.length),
      ...(proof.pocket !== null && { pocket: proof.pocket }),
    },
    end: { ...proof.end, seed: proof.seed } as End,
    players: {},
  };
}

const dealt = data.known.filter((proof) => proof.chain && isDealt(proof));
const check = (proof: Proof, last: Last) =>
  followsFromSeeds(proof.table, proof.digest, last, {}, proof.rulebook);

test("rounds follow from their seeds", async () => {
  expect(dealt.some(isWheel) && dealt.some((proof) => !isWheel(proof))).toBe(true);
  for (const proof of dealt)
    expect(await check(proof, lastOf(proof)), `${proof.table} ${proof.round}`).toBe(true);
});

test("cards that are not shown are not compared", async () => {
  const last = lastOf(dealt.find((proof) => !isWheel(proof))!);
  last.round.dealer = [last.round.dealer![0]!, null, null];
  for (const hand of last.round.hands) delete hand.cards;
  expect(
    await check(
      dealt.find((proof) => !isWheel(proof))!,
      last,
    ),
  ).toBe(true);
});

test("other cards, or another pocket, are found", async () => {
  for (const proof of dealt) {
    const last = lastOf(proof);
    if (isWheel(proof)) last.round.pocket = proof.pocket === "7" ? "8" : "7";
    else last.round.dealer = [...last.round.dealer!].reverse();
    expect(await check(proof, last), `${proof.table} ${proof.round}`).toBe(false);
  }
});

test("other seeds give other cards", async () => {
  for (const proof of dealt) {
    const last = lastOf(proof);
    last.round.added = { ...last.round.added, 99: "lucky 1" };
    const again = structuredClone(last);
    again.round.added = { ...last.round.added, 99: "lucky 2" };
    expect([await check(proof, last), await check(proof, again)]).toContain(false);
  }
});

test("nothing is said where nothing can be", async () => {
  const wheel = dealt.find(isWheel)!;
  expect(await followsFromSeeds(wheel.table, wheel.digest, lastOf(wheel), {})).toBeUndefined();
  const last = lastOf(wheel);
  expect(await check(wheel, { ...last, end: { ...last.end, seed: "" } })).toBeUndefined();
  expect(await check(wheel, { ...last, round: { ...last.round, chain: 0 } })).toBeUndefined();
});
