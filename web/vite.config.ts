import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const BUILT = join(import.meta.dirname, "../src/queenhigh/server/static");

/** Lays every file of the page beside itself twice more, packed as browsers take it. */
const packed: Plugin = {
  name: "packed",
  writeBundle() {
    for (const entry of readdirSync(BUILT, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const plain = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(plain));
      writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }));
    }
  },
};

// The page is built into the package, so that who installs it needs no Node.
export default defineConfig({
  plugins: [svelte(), packed],
  base: "/page/",
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    target: "es2022",
    // The room's policy allows no inline styles or scripts and no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What others wrote and is in the page, with the terms on which it may be.
    license: { fileName: "licenses.md" },
  },
});
