import { expect, test } from "vitest";
import type { PostedAmounts, TableView } from "../../generated/server";
import type { Rules } from "../net/rulebook";
import { amountsChanged, amountsNow, changeOf, nextRate } from "./rules_change";

const rate = {
  banker: 200,
  clause: "CA-7",
  max: 10_000,
  min: 500,
  on: "ante",
  player: 100,
} as const;
const amounts: PostedAmounts = {
  fees: [rate],
  charged: "round",
  collect: "before",
  limits: { bonus: { min: 100, max: 1000 } },
  least_bank: 2000,
};
const view = { fees: [rate], charged: "round", collect: "before", settings: { least_bank: 2000 } };
const rules = (limits: unknown) => ({ document: { limits } }) as Rules;

test("a form starts with what holds, or with what is announced", () => {
  const limits = { bonus: { clause: "CA-7", min: 100, max: 1000 } };
  expect(amountsNow(rules(limits), view as unknown as TableView)).toEqual(amounts);
  const ante = { min: 500, max: 900 };
  const pending = { new: { ...amounts, limits: { ante, ...amounts.limits }, least_bank: 5000 } };
  const announced = amountsNow(rules(limits), { ...view, pending } as unknown as TableView);
  expect(announced).toEqual({ ...amounts, least_bank: 5000 });
});

test("a wheel has the same limits for every bet", () => {
  const wheel = amountsNow(rules({ clause: "RO-17", min: 100, max: 500 }), view as never);
  expect(wheel.limits).toEqual({ any: { min: 100, max: 500 } });
  const wanted = { ...wheel, limits: { any: { min: 100, max: 900 } } };
  expect(changeOf(wheel, wanted)).toEqual({ set: { "limits.max": 900 } });
  expect(amountsNow(rules(null), view as never).limits).toEqual({});
});

test("only what differs is sent", () => {
  expect(changeOf(amounts, structuredClone(amounts))).toEqual({});
  const wanted = structuredClone(amounts);
  wanted.fees[0]!.player = 200;
  wanted.limits["bonus"]!.max = 500;
  wanted.least_bank = 4000;
  const row = { banker: 200, clause: "CA-7", max: 10_000, min: 500, player: 200 };
  expect(changeOf(amounts, wanted)).toEqual({
    set: { "fees.rates": [row], "limits.bonus.max": 500 },
    least_bank: 4000,
  });
  expect(amountsChanged(amounts, wanted)).toHaveLength(3);
  const kind = changeOf({ ...amounts, charged: "kind" }, { ...wanted, charged: "kind" });
  expect(kind.set?.["fees.rates"]).toEqual([{ ...row, on: "ante" }]);
});

test("another rate begins where the last one ends", () => {
  expect(nextRate(amounts)).toMatchObject({ min: 10_001, max: 20_000, player: 100 });
  expect(nextRate({ ...amounts, fees: [] })).toBeNull();
});
