import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The page is built into the package, so that who installs it needs no Node.
export default defineConfig({
  plugins: [svelte()],
  base: "/page/",
  build: {
    outDir: "../src/queenhigh/server/static",
    emptyOutDir: true,
    target: "es2022",
    // The room's policy allows no inline styles or scripts and no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
