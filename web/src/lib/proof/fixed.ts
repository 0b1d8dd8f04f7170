/**
 * What a deal follows from beside the seeds: who has a hand, who banks, and which seeds places have
 * committed to or added. Once bets are closed none of it may change.
 */
import type { Bet, RoundView } from "../net/protocol";
import { check, type Check, type Proof, type Seen } from "./types";

export interface Fixed {
  banker: number | undefined;
  /** By place: what it committed to, and its player. */
  committed: Record<string, { commitment: string; player: string }>;
  /** By place: its text in the clear. */
  added: Record<string, string>;
  /** By place: its seat, and what it wagers. */
  hands: Record<string, { seat: number; wagers: Bet[] }>;
}

const handsOf = (hands: readonly { place: number; seat: number; wagers: Bet[] }[]) =>
  Object.fromEntries(
    hands
      .filter(({ wagers }) => wagers.length)
      .map(({ place, seat, wagers }) => [place, { seat, wagers }]),
  );

export function fixedInView({ banker, committed = {}, ...round }: RoundView): Fixed {
  const by = round.committed_by ?? {};
  const seeds = Object.entries(committed).map(
    ([place, commitment]) => [place, { commitment, player: by[place] ?? "" }] as const,
  );
  return {
    banker,
    committed: Object.fromEntries(seeds),
    added: round.added ?? {},
    hands: handsOf(round.hands),
  };
}

export function fixedInProof({ banker, committed, seeds, hands }: Proof): Fixed {
  return {
    banker: banker ?? undefined,
    committed: Object.fromEntries(
      committed.map(({ place, commitment, player }) => [place, { commitment, player }]),
    ),
    added: seeds,
    hands: handsOf(hands),
  };
}

const hand = (value: Fixed["hands"][string] | undefined) =>
  value
    ? `${value.wagers.map(({ spot, cents }) => `${spot} ${cents}`).join(", ")} at seat ${value.seat}`
    : "nothing";
const seed = (value: Fixed["committed"][string] | undefined) =>
  value ? `${value.commitment} of ${value.player}` : "nothing";
const text = (value: string | undefined) => (value === undefined ? "nothing" : `“${value}”`);

/** What of it is different later, each in a sentence. */
export function changes(before: Fixed, later: Fixed): string[] {
  const wrong: string[] = [];
  if (before.banker !== later.banker)
    wrong.push(
      `Place ${before.banker ?? "none"} banked; now it is place ${later.banker ?? "none"}.`,
    );
  const compare = <T>(
    what: string,
    now: Record<string, T>,
    then: Record<string, T>,
    say: (value: T | undefined) => string,
  ) => {
    for (const place of new Set([...Object.keys(now), ...Object.keys(then)])) {
      const [said, says] = [say(now[place]), say(then[place])];
      if (said !== says) wrong.push(`Place ${place} had ${what} ${said}; now it is ${says}.`);
    }
  };
  compare("committed to", before.committed, later.committed, seed);
  compare("added", before.added, later.added, text);
  compare("wagered", before.hands, later.hands, hand);
  return wrong;
}

/** Whether a proof has what this window was shown when bets were closed. */
export function unchanged(proof: Proof, { fixed }: Seen): Check[] {
  if (!proof.chain || !fixed) return [];
  return [
    check(
      "fixed",
      changes(fixed, fixedInProof(proof)),
      "Who was in the round, and what each place had committed to, is as you were shown when bets closed.",
      "The round was changed after bets were closed.",
    ),
  ];
}
