/** Cards and pockets out of seeds, as docs/fairness.md has it. */
import { hex, hmac, joined, sha256, unhex, type Bytes } from "./sha256";

const bytes = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;

/** Each part after its length in four bytes. */
export function fields(...parts: (string | number | Bytes)[]): Bytes {
  const raw = parts.map((part) => (part instanceof Uint8Array ? part : bytes(String(part))));
  return joined(...raw.flatMap((part) => [length(part.length), part]));
}

function length(size: number): Bytes {
  const four = new DataView(new ArrayBuffer(4));
  four.setUint32(0, size);
  return new Uint8Array(four.buffer);
}

/** JSON with its keys sorted and without blanks. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value).sort(byLetter);
  const pairs = keys.map(
    (key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`,
  );
  return `{${pairs.join(",")}}`;
}

function byLetter(first: string, other: string): number {
  const [a, b] = [Array.from(first), Array.from(other)];
  for (let index = 0; index < Math.min(a.length, b.length); index++)
    if (a[index] !== b[index]) return a[index]!.codePointAt(0)! - b[index]!.codePointAt(0)!;
  return a.length - b.length;
}

export async function digestOf(rulebook: unknown): Promise<string> {
  return `sha256:${hex(await sha256(bytes(canonical(rulebook))))}`;
}

export async function commitmentOf(
  table: string,
  round: number,
  digest: string,
  seed: string,
): Promise<string> {
  return hex(await sha256(fields("queenhigh/commit/1", table, round, digest, unhex(seed))));
}

export async function keyOf(seed: string, seeds: Record<string, string>): Promise<Bytes> {
  const places = Object.keys(seeds)
    .map(Number)
    .sort((a, b) => a - b);
  const parts = places.flatMap((place) => [place, seeds[place]!]);
  return hmac(unhex(seed), fields("queenhigh/key/1", ...parts));
}

/** Words of 32 bits without end, eight from a block, and numbers drawn from them. */
export class Words {
  #words: number[] = [];
  #blocks = 0;

  constructor(readonly key: Bytes) {}

  async next(): Promise<number> {
    if (!this.#words.length) {
      const block = await hmac(this.key, fields("queenhigh/words/1", this.#blocks++));
      const view = new DataView(block.buffer);
      this.#words = Array.from({ length: 8 }, (_, n) => view.getUint32(4 * n));
    }
    return this.#words.shift()!;
  }

  /** A number below a bound, each as likely as the next: words that would favour some are refused. */
  async below(bound: number): Promise<number> {
    const limit = bound * Math.floor(2 ** 32 / bound);
    for (;;) {
      const word = await this.next();
      if (word < limit) return word % bound;
    }
  }

  /** A deck in the order of dealing. */
  async shuffle(): Promise<number[]> {
    const deck = Array.from({ length: 52 }, (_, card) => card);
    for (let last = 51; last > 0; last--) {
      const other = await this.below(last + 1);
      [deck[last], deck[other]] = [deck[other]!, deck[last]!];
    }
    return deck.reverse();
  }
}
