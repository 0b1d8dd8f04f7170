/** A chain of the room's seeds, and seeds that places commit to, as docs/fairness.md has them. */
import { hex, hmac, ownSha256, sha256, unhex, type Bytes } from "./sha256";
import { fields } from "./deal";
import type { Committed } from "./types";
import * as texts from "../../texts/proof";

/** A round, by its table and the chain that its seed is of. */
export interface OnChain {
  table: string;
  chain: number;
  round: number;
}

/** Stands in a key for a seed that was committed to and not shown. */
const LEFT_OUT = "left out";

const MOST_LINKS = 1_000_000;

/** What a place commits to. It is worked out at once, so that no bet is sent before it. */
export function placeCommitment(of: OnChain, place: number, player: string, seed: string): string {
  const { table, chain, round } = of;
  const named = fields("queenhigh/seed/1", table, chain, round, place, player, unhex(seed));
  return hex(ownSha256(named));
}

/** The seed of a link before another's, so many links down. */
export async function down(
  table: string,
  chain: number,
  link: number,
  seed: string,
  to: number,
): Promise<string> {
  if (!Number.isInteger(link) || link - to > MOST_LINKS)
    throw new Error(texts.chain.tooLong(MOST_LINKS));
  let bytes = unhex(seed);
  for (let current = link; current > to; current--)
    bytes = await sha256(fields("queenhigh/link/1", table, chain, current, bytes));
  return hex(bytes);
}

/** The key of a round on a chain: the room's seed over those of the places, hidden and in the clear. */
export async function keyOnChain(
  seed: string,
  { table, chain, round }: OnChain,
  digest: string,
  committed: readonly Committed[],
  added: Record<string, string>,
): Promise<Bytes> {
  const hidden = [...committed].sort((a, b) => a.place - b.place);
  const clear = Object.keys(added)
    .map(Number)
    .sort((a, b) => a - b);
  const parts = [
    ...[table, chain, round, digest, hidden.length],
    ...hidden.flatMap((committed) => [
      committed.place,
      committed.player,
      committed.commitment,
      committed.shown ?? LEFT_OUT,
    ]),
    ...clear.flatMap((place) => [place, added[place]!]),
  ];
  return hmac(unhex(seed), fields("queenhigh/key/2", ...parts));
}
