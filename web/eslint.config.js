import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

export default defineConfig(
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      // svelte-check knows every name, also those of the browser.
      "no-undef": "off",
      // Maps and Sets in classes are bookkeeping that nothing on the screen may depend on.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
);
