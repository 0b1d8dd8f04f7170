import { settlement } from "../../texts/proof";

/** A pay such as "3 to 1": its two numbers. A number alone is to 1. */
export function ratio(pay: string | number): [bigint, bigint] {
  const [to, from = "1"] = String(pay).split(" to ");
  return [BigInt(to!), BigInt(from)];
}

/** What a stake wins at a pay, in whole cents. */
export function wins(stake: number, pay: string | number): number {
  const [to, from] = ratio(pay);
  const due = BigInt(stake) * to;
  if (due % from) throw new Error(settlement.partOfACent(pay, stake));
  return Number(due / from);
}
