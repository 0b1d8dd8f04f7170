import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settings } from "../ui/settings.svelte";
import { ACTION_KEYS, focusNext, shortcuts } from "./keys.svelte";

/** An element that is what some selectors ask for. */
class FakeElement {
  constructor(readonly matching: string[] = []) {}
  closest(selector: string) {
    return this.matching.some((part) => selector.includes(part)) ? this : null;
  }
}

let listeners: Set<(event: KeyboardEvent) => void>;
let dialog: object | null;
let done: string[];
let unbind: () => void;

beforeEach(() => {
  [listeners, dialog, done] = [new Set(), null, []];
  vi.stubGlobal("Element", FakeElement);
  vi.stubGlobal("document", { querySelector: () => dialog });
  vi.stubGlobal("addEventListener", (_: string, listener: () => void) => listeners.add(listener));
  vi.stubGlobal("removeEventListener", (_: string, listener: () => void) =>
    listeners.delete(listener),
  );
  const note = (name: string) => () => void done.push(name);
  unbind = shortcuts.bind({
    chip: (index) => void done.push(`chip ${index}`),
    ante: note("ante"),
    side: note("side"),
    deal: note("deal"),
    rebet: note("rebet"),
    clear: note("clear"),
    play: note("play"),
    fold: note("fold"),
    help: note("help"),
  });
});

afterEach(() => {
  unbind();
  settings.shortcuts = true;
});

/** Press a key; return whether it was taken. */
function press(key: string, event: Partial<KeyboardEvent> = {}, target = new FakeElement()) {
  const preventDefault = vi.fn();
  const pressed = { key, code: "", target, preventDefault, ...event } as unknown as KeyboardEvent;
  listeners.forEach((listener) => listener(pressed));
  return preventDefault.mock.calls.length > 0;
}

test("every key does what it is listed for", () => {
  for (const key of "12345ab rcpf?") expect([key, press(key)]).toEqual([key, true]);
  expect(done).toEqual([
    ...[0, 1, 2, 3, 4].map((chip) => `chip ${chip}`),
    ...["ante", "side", "deal", "rebet", "clear", "play", "fold", "help"],
  ]);
  expect(shortcuts.actions).toEqual(Object.keys(ACTION_KEYS).filter((name) => name !== "spin"));
});

test("other keys, held keys and keys with modifiers do nothing", () => {
  expect(press("x") || press("6") || press("Enter") || press("Tab")).toBe(false);
  for (const modifier of ["ctrlKey", "metaKey", "altKey", "shiftKey", "repeat", "isComposing"])
    expect([modifier, press("p", { [modifier]: true })]).toEqual([modifier, false]);
  expect(press("p", { defaultPrevented: true })).toBe(false);
  expect(done).toEqual([]);
});

test("capitals count, and the question mark needs Shift", () => {
  press("P"); // Caps Lock
  press("?", { shiftKey: true });
  expect(done).toEqual(["play", "help"]);
});

test("keys of other keyboards count by where they are", () => {
  press("&", { code: "Digit1" }); // French
  press("з", { code: "KeyP" }); // Russian
  press("a", { code: "KeyQ" }); // French: what is written on it counts
  expect(done).toEqual(["chip 0", "play", "ante"]);
});

test("keys are silent in text fields, in dialogs and when switched off", () => {
  for (const field of ["textarea", "select", "contenteditable", "input:not"])
    expect([field, press("p", {}, new FakeElement([field]))]).toEqual([field, false]);
  dialog = {};
  expect(press("p")).toBe(false);
  dialog = null;
  settings.shortcuts = false;
  expect(press("p")).toBe(false);
  expect(done).toEqual([]);
});

test("Space stays with the button that has the focus; letters do not", () => {
  const button = new FakeElement(["button"]);
  expect(press(" ", {}, button)).toBe(false);
  expect(press("f", {}, button)).toBe(true);
  expect(done).toEqual(["fold"]);
});

test("the newest binding counts, and all end with their screen", () => {
  const leave = shortcuts.bind({ play: () => void done.push("other play") });
  press("p");
  leave();
  press("p");
  unbind();
  expect(press("p")).toBe(false);
  expect([done, listeners.size]).toEqual([["other play", "play"], 0]);
});

test("the keyboard moves to the next act from the page and from its group only", () => {
  const [body, field, inside] = [{}, { id: "seed" }, { id: "old" }];
  const target = { focus: vi.fn() } as unknown as HTMLElement;
  const group = { contains: (element: unknown) => element === inside } as unknown as Element;
  for (const activeElement of [body, field, inside]) {
    vi.stubGlobal("document", { body, activeElement });
    focusNext(target, group);
  }
  expect(target.focus).toHaveBeenCalledTimes(2);
});
