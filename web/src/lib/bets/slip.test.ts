import { describe, expect, test } from "vitest";
import { BetSlip, type AtTable } from "./slip.svelte";
import type { Stakes } from "./stakes";

const NOWHERE = {} as AtTable;

/** A slip that lets chips be put down freely. */
class Slip extends BetSlip {
  readonly sizes = [];
  override put(stakes: Stakes) {
    super.put(stakes);
  }
  undo() {
    this.undoLast();
  }
}

describe("a slip", () => {
  test("takes back every change, one by one", () => {
    const slip = new Slip(NOWHERE);
    expect(slip.isChanged).toBe(false);
    slip.put({ red: 100 });
    slip.put({ red: 200, odd: 0 });
    expect(slip.stakes).toEqual({ red: 200 });
    expect(slip.inHand).toBe(200);
    slip.undo();
    expect(slip.stakes).toEqual({ red: 100 });
    slip.undo();
    expect([slip.stakes, slip.isChanged]).toEqual([{}, false]);
    slip.undo();
    expect(slip.stakes).toEqual({});
  });

  test("has nothing to take back once its bets are down", () => {
    const slip = new Slip(NOWHERE);
    slip.put({ red: 100 });
    slip.reset({ odd: 300 });
    slip.undo();
    expect([slip.stakes, slip.isChanged]).toEqual([{ odd: 300 }, false]);
  });

  test("remembers two hundred changes", () => {
    const slip = new Slip(NOWHERE);
    for (let n = 1; n <= 250; n++) slip.put({ red: n });
    for (let n = 0; n < 250; n++) slip.undo();
    expect([slip.stakes, slip.isChanged]).toEqual([{ red: 50 }, false]);
  });
});
