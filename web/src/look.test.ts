import { expect, test } from "vitest";
import look from "./look.css?raw";

const components = import.meta.glob<string>("./**/*.svelte", {
  query: "?raw",
  import: "default",
  eager: true,
});
const styles = Object.entries(components).map(
  ([file, text]) => [file, text.slice(text.indexOf("<style>"))] as const,
);
const COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)a?\(|:\s*(?:black|white)\b/gi;
const LENGTH = /@(?:media|container)[^{]*\d[^{]*/g;

test("colours and breakpoints are defined in look.css only", () => {
  const strays = styles.flatMap(([file, style]) =>
    [...(style.match(COLOUR) ?? []), ...(style.match(LENGTH) ?? [])].map((it) => `${file}: ${it}`),
  );
  expect(styles.length).toBeGreaterThan(50);
  expect(strays).toEqual([]);
});

test("everything that look.css defines is used", () => {
  const everything = [look, ...Object.values(components)].join("\n");
  const defined = new Set([...look.matchAll(/^\s*--([\w-]+):/gm)].map(([, name]) => name));
  const used = new Set([...everything.matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name));
  expect([...defined].filter((name) => !used.has(name))).toEqual([]);
});
