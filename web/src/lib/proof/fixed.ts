/**
 * What a deal follows from beside the seeds: who has a hand, who banks, and which seeds places have
 * committed to or added. Once bets are closed none of it may change.
 */
import type { Bet, RoundView } from "../net/protocol";
import { money } from "../text/format";
import { spotName } from "../text/wager_names";
import { allHands, check, type Check, type Proof, type Seen } from "./types";
import { fixed as texts, NOTHING } from "../../texts/proof";

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

/** The hands that a ruling made void, as a table shows them. */
export const voidedHands = ({ voided = {}, voided_seats = {} }: RoundView) =>
  Object.entries(voided).map(([place, wagers]) => ({
    ...{ place: Number(place), seat: voided_seats[place]!, wagers },
    ...{ cents: 0, fee: 0 },
  }));

export function fixedInView({ banker, committed = {}, ...round }: RoundView): Fixed {
  const by = round.committed_by ?? {};
  const seeds = Object.entries(committed).map(
    ([place, commitment]) => [place, { commitment, player: by[place] ?? "" }] as const,
  );
  return {
    banker,
    committed: Object.fromEntries(seeds),
    added: round.added ?? {},
    hands: handsOf([...round.hands, ...voidedHands(round as RoundView)]),
  };
}

export function fixedInProof(proof: Proof): Fixed {
  const { banker, committed, seeds } = proof;
  return {
    banker: banker ?? undefined,
    committed: Object.fromEntries(
      committed.map(({ place, commitment, player }) => [place, { commitment, player }]),
    ),
    added: seeds,
    hands: handsOf(allHands(proof)),
  };
}

type Hand = Fixed["hands"][string];
const hand = (value: Hand | undefined) =>
  value
    ? texts.hand(
        value.wagers.map(({ spot, cents }) => `${spotName(spot)} ${money(cents)}`),
        value.seat,
      )
    : NOTHING;
/** A hand by the keys of its bets: two keys may share a name. */
const handKey = (value: Hand | undefined) =>
  value && `${value.wagers.map(({ spot, cents }) => `${spot} ${cents}`).join()} ${value.seat}`;
const seed = (value: Fixed["committed"][string] | undefined) =>
  value ? texts.seed(value.commitment, value.player) : NOTHING;
const text = (value: string | undefined) => (value === undefined ? NOTHING : texts.text(value));

/** What of it is different later, each in a sentence. */
export function changes(before: Fixed, later: Fixed): string[] {
  const wrong: string[] = [];
  if (before.banker !== later.banker) wrong.push(texts.banker(before.banker, later.banker));
  const compare = <T>(
    did: string,
    now: Record<string, T>,
    then: Record<string, T>,
    say: (value: T | undefined) => string,
    key: (value: T | undefined) => string | undefined = say,
  ) => {
    for (const place of new Set([...Object.keys(now), ...Object.keys(then)]))
      if (key(now[place]) !== key(then[place]))
        wrong.push(texts.changed(place, did, say(now[place]), say(then[place])));
  };
  compare(texts.did.committed, before.committed, later.committed, seed);
  compare(texts.did.added, before.added, later.added, text);
  compare(texts.did.bet, before.hands, later.hands, hand, handKey);
  return wrong;
}

/** Whether a proof has what this window was shown when bets were closed. */
export function unchanged(proof: Proof, { fixed }: Seen): Check[] {
  if (!proof.chain || !fixed) return [];
  return [check("fixed", changes(fixed, fixedInProof(proof)), texts.fits, texts.fails)];
}
