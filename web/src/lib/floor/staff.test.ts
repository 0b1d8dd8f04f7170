import { expect, test } from "vitest";
import type { Staffer } from "../../generated/server";
import { ApiError } from "../net/api";
import { acts, type Act } from "./acts.svelte";
import { staff } from "./staff.svelte";

const member = (name: string) => ({ name, role: "floor", permissions: [] }) as unknown as Staffer;
const act: Act = { title: "", says: [], confirm: "", run: () => Promise.resolve("") };

test.each([
  ["Ida", act],
  ["Kim", null],
])("what Ida was about to do is not there for others: %s", (name, left) => {
  staff.be(member("Ida"));
  acts.ask(act);
  staff.explain(new ApiError("floor.only", "log in"));
  expect(staff.member).toBe(null);
  staff.be(member(name));
  expect(acts.now).toBe(left);
});
