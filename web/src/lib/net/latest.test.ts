import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "./api";
import { Latest } from "./latest.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = (ms: number, answer: string) => () =>
  new Promise<string>((done) => setTimeout(() => done(answer), ms));

describe("the latest answer", () => {
  test("waits until typing has paused", async () => {
    const latest = new Latest<string>();
    const ask = vi.fn(after(0, "500"));
    for (const typed of ["5", "50", "500"]) {
      latest.want(typed, ask);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(ask).not.toHaveBeenCalled();
    expect(latest.stale).toBe(true);
    await vi.advanceTimersByTimeAsync(400);
    latest.want("500", ask);
    await vi.advanceTimersByTimeAsync(400);
    expect(ask).toHaveBeenCalledTimes(1);
    expect([latest.answer, latest.stale]).toEqual(["500", false]);
  });

  test("is never replaced by an older one", async () => {
    const latest = new Latest<string>();
    latest.want("old", after(5000, "old"), 0);
    await vi.advanceTimersByTimeAsync(10);
    latest.want("new", after(10, "new"), 0);
    await vi.advanceTimersByTimeAsync(6000);
    expect(latest.answer).toBe("new");
  });

  test("is forgotten, even if it comes later", async () => {
    const latest = new Latest<string>();
    latest.want("bank", after(1000, "bank"), 0);
    await vi.advanceTimersByTimeAsync(10);
    latest.forget();
    await vi.advanceTimersByTimeAsync(2000);
    expect([latest.answer, latest.stale]).toEqual([null, false]);
  });

  test("is asked for again where the server is busy, and not where it refuses", async () => {
    const latest = new Latest<string>();
    const ask = vi.fn().mockRejectedValueOnce(new ApiError("busy", "the server is busy"));
    ask.mockRejectedValue(new ApiError("wager.limits", "the Ante is too low: raise it"));
    latest.want("ante", ask, 0);
    await vi.advanceTimersByTimeAsync(10);
    expect(latest.wrong).toBe("The server is busy.");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(latest.wrong).toBe("The Ante is too low: raise it.");
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test("is replaced by a better one when there is one", async () => {
    const latest = new Latest<string>({
      betterAfter: (answer) => (answer === "coarse" ? 20_000 : 0),
    });
    const ask = vi.fn().mockResolvedValueOnce("coarse").mockResolvedValue("fine");
    latest.want("bank", ask, 0);
    await vi.advanceTimersByTimeAsync(10);
    expect(latest.answer).toBe("coarse");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(latest.answer).toBe("fine");
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
