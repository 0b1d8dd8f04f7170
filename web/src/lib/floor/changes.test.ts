import { expect, test } from "vitest";
import { actionWords, actor, changesOf } from "./changes";
import { stamp } from "./times";

test.each([
  ["staff Ida Berg", "Ida Berg"],
  ["token till", "the program till"],
  ["floor from 127.0.0.1", "the first token, from 127.0.0.1"],
  ["floor", "the command line"],
])("%s acted", (by, text) => expect(actor(by)).toBe(text));

test("only values that differ are listed, money as money", () => {
  expect(changesOf({ round: 4, held: 1500 }, { round: 4, held: 0 })).toEqual([
    { name: "held", before: "$15.00", after: "$0.00" },
  ]);
});

test("what is deeper, new or gone has a line as well", () => {
  const lines = changesOf(
    { settings: { pace: { bets: 10 } }, old: "a" },
    { settings: {}, on: true },
  );
  expect(lines).toEqual([
    { name: "settings, pace, bets", before: "10", after: "" },
    { name: "old", before: "a", after: "" },
    { name: "on", before: "", after: "yes" },
  ]);
});

test("a bare text and a long list are shown too", () => {
  const [line] = changesOf("Closing soon", null);
  expect(line).toEqual({ name: "", before: "Closing soon", after: "" });
  const [text] = changesOf(null, { note: "a".repeat(200) });
  expect(text!.after).toMatch(/^a+…$/);
  const rates = changesOf(null, { rates: [{ player: 100 }, { player: 200 }] });
  expect(rates.map(({ name, after }) => `${name}: ${after}`)).toEqual([
    "rates, 1, player: $1.00",
    "rates, 2, player: $2.00",
  ]);
});

test("hashes are short, and times are times", () => {
  const hash = `sha256:${"c7fdabda82f7ef89".repeat(4)}`;
  const [digest, from] = changesOf(null, { digest: hash, from: 1_795_062_000_000 });
  expect(digest!.after).toBe("c7fdabda82f7…");
  expect(from!.after).toBe(stamp(1_795_062_000_000));
});

test("acts have their words", () => {
  expect(actionWords("disable table")).toBe("Paused the table");
  expect(actionWords("new act")).toBe("New act");
  expect(actionWords("rule incident", { round: 9, kind: "misdeal" })).toBe("Made a ruling");
  const stopped = actionWords("rule incident", { round: 9, clock: "stopped" });
  expect(stopped).toBe("Stopped the clock to rule");
  expect(actionWords("rule incident", { round: 9, clock: "runs" })).toBe("Started the clock again");
});
