import { expect, test, vi } from "vitest";
import { canonical, fields, Words } from "./deal";

test("a word that would favour some numbers is refused", async () => {
  const words = new Words(new Uint8Array(32));
  const next = vi.spyOn(words, "next");
  const limit = 37 * Math.floor(2 ** 32 / 37);
  for (const word of [limit, 2 ** 32 - 1, limit - 1, 38]) next.mockResolvedValueOnce(word);
  expect(await words.below(37)).toBe(36);
  expect(await words.below(37)).toBe(1);
});

test("a shuffled deck has every card once", async () => {
  const deck = await new Words(new Uint8Array(32)).shuffle();
  expect([...deck].sort((a, b) => a - b)).toEqual(Array.from({ length: 52 }, (_, card) => card));
});

test("parts are told apart by their lengths", () => {
  expect(fields("a", "bc")).not.toEqual(fields("ab", "c"));
  expect(fields("é", 7)).toEqual(Uint8Array.of(0, 0, 0, 2, 0xc3, 0xa9, 0, 0, 0, 1, 0x37));
});

test("JSON is written with sorted keys and without blanks", () => {
  expect(canonical({ b: [1, null, "x"], a: { d: true, c: 0 }, "\u{1f600}": 1, "\uffff": 2 })).toBe(
    '{"a":{"c":0,"d":true},"b":[1,null,"x"],"\uffff":2,"\u{1f600}":1}',
  );
});
