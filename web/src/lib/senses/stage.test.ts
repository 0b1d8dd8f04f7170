import { beforeEach, expect, test, vi } from "vitest";
import { counting } from "./counting";
import { stage } from "./stage.svelte";

let heard: Map<string, () => void>;
let moves: { delay: number; from: unknown; end: () => void }[];

beforeEach(() => {
  vi.useFakeTimers();
  [heard, moves] = [new Map(), []];
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("document", {
    hidden: false,
    addEventListener: (name: string, listener: () => void) => heard.set(name, listener),
    removeEventListener: (name: string) => heard.delete(name),
  });
  vi.stubGlobal("requestAnimationFrame", (draw: (now: number) => void) =>
    setTimeout(() => draw(performance.now()), 16),
  );
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  return () => vi.useRealTimers();
});

/** An element whose animations end when a test says so. */
function element(x: number, y: number): Element {
  const animate = (keyframes: unknown[], { delay }: { delay: number }) => {
    let end = () => {};
    const finished = new Promise<void>((done) => (end = done));
    moves.push({ delay, from: keyframes[0], end });
    return { finished, finish: end };
  };
  const getBoundingClientRect = () => ({ left: x, top: y, width: 0, height: 0 });
  return { animate, getBoundingClientRect } as unknown as Element;
}

async function withShoe(): Promise<() => void> {
  const leave = stage.shoe(element(500, 50)) as () => void;
  expect(stage.deals).toBe(false); // cards that came together with the shoe were dealt before
  await vi.advanceTimersByTimeAsync(1);
  expect(stage.deals).toBe(true);
  return leave;
}

test("cards come from the shoe one by one, then known ones turn", async () => {
  const leave = await withShoe();
  const turns: number[] = [];
  const turn = (delay: number) => (turns.push(delay), []);
  [0, 1, 2].forEach((order) => stage.deal({ element: element(100, 300), order, turn }));
  expect(stage.isDealing).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(moves.map((move) => move.delay)).toEqual([0, 90, 180]);
  expect(moves[0]!.from).toMatchObject({ translate: "400.0px -250.0px" });
  expect(turns).toEqual([440, 440, 440]);
  moves.forEach((move) => move.end());
  await vi.advanceTimersByTimeAsync(0);
  expect([stage.isDealing, heard.size]).toEqual([false, 0]);
  leave();
});

test("any tap or key ends a deal at once", async () => {
  const leave = await withShoe();
  for (const input of ["pointerdown", "keydown"]) {
    stage.deal({ element: element(0, 0), order: 5, turn: undefined });
    await vi.advanceTimersByTimeAsync(0);
    expect(stage.isDealing).toBe(true);
    heard.get(input)!();
    await vi.advanceTimersByTimeAsync(0);
    expect([stage.isDealing, heard.size]).toEqual([false, 0]);
  }
  leave();
});

test("a table that is left in the middle of a deal leaves nothing behind", async () => {
  const leave = await withShoe();
  stage.deal({ element: element(0, 0), order: 0, turn: undefined });
  leave();
  await vi.advanceTimersByTimeAsync(0);
  expect([stage.isDealing, stage.deals, moves]).toEqual([false, false, []]);
});

test("an amount counts to exactly what it becomes, and a tap shows it at once", async () => {
  const node = { textContent: "" } as HTMLElement;
  const text = (cents: number) => `${cents} cents`;
  const shown: string[] = [];
  const count = counting(node, { cents: 100, text });
  expect(node.textContent).toBe("100 cents");
  count.update({ cents: 1_234, text });
  for (let frame = 0; frame < 30; frame++) {
    await vi.advanceTimersByTimeAsync(16);
    shown.push(node.textContent!);
  }
  expect(new Set(shown).size).toBeGreaterThan(5);
  expect(shown.at(-1)).toBe("1234 cents");
  count.update({ cents: 0, text });
  expect(node.textContent).toBe("1234 cents");
  heard.get("pointerdown")!();
  expect(node.textContent).toBe("0 cents");
  await vi.advanceTimersByTimeAsync(500);
  expect([node.textContent, heard.size]).toEqual(["0 cents", 0]);
  count.destroy();
});
