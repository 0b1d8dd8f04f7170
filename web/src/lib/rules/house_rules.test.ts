import { describe, expect, test } from "vitest";
import type { FeeSchedule } from "../../generated/server";
import type { Rules } from "../net/rulebook";
import { percent } from "../odds/fraction";
import { differs, differText, edgeRows, feeText, rateText, shortDigest } from "./house_rules";

const RATE = {
  ...{ min: 500, max: 10_000, player: 100, banker: 200, clause: "CA-7" },
  on: "ante" as const,
};
const ROUND: FeeSchedule = {
  ...{ per: "round", charged: "once a round, by the Ante", collect: "before" },
  ...{ least: 100, most: 300, rates: [RATE] },
};

function rules(some: Partial<Rules>): Rules {
  return { document: { banker: "player" }, differences: [], ...some } as Rules;
}

describe("what differs", () => {
  test("is counted in plain words", () => {
    expect(differText(4)).toBe("House rules differ in 4 points");
    expect(differText(1)).toBe("House rules differ in 1 point");
    expect(differText(0)).toBe("Standard rules");
    expect(differText(null, true)).toBe("Custom rulebook");
    expect(differText(9, true)).toBe("Custom rulebook: differs in 9 points");
    expect(differText(0, true)).toBe("Custom rulebook");
  });

  test("a rulebook of its own is marked, the standard one is not", () => {
    expect(differs(rules({ differences: null }))).toBe(true);
    expect(differs(rules({ is_custom: true }))).toBe(true);
    expect(differs(rules({}))).toBe(false);
  });
});

describe("edges", () => {
  test("stand beside the standard ones, with who is better off", () => {
    const rows = edgeRows(
      rules({
        edges: { ante: "2883213/10179260", bonus: "392/5525" },
        shipped_edges: { ante: "4373389/101792600", bonus: "392/5525" },
      }),
    );
    expect(rows.map((row) => [row.name, percent(row.here, 2), row.change])).toEqual([
      ["Ante", "28.32%", "24.03 points better for the banker"],
      ["Bonus", "7.10%", ""],
    ]);
    expect(percent(rows[0]!.standard!)).toBe("4.2964%");
  });

  test("an edge that falls is better for the player", () => {
    const [row] = edgeRows(rules({ edges: { ante: "1/50" }, shipped_edges: { ante: "1/20" } }));
    expect(row!.change).toBe("3.00 points better for you");
  });

  test("bets of one edge share a row, also without standard ones", () => {
    const edges = { straight: "1/19", red: "1/19", black: "1/19" };
    expect(edgeRows(rules({ edges, shipped_edges: null }))).toEqual([
      expect.objectContaining({ name: "Every bet", standard: null, change: "" }),
    ]);
    const [mixed, other] = edgeRows(rules({ edges: { ...edges, split: "1/20" } }));
    expect([mixed!.name, other!.name]).toEqual(["Straight, Red and Black", "Split"]);
  });
});

describe("fees", () => {
  test("say what they are charged on, how much and when", () => {
    expect(rateText("round", RATE)).toBe("Ante $5 to $100");
    expect(feeText(ROUND)).toBe(
      "You pay once a round, by the size of your Ante. A round costs you $1 to $3 in fees." +
        " Fees are taken before the cards are dealt.",
    );
  });

  test("on each wager name all of them, and Play's own moment", () => {
    const each: FeeSchedule = { ...ROUND, per: "wager", most: 900 };
    expect(rateText("wager", RATE)).toBe("each bet $5 to $100");
    expect(feeText(each)).toContain("Ante, Play and side bets.");
    expect(feeText(each)).toContain("$1 to $9 in fees");
    expect(feeText(each)).toContain("the fee on Play when you play");
    expect(feeText({ ...each, collect: "after" })).toContain(
      "Fees are taken after the cards are dealt.",
    );
  });

  test("by kind name the wager of each rate", () => {
    expect(rateText("kind", { ...RATE, on: "bonus" as const })).toBe("Bonus $5 to $100");
    expect(rateText("kind", { ...RATE, min: 0, max: 0, on: "play" as const })).toBe("Play");
    expect(feeText({ ...ROUND, per: "kind" })).not.toContain("the fee on Play");
    const play = { ...RATE, on: "play" as const };
    expect(feeText({ ...ROUND, per: "kind", rates: [play] })).toContain("the fee on Play");
  });

  test("of a reading that is new are said in the room's words", () => {
    expect(feeText({ ...ROUND, per: "moon", charged: "by the moon" })).toContain(
      "You pay by the moon.",
    );
  });
});

test("a digest is short enough to compare by eye", () => {
  expect(shortDigest("sha256:9b5a215e041f23945f")).toBe("9b5a 215e 041f");
});
