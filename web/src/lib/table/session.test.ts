import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announcer } from "../ui/announcer.svelte";
import { TableSession } from "./session.svelte";

/** Every WebSocket that was opened, the newest last. */
let sockets: FakeSocket[] = [];
let announced: [number, string][] = [];
/** What is called when the browser says something. */
const browser: Record<string, () => void> = {};
const LOST = "Connection lost. Reconnecting…";
const hear = (message: object) => sockets.at(-1)!.onmessage!({ data: JSON.stringify(message) });
const hello = { type: "hello", player: null, key: "", now: 0 };

class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  readonly readyState = 1;
  readonly sent: string[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { reason: string }) => void;

  constructor() {
    sockets.push(this);
  }
  send(text: string) {
    this.sent.push(text);
  }
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
  vi.stubGlobal("addEventListener", (name: string, listener: () => void) => {
    browser[name] = listener;
  });
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
  expect(announced).toEqual([[400, LOST]]);
  sockets.at(-1)!.onopen!();
  expect(session.isLost).toBe(false);
  expect(announced.at(-1)![1]).toBe("Reconnected.");
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

test("a command without an answer for two seconds shows at once that the connection may be lost", async () => {
  const session = new TableSession("t");
  sockets[0]!.onopen!();
  hear(hello);
  void session.ask({ type: "want_bank" });
  await vi.advanceTimersByTimeAsync(1_999);
  expect(session.isLost).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([session.isLost, announced]).toEqual([true, [[2_000, LOST]]]);
  expect(sockets[0]!.sent.at(-1)).toBe('{"type":"look"}');
  session.leave();
});

test("an answer to the question whether anybody is there ends the doubt", async () => {
  const session = new TableSession("t");
  sockets[0]!.onopen!();
  hear(hello);
  const done = session.ask({ type: "want_bank" });
  await vi.advanceTimersByTimeAsync(2_000);
  hear({ type: "refused", id: "?", code: "rate", message: "" });
  expect([session.isLost, sockets.length]).toEqual([false, 1]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sockets.length).toBe(1); // the room is slow, and it is there
  const { id } = JSON.parse(sockets[0]!.sent[0]!) as { id: string };
  hear({ type: "answer", id });
  expect(await done).toBe(true);
  session.leave();
});

test("a line that is dead is left, and the command sent again with its id", async () => {
  const session = new TableSession("t");
  sockets[0]!.onopen!();
  hear(hello);
  const done = session.ask({ type: "want_bank" });
  await vi.advanceTimersByTimeAsync(3_500);
  expect([session.isLost, sockets.length]).toEqual([true, 2]);
  sockets[1]!.onopen!();
  hear(hello);
  expect(session.isLost).toBe(false);
  expect(sockets[1]!.sent).toEqual([sockets[0]!.sent[0]]);
  const { id } = JSON.parse(sockets[1]!.sent[0]!) as { id: string };
  hear({ type: "answer", id });
  expect(await done).toBe(true);
  session.leave();
});

test("a device that goes offline shows so at once, and asks whether it is true", async () => {
  const session = new TableSession("t");
  sockets[0]!.onopen!();
  browser["offline"]!();
  expect([session.isLost, announced]).toEqual([true, [[0, LOST]]]);
  hear(hello); // a room on the same machine is still there
  expect(session.isLost).toBe(false);
  browser["offline"]!();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(sockets.length).toBe(2);
  session.leave();
});

test("an attempt to connect that hangs is given up", async () => {
  const session = new TableSession("t");
  await vi.advanceTimersByTimeAsync(8_000);
  expect(sockets.length).toBe(2);
  session.leave();
});

/** Ask for something at an open table; return what was sent and what comes of it. */
function wantBank(session: TableSession) {
  sockets.at(-1)!.onopen!();
  hear(hello);
  const done = session.ask({ type: "want_bank" });
  const [text] = sockets.at(-1)!.sent;
  const { id } = JSON.parse(text!) as { id: string };
  const refuse = (code: string) => hear({ type: "refused", id, code, message: "try again" });
  return { done, text: text!, id, refuse };
}

test("a command is sent again every second while the database does not answer", async () => {
  const session = new TableSession("t");
  const { done, text, id, refuse } = wantBank(session);
  for (let times = 2; times < 20; times++) {
    refuse("store.failed");
    await vi.advanceTimersByTimeAsync(999);
    expect(sockets[0]!.sent.length).toBe(times - 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sockets[0]!.sent).toEqual(Array(times).fill(text));
  }
  expect([session.refusal, session.isLost, sockets.length]).toEqual(["", false, 1]);
  hear({ type: "answer", id });
  expect(await done).toBe(true);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sockets[0]!.sent.length).toBe(19);
  session.leave();
});

test("a command fails with the sentence once the database was silent for a minute", async () => {
  const session = new TableSession("t");
  const { done, refuse } = wantBank(session);
  for (let seconds = 0; seconds < 60; seconds++) {
    refuse("store.failed");
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(session.refusal).toBe("");
  refuse("store.failed");
  expect(await done).toBe(false);
  expect(session.refusal).toBe("Try again.");
  session.leave();
});

test.each(["lease.lost", "room.stops"])("after %s the next hello sends a command", async (code) => {
  const session = new TableSession("t");
  const { done, text, id, refuse } = wantBank(session);
  refuse(code);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(sockets[0]!.sent).toEqual([text]);
  hear({ type: "bye", code: "moved", message: "" });
  await vi.advanceTimersByTimeAsync(100);
  sockets[0]!.onclose!({ reason: "moved" }); // too late to matter
  sockets[1]!.onopen!();
  hear(hello);
  expect(sockets[1]!.sent).toEqual([text]);
  await vi.advanceTimersByTimeAsync(1_900);
  hear({ type: "answer", id });
  expect(await done).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([session.refusal, session.isLost]).toEqual(["", false]);
  expect(sockets[1]!.sent).toEqual([text]);
  session.leave();
});

test("a table that has not moved after all gets the command again", async () => {
  const session = new TableSession("t");
  const { done, text, id, refuse } = wantBank(session);
  refuse("lease.lost");
  await vi.advanceTimersByTimeAsync(4_000);
  expect([sockets[0]!.sent, session.isLost]).toEqual([[text, text], false]);
  hear({ type: "answer", id });
  expect(await done).toBe(true);
  session.leave();
});

test("another refusal after the database is back is shown", async () => {
  const session = new TableSession("t");
  const { done, refuse } = wantBank(session);
  refuse("store.failed");
  await vi.advanceTimersByTimeAsync(1_000);
  refuse("bank.none");
  expect(await done).toBe(false);
  expect(session.refusal).toBe("Try again.");
  session.leave();
});

test("a table that moved is tried again at once, and then often", async () => {
  const session = new TableSession("t");
  sockets[0]!.onopen!();
  const start = Date.now();
  const tries: number[] = [];
  hear({ type: "bye", code: "moved", message: "" });
  for (let attempt = 0; attempt < 4; attempt++) {
    if (attempt) sockets.at(-1)!.onclose!({ reason: "" });
    const before = sockets.length;
    while (sockets.length === before) await vi.advanceTimersByTimeAsync(50);
    tries.push(Date.now() - start);
  }
  expect(tries).toEqual([100, 200, 400, 700]);
  session.leave();
});
