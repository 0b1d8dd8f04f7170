/** Rulings of the floor on the round that is played, or on the one before, in sentences. */
import * as says from "../../texts/rulings";
import type { Own, TableView } from "../net/protocol";
import type { IncidentView, RoundView } from "../../generated/server";
import { playerAt } from "./settlement";

/** What a place had put down before its hand was void. */
export const voidedCents = (round: RoundView | undefined | null, place: number | undefined) =>
  place === undefined
    ? undefined
    : round?.voided?.[String(place)]?.reduce((sum, bet) => sum + bet.cents, 0);

/** The rulings that a player should read now: of this round, and of one that is dealt again. */
export function rulingLines(view: TableView, own: Own): string[] {
  const round = view.round;
  const now = (round?.incidents ?? []).map((incident) =>
    sentences(incident, round!, own.place, (place) => playerAt(view, place), view.fees.length > 0),
  );
  return [...dealtAgainLines(view, own), ...now];
}

function dealtAgainLines(view: TableView, own: Own): string[] {
  const redealt = redealOf(view);
  if (!redealt) return [];
  const hand = view.round!.hands.find((hand) => hand.place === own.place);
  const mine = own.place !== undefined && !!hand?.wagers.length;
  const next = mine && !hand!.ready ? says.DEALT_AGAIN : says.DEALT_AGAIN_TO_OTHERS;
  const { kind, clause, reason } = redealt;
  return [[says.ruledBy(kind, clause), next, says.because(reason)].join(" ")];
}

/** The ruling by which the round whose bets are open repeats the last one; nothing if it does not. */
export function redealOf({ last, round, phase }: TableView): IncidentView | undefined {
  if (phase !== "betting" || !last || !round || round.round !== last.end.round + 1) return;
  if (last.end.type !== "round.voided/1") return;
  return last.round.incidents?.find((incident) => incident.ruling === "redeal");
}

/** Whether the player's bets were put down again for them, and wait until they say that they are ready. */
export function mustConfirm(view: TableView, own: Own): boolean {
  const hand = view.round?.hands.find((hand) => hand.place === own.place);
  return !!redealOf(view) && own.place !== undefined && !!hand?.wagers.length && !hand.ready;
}

/** "The floor ruled: exposed card. Ben's hand is void; $10.00 is returned (IR-2)." */
function sentences(
  incident: IncidentView,
  round: RoundView,
  own: number | undefined,
  name: (place: number) => string,
  hasFees: boolean,
): string {
  const { kind, ruling, clause, place, reason } = incident;
  const you = place !== undefined && place === own;
  const player = place === undefined ? "" : name(place);
  const follows = {
    void: () => says.isVoid(clause),
    redeal: () => says.dealtAgainAfter(clause),
    play_on: () => says.playsOn(player, you, clause),
    default_move: () => says.defaultMove(player, you, clause),
    void_hand: () =>
      says.voidHand(player, you, says.backOf(voidedCents(round, place) ?? 0, hasFees), clause),
  }[ruling]();
  return [says.ruled(kind), follows, says.because(reason)].join(" ");
}

/** The last ruling that voided a round, or a place's hand in it. */
export const voidingOf = (round: RoundView, place?: number) =>
  (round.incidents ?? [])
    .filter(
      ({ ruling, place: of }) =>
        ["void", "redeal", "void_hand"].includes(ruling) && (of === undefined || of === place),
    )
    .at(-1);
