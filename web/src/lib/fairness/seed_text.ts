/** What is said of the seeds of a round, in sentences. */
import type { RoundView, TableView } from "../net/protocol";
import type { Seen } from "../proof/types";
import * as texts from "../../texts/fairness";

/** Seeds are shown at once; a longer wait than this is mentioned, in milliseconds. */
const SLOW = 500;

/** When to say that seeds are waited for, by this machine's clock. */
export function slowToShow({ phase, deadline, chain }: TableView, skew: number) {
  if (phase !== "revealing" || deadline === undefined) return undefined;
  return deadline - (chain?.reveal ?? 0) + SLOW - skew;
}

/** How far a round is: bets are open, seeds are shown, it was dealt, or it is over. */
export type Stage = "betting" | "revealing" | "deciding" | "over";

/** What has become of the player's own hidden seed: all is well, or not, or there is nothing to say yet. */
export interface Status {
  fits: boolean | null;
  says: string;
}

/** What has become of the seed that this browser hides in a round; nothing where it hides none. */
export function seedStatus(round: RoundView, stage: Stage, seen: Seen): Status | undefined {
  const { place, hidden } = seen;
  const is = (fits: boolean | null, says: string) => ({ fits, says });
  if (!round.chain || place === undefined) return undefined;
  if (!hidden) return seen.foreign ? is(null, texts.FOREIGN_SEED) : undefined;
  const commitment = round.committed?.[place];
  const shown = round.shown?.[place];
  if (commitment !== undefined && commitment !== hidden.commitment)
    return hidden.taken ? is(false, texts.SWAPPED_SEED) : is(null, texts.OTHER_DEVICE);
  if (shown === hidden.seed) {
    if (stage !== "over") return is(true, texts.SEED_COUNTS);
    return seen.checked ? is(true, texts.SEED_WAS_IN) : is(null, texts.SEED_SHOWN);
  }
  if (stage === "betting")
    return commitment ? is(true, texts.SEED_SENT) : is(null, texts.SEED_SENDING);
  if (commitment === undefined) return is(false, texts.notCounted(texts.NO_COMMITMENT));
  if (stage === "revealing") return is(null, texts.SHOWING_SEED);
  if (!isPlayed(round)) return is(null, texts.voidBefore(!!hidden.sent));
  return is(false, texts.notCounted(texts.SEED_LEFT_OUT));
}

const isPlayed = ({ dealer, pocket }: RoundView) => Boolean(dealer?.length) || pocket !== undefined;

/** Whose randomness a round has, by places: that a place is a person nobody can say. */
export function whoseSeeds(
  round: RoundView,
  stage: Stage,
  { place: own, hidden: ownSeed }: Seen,
): string {
  if (!round.chain) return texts.NO_CHAIN;
  const [committed, shown] = [round.committed ?? {}, round.shown ?? {}];
  const hidden = Object.keys(committed).length;
  if (stage === "betting" || stage === "revealing") return texts.hiddenSeeds(hidden);
  if (stage === "over" && !isPlayed(round)) return texts.VOID_BEFORE;
  const count = Object.keys(shown).length;
  const out = hidden - count;
  const isIn = own !== undefined && ownSeed !== undefined && shown[own] === ownSeed.seed;
  return texts.randomness(count, out, own === undefined ? null : isIn);
}
