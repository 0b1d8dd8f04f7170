/** The page's texts stand in this folder, and they are plain English. */
import { expect, test } from "vitest";
import { bannedIn, literals, straysIn, textsIn } from "../../testing/wording";

const sources = (files: Record<string, string>) =>
  Object.entries(files).map(([file, text]) => [file.replace(/^\.\.?\//, ""), text] as const);
const components = sources(
  import.meta.glob<string>(["../screens/**/*.svelte", "../parts/**/*.svelte", "../App.svelte"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);
const modules = sources(
  import.meta.glob<string>(["../**/*.ts", "!../**/*.test.ts", "!../texts/**", "!../generated/**"], {
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

test("modules have their texts from the catalogue", () => {
  expect(modules.length).toBeGreaterThan(80);
  expect(modules.map(([file]) => file)).toContain("lib/proof/prove.ts");
  const strays = modules.flatMap(([file, code]) =>
    straysIn(code).map((text) => `${file}: ${text}`),
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
  [`wrong.push("A seat is listed twice.");`, "A seat is listed twice."],
  ["throw new Error(`A chain has at most ${most} links.`);", "A chain has at most … links."],
  ["return due ? `Seat ${place}` : undefined;", "Seat …"],
  [`values.push(["Pocket", pocket]);`, "Pocket"],
  [`const NAMES = { pair_plus: "Pair Plus" };`, "Pair Plus"],
  [`export const LEFT = ", and what is left";`, ", and what is left"],
  [`import { a } from "./a";\nexport default () => a("the banker");`, "the banker"],
])("finds the text in the module %s", (code, text) => {
  expect(straysIn(code)).toEqual([text]);
});

test.each([
  `import { a } from "two words"; type Move = "play it" | "fold it"; // a comment`,
  "/** A sentence about it. */ const path = `/api/tables/${table}/rounds/${round}`;",
  'const half = wins(stake, "1 to 2"), written = `${n} to ${d}`;',
  'const cards = parseCards("8h 8s Kd");',
  "const line = `queenhigh odds ${book}` + ` --set ${key}=${value}` + `${odds} --seats ${seats}`;",
  "const css = `opacity: ${share}`, way = `translate: ${x}; opacity: ${y}`, at = `${x}px ${y}px`;",
  `const FIELDS = 'input:not([type="radio"]), textarea, select, [contenteditable]';`,
  `if (check.id === "settlement" && !/not a ratio/.test(says)) throw error;`,
])("finds no text in the module %s", (code) => {
  expect(straysIn(code)).toEqual([]);
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
  "Place 3 has two hands.",
  "The seed of your place is missing.",
  "The amounts do not add up to nothing.",
  "$3.00 in all.",
  "The banker is said to have $5.",
  "The bank does not fit.",
  "This part of the proof makes no sense.",
  "The seed at the end is another one.",
  "The round was closed in two ways.",
  "Ante of $3 is no wager that the rulebook takes.",
  "These bets are none that the rulebook has.",
  "These seeds have no place.",
  "This window did not look on.",
  "The round was void before anything came of it.",
  "The room's seed is link 3.",
  "Hashed again and again, it gives the end.",
  "Your wagers are as you made them.",
])("bans the words of “%s”", (text) => {
  expect(bannedIn(text)).not.toEqual([]);
});

test.each([
  "Who is the banker?",
  "Who can see my cards?",
  "Players who leave get their chips.",
  "Your own seed",
  "I'm back",
  "Place your bets.",
  "All in all: 7 of 10 right.",
  "The amounts sum to zero.",
])("allows “%s”", (text) => {
  expect(bannedIn(text)).toEqual([]);
});
