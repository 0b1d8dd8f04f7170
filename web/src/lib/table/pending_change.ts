/** Fees and limits that are announced (CA-6): which amounts change, and the words for it. */
import type { PendingChange, PostedAmounts, PostedRate } from "../../generated/server";
import { change as words } from "../../texts/shell";
import { dollars, wagerName } from "../text/format";

/** An amount that changes: what it is, what it is now and what it will be. */
export interface ChangedAmount {
  name: string;
  old: string;
  new: string;
}

/** What fees are charged on and when: "once a round, before the start of play". */
export const chargedText = (charged?: string | null, collect?: string | null) =>
  charged ? words.charged(charged, collect) : words.none;

const rangeText = (range?: { min: number; max: number }) =>
  range ? words.range(dollars(range.min), dollars(range.max)) : words.none;
const feeText = (rate?: PostedRate) =>
  rate ? words.rate(dollars(rate.player), dollars(rate.banker)) : words.none;

/** The wagers of a rate; one on Play or the bonus bet names it. */
const ratedText = (rate: PostedRate) =>
  rate.on === "ante" ? rangeText(rate) : `${wagerName(rate.on)} ${rangeText(rate)}`;

function rate(old: PostedRate | undefined, now: PostedRate | undefined): ChangedAmount {
  if (old && now && ratedText(old) === ratedText(now))
    return { name: words.feeOn(ratedText(old)), old: feeText(old), new: feeText(now) };
  const text = (rate?: PostedRate) => (rate ? `${ratedText(rate)}: ${feeText(rate)}` : words.none);
  return { name: words.fee, old: text(old), new: text(now) };
}

/** Return the amounts that an announced change alters. */
export function changedAmounts({ old, new: now }: PendingChange): ChangedAmount[] {
  const rates = Math.max(old.fees.length, now.fees.length);
  const wagers = [...new Set([...Object.keys(old.limits), ...Object.keys(now.limits)])];
  const charged = (amounts: PostedAmounts) => chargedText(amounts.charged, amounts.collect);
  const rows = [
    ...Array.from({ length: rates }, (_, n) => rate(old.fees[n], now.fees[n])),
    { name: words.feesAreCharged, old: charged(old), new: charged(now) },
    ...wagers.map((wager) => ({
      name: wagerName(wager),
      old: rangeText(old.limits[wager]),
      new: rangeText(now.limits[wager]),
    })),
    { name: words.leastBank, old: dollars(old.least_bank), new: dollars(now.least_bank) },
  ];
  return rows.filter((row) => row.old !== row.new);
}

/** The time that is left, as a clock shows it: "1:05". */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const spoken = (pending: PendingChange) =>
  changedAmounts(pending)
    .map((row) => words.instead(row.name, row.new, row.old))
    .join(" ");

/** What to read out when the announced change of a table is another one: once, or nothing. */
export function changeNews(
  before: PendingChange | null,
  now: PendingChange | null,
  time: number,
): string {
  if (now) {
    const isKnown = before?.from === now.from && spoken(before) === spoken(now);
    const seconds = Math.max(0, Math.ceil((now.from - time) / 1000));
    return isKnown ? "" : `${words.announced(seconds)} ${spoken(now)}`;
  }
  if (!before) return "";
  return time < before.from ? words.withdrawn : words.inForce;
}
