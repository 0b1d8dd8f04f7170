/** Corrections: the facts of a round as somebody changes them, and what moves between whom. */
import type {
  Bet,
  Correction,
  Facts,
  FloorRound,
  FloorWager,
  InsteadCorrection,
  MovedChips,
  MovedDifference,
} from "../../generated/server";

/** The facts of a place, as a form has them. */
export interface PlaceEdit {
  place: number;
  player: string;
  /** Nothing for a place that made no move. */
  move: "play" | "fold" | null;
  wagers: FloorWager[];
  /** The hand should have been void. */
  isVoid: boolean;
}

type Corrected = Pick<FloorRound, "corrections">;

/** The correction that was made last, whenever it was asked for. */
const lastMade = (round: Corrected) =>
  round.corrections
    .filter((correction) => correction.status === "made")
    .sort((a, b) => (b.decided_at ?? 0) - (a.decided_at ?? 0) || b.correction - a.correction)[0];

/** The facts that hold for a round now: those of the last correction that was made. */
export const factsInForce = (round: Corrected): Facts => lastMade(round)?.facts ?? {};

/** Whether a correction by these facts is none: they hold, and no chips of it are owed. */
export const changesNothing = (round: Corrected, facts: Facts) =>
  sameFacts(facts, factsInForce(round)) && !lastMade(round)?.moved.some((row) => row.owed);

/** A correction that somebody came to ask for, from a ruling that was too late. */
export interface WantedCorrection {
  place: number | null;
  facts: Facts;
  /** What was seen. */
  reason: string;
}

/** The part of an address that asks for a correction. */
export function wantedPart({ place, facts }: InsteadCorrection, seen: string): string {
  const wanted: WantedCorrection = { place: place ?? null, facts: facts ?? {}, reason: seen };
  return JSON.stringify(wanted);
}

/** The correction that an address asks for; nothing if it asks for none. */
export function wantedIn(part: string | undefined): WantedCorrection | null {
  try {
    const { place, facts, reason } = JSON.parse(part ?? "") as Partial<WantedCorrection>;
    const isWhole = typeof facts === "object" && typeof reason === "string";
    return isWhole ? { place: place ?? null, facts, reason } : null;
  } catch {
    return null;
  }
}

/** The facts of a round by place, as they hold now or are given; hands that are void have none. */
export function editsOf(round: FloorRound, facts = factsInForce(round)): PlaceEdit[] {
  return round.places
    .filter((row) => !row.voided)
    .map((row) => {
      const wagers = facts.wagers?.[row.place];
      return {
        place: row.place,
        player: row.player,
        move: facts.moves?.[row.place] ?? row.move,
        wagers: (wagers?.length ? wagers : row.wagers).map(({ spot, cents }) => ({ spot, cents })),
        isVoid: wagers?.length === 0,
      };
    });
}

const byName = (wagers: readonly FloorWager[]) =>
  wagers
    .filter(({ cents }) => cents > 0)
    .map(({ spot, cents }) => `${spot} ${cents}`)
    .sort()
    .join(", ");

/** What a form says, as facts that differ from the round as it was played. */
export function factsOf(round: FloorRound, edits: readonly PlaceEdit[], isVoid: boolean): Facts {
  if (isVoid) return { void: true };
  const moves: Record<string, "play" | "fold"> = {};
  const wagers: Record<string, Bet[]> = {};
  for (const edit of edits) {
    const played = round.places.find((row) => row.place === edit.place);
    if (!played) continue;
    if (edit.isVoid) {
      wagers[edit.place] = [];
      continue;
    }
    if (edit.move && edit.move !== played.move) moves[edit.place] = edit.move;
    if (byName(edit.wagers) !== byName(played.wagers))
      wagers[edit.place] = edit.wagers.filter(({ cents }) => cents > 0);
  }
  return {
    ...(Object.keys(moves).length ? { moves } : {}),
    ...(Object.keys(wagers).length ? { wagers } : {}),
  };
}

/** Whether two sets of facts are the same. */
export const sameFacts = (one: Facts, other: Facts) => key(one) === key(other);
const key = (facts: Facts) =>
  JSON.stringify([
    Object.entries(facts.moves ?? {}).sort(),
    Object.entries(facts.wagers ?? {})
      .map(([place, wagers]) => `${place}: ${byName(wagers)}`)
      .sort(),
    facts.void ?? false,
  ]);

/** What a correction moves for a place. */
export interface MovedRow {
  place: number;
  /** Nothing if no chips of the place move. */
  player: string | null;
  /** What the place gains from the bank, and from the fees that were charged. */
  bank: number;
  fees: number;
  owed: number;
  chips: number;
  /** The seat whose chips move; nothing: the player's balance. */
  seat: number | null;
}

/** The rows of a correction, a place each, in order; also of places that only owe. */
export function movedRows(
  moved: readonly MovedDifference[],
  chips: readonly MovedChips[],
): MovedRow[] {
  const places = new Set([...moved, ...chips].map(({ place }) => place));
  const none = { player: null, seat: null, cents: 0 };
  return [...places]
    .map((place) => ({ ...none, ...chips.find((row) => row.place === place), place }))
    .map((row) => {
      const of = (against: MovedDifference["against"]) =>
        moved.filter((each) => each.place === row.place && each.against === against);
      const sum = (rows: readonly MovedDifference[]) =>
        rows.reduce((total, each) => total + each.cents, 0);
      return {
        place: row.place,
        player: row.player,
        bank: sum(of("bank")),
        fees: sum(of("fees")),
        owed: moved
          .filter((each) => each.place === row.place)
          .reduce((total, each) => total + (each.owed ?? 0), 0),
        chips: row.cents,
        seat: row.seat,
      };
    })
    .sort((a, b) => a.place - b.place);
}

/** Why somebody may not approve a correction; nothing: they may. */
export function approvalOf(
  correction: Pick<Correction, "asked_by" | "status" | "approve_from">,
  name: string,
  may: boolean,
): "own" | "role" | "decided" | "wait" | "may" {
  if (correction.status !== "waiting") return "decided";
  if (!may) return "role";
  if (correction.asked_by === name) return "own";
  return correction.approve_from === undefined ? "may" : "wait";
}
