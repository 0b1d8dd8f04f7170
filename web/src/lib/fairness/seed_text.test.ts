import { describe, expect, test } from "vitest";
import type { RoundView, TableView } from "../net/protocol";
import type { Seen } from "../proof/types";
import { seedStatus, slowToShow, whoseSeeds, type Stage } from "./seed_text";

const round = (change: Partial<RoundView> = {}) =>
  ({ round: 7, commitment: "c", hands: [], chain: 1, link: 3, ...change }) as RoundView;
const SEEN: Seen = { place: 2, hidden: { seed: "s", commitment: "h" } };
const MINE = { committed: { 2: "h" } };
const SHOWN = { ...MINE, shown: { 2: "s" } };
const DEALT = { dealer: [1, null, null] };

test("a commitment that the table took and replaced does not fit", () => {
  const taken = { place: 2, hidden: { ...SEEN.hidden!, taken: true } };
  const status = seedStatus(round({ committed: { 2: "x" } }), "betting", taken)!;
  expect(status).toMatchObject({ fits: false });
});

describe("one's own seed", () => {
  test.each<[Stage, Partial<RoundView>, boolean | null, string]>([
    ["betting", {}, null, "Sending your seed, hidden until bets close."],
    ["betting", MINE, true, "Your seed is sent, hidden until bets close."],
    ["betting", { committed: { 2: "x" } }, null, "Another of your devices sent the seed"],
    ["revealing", MINE, null, "Showing your seed…"],
    ["revealing", SHOWN, true, "Your seed is shown, and counts."],
    ["revealing", {}, false, "Your seed was not counted. Your commitment did not arrive."],
    ["deciding", { ...SHOWN, ...DEALT }, true, "Your seed is shown, and counts."],
    ["deciding", { ...MINE, ...DEALT }, false, "Your seed was not counted. It came too late"],
    ["over", { ...SHOWN, pocket: "7" }, null, "Your seed was shown."],
    ["over", { ...MINE, pocket: "7" }, false, "Your seed was not counted. It came too late"],
    ["over", MINE, null, "The round was void before seeds counted."],
  ])("%s %o", (stage, change, fits, says) => {
    const status = seedStatus(round(change), stage, SEEN)!;
    expect([status.fits, status.says.startsWith(says)]).toEqual([fits, true]);
  });

  test("was in a round that was checked", () => {
    const status = seedStatus(round(SHOWN), "over", { ...SEEN, checked: true });
    expect(status).toEqual({ fits: true, says: "Your seed was in it." });
  });

  test("of another device is named", () => {
    expect(seedStatus(round(), "betting", { place: 2, foreign: true })?.says).toContain(
      "not from this browser",
    );
  });

  test("is not spoken of where there is none", () => {
    expect(seedStatus(round(SHOWN), "over", { place: 2 })).toBeUndefined();
    expect(seedStatus(round({ chain: 0 }), "over", SEEN)).toBeUndefined();
  });
});

const AT = (place: number): Seen => ({ ...SEEN, place });

test.each<[Stage, Partial<RoundView>, Seen, string]>([
  ["betting", {}, SEEN, "No seat has sent a hidden seed."],
  ["betting", { committed: { 2: "a", 3: "b" } }, SEEN, "Hidden seeds of 2 seats."],
  [
    "over",
    { committed: { 2: "a" }, pocket: "7" },
    SEEN,
    "No player's hidden seed is in this round, so the table could have chosen the result. 1 left out.",
  ],
  ["over", { ...SHOWN, pocket: "7" }, SEEN, "Randomness of one seat, yours included."],
  [
    "over",
    { ...SHOWN, shown: { 2: "x" }, pocket: "7" },
    SEEN,
    "Randomness of one seat, yours not.",
  ],
  ["over", { ...SHOWN, pocket: "7" }, AT(3), "Randomness of one seat, yours not."],
  ["over", { ...SHOWN, pocket: "7" }, {}, "Randomness of one seat."],
  ["over", MINE, SEEN, "It was void before seeds counted."],
  ["over", { chain: 0 }, SEEN, "The table could have chosen: no chain of seeds bound it."],
])("whose seeds: %s %o", (stage, change, own, says) => {
  expect(whoseSeeds(round(change), stage, own)).toBe(says);
});

test("slow seeds are mentioned after half a second", () => {
  const view = { phase: "revealing", deadline: 12_000, chain: { reveal: 2000 } } as TableView;
  expect(slowToShow(view, 100)).toBe(10_400);
  expect(slowToShow({ ...view, phase: "betting" }, 0)).toBeUndefined();
});
