import { expect, test } from "vitest";
import { BadLine, readLines } from "./set_lines";

test("lines are keys and values", () => {
  const text = `
    # a comment
    seats = 7
    tie = "lose"
    fees.collect = after
    ante.required=true
    bonus.pays.flush = '4 to 1'
    fees.rates = [{"min": 100}]`;
  expect(readLines(text)).toEqual({
    seats: 7,
    tie: "lose",
    "fees.collect": "after",
    "ante.required": true,
    "bonus.pays.flush": "4 to 1",
    "fees.rates": [{ min: 100 }],
  });
  expect(readLines("\n")).toEqual({});
});

test.each(["seats", "seats =", "the seats = 7", "= 7"])("%s is refused", (line) => {
  expect(() => readLines(line)).toThrow(BadLine);
});
