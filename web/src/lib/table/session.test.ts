import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announcer } from "../ui/announcer.svelte";
import { TableSession } from "./session.svelte";

/** Every WebSocket that was opened, the newest last. */
let sockets: FakeSocket[] = [];
let announced: [number, string][] = [];

class FakeSocket {
  static readonly CONNECTING = 0;
  readonly readyState = 1;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { reason: string }) => void;

  constructor() {
    sockets.push(this);
  }
  send() {}
  /** As in a browser, the close is noticed later. */
  close() {
    setTimeout(() => this.onclose?.({ reason: "" }), 1);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, announced] = [[], []];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { protocol: "http:", host: "room" });
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("fetch", () => Promise.reject(new Error("no room")));
  const start = Date.now();
  vi.spyOn(announcer, "tell").mockImplementation((text) => {
    announced.push([Date.now() - start, text]);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Fail the newest attempt to connect, and wait for the next one. */
async function fail() {
  sockets.at(-1)!.onclose!({ reason: "" });
  await vi.advanceTimersToNextTimerAsync();
}

test("an outage is announced once, a moment after it began", async () => {
  const session = new TableSession("t");
  sockets[0]!.onopen!();
  sockets[0]!.onclose!({ reason: "" });
  await vi.advanceTimersByTimeAsync(399);
  expect([session.isLost, announced]).toEqual([false, []]);
  for (let attempt = 0; attempt < 6; attempt++) await fail();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(session.isLost).toBe(true);
  expect(announced).toEqual([[400, "The connection is gone."]]);
  sockets.at(-1)!.onopen!();
  expect(session.isLost).toBe(false);
  expect(announced.at(-1)![1]).toBe("The connection is back.");
  session.leave();
});

test("a short outage is not announced", async () => {
  const session = new TableSession("t");
  sockets[0]!.onopen!();
  sockets[0]!.onclose!({ reason: "" });
  await vi.advanceTimersByTimeAsync(150);
  sockets.at(-1)!.onopen!();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([session.isLost, announced]).toEqual([false, []]);
  session.leave();
});

test("leaving a table announces nothing", async () => {
  const session = new TableSession("t");
  sockets[0]!.onopen!();
  session.leave();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([session.isLost, announced]).toEqual([false, []]);
});
