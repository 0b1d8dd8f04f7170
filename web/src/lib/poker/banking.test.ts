import { expect, test } from "vitest";
import { data } from "../../../testing/data";
import type { TableView } from "../net/protocol";
import { Banking } from "./banking.svelte";

const { figures } = data.bank;
const view = (digest: string) => ({ table: "t", digest }) as TableView;
const settled = () => new Promise((done) => setTimeout(done));

test("the figures of a table are asked for once for its rules", async () => {
  const asked: string[] = [];
  const fetchFigures = (table: string) => {
    asked.push(table);
    return Promise.resolve(figures);
  };
  const banking = new Banking();
  banking.look(view("a"), fetchFigures);
  banking.look(view("a"), fetchFigures);
  expect(banking.figuresOf("a")).toBeNull();
  await settled();
  expect(banking.figuresOf("a")).toEqual(figures);
  expect(banking.figuresOf("b")).toBeNull();
  banking.look(view("b"), fetchFigures);
  expect(asked).toEqual(["t", "t"]);
});

test("figures that did not come are asked for again", async () => {
  const banking = new Banking();
  banking.look(view("a"), () => Promise.reject(new Error("gone")));
  await settled();
  banking.look(view("a"), () => Promise.resolve(figures));
  await settled();
  expect(banking.figuresOf("a")).toEqual(figures);
});
