/** Answers of the room that this browser keeps, for when the room does not answer. */
import { read, write } from "../ui/stored";
import { ApiError } from "./api";

/** How long the room may take, in milliseconds, where an older answer is kept. */
const PATIENCE = 3_000;

/** Return what the room answers; its last answer, if it does not answer in time, or cannot. */
export async function keptAnswer<T>(key: string, ask: () => Promise<T>): Promise<T> {
  const kept = read<T | undefined>(() => localStorage, key, undefined);
  try {
    const answer = await (kept === undefined ? ask() : inTime(ask()));
    write(() => localStorage, key, answer);
    return answer;
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status < 500;
    if (isRefused || kept === undefined) throw error;
    return kept;
  }
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, fail) => setTimeout(() => fail(new Error("late")), PATIENCE));
  return Promise.race([answer, late]);
}
