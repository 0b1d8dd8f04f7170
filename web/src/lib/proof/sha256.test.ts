import { expect, test, vi } from "vitest";
import { data } from "../../../testing/data";
import { hex, hmac, joined, native, ownHmac, ownSha256, sha256, unhex, type Bytes } from "./sha256";

const bytes = (text: string) => new TextEncoder().encode(text) as Bytes;

test.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
])("the page's own SHA-256 has the digests of FIPS 180-4: %.60s", (text, digest) => {
  expect(hex(ownSha256(bytes(text)))).toBe(digest);
});

/** Key and message in RFC 4231's hexadecimal or text, and the tag. */
const TAGS: [key: string, message: string, tag: string][] = [
  ["0b".repeat(20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
  [
    hex(bytes("Jefe")),
    "what do ya want for nothing?",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  [
    "aa".repeat(131),
    "Test Using Larger Than Block-Size Key - Hash Key First",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
];

test.each(TAGS)("HMAC has the tags of RFC 4231: %.8s", async (key, message, tag) => {
  expect(hex(ownHmac(unhex(key), bytes(message)))).toBe(tag);
  expect(hex(await hmac(unhex(key), bytes(message)))).toBe(tag);
});

test("own, native and Python's hashes agree at every length", async () => {
  expect(native()).toBe(true);
  expect(data.hashes).toHaveLength(200);
  for (const [message, digest] of data.hashes) {
    const text = unhex(message);
    expect(hex(ownSha256(text))).toBe(digest);
    expect(hex(await sha256(text))).toBe(digest);
    const key = text.slice(0, 32);
    if (key.length) expect(hex(ownHmac(key, text))).toBe(hex(await hmac(key, text)));
  }
});

test("without the browser's own hashes the page's do the work", async () => {
  const [key, text] = [bytes("Jefe"), bytes("what do ya want for nothing?")];
  const [digest, tag] = [await sha256(text), await hmac(key, text)];
  vi.stubGlobal("crypto", {}); // as on plain http off this machine
  expect(native()).toBe(false);
  expect(await sha256(text)).toEqual(digest);
  expect(await hmac(key, text)).toEqual(tag);
});

test("hexadecimal text is read and written", () => {
  expect(unhex("00ff10")).toEqual(Uint8Array.of(0, 255, 16));
  expect(hex(Uint8Array.of(0, 255, 16))).toBe("00ff10");
  expect(unhex("")).toHaveLength(0);
  for (const wrong of ["0", "0g", "FF", "0x00", " 00"]) expect(() => unhex(wrong)).toThrow();
  expect(joined(unhex("00"), unhex(""), unhex("0102"))).toEqual(Uint8Array.of(0, 1, 2));
});
