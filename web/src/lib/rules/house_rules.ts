/** The rules of a table beside the standard ones: what differs, and the edges. */
import type { Rules } from "../net/rulebook";
import { fraction, less, minus, percent, sign, type Fraction } from "../odds/fraction";
import { list } from "../text/format";
import { spotName } from "../text/wager_names";
import * as text from "../../texts/rules";

export { differText, feeText, rateText } from "../../texts/rules";
const { differText } = text;

/** What stands beside the link to the odds: nothing where nothing differs. */
export const differs = (rules: Rules): boolean =>
  rules.is_custom === true || rules.differences === null || (rules.differences?.length ?? 0) > 0;

/** The mark of a table's rules: how far they are from the standard ones, and whose they are. */
export const markOf = (rules: Rules): string =>
  differText(rules.differences?.length, rules.is_custom);

// Edges

/** Bets with the same edge, here and by the standard rules; nothing where those do not have the bet. */
export interface EdgeRow {
  bets: string[];
  name: string;
  here: Fraction;
  standard: Fraction | null;
  /** "24.03 points better for the house"; nothing where it is the same. */
  change: string;
}

/** The edges of all bets, those of one edge in a row. */
export function edgeRows(rules: Rules): EdgeRow[] {
  const { edges = {}, shipped_edges: shipped } = rules;
  const rows = new Map<string, string[]>();
  for (const [bet, edge] of Object.entries(edges)) {
    const key = `${edge} ${shipped?.[bet] ?? ""}`;
    rows.set(key, [...(rows.get(key) ?? []), bet]);
  }
  return [...rows.entries()].map(([key, bets]) => {
    const [here, standard] = key.split(" ") as [string, string];
    const before = standard ? fraction(standard) : null;
    return {
      bets,
      name: rows.size === 1 && bets.length > 2 ? text.EVERY_BET : list(bets.map(spotName)),
      here: fraction(here),
      standard: before,
      change: before ? changeText(fraction(here), before, bankOf(rules)) : "",
    };
  });
}

/** The side that keeps an edge. */
export const bankOf = (rules: Rules) =>
  rules.document.banker === "player" ? text.THE_BANKER : text.THE_HOUSE;

function changeText(here: Fraction, before: Fraction, bank: string): string {
  const [more, side] = less(before, here)
    ? [minus(here, before), bank]
    : [minus(before, here), text.YOU];
  return sign(more) ? text.betterFor(percent(more, 2).replace("%", ""), side) : "";
}

// Digests

/** The beginning of a digest, enough to compare two by eye: "3f2a 9c01 77de". */
export const shortDigest = (digest: string) =>
  digest
    .replace(/^sha256:/, "")
    .slice(0, 12)
    .replace(/(.{4})(?=.)/g, "$1 ");
