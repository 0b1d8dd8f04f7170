import { expect, test } from "vitest";
import { data } from "../../../testing/data";
import type { End, Last, TableView } from "../net/protocol";
import { fixedInProof } from "../proof/fixed";
import { isWheel, type Proof, type Seen } from "../proof/types";
import { isBound, isDealt } from "../proof/seeds";
import { endOf, shownAsProof, whatIsWrong } from "./recheck";
import type { Rulebook } from "../net/rulebook";

const handAt = (list: number[], n: number) => list.slice(3 * n, 3 * n + 3);

/** The end of a round as a table shows it; every hand is shown. */
function lastOf(proof: Proof): Last {
  const by = <T>(value: (one: Proof["committed"][number]) => T) =>
    Object.fromEntries(proof.committed.map((entry) => [entry.place, value(entry)]));
  const shown = Object.entries(by((entry) => entry.shown)).filter(([, seed]) => seed !== null);
  const seat = (place: number) => proof.hands.find((hand) => hand.place === place);
  const voided = proof.voided ?? [];
  return {
    round: {
      round: proof.round,
      commitment: proof.commitment,
      chain: proof.chain,
      link: proof.link,
      committed: by((entry) => entry.commitment),
      committed_by: by((entry) => entry.player),
      shown: Object.fromEntries(shown) as Record<string, string>,
      added: proof.seeds,
      hands: isWheel(proof)
        ? proof.hands
        : proof.places.flatMap((place, n) => {
            const hand = seat(place);
            return hand ? [{ ...hand, cards: handAt(proof.cards, n) }] : [];
          }),
      voided: Object.fromEntries(voided.map(({ place, wagers }) => [place, wagers])),
      voided_seats: Object.fromEntries(voided.map(({ place, seat }) => [place, seat])),
      ...(proof.banker !== null && { banker: proof.banker }),
      dealer: isWheel(proof) ? [] : handAt(proof.cards, proof.places.length),
      ...(proof.pocket !== null && { pocket: proof.pocket }),
    },
    end: { ...proof.end, seed: proof.seed } as End,
    players: {},
  };
}

const dealt = data.known.filter((proof) => proof.chain && isDealt(proof));
const viewOf = ({ table, rulebook, committed }: Proof) =>
  ({
    ...{ table, game: rulebook.game },
    places: committed.map(({ place, bot = false }) => ({ place, bot })),
  }) as TableView;
/** What a window has seen of the start of a round. */
const seenOf = (proof: Proof): Seen => ({
  ...{ commitment: proof.commitment, digest: proof.digest, fixed: fixedInProof(proof) },
  chain: {
    ...{ number: proof.chain, epoch: 0, before: proof.round - proof.link },
    end: data.chains[`${proof.table} ${proof.chain}`]!,
  },
});
const check = (proof: Proof, last: Last, book: Rulebook | undefined = proof.rulebook) =>
  whatIsWrong(viewOf(proof), last, {}, seenOf(proof), book);

test("what the table shows says whether a player's seed binds a round", () => {
  for (const proof of dealt) {
    const shown = shownAsProof(viewOf(proof), lastOf(proof), {});
    expect(isBound(shown, {}), `${proof.table} ${proof.round}`).toBe(isBound(proof, {}));
  }
});

test("rounds are what their seeds make of them", async () => {
  expect(dealt.some(isWheel) && dealt.some((proof) => !isWheel(proof))).toBe(true);
  expect(dealt.some((proof) => proof.voided)).toBe(true);
  for (const proof of dealt)
    expect(await check(proof, lastOf(proof)), `${proof.table} ${proof.round}`).toEqual([]);
});

test("cards that are not shown are not compared", async () => {
  const proof = dealt.find((proof) => !isWheel(proof))!;
  const last = lastOf(proof);
  last.round.dealer = [last.round.dealer![0]!, null, null];
  for (const hand of last.round.hands) delete hand.cards;
  expect(await check(proof, last)).toEqual([]);
});

test("other cards, or another pocket, are found", async () => {
  for (const proof of dealt) {
    const last = lastOf(proof);
    if (isWheel(proof)) last.round.pocket = proof.pocket === "7" ? "8" : "7";
    else last.round.dealer = [...last.round.dealer!].reverse();
    const wrong = await check(proof, last);
    expect(wrong, `${proof.table} ${proof.round}`).toEqual([
      "What the table shows doesn't follow from the seeds.",
    ]);
  }
});

test("a wheel whose rules are not known yet is believed its pocket", async () => {
  const wheel = dealt.find(isWheel)!;
  const last = lastOf(wheel);
  last.round.pocket = wheel.pocket === "7" ? "8" : "7";
  expect(await whatIsWrong(viewOf(wheel), last, {}, seenOf(wheel))).toEqual([]);
});

test("an end is the same whoever looks, and another if anything is", () => {
  for (const proof of dealt) {
    const [last, again] = [lastOf(proof), lastOf(proof)];
    for (const hand of again.round.hands) delete hand.cards;
    expect(endOf(again)).toBe(endOf(last));
    again.end.seed = "00";
    expect(endOf(again)).not.toBe(endOf(last));
  }
});

test("a hand that the floor made void was dealt like any other", async () => {
  const proof = dealt.find((proof) => !isWheel(proof) && !proof.voided && proof.hands.length > 2)!;
  const last = lastOf(proof);
  const { place, seat, wagers } = last.round.hands.splice(1, 1)[0]!;
  last.round.voided = { [place]: wagers };
  last.round.voided_seats = { [place]: seat };
  expect(await check(proof, last)).toEqual([]);
  last.round.voided = { [place]: [{ spot: "ante", cents: 1 }] };
  expect(await check(proof, last), "its bets are still those that were made").not.toEqual([]);
  last.round.voided = {};
  expect(await check(proof, last), "a hand that is just gone").not.toEqual([]);
});
