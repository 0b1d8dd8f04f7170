/** What is said of the seeds of a round, in sentences. */
import type { RoundView, TableView } from "../net/protocol";
import { notCounted } from "../proof/seeds";
import type { Seen } from "../proof/types";

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
  if (!hidden)
    return seen.foreign
      ? is(null, "Your place has a seed that is not from this browser.")
      : undefined;
  const commitment = round.committed?.[place];
  const shown = round.shown?.[place];
  if (commitment !== undefined && commitment !== hidden.commitment)
    return hidden.taken
      ? is(false, "The table took your commitment, and now has another one for your place.")
      : is(null, "Another of your devices sent the seed for your place.");
  if (shown === hidden.seed) {
    if (stage !== "over") return is(true, "Your seed is shown, and counts.");
    return seen.checked ? is(true, "Your seed was in it.") : is(null, "Your seed was shown.");
  }
  if (stage === "betting")
    return commitment
      ? is(true, "Your seed is sent, hidden until bets close.")
      : is(null, "Your seed is on its way, hidden until bets close.");
  if (commitment === undefined) return is(false, notCounted("Your commitment did not come in."));
  if (stage === "revealing") return is(null, "Your seed is being shown.");
  if (!isPlayed(round))
    return is(
      null,
      `The round was void before seeds counted.${hidden.sent ? " Yours was sent." : ""}`,
    );
  return is(false, notCounted("It came too late, or the room left it out."));
}

const isPlayed = ({ dealer, pocket }: RoundView) => Boolean(dealer?.length) || pocket !== undefined;

const places = (count: number) => (count === 1 ? "one place" : `${count} places`);

/** Whose randomness a round has, by places: that a place is a person nobody can say. */
export function whoseSeeds(
  round: RoundView,
  stage: Stage,
  { place: own, hidden: ownSeed }: Seen,
): string {
  if (!round.chain) return "The room could have chosen: no chain of seeds bound it.";
  const [committed, shown] = [round.committed ?? {}, round.shown ?? {}];
  const hidden = Object.keys(committed).length;
  if (stage === "betting" || stage === "revealing")
    return hidden ? `Hidden seeds of ${places(hidden)}.` : "No place has sent a hidden seed.";
  if (stage === "over" && !isPlayed(round)) return "It was void before seeds counted.";
  const count = Object.keys(shown).length;
  const out = hidden > count ? ` ${hidden - count} left out.` : "";
  if (!count) return `No place added randomness.${out}`;
  const isIn = own !== undefined && ownSeed !== undefined && shown[own] === ownSeed.seed;
  const you = own === undefined ? "" : isIn ? ", yours included" : ", yours not";
  return `Randomness of ${places(count)}${you}.${out}`;
}
