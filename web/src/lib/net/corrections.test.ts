import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { corrected } from "../../texts/rulings";
import { account } from "./account.svelte";
import { api, type Me } from "./api";
import { Corrections } from "./corrections.svelte";

const NOW = 1_000_000_000_000;
const part = {
  ...{ table: "house", round: 12, correction: 1, at: NOW - 1000, reason: "the dealer misread" },
  ...{ net: 1000, fee: 0, cents: 1000, owed: 0, to_wallet: true },
};
const me = (player: string) => ({ player, wallet: 0, seats: [] }) as unknown as Me;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  account.me = me("Ann");
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  account.me = null;
});

test("a player who comes in reads what was corrected meanwhile, until they dismiss it", async () => {
  vi.spyOn(api, "corrections").mockResolvedValue([part]);
  const corrections = new Corrections(() => NOW);
  await corrections.look();
  expect(corrections.notices.map(({ text }) => text)).toEqual([
    "Round 12 at House was corrected: $10.00 came to your balance. Reason: the dealer misread.",
  ]);
  corrections.dismiss("house/1");
  expect(corrections.notices).toEqual([]);
  const later = new Corrections(() => NOW);
  await later.look();
  expect(later.notices, "also not after a reload").toEqual([]);
});

test("the table and the room speak of the same correction once", async () => {
  vi.spyOn(api, "corrections").mockResolvedValue([part]);
  const corrections = new Corrections(() => NOW);
  corrections.see("Ann", "house", { correction: 1, round: 12, at: NOW, cents: 1000 });
  expect(corrections.notices).toHaveLength(1);
  expect(corrections.notices[0]!.text, "the table has no reason").not.toContain("misread");
  await vi.waitFor(() => expect(corrections.notices[0]!.text).toContain("misread"));
  corrections.see("Ann", "house", { correction: 1, round: 12, at: NOW, cents: 1000 });
  await corrections.look();
  expect(corrections.notices).toHaveLength(1);
  expect(corrections.notices[0]!.text).toContain("misread");
  corrections.see("Ann", "house", undefined);
  expect(corrections.notices).toHaveLength(1);
});

test("a correction of an earlier round is asked for when the table counts one more", async () => {
  const asked = vi.spyOn(api, "corrections").mockResolvedValue([part]);
  const corrections = new Corrections(() => NOW);
  corrections.count("Ann", "house", 3);
  corrections.count("Ann", "house", 3);
  expect(asked, "what was made before is asked for on coming in").not.toHaveBeenCalled();
  corrections.count("Ann", "house", 4);
  await vi.waitFor(() => expect(corrections.notices).toHaveLength(1));
  corrections.count(null, "house", 5);
  expect(asked).toHaveBeenCalledTimes(1);
});

test("another player reads nothing of it", async () => {
  vi.spyOn(api, "corrections").mockResolvedValueOnce([part]).mockResolvedValue([]);
  const corrections = new Corrections(() => NOW);
  await corrections.look();
  account.me = me("Bo");
  await corrections.look();
  expect(corrections.notices).toEqual([]);
});

test("a room that does not answer is asked again", async () => {
  const asked = vi.spyOn(api, "corrections").mockRejectedValueOnce(new Error("gone"));
  asked.mockResolvedValue([part]);
  const corrections = new Corrections(() => NOW);
  await corrections.look();
  expect(corrections.notices).toEqual([]);
  await corrections.look();
  expect(corrections.notices).toHaveLength(1);
  await corrections.look();
  expect(asked).toHaveBeenCalledTimes(2);
});

test("old corrections are in the history only", async () => {
  vi.spyOn(api, "corrections").mockResolvedValue([{ ...part, at: NOW - 40 * 24 * 3_600_000 }]);
  const corrections = new Corrections(() => NOW);
  await corrections.look();
  expect(corrections.notices).toEqual([]);
});

test("what is owed is said for either side", () => {
  const short = { table: "house", round: 3, cents: -500, owed: -200, to_wallet: false };
  expect(corrected(short)).toBe(
    "Round 3 at House was corrected: $5.00 was taken from your stack. You still owe $2.00.",
  );
  expect(corrected({ ...short, cents: 0, owed: 700 })).toBe(
    "Round 3 at House was corrected: no chips moved. You are still owed $7.00.",
  );
});
