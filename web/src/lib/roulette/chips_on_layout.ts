/** Which chips lie on the felt of a wheel. */
import type { Bet, End, HandView, RoundView, SettledBet } from "../net/protocol";
import { merge, stakesOf, type Stakes } from "../bets/stakes";

/** Chips on a spot: the player's own, another's, held from a zero, or settled. */
export interface LayoutChips {
  key: string;
  spot: string;
  cents: number;
  kind: "own" | "other" | "held" | "won" | "lost" | "back";
  /** Set aside, so that a new bet has its place: held from a zero, or until this spin. */
  aside?: boolean;
  /** What a winning bet brings. */
  gain?: number;
}

const piles = (stakes: Stakes, kind: LayoutChips["kind"]): LayoutChips[] =>
  Object.entries(stakes).map(([spot, cents]) => ({
    key: `${kind} ${spot}`,
    spot,
    cents,
    kind,
    aside: kind === "held",
  }));

/** The player's own chips, and those a zero holds. */
export const ownChips = (stakes: Stakes, held: readonly Bet[]) => [
  ...piles(stakesOf(held), "held"),
  ...piles(stakes, "own"),
];

/** The chips of a hand as they were put down. */
export function handChips(hand: HandView | undefined): LayoutChips[] {
  const wagers = hand?.wagers ?? [];
  return ownChips(
    stakesOf(wagers.filter((bet) => !bet.in_prison)),
    wagers.filter((bet) => bet.in_prison),
  );
}

/** The chips of everyone else in a round. */
export const othersChips = (round: RoundView | undefined, own: number | undefined) =>
  piles(
    merge(
      ...(round?.hands ?? [])
        .filter((hand) => hand.place !== own)
        .map((hand) => stakesOf(hand.wagers)),
    ),
    "other",
  );

function kindOf(bet: SettledBet): LayoutChips["kind"] {
  if (bet.held) return "held";
  if (bet.net > 0) return "won";
  return bet.net < 0 && -bet.net === bet.stake ? "lost" : "back";
}

/** The player's own chips after a spin: paid, lost, held or returned. */
export function settledChips(end: End | undefined, own: number | undefined): LayoutChips[] {
  const bets = end?.places?.find((settled) => settled.place === own)?.bets ?? [];
  const byKey = new Map<string, LayoutChips>();
  for (const bet of bets) {
    const kind = kindOf(bet);
    const key = `${kind === "held" ? "held" : bet.in_prison ? "freed" : "own"} ${bet.bet}`;
    const aside = kind === "held" || !!bet.in_prison;
    const before = byKey.get(key);
    const gain = (before?.gain ?? 0) + Math.max(0, bet.net);
    byKey.set(key, {
      key,
      spot: bet.bet,
      cents: (before?.cents ?? 0) + bet.stake,
      kind,
      aside,
      ...(gain ? { gain } : {}),
    });
  }
  return [...byKey.values()];
}
