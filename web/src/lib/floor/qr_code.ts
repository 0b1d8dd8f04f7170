/** A text as a QR code: dark squares on a light ground, for a camera. */
import encode from "qr";

/** What the standard leaves light around a code. */
const MARGIN = 4;

export interface QrCode {
  /** Width and height in squares, the margin included. */
  size: number;
  /** The dark squares as the path of an SVG. */
  path: string;
}

export function qrCode(text: string): QrCode {
  const rows = encode(text, "raw", { ecc: "medium", border: MARGIN });
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size: rows.length, path: dark.join("") };
}
