import { describe, expect, test } from "vitest";
import { data } from "../../../testing/data";
import { problemsOf } from "./check";
import { entryOf, lineOf, type Line } from "./entry";
import { settle, type Settled } from "./settle";

const { rules, hands, mistakes } = data.entered;

interface Entered {
  rules: number;
  line: Line;
}
const entered = ({ rules: index, line }: Entered) => [rules[index]!, entryOf(line)] as const;

/** The first hand that is not settled as the oracle says, or nothing. */
function firstDifference(change: (settled: Settled, hand: Entered) => Settled = (same) => same) {
  return hands.find((hand) => {
    const { settled } = settle(...entered(hand));
    try {
      expect(change(settled, hand)).toEqual(hand.settled);
      return false;
    } catch {
      return true;
    }
  });
}

describe("a hand as it is entered", () => {
  test("settles as the oracle says", () => {
    expect(hands.length).toBeGreaterThan(500);
    const different = firstDifference();
    expect(different && settle(...entered(different)).settled).toEqual(different?.settled);
  });

  test("is found where it is settled otherwise: a fee, or what comes back", () => {
    const cheaper = ({ seats, ...rest }: Settled) => ({
      ...rest,
      seats: seats.map((seat) => (seat.fee === 300 ? { ...seat, fee: 200 } : seat)),
    });
    expect(firstDifference(cheaper)).toBeDefined();
    const kept = ({ returned, ...rest }: Settled) => ({
      ...rest,
      ...(returned ? { returned: returned.slice(1) } : {}),
    });
    expect(firstDifference(kept)).toBeDefined();
  });

  test("has nothing wrong with it, and is the line that it was", () => {
    for (const hand of hands) {
      expect({ line: hand.line, problems: problemsOf(...entered(hand)) }).toEqual({
        line: hand.line,
        problems: [],
      });
      expect(lineOf(entryOf(hand.line))).toEqual(hand.line);
    }
  });

  test("is settled in turns that leave what is left of the bank", () => {
    for (const hand of hands) {
      const { settled, turns } = settle(...entered(hand));
      if (settled.bank_left !== undefined && turns.length)
        expect(turns.at(-1)!.left).toBe(settled.bank_left);
      const net = turns.reduce((sum, { row }) => sum + row.net, 0);
      expect(net + settled.banker).toBe(0);
    }
  });
});

describe("a mistake", () => {
  test("is found just where `settle` refuses the line", () => {
    const refused = mistakes.filter(({ accepted }) => !accepted);
    expect(refused.length).toBeGreaterThan(100);
    expect(mistakes.length - refused.length).toBeGreaterThan(50);
    for (const mistake of mistakes) {
      const problems = problemsOf(...entered(mistake));
      expect({ line: mistake.line, accepted: mistake.accepted, problems }).toEqual({
        line: mistake.line,
        accepted: mistake.accepted,
        problems: mistake.accepted ? [] : expect.arrayContaining([expect.anything()]),
      });
    }
  });
});
