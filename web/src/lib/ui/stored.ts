/** What a browser keeps for a page: private windows may refuse, and somebody else may write there. */

/** Read a value; `usual` where there is none, or it cannot be read. */
export function read<T>(storage: () => Storage, key: string, usual: T): T {
  try {
    return (JSON.parse(storage().getItem(key) ?? "null") as T | null) ?? usual;
  } catch {
    return usual;
  }
}

/** Keep a value, if the browser allows it; otherwise it is known until the page is left. */
export function write(storage: () => Storage, key: string, value: unknown): boolean {
  try {
    storage().setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

// What is kept may be of another version, or somebody else's writing.

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
export const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
