/** What the floor ruled in a round, compared with the rulebook and with what followed from it. */
import { isWheel, check, type Check, type Incident, type Proof } from "./types";
import { canonical } from "./deal";
import { heldAndPaid } from "./poker";
import * as texts from "../../texts/proof";

/** What follows from an irregularity, and by which clause. */
function ruled(proof: Proof, { kind }: Incident): { clause: string; ruling: string } {
  if (isWheel(proof)) throw new Error(texts.rulings.noneHere);
  const rules = proof.rulebook.irregularities ?? {};
  const follows = {
    misdeal: { clause: "IR-1", ruling: rules.misdeal ?? "void" },
    exposed_player: { clause: "IR-2", ruling: rules.exposed_player ?? "play_on" },
    exposed_dealer: { clause: "IR-3", ruling: rules.exposed_dealer ?? "void" },
    player_gone: { clause: "IR-7", ruling: "default_move" },
  };
  return follows[kind];
}

/** Whether a round ended void with a ruling: with its last one, for its reason. */
function endsRound(proof: Proof, incident: Incident): boolean {
  const last = proof.incidents!.at(-1);
  return proof.ended === "voided" && incident === last && proof.end.reason === incident.reason;
}

/** What is wrong with what followed from a ruling. */
function followsWrong(proof: Proof, incident: Incident): string[] {
  const { place, ruling } = incident;
  const ofPlace = incident.kind === "exposed_player" || incident.kind === "player_gone";
  if (ofPlace !== (place !== null)) return [texts.rulings.otherPlace(place)];
  const isVoid = (proof.voided ?? []).some((hand) => hand.place === place);
  const moved = proof.hands.some((hand) => hand.place === place && hand.move !== undefined);
  const did = {
    play_on: () => true,
    void: () => endsRound(proof, incident),
    redeal: () => endsRound(proof, incident),
    void_hand: () => isVoid || (proof.hands.length === 1 && endsRound(proof, incident)),
    default_move: () => moved,
  };
  return did[ruling]() ? [] : [texts.rulings.notDone(texts.rulings.did(incident))];
}

/** What is wrong with the hands that are void: each by a ruling, with all that it bet returned. */
function voidedWrong(proof: Proof): string[] {
  const wrong: string[] = [];
  for (const hand of proof.voided ?? []) {
    const is = ({ ruling, place }: Incident) => ruling === "void_hand" && place === hand.place;
    if (!(proof.incidents ?? []).some(is)) wrong.push(texts.rulings.unruled(hand.place));
    if (isWheel(proof)) continue;
    const due = heldAndPaid(proof.rulebook, hand);
    if (canonical(due) !== canonical([hand.cents, hand.fee]))
      wrong.push(texts.rulings.otherReturn(hand.place, due[0] + due[1], hand.cents + hand.fee));
  }
  return wrong;
}

/** The check of a round's rulings; none where nobody ruled, and no hand is void. */
export function rulings(proof: Proof): Check[] {
  const { incidents = [], voided = [] } = proof;
  if (!incidents.length && !voided.length) return [];
  const wrong = voidedWrong(proof);
  for (const incident of incidents) {
    const due = ruled(proof, incident);
    if (due.clause !== incident.clause || due.ruling !== incident.ruling)
      wrong.push(texts.rulings.other(incident, due));
    if (!incident.staff || !incident.reason.trim()) wrong.push(texts.rulings.nobody);
    wrong.push(...followsWrong(proof, incident));
  }
  return [check("rulings", wrong, texts.rulings.fits(incidents), texts.rulings.fails)];
}
