import { beforeEach, expect, test, vi } from "vitest";
import { attention } from "./attention";

const icon = { href: "http://room/page/favicon.svg" };

beforeEach(() => {
  vi.stubGlobal("document", { title: "Queenhigh: house", querySelector: () => icon });
});

test("a player is called by title and icon, and both are restored", () => {
  attention.call("house");
  attention.call("house");
  expect(document.title).toBe("▶ Your turn – house");
  expect(icon.href).toBe("http://room/page/favicon-turn.svg");
  attention.call(null);
  attention.call(null);
  expect(document.title).toBe("Queenhigh: house");
  expect(icon.href).toBe("http://room/page/favicon.svg");
});
