/** The page's texts stand in this folder, and they are plain English. */
import { expect, test } from "vitest";
import { bannedIn, literals, textsIn } from "../../testing/wording";

const sources = (files: Record<string, string>) =>
  Object.entries(files).map(([file, text]) => [file.replace(/^\.\.?\//, ""), text] as const);
const components = sources(
  import.meta.glob<string>(["../screens/**/*.svelte", "../parts/**/*.svelte", "../App.svelte"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);
const catalogue = sources(
  import.meta.glob<string>(["./*.ts", "!./*.test.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

test("components have their texts from the catalogue", () => {
  expect(components.length).toBeGreaterThan(50);
  const strays = components.flatMap(([file, source]) =>
    textsIn(source).map((text) => `${file}: ${text}`),
  );
  expect(strays).toEqual([]);
});

test("texts are plain English", () => {
  expect(catalogue.length).toBeGreaterThan(3);
  const strays = catalogue.flatMap(([file, code]) =>
    literals(code)
      .flatMap(bannedIn)
      .map((text) => `${file}: ${text}`),
  );
  expect(strays).toEqual([]);
});

test.each([
  [`<p>Take a seat</p>`, "Take a seat"],
  [`<p>{ready ? "Ready" : ""}</p>`, "Ready"],
  ["<p>{`Round ${round} is over`}</p>", "Round … is over"],
  [`<p>{busy && "Wait"}</p>`, "Wait"],
  [`<button aria-label="Close">×</button>`, "Close"],
  [`<input placeholder={open ? "Your name" : ""} />`, "Your name"],
  [`<img alt="A card" src={card} />`, "A card"],
  [`<Copy what="the command line" />`, "the command line"],
  [`{#if open}<span title="Fee">$</span>{/if}`, "Fee"],
  [`{#snippet row()}<td>Bets</td>{/snippet}`, "Bets"],
  [`<svelte:head><title>Queenhigh</title></svelte:head>`, "Queenhigh"],
  [`<script>const said = "No more bets.";</script>{said}`, "No more bets."],
  ['<script lang="ts">const said = `It costs ${fee} more.`;</script>{said}', "It costs … more."],
])("finds the text in %s", (source, text) => {
  expect(textsIn(source).join(" ")).toContain(text);
});

test.each([
  [`<p class="small soft" data-kind="two words">{text}</p>`],
  [`<p>× · {money(fee)} = $5</p>`],
  [`<p>{nameOf("ante")}{kind === "pair" ? pair : other}</p>`],
  [`<Card size="large" onclick={() => play("card")} />`],
  [`<script lang="ts">import a from "../two words"; type T = "no text"; /* a comment */</script>`],
  [`<script>const still = matchMedia("(a: b)"), near = one.closest("input, select a");</script>`],
  [`<!-- a comment --><style>p::after { content: "some text"; }</style>`],
])("finds no text in %s", (source) => {
  expect(textsIn(source)).toEqual([]);
});

test.each([
  "All pictures are taken anew.",
  "Who leaves gets the chips.",
  "The clock is kept by who banks.",
  "Your Play comes back.",
  "Put the column away",
  "A fee of $1 was collected.",
  "Everyone is told.",
  "A class of its own",
  "The odds are being counted.",
])("bans the words of “%s”", (text) => {
  expect(bannedIn(text)).not.toEqual([]);
});

test.each([
  "Who is the banker?",
  "Who can see my cards?",
  "Players who leave get their chips.",
  "Your own seed",
  "I'm back",
])("allows “%s”", (text) => {
  expect(bannedIn(text)).toEqual([]);
});
