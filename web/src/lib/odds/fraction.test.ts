import { describe, expect, test } from "vitest";
import {
  decimal,
  divided,
  fraction,
  less,
  minus,
  near,
  negative,
  over,
  percent,
  plain,
  plus,
  readable,
  sign,
  size,
} from "./fraction";

const of = (text: string) => fraction(text);
const says = (n: number, d: number) => plain(over(n, d));

test("fractions are in lowest terms, with the sign above", () => {
  expect([says(6, 4), says(6, -4), says(-6, -4), says(0, -7), says(8, 4)]).toEqual([
    "3/2",
    "-3/2",
    "3/2",
    "0",
    "2",
  ]);
  expect(of("10/4")).toEqual({ n: 5n, d: 2n });
  expect(of("-3")).toEqual({ n: -3n, d: 1n });
});

test("they are added, subtracted, divided and compared exactly", () => {
  const numbers = Array.from(
    { length: 77 },
    (_, n) => [(n % 11) - 5, 1 + Math.floor(n / 11)] as const,
  );
  const wrong: string[] = [];
  for (const [a, b] of numbers) {
    for (const [c, d] of numbers) {
      const [one, other] = [over(a, b), over(c, d)];
      const right =
        plain(plus(one, other)) === says(a * d + c * b, b * d) &&
        plain(minus(one, other)) === says(a * d - c * b, b * d) &&
        (!c || plain(divided(one, other)) === says(a * d, b * c)) &&
        less(one, other) === a * d < c * b;
      if (!right) wrong.push(`${a}/${b} and ${c}/${d}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("sign, size and opposite", () => {
  expect(["-1/2", "0", "1/2"].map((text) => sign(of(text)))).toEqual([-1, 0, 1]);
  expect(["-1/2", "1/2"].map((text) => plain(size(of(text))))).toEqual(["1/2", "1/2"]);
  expect(plain(negative(of("-1/2")))).toBe("1/2");
  expect(near(of("-1/8"))).toBe(-0.125);
});

describe("in decimals", () => {
  test.each([
    ["1/8", 3, "0.125"],
    ["1/8", 2, "0.13"],
    ["-1/8", 2, "−0.13"],
    ["1/3", 4, "0.3333"],
    ["2/3", 4, "0.6667"],
    ["999/1000", 2, "1.00"],
    ["-1/3000", 3, "0.000"],
    ["-1/2", 0, "−1"],
    ["1234567", 2, "1,234,567.00"],
    ["12345678/10", 0, "1,234,568"],
  ])("%s to %i digits is %s", (text, digits, written) => {
    expect(decimal(of(text), digits)).toBe(written);
  });

  test("a share is written in percent", () => {
    expect(percent(of("4373389/101792600"))).toBe("4.2964%");
    expect(percent(of("-1/37"), 2)).toBe("−2.70%");
  });

  test("large ones are read in groups of three", () => {
    expect(readable(of("-4373389/101792600"))).toBe("−4,373,389/101,792,600");
    expect(plain(of("-4373389/101792600"))).toBe("-4373389/101792600");
  });
});
