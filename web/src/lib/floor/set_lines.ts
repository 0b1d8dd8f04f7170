/** Keys of a rulebook and their values, as somebody types them: one on each line. */

/** A line that is no key and value. */
export class BadLine extends Error {}

const KEY = /^[\w.]+$/;

/** Read lines such as `seats = 7` or `tie = "lose"`; what is no number, truth or list is text. */
export function readLines(text: string): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  for (const line of text.split("\n")) {
    const plain = line.trim();
    if (!plain || plain.startsWith("#")) continue;
    const [key, ...rest] = plain.split("=");
    const value = rest.join("=").trim();
    if (!KEY.test(key!.trim()) || !value) throw new BadLine(plain);
    set[key!.trim()] = valueOf(value);
  }
  return set;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.replace(/^(['"])(.*)\1$/, "$2");
  }
}
