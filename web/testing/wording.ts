/** Finds texts outside the catalogue, in components and modules, and words that no text may have. */
import { parse } from "svelte/compiler";
import ts from "typescript";

/** Attributes that are read, seen or heard. */
const READ = new Set([
  "alt",
  "aria-label",
  "aria-description",
  "aria-roledescription",
  "aria-valuetext",
  "content",
  "label",
  "placeholder",
  "title",
]);
/** A word of two or more letters. */
const WORD = /\p{L}{2}/u;
/** Several words: what a property of a component or a constant of a script must not be. */
const SENTENCE = /[\p{L}…][\p{L}’',.:;!?…]* +[\p{L}\d$(…]+/u;

interface Node {
  type: string;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** The strings that an expression may come to: both ends of a condition, parts of a template. */
function strings(node: Node | null | undefined): string[] {
  if (!node) return [];
  const of = (...keys: string[]) => keys.flatMap((key) => strings(node[key] as Node));
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : [];
    case "TemplateLiteral":
      return [
        (node["quasis"] as { value: { cooked: string } }[])
          .map((part) => part.value.cooked)
          .join("…"),
        ...(node["expressions"] as Node[]).flatMap(strings),
      ];
    case "ConditionalExpression":
      return of("consequent", "alternate");
    case "LogicalExpression":
      return of("left", "right");
    case "BinaryExpression":
      return node["operator"] === "+" ? of("left", "right") : [];
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "ExpressionTag":
      return of("expression");
    case "Text":
      return [String(node["data"])];
    default:
      return [];
  }
}

function attribute(node: Node, ofComponent: boolean): string[] {
  const { name, value } = node as unknown as { name: string; value: true | Node | Node[] };
  if (value === true) return [];
  const texts = (Array.isArray(value) ? value : [value]).flatMap(strings);
  if (READ.has(name)) return texts.filter((text) => WORD.test(text));
  return ofComponent ? texts.filter((text) => SENTENCE.test(text)) : [];
}

function markup(node: Node, found: string[]) {
  if (node.type === "Text" || node.type === "ExpressionTag") {
    found.push(...strings(node).filter((text) => WORD.test(text)));
    return;
  }
  const ofComponent = node.type === "Component";
  for (const [key, value] of Object.entries(node)) {
    const below = (Array.isArray(value) ? value : [value]).filter(isNode);
    if (key === "attributes") {
      for (const each of below)
        if (each.type === "Attribute") found.push(...attribute(each, ofComponent));
    } else if (key !== "expression" && key !== "metadata") {
      for (const each of below) markup(each, found);
    }
  }
}

/** Sentences among the constants of a script or a module; types, imports and comments are none. */
export function sentencesIn(code: string): string[] {
  return literals(code).filter((text) => WORD.test(text) && SENTENCE.test(text));
}

/** A single word as a label or a name has it: "Pocket". */
const LABEL = /^\p{Lu}\p{Ll}+$/u;
/** Strings of several words that are notation: nobody reads them as a text. */
const NOTATION: RegExp[] = [
  /^(\d+|…) to (\d+|…)$/, // a pay, as rulebooks write it
  /^([2-9TJQKA][cdhs]( |$))+$/, // cards
  /^queenhigh [a-z]+($| ?…)|^…* ?--[a-z]/, // a command line
  /^(…px ?)+$|^[a-z]+: …(; [a-z]+: …)*$/, // CSS
  /^[a-z]+[^ ]*, .*\[[a-z]+(="[a-z]+")?\]/, // a selector
  /^left out$/, // stands in the key of a round for a seed that was not shown
];

/** The texts in a module that belong in the catalogue: sentences and labels. */
export function straysIn(code: string): string[] {
  return literals(code).filter(
    (text) =>
      (LABEL.test(text) || (WORD.test(text) && SENTENCE.test(text))) &&
      !NOTATION.some((notation) => notation.test(text)),
  );
}

/** Whether a call takes a selector or a media query, which nobody reads. */
const isSelection = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  /\b(closest|matches|matchMedia|querySelector|querySelectorAll)(<.*>)?$/.test(
    node.expression.getText(),
  );

/** A template with an ellipsis for each value. */
const whole = ({ head, templateSpans }: ts.TemplateExpression): string =>
  [head.text, ...templateSpans.map((span) => span.literal.text)].join("…");

/** All strings and templates in a module. */
export function literals(code: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isSelection(node)) return;
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) texts.push(whole(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("module.ts", code, ts.ScriptTarget.ES2022, true));
  return texts;
}

/** The texts that stand in a component itself: in its markup, its attributes and its script. */
export function textsIn(source: string): string[] {
  const texts: string[] = [];
  markup(parse(source, { modern: true }).fragment as unknown as Node, texts);
  const scripts = [...source.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)];
  for (const [, code] of scripts) texts.push(...sentencesIn(code!));
  return texts.map((text) => text.replace(/\s+/g, " ").trim());
}

/** What no text of the page says; each with what to write instead. */
const BANNED: [RegExp, string][] = [
  [/\banew\b/i, "again, new"],
  [/\bupon\b/i, "on"],
  [/\bthereof\b/i, "of it"],
  [/\bwhoever\b/i, "anyone who"],
  [/\bone['’]s\b/i, "your"],
  [/\bof (its|their|one['’]s) own\b/i, "own, separate"],
  [/(^|[.:;] )who (?!is |are |was |can )[a-z]+s\b[^?]*$/i, "players who"],
  [/\b(by|for|from|to|of|with) who\b/i, "the player who"],
  [/\b(is|are|was|were) told\b/i, "sees, gets"],
  [/\b(comes?|came|coming) back\b/i, "is returned; reconnecting; I'm back"],
  [/\bby (itself|themselves|ourselves|yourself)\b/i, "automatically"],
  [/\bput\b.*\baway\b/i, "hide"],
  [/\bcollect(ion|ions|ed)\b/i, "fee"],
  [/\bas shipped\b/i, "standard rules"],
  [/\bgives? away\b|\bgiven away\b/i, "costs"],
  [/\b(did|does) not reach\b|\breached (for|in part)\b/i, "the bank ran out"],
  [/\bon its way\b/i, "sending"],
  [/\b(is|are) being (counted|worked out|looked up|fetched|asked)\b/i, "loading"],
  [/\bthe room (does|has|answers)\b/i, "the server"],
  [/\bwallet\b/i, "balance"],
  [/^best play\b/i, "best strategy"],
  [/\bfair dealing\b/i, "provably fair"],
  [/\b(nobody|no one) banks\b/i, "no banker yet"],
  [/\bpatron\b/i, "player"],
  [/\bin the evening\b|\bas my device\b/i, "dark theme, system"],
  [/^all right$/i, "OK"],
  [/\bplaces? (\d|…)|\b(your|each|every|no|of the|a) place(s|'s)?\b/i, "seat"],
  [/\badds? up to\b/i, "sum to"],
  [/(?<!\ball )\bin all\b/i, "in total"],
  [/\b(is|are) said to\b/i, "the proof says"],
  [/\b(does|do) not fit\b|\beverything fits\b/i, "doesn't match; verified"],
  [/\bmakes? no sense\b/i, "is invalid"],
  [/\b(is|are) (another one|others)\b/i, "is different"],
  [/\bin another way\b|\bin two ways\b/i, "differently"],
  [/\b(is|are) no (?!longer|more|such)[a-z]+ that\b/i, "isn't a"],
  [/\bnone that\b/i, "not one that"],
  [/\bha(s|ve) no place\b/i, "doesn't belong"],
  [/\blook(s|ed)? on\b/i, "watch"],
  [/\b(it|they|what) came of (it|them)\b|\banything came of\b/i, "the result"],
  [/\bthe room('s| could| left| shows)/i, "the table, the server"],
  [/\bagain and again\b/i, "repeatedly"],
  [/^(?!wager$).*\bwager(s|ed)?\b/i, "bet"],
];

/** The banned phrases in a text, with what to write instead. */
export const bannedIn = (text: string): string[] =>
  BANNED.flatMap(([pattern, better]) => {
    const match = pattern.exec(text);
    return match ? [`“${match[0].trim()}” in “${text.trim()}”: write ${better}`] : [];
  });
