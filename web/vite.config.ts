import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const BUILT = join(import.meta.dirname, "../src/queenhigh/server/static");

const PUBLIC = join(import.meta.dirname, "public");

/** The breakpoints by name, as `look.css` defines them. */
const BREAKPOINTS = Object.fromEntries(
  [
    ...readFileSync(join(import.meta.dirname, "src/look.css"), "utf8").matchAll(
      /@custom-media\s+--([\w-]+)\s+\(([^;]+)\);/g,
    ),
  ].map(([, name, query]) => [name, query]),
);

/** Writes breakpoints out where styles name them: no browser knows `@custom-media` yet. */
const breakpoints: Plugin = {
  name: "breakpoints",
  enforce: "pre",
  config: () => ({ define: { BREAKPOINTS: JSON.stringify(BREAKPOINTS) } }),
  transform(code, id) {
    if (!/\.css(\?|$)/.test(id)) return null;
    return code
      .replace(/@custom-media[^;]*;/g, "")
      .replace(/^(\s*@(?:media|container)\b[^{]*)/gm, (rule) =>
        rule.replace(/\(--([\w-]+)\)/g, (_, name: string) => {
          if (!(name in BREAKPOINTS)) throw new Error(`look.css has no breakpoint --${name}`);
          return `(${BREAKPOINTS[name]})`;
        }),
      );
  },
};

/** Adds the worker that keeps the page for dealers without a connection, with all that it keeps. */
const offline: Plugin = {
  name: "offline",
  writeBundle(_, bundle) {
    const parts = [...Object.keys(bundle), ...readdirSync(PUBLIC)]
      .filter((file) => file !== "index.html" && !file.endsWith(".md"))
      .map((file) => `/page/${file}`);
    const names = JSON.stringify(parts.sort());
    const build = createHash("sha256").update(names).digest("hex").slice(0, 16);
    const worker = readFileSync(join(import.meta.dirname, "offline.js"), "utf8");
    const said = `const BUILD = "${build}";\nconst PARTS = ${names};\n`;
    writeFileSync(join(BUILT, "offline.js"), said + worker);
  },
};

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
  plugins: [breakpoints, svelte(), offline, packed],
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
