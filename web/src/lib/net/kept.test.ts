import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./api";
import { keptAnswer } from "./kept";

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const isText = (kept: unknown) => typeof kept === "string";
const ask = (answer: Promise<string>) => keptAnswer("key", () => answer, isText);
const never = new Promise<string>(() => {});

test("a new answer counts, and is kept", async () => {
  expect(await ask(Promise.resolve("first"))).toBe("first");
  expect(await ask(Promise.resolve("second"))).toBe("second");
  expect(stored.get("key")).toBe('"second"');
});

test("the last answer counts where the room is gone, silent, or takes no more requests", async () => {
  await ask(Promise.resolve("kept"));
  expect(await ask(Promise.reject(new TypeError("Failed to fetch")))).toBe("kept");
  const stopping = new ApiError("room.stops", "the room is restarting: reconnect soon", 503);
  expect(await ask(Promise.reject(stopping))).toBe("kept");
  const crowded = new ApiError("rate", "too many requests: slow down", 429);
  expect(await ask(Promise.reject(crowded))).toBe("kept");
  const waiting = ask(never);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await waiting).toBe("kept");
});

test("without an older answer nothing is cut short", async () => {
  let late: (answer: string) => void = () => {};
  const waiting = ask(new Promise((resolve) => (late = resolve)));
  await vi.advanceTimersByTimeAsync(60_000);
  late("late");
  expect(await waiting).toBe("late");
  stored.clear();
  await expect(ask(Promise.reject(new TypeError("Failed to fetch")))).rejects.toThrow("Failed");
});

test("what has not the form of an answer is no older answer", async () => {
  const gone = new TypeError("Failed to fetch");
  for (const text of ["{}", "5", "[", "null"]) {
    stored.set("key", text);
    await expect(ask(Promise.reject(gone))).rejects.toBe(gone);
    expect(await ask(Promise.resolve("new"))).toBe("new");
  }
});

test("a refusal of the room counts, whatever is kept", async () => {
  await ask(Promise.resolve("kept"));
  const refusal = new ApiError("rulebook.unknown", "there is no such rulebook");
  await expect(ask(Promise.reject(refusal))).rejects.toBe(refusal);
});
