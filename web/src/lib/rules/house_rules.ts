/** The rules of a table beside the standard ones: what differs, the edges, and how fees are charged. */
import type { FeeSchedule, PostedRate } from "../../generated/server";
import type { Rules } from "../net/rulebook";
import { fraction, less, minus, percent, sign, type Fraction } from "../odds/fraction";
import { dollars, list, wagerName } from "../text/format";
import { spotName } from "../text/wager_names";

/** In how many points a table differs: nothing stands for a rulebook of its own. */
export function differText(count: number | null | undefined): string {
  if (count === null || count === undefined) return "Its own rulebook";
  if (count === 0) return "Standard rules";
  return `House rules differ in ${count} ${count === 1 ? "point" : "points"}`;
}

/** What stands beside the link to the odds: nothing where nothing differs. */
export const differs = (rules: Rules): boolean =>
  rules.differences === null || (rules.differences?.length ?? 0) > 0;

// Edges

/** Bets with the same edge, here and by the standard rules; nothing where those do not have the bet. */
export interface EdgeRow {
  bets: string[];
  name: string;
  here: Fraction;
  standard: Fraction | null;
  /** "24.03 points more for the house"; nothing where it is the same. */
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
      name: rows.size === 1 && bets.length > 2 ? "Every bet" : list(bets.map(spotName)),
      here: fraction(here),
      standard: before,
      change: before ? changeText(fraction(here), before, bankOf(rules)) : "",
    };
  });
}

/** The side that keeps an edge. */
const bankOf = (rules: Rules) => (rules.document.banker === "player" ? "the banker" : "the house");

function changeText(here: Fraction, before: Fraction, bank: string): string {
  const [more, side] = less(before, here)
    ? [minus(here, before), bank]
    : [minus(before, here), "you"];
  return sign(more) ? `${percent(more, 2).replace("%", "")} points better for ${side}` : "";
}

// Fees

/** What a rate is charged on: "Ante $5 to $100", "each wager $5 to $100", "Bonus". */
export function rateText(per: string, rate: PostedRate): string {
  const what =
    per === "wager" ? "each wager" : wagerName(per === "kind" ? (rate.on ?? "ante") : "ante");
  return rate.min && rate.max ? `${what} ${dollars(rate.min)} to ${dollars(rate.max)}` : what;
}

const PER: Record<string, string> = {
  round: "Each player pays once a round, by the size of the Ante.",
  wager: "Each wager pays its own fee, by its size: Ante, Play and side bets alike.",
  kind: "Each kind of wager pays its own fee; a kind that is not listed is free.",
};

/** What is charged on, in a sentence. */
const chargedText = ({ per, charged }: FeeSchedule) => PER[per] ?? `Each player pays ${charged}.`;

/** Whether Play pays a fee of its own. */
const chargesPlay = ({ per, rates }: FeeSchedule) =>
  per === "wager" || (per === "kind" && rates.some((rate) => rate.on === "play"));

/** When fees are collected, in a sentence. */
const collectText = (schedule: FeeSchedule) =>
  schedule.collect === "after"
    ? "Collected after the start of play."
    : `Collected before the start of play${chargesPlay(schedule) ? "; the fee on Play when you play" : ""}.`;

/** What a round costs a player: "A round costs a player $1 to $3 in fees." */
const roundFee = ({ least, most }: FeeSchedule) =>
  `A round costs a player ${least === most ? "" : `${dollars(least)} to `}${dollars(most)} in fees.`;

/** How fees are charged: on what, how much a round comes to, and when. */
export const feeText = (schedule: FeeSchedule) =>
  `${chargedText(schedule)} ${roundFee(schedule)} ${collectText(schedule)}`;

// Digests

/** The beginning of a digest, enough to compare two by eye: "3f2a 9c01 77de". */
export const shortDigest = (digest: string) =>
  digest
    .replace(/^sha256:/, "")
    .slice(0, 12)
    .replace(/(.{4})(?=.)/g, "$1 ");
