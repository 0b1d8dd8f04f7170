import { expect, test } from "vitest";
import { KINDS, partsOf, sheetPath, wanted } from "./address";

test("an address without a rulebook means California's rule card", () => {
  expect(wanted()).toEqual({ isTable: false, name: "california", kind: "rule-card" });
});

test.each([
  [["house", "pays"], { isTable: false, name: "house", kind: "pays" }],
  [["house", "menu"], { isTable: false, name: "house", kind: "rule-card" }],
  [["table", "my table", "felt"], { isTable: true, name: "my table", kind: "felt" }],
  [["table", "evening"], { isTable: true, name: "evening", kind: "rule-card" }],
])("%j is read", ([first, ...others], sheet) => {
  expect(wanted(first, others)).toEqual(sheet);
});

test("every sheet has an address that leads back to it", () => {
  for (const isTable of [false, true])
    for (const kind of KINDS) {
      const sheet = { isTable, name: "a/b c", kind };
      const [, first, ...others] = partsOf(sheet);
      expect(wanted(first, others)).toEqual(sheet);
    }
});

test("names are encoded in paths", () => {
  const sheet = wanted("table", ["a/b", "fees"]);
  expect(sheetPath(sheet, "pdf", "a4")).toBe("/api/tables/a%2Fb/sheets/fees.pdf?paper=a4");
  const book = wanted("house", ["pays"]);
  expect(sheetPath(book, "json", "letter")).toBe(
    "/api/rulebooks/house/sheets/pays.json?paper=letter",
  );
});
