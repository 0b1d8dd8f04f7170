/**
 * SHA-256 and HMAC. Browsers have both, but keep them back on plain http off this machine; then
 * the ones written out below do the work. They follow FIPS 180-4 and RFC 2104, slow and plain.
 */
import { NOT_HEX } from "../../texts/proof";

export type Bytes = Uint8Array<ArrayBuffer>;

/** Whether the browser lends its own code. */
export const native = (): boolean => typeof crypto !== "undefined" && Boolean(crypto.subtle);

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return native() ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) : ownSha256(bytes);
}

export async function hmac(key: Bytes, message: Bytes): Promise<Bytes> {
  if (!native()) return ownHmac(key, message);
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
}

const BLOCK = 64;

/** The first primes; the constants of SHA-256 are the fractions of their roots. */
function primes(count: number): number[] {
  const result: number[] = [];
  for (let n = 2; result.length < count; n++)
    if (result.every((prime) => n % prime)) result.push(n);
  return result;
}

/** The first 32 bits of a number's fraction. */
const fraction = (n: number) => ((n - Math.floor(n)) * 2 ** 32) >>> 0;
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = primes(64).map((prime) => fraction(Math.cbrt(prime)));

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The message, a one bit, zeros, and the length in bits: whole blocks. */
function padded(bytes: Bytes): DataView {
  const whole = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const view = new DataView(new ArrayBuffer(whole));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(whole - 8, BigInt(bytes.length) * 8n);
  return view;
}

/** The sixteen words of a block, and the forty-eight that follow from them. */
function schedule(view: DataView, offset: number): number[] {
  const w = Array.from({ length: 16 }, (_, t) => view.getUint32(offset + 4 * t));
  for (let t = 16; t < 64; t++) {
    const near = w[t - 15]!;
    const last = w[t - 2]!;
    const s0 = turn(near, 7) ^ turn(near, 18) ^ (near >>> 3);
    const s1 = turn(last, 17) ^ turn(last, 19) ^ (last >>> 10);
    w.push((w[t - 16]! + s0 + w[t - 7]! + s1) >>> 0);
  }
  return w;
}

export function ownSha256(bytes: Bytes): Bytes {
  const view = padded(bytes);
  let hash = START;
  for (let offset = 0; offset < view.byteLength; offset += BLOCK) {
    let [a, b, c, d, e, f, g, h] = hash as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    schedule(view, offset).forEach((word, t) => {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const t1 = h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[t]! + word;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const two = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + two) >>> 0];
    });
    const mixed = [a, b, c, d, e, f, g, h];
    hash = hash.map((word, n) => (word + mixed[n]!) >>> 0);
  }
  const made = new DataView(new ArrayBuffer(32));
  hash.forEach((word, n) => made.setUint32(4 * n, word));
  return new Uint8Array(made.buffer);
}

export function ownHmac(key: Bytes, message: Bytes): Bytes {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? ownSha256(key) : key);
  const pad = (byte: number) => block.map((value) => value ^ byte);
  return ownSha256(joined(pad(0x5c), ownSha256(joined(pad(0x36), message))));
}

export function joined(...parts: Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of hexadecimal text. */
export function unhex(text: string): Bytes {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error(NOT_HEX);
  return Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
}
