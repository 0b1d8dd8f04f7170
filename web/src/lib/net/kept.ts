/** Answers of the room that this browser keeps, for when the room does not answer. */
import { read, write } from "../ui/stored";
import { ApiError } from "./api";

/** How long the room may take, in milliseconds, where an older answer is kept. */
const PATIENCE = 3_000;

/**
 * Return what the room answers; its last answer, if it does not answer in time, or cannot.
 * `isWhole`: whether what is kept has the form of an answer.
 */
export async function keptAnswer<T>(
  key: string,
  ask: () => Promise<T>,
  isWhole: (kept: unknown) => boolean,
): Promise<T> {
  const stored = read<unknown>(() => localStorage, key, undefined);
  // Another version of the page may have kept it, or somebody else.
  const kept = stored !== undefined && isWhole(stored) ? (stored as T) : undefined;
  try {
    const answer = await (kept === undefined ? ask() : inTime(ask()));
    write(() => localStorage, key, answer);
    return answer;
  } catch (error) {
    if (isRefusal(error) || kept === undefined) throw error;
    return kept;
  }
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, fail) => setTimeout(() => fail(new Error("late")), PATIENCE));
  return Promise.race([answer, late]);
}

/** Whether the room has said no to what was asked, rather than that it cannot answer now. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status < 500 && error.status !== TOO_MANY_REQUESTS;
const TOO_MANY_REQUESTS = 429;
