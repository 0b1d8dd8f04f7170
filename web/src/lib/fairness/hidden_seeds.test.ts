import { beforeEach, expect, test, vi } from "vitest";
import { HiddenSeeds, type Where } from "./hidden_seeds";
import { placeCommitment } from "../proof/chain";

const WHERE: Where = { table: "t", chain: 1, round: 7, place: 2, player: "Ann", room: "c7" };
let kept: Record<string, string>;

/** A storage whose keys can be listed, as a browser's can. */
function storage(): Record<string, string> {
  const made: Record<string, string> = {};
  const hide = (name: string, value: unknown) =>
    Object.defineProperty(made, name, { value, enumerable: false });
  hide("getItem", (key: string) => made[key] ?? null);
  hide("setItem", (key: string, value: string) => (made[key] = value));
  hide("removeItem", (key: string) => delete made[key]);
  return made;
}

beforeEach(() => {
  kept = storage();
  vi.stubGlobal("localStorage", kept);
});

test("a seed is 32 fresh bytes that hash to the commitment", () => {
  const made = new HiddenSeeds().take(WHERE);
  expect(made.seed).toMatch(/^[0-9a-f]{64}$/);
  expect(made.commitment).toBe(placeCommitment(WHERE, 2, "Ann", made.seed));
  expect(new HiddenSeeds().take({ ...WHERE, round: 8 }).seed).not.toBe(made.seed);
});

test("it survives a reload, and another window has the same", () => {
  const { seed, commitment } = new HiddenSeeds().take(WHERE);
  expect(new HiddenSeeds().take(WHERE)).toMatchObject({ seed, commitment });
  expect(new HiddenSeeds().find(WHERE, commitment)).toMatchObject({ seed });
  expect(new HiddenSeeds().find(WHERE, "other")).toBeUndefined();
});

test("it belongs to a place, a player and the room's own commitment", () => {
  const hidden = new HiddenSeeds();
  const { seed, commitment } = hidden.take(WHERE);
  for (const other of [{ place: 3 }, { player: "Ben" }, { room: "c8" }, { chain: 2 }]) {
    expect(hidden.find({ ...WHERE, ...other }, commitment)).toBeUndefined();
    expect(new HiddenSeeds().take({ ...WHERE, ...other }).seed).not.toBe(seed);
  }
});

test("once shown, it is found to be shown again, and never committed to again", () => {
  const made = new HiddenSeeds().take(WHERE);
  new HiddenSeeds().show(WHERE, made);
  const again = new HiddenSeeds();
  expect(again.find(WHERE, made.commitment)).toMatchObject({ seed: made.seed });
  expect(again.take(WHERE).seed).not.toBe(made.seed);
});

test("those of rounds before, and old ones, are forgotten", () => {
  const hidden = new HiddenSeeds();
  hidden.take(WHERE, 1000);
  hidden.take({ ...WHERE, table: "old" }, 1000);
  hidden.take({ ...WHERE, table: "new" }, 80_000_000);
  hidden.take({ ...WHERE, round: 8 }, 90_000_000);
  const tables = Object.keys(kept).map((key) => JSON.parse(key.slice(key.indexOf("/") + 1))[0]);
  expect(tables.sort()).toEqual(["new", "t"]);
});

test("a browser that keeps nothing still has it until the page is left", () => {
  vi.stubGlobal("localStorage", undefined);
  const hidden = new HiddenSeeds();
  const { seed, commitment } = hidden.take(WHERE);
  expect(hidden.find(WHERE, commitment)?.seed).toBe(seed);
  expect(hidden.take(WHERE).seed).toBe(seed);
});
