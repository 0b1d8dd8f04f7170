import { beforeEach, expect, test, vi } from "vitest";
import { data } from "../../../testing/data";
import { levelOf } from "./levels";
import { booksFor } from "./rules";

let stored: Map<string, string>;
let asked: unknown[];
let answer: () => Promise<Response>;
beforeEach(() => {
  stored = new Map();
  asked = [];
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body));
    return answer();
  });
});

const rules = (name: "california" | "roulette-european") => () =>
  Promise.resolve(Response.json(data.rules[name]));
const gone = () => Promise.reject(new TypeError("Failed to fetch"));

test("a level asks for its own reading, and keeps what it needs", async () => {
  answer = rules("california");
  const books = await booksFor(levelOf(4)!);
  expect(asked).toEqual([{ rulebook: "california", set: { "bank.first": "drawn" } }]);
  answer = gone;
  expect(await booksFor(levelOf(4)!)).toEqual(books);
  expect(Object.keys(books.get("california")!)).toEqual(["clauses", "document", "betting"]);
});

test("a wheel keeps its layout", async () => {
  answer = rules("roulette-european");
  const books = await booksFor(levelOf(9)!);
  answer = gone;
  expect(await booksFor(levelOf(8)!)).toEqual(books);
});

test("without the room and without kept rules a level can't be opened", async () => {
  answer = gone;
  await expect(booksFor(levelOf(1)!)).rejects.toThrow("Failed to fetch");
});

test("what the room refuses is said, even if rules are kept", async () => {
  answer = rules("california");
  await booksFor(levelOf(1)!);
  const refusal = { code: "rulebook.unknown", message: "there is no such rulebook" };
  answer = () => Promise.resolve(Response.json(refusal, { status: 404 }));
  await expect(booksFor(levelOf(1)!)).rejects.toThrow("there is no such rulebook");
});

test("what is kept and is no rules opens no level", async () => {
  answer = gone;
  const key = "queenhigh.trainer.rules.california.{}";
  for (const kept of ["5", "{}", '{"document":{},"betting":{},"clauses":[]}']) {
    stored.set(key, kept);
    await expect(booksFor(levelOf(1)!)).rejects.toThrow("Failed to fetch");
  }
});
