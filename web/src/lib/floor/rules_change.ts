/** Other fees and limits for a table: what a form starts with, and what is sent for it. */
import type { PostedAmounts, TableView } from "../../generated/server";
import type { Rules } from "../net/rulebook";
import { changedAmounts, type ChangedAmount } from "../table/pending_change";
import type { RulesChange } from "./api";

/** The name of the limits of a wheel, which are the same for every bet. */
export const EVERY_BET = "any";

/**
 * The fees and limits that a change builds on: the announced ones, else those that hold. Only the
 * limits that the rulebook has itself: others follow from its fees.
 */
export function amountsNow(rules: Rules, view: TableView): PostedAmounts {
  const limits = limitsOf(rules.document.limits as Record<string, unknown>);
  if (view.pending) {
    const announced = structuredClone(view.pending.new);
    const kept = Object.keys(limits).map((wager) => [
      wager,
      announced.limits[wager] ?? limits[wager]!,
    ]);
    return { ...announced, limits: Object.fromEntries(kept) as PostedAmounts["limits"] };
  }
  return {
    fees: view.fees.map((rate) => ({ ...rate })),
    charged: view.charged ?? null,
    collect: view.collect ?? null,
    limits,
    least_bank: view.settings.least_bank,
  };
}

function limitsOf(limits: Record<string, unknown> | null | undefined): PostedAmounts["limits"] {
  const rangeOf = (value: unknown) => {
    const { min, max } = (value ?? {}) as { min?: unknown; max?: unknown };
    return typeof min === "number" && typeof max === "number" ? { min, max } : null;
  };
  const whole = rangeOf(limits);
  if (whole) return { [EVERY_BET]: whole };
  return Object.fromEntries(
    Object.entries(limits ?? {}).flatMap(([wager, value]) => {
      const range = rangeOf(value);
      return range ? [[wager, range]] : [];
    }),
  );
}

/** What to send for amounts that should be different; nothing that stays. */
export function changeOf(now: PostedAmounts, wanted: PostedAmounts): RulesChange {
  const set: Record<string, unknown> = {};
  if (JSON.stringify(now.fees) !== JSON.stringify(wanted.fees))
    set["fees.rates"] = wanted.fees.map(({ on, ...rate }) =>
      wanted.charged === "kind" ? { ...rate, on } : rate,
    );
  for (const [wager, range] of Object.entries(wanted.limits)) {
    const key = wager === EVERY_BET ? "limits" : `limits.${wager}`;
    for (const end of ["min", "max"] as const)
      if (now.limits[wager]?.[end] !== range[end]) set[`${key}.${end}`] = range[end];
  }
  return {
    ...(Object.keys(set).length ? { set } : {}),
    ...(now.least_bank === wanted.least_bank ? {} : { least_bank: wanted.least_bank }),
  };
}

/** The amounts that would change, old and new in words. */
export const amountsChanged = (now: PostedAmounts, wanted: PostedAmounts): ChangedAmount[] =>
  changedAmounts({ from: 0, reason: "", old: now, new: wanted });

/** A further rate after the last one, as long as the rulebook allows one more. */
export function nextRate(amounts: PostedAmounts): PostedAmounts["fees"][number] | null {
  const last = amounts.fees.at(-1);
  if (!last) return null;
  return { ...last, min: last.max + 1, max: last.max * 2 };
}
