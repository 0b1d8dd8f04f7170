import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  test: {
    include: ["src/**/*.test.ts"],
    globalSetup: "testing/setup.ts",
    reporters: "dot",
    isolate: false, // a process for each file takes twice as long
    unstubGlobals: true,
    testTimeout: 300_000, // nothing is timed; this ends what hangs
  },
});
