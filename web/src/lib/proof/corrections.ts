/**
 * Corrections of a round: settled again with other facts, by the same rulebook and cards, and
 * exactly the difference moved. What chips did not cover is owed; how many there were is not in a
 * proof of one round.
 */
import { canonical } from "./deal";
import { handsWrong } from "./hands";
import { feesOf, settle } from "./poker";
import {
  check,
  isWheel,
  note,
  type Charge,
  type Check,
  type Correction,
  type Hand,
  type Proof,
} from "./types";
import { settleBet } from "./wheel";
import * as texts from "../../texts/proof";

type Cents = Map<number, number>;

/** What a round comes to: its rows, what places gain from the bank, and what they pay in fees. */
interface Outcome {
  rows: { place: number; net: number }[];
  nets: Cents;
  fees: Charge[];
  wrong: string[];
}

const byPlace = (rows: { place: number; net: number }[]): Cents =>
  new Map(rows.map(({ place, net }) => [place, net]));
const NOTHING: Outcome = { rows: [], nets: new Map(), fees: [], wrong: [] };

/** A hand with the facts of a correction. */
function amended(hand: Hand, { facts }: Correction): Hand {
  const wagers = facts.wagers?.[hand.place] ?? hand.wagers;
  const { place, seat } = hand;
  const move = facts.moves?.[place] ?? hand.move;
  const decides = wagers.some((bet) => bet.spot === "ante");
  return { place, seat, wagers, ...(move && decides ? { move } : {}) };
}

/** The round as a correction says that it should have been. */
function withFacts<P extends Proof>(proof: P, correction: Correction): P {
  const hands = proof.hands.map((hand) => amended(hand, correction));
  const gone = proof.hands.filter((_, n) => !hands[n]!.wagers.length);
  const voided = [...(proof.voided ?? []), ...gone.map((hand) => ({ ...hand, cents: 0, fee: 0 }))];
  return { ...proof, hands: hands.filter((hand) => hand.wagers.length), voided };
}

/** What a round comes to by the facts of a correction. */
function settledAgain(proof: Proof, correction: Correction): Outcome {
  const { moves = {}, wagers = {} } = correction.facts;
  const named = [...Object.keys(moves), ...Object.keys(wagers)].map(Number);
  const strange = named.filter((place) => !proof.hands.some((hand) => hand.place === place));
  const wrong = strange.map((place) => texts.corrections.noHand(place));
  if (correction.facts.void)
    return { ...NOTHING, wrong: named.length ? [texts.corrections.voidAndMore] : wrong };
  if (isWheel(proof)) {
    const again = withFacts(proof, correction);
    if (!again.hands.length) return { ...NOTHING, wrong };
    const rows = again.hands.map(({ place, wagers }) => {
      const bets = wagers.map((bet) => settleBet(again.rulebook, bet, again.pocket!, place));
      return { place, bets, net: bets.reduce((sum, bet) => sum + bet.net, 0) };
    });
    return { rows, nets: byPlace(rows), fees: [], wrong: [...wrong, ...handsWrong(again)] };
  }
  const again = withFacts(proof, correction);
  if (!again.hands.length) return { ...NOTHING, wrong };
  const rows = settle(again).places;
  const fees = feesOf(again).all;
  return { rows, nets: byPlace(rows), fees, wrong: [...wrong, ...handsWrong(again)] };
}

/** What is wrong with what a correction moved, from what the round had come to until then. */
function movedWrong(correction: Correction, due: Outcome, nets: Cents, fees: Cents): string[] {
  const wrong: string[] = [];
  const charged = new Map(due.fees.map(({ place, cents }) => [place, cents]));
  for (const against of ["bank", "fees"] as const) {
    const rows = correction.moved.filter((row) => row.against === against);
    const places = new Set([
      ...(against === "bank" ? [...due.nets.keys(), ...nets.keys()] : [...charged.keys()]),
      ...(against === "fees" ? fees.keys() : []),
      ...rows.map((row) => row.place),
    ]);
    for (const place of places) {
      const wanted =
        against === "bank"
          ? (due.nets.get(place) ?? 0) - (nets.get(place) ?? 0)
          : (fees.get(place) ?? 0) - (charged.get(place) ?? 0);
      const own = rows.filter((row) => row.place === place);
      const said = own.reduce((sum, { cents, owed = 0 }) => sum + cents + owed, 0);
      const turned = own.some(({ cents, owed = 0 }) => cents * owed < 0 || cents * wanted < 0);
      if (said !== wanted || turned || own.length > 1)
        wrong.push(texts.corrections.otherMove(place, against, wanted, said));
    }
  }
  return wrong;
}

/** Add what a correction moved to what the round had come to. */
function take(correction: Correction, nets: Cents, fees: Cents) {
  for (const { place, against, cents } of correction.moved)
    if (against === "bank") nets.set(place, (nets.get(place) ?? 0) + cents);
    else fees.set(place, (fees.get(place) ?? 0) - cents);
}

const DAY = 24 * 3600 * 1000;

/**
 * Whether the two who made a correction may be one person with two names: in the day before, one
 * made or changed the other's login, somebody both, or the command line that of the second.
 */
export function mayBeOne({ asked_by, approved_by, makers, at }: Correction): boolean {
  const behind = (name: string) => [
    name,
    ...(makers ?? []).filter((row) => row.member === name && at < row.at + DAY).map((r) => r.maker),
  ];
  const [first, second] = [behind(asked_by), behind(approved_by)];
  return !!makers && (second.includes("") || second.some((name) => first.includes(name)));
}

/** The checks of a round's corrections, one after another. */
export function corrections(proof: Proof): Check[] {
  if (!proof.corrections?.length) return [];
  const nets = byPlace(proof.end.places ?? []);
  const fees: Cents = new Map(proof.fees.map(({ place, cents }) => [place, cents]));
  const checks = proof.corrections.map((correction) => {
    const due = settledAgain(proof, correction);
    const wrong = [...due.wrong, ...movedWrong(correction, due, nets, fees)];
    take(correction, nets, fees);
    const said = correction.places ?? correction.spins ?? [];
    const net = due.rows.reduce((sum, row) => sum - row.net, 0);
    if (canonical(said) !== canonical(due.rows)) wrong.push(texts.corrections.otherRows);
    if (correction.net !== net) wrong.push(texts.corrections.otherNet(net, correction.net));
    if (canonical(correction.fees ?? []) !== canonical(due.fees))
      wrong.push(texts.corrections.otherFees(due.fees, correction.fees ?? []));
    if (Boolean(correction.void) !== !due.rows.length) wrong.push(texts.corrections.otherEnd);
    const { asked_by, approved_by } = correction;
    if (!asked_by || !approved_by || asked_by === approved_by)
      wrong.push(texts.corrections.onePerson);
    else if (mayBeOne(correction)) wrong.push(texts.corrections.newLogin(asked_by, approved_by));
    return check("correction", wrong, texts.corrections.fits(correction), texts.corrections.fails);
  });
  const owed = proof.corrections.some(({ moved }) => moved.some((row) => row.owed));
  return owed ? [...checks, note("owed", texts.corrections.owed)] : checks;
}
