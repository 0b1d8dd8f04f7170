import { expect, test } from "vitest";
import { data } from "../../../testing/data";
import type { Last, SettledBet } from "../net/protocol";
import { netText, verdictOf } from "./verdict";

const rules = data.rules["roulette-european"];
const bet = (bet: string, stake: number, net: number, more: Partial<SettledBet> = {}) => ({
  player: "1",
  bet,
  stake,
  net,
  clause: "RO-1",
  ...more,
});

/** A round that ended with these bets of Ann's, at place 2. */
function ended(bets: SettledBet[], end: object = {}, pocket: string | undefined = "17"): Last {
  const net = bets.reduce((sum, { net }) => sum + net, 0);
  const wagers = bets.map(({ bet, stake }) => ({ spot: bet, cents: stake }));
  const places = [{ place: 2, net, bets }];
  return {
    players: { 2: "Ann", 3: "Ben" },
    round: { round: 8, pocket, hands: [{ place: 2, wagers, ready: true }] },
    end: { type: "round.settled/1", round: 8, places, ...end },
  } as unknown as Last;
}
const says = (bets: SettledBet[]) => verdictOf(ended(bets), "Ann", rules);

test("the plate has one figure and names each of a few bets, the best first", () => {
  const verdict = says([
    bet("red", 500, -500, { clause: "RO-9" }),
    bet("straight 17", 500, 17500),
  ])!;
  expect(verdict).toMatchObject({ round: 8, net: 17000, fee: 0, headline: "+$170.00" });
  expect(verdict.why).toBe("17 black. Straight 17 wins $175.00, red loses $5.00.");
  expect(verdict.spoken).toBe("17, black, odd, low. You won $170.00.");
  expect(verdict.clauses).toEqual(["RO-1", "RO-9"]);
  expect(verdict.reasons.map(({ text }) => text)).toEqual([
    "Straight 17 wins $175.00.",
    "Red loses $5.00.",
  ]);
});

test("of many bets the rest is one figure, and all of it adds up", () => {
  const lost = Array.from({ length: 9 }, (_, n) => bet(`straight ${n + 1}`, 100, -100));
  const verdict = says([...lost, bet("black", 300, 300), bet("straight 17", 100, 3500)])!;
  expect(verdict.why).toBe(
    "17 black. Straight 17 wins $35.00, black wins $3.00, 9 other bets lose $9.00.",
  );
  expect(verdict.net).toBe(2900);
  const none = says(lost)!;
  expect([none.headline, none.why]).toEqual(["−$9.00", "17 black. All 9 bets lose."]);
  expect(verdict.reasons).toHaveLength(8);
});

test("what is returned or held is neither won nor lost", () => {
  const half = says([bet("red", 200, -100)])!;
  expect(half.headline).toBe("−$1.00");
  expect(half.why).toBe("17 black. Red loses $1.00, and $1.00 is returned.");
  const held = says([bet("red", 200, 0, { held: 200 })])!;
  expect(held.headline).toBe("$0.00");
  expect(held.why).toBe("17 black. Red is held: the next spin frees its $2.00 or takes it.");
  expect(held.spoken).toBe("17, black, odd, low. $2.00 is held for the next spin.");
  const even = says([bet("red", 200, 200), bet("black", 200, -200)])!;
  expect(even.spoken).toBe("17, black, odd, low. You broke even.");
});

test("a void round is void and not settled, whatever it says of the ball", () => {
  const voided = { type: "round.voided/1", reason: "the floor", places: undefined };
  for (const pocket of [undefined, "17"]) {
    const last = ended([bet("red", 500, 0)], voided, pocket);
    const verdict = verdictOf(last, "Ann", rules)!;
    expect(verdict).toMatchObject({ isVoid: true, net: 0, headline: "Round void" });
    expect(verdict.spoken).toBe("This round is void. All bets were returned.");
    expect(netText(last, "Ann")).toBe("");
  }
});

test("players without bets have no result", () => {
  expect(says([])).toBeNull();
  expect(verdictOf(ended([bet("red", 500, 500)]), "Ben", rules)).toBeNull();
  expect(verdictOf(ended([bet("red", 500, 500)]), "Zoe", rules)).toBeNull();
  expect(verdictOf(undefined, "Ann", rules)).toBeNull();
  expect(netText(undefined, "Ann")).toBe("");
});
