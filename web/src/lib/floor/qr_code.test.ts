import { expect, it } from "vitest";
import decode from "qr/decode.js";
import { qrCode, type QrCode } from "./qr_code";

const LINK =
  "otpauth://totp/Queenhigh:Olga%20B?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Queenhigh";
const SCALE = 4;

/** Draw the path as a camera would see it, and read it. */
function read({ size, path }: QrCode) {
  const width = size * SCALE;
  const data = new Uint8Array(width * width * 3).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < SCALE; row++) {
      const start = ((Number(y) * SCALE + row) * width + Number(x) * SCALE) * 3;
      data.fill(0, start, start + SCALE * 3);
    }
  return decode({ width, height: width, data });
}

it("is read as the link of the key", () => {
  expect(read(qrCode(LINK))).toBe(LINK);
});

it("is not read with its rows in another order", () => {
  const code = qrCode(LINK);
  const path = code.path.replace(
    /M(\d+) (\d+)/g,
    (_, x, y) => `M${x} ${(Number(y) * 7) % code.size}`,
  );
  expect(() => read({ ...code, path })).toThrow();
});
