import { expect, test } from "vitest";
import type { Report } from "../../generated/server";
import { asked, axisOf, cellText, groupsOf, plotOf, readFilter, written } from "./reports";

const report = (
  name: Report["report"],
  columns: [string, string][],
  rows: Report["rows"],
): Pick<Report, "report" | "columns" | "rows"> => ({
  report: name,
  columns: columns.map(([key, kind]) => ({ key, title: key, kind }) as Report["columns"][number]),
  rows,
});

test("an address keeps the filter", () => {
  const filter = { since: 5, until: 9, table: "the big one", by: "day,rate" };
  expect(readFilter(written(filter), new Date())).toEqual(filter);
  expect(readFilter("", new Date())).toEqual({ since: undefined, until: undefined });
  expect(written({}), "an address keeps that it is of all rounds").not.toBe("");
  expect(readFilter(written({}), new Date())).toEqual({ since: undefined, until: undefined });
});

test("a new report is about this shift", () => {
  const filter = readFilter(undefined, new Date(2026, 10, 19, 7));
  expect(filter.since).toBe(new Date(2026, 10, 19, 6).getTime());
});

test("a report is asked only for what it knows", () => {
  const filter = { since: 1, table: "a", player: "Ann", rate: "500", by: "hour" };
  expect(asked("voids", filter, "UTC")).toEqual({
    ...{ since: 1, until: null, table: "a", player: "Ann", rate: null, by: null, zone: "UTC" },
  });
  expect(asked("collection", filter, "UTC")).toMatchObject({ rate: "500", by: "hour" });
  expect(asked("results", { by: "table,day,hour" }, "UTC")).toMatchObject({ by: "day,hour" });
  expect(asked("collection", {}, "UTC")["by"]).toBeNull();
  expect(groupsOf("voids", filter)).toEqual([]);
});

test.each([
  [null, "cents", ""],
  [-1250, "cents", "−$12.50"],
  [1234567, "count", "1,234,567"],
  [-0.5, "number", "−0.50"],
  [1234, "number", "1234"],
  [0.256, "share", "25.6%"],
  ["Ann", "text", "Ann"],
] as const)("%s as %s", (value, kind, text) => expect(cellText(value, kind)).toBe(text));

test("fees are drawn by what they are summed by", () => {
  const columns: [string, string][] = [
    ["day", "text"],
    ["table", "text"],
    ["cents", "cents"],
  ];
  const plot = plotOf(report("collection", columns, [["2026-11-19", "one", 500]]));
  expect(plot).toEqual({ title: "cents", bars: [{ label: "2026-11-19, one", value: 500 }] });
  expect(plotOf(report("collection", columns, []))).toBeNull();
  expect(plotOf(report("voids", columns, [["a", "b", 1]]))).toBeNull();
});

test("results are drawn beside what was expected", () => {
  const columns: [string, string][] = [
    ["table", "text"],
    ["digest", "text"],
    ["net", "cents"],
    ["counted", "cents"],
    ["theoretical", "cents"],
    ["sd", "cents"],
  ];
  const plot = plotOf(report("results", columns, [["one", "ab", 5, 700, 400, 300]]));
  expect(plot?.bars).toEqual([{ label: "one", value: 700, expected: 400, error: 600 }]);
});

test("an axis has room for every bar and its error", () => {
  expect(axisOf([{ label: "", value: 1234 }])).toEqual({ least: 0, most: 2000 });
  expect(axisOf([{ label: "", value: -50 }])).toEqual({ least: -100, most: 0 });
  const results = [{ label: "", value: 10, expected: 0, error: 900 }];
  expect(axisOf(results)).toEqual({ least: -1000, most: 1000 });
  expect(axisOf([])).toEqual({ least: 0, most: 100 });
});
