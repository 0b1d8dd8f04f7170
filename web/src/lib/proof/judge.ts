/** How a round ended, worked out again and compared with what the proof says, row by row. */
import type { Bet, End, SettledBet, SettledWager } from "../net/protocol";
import { spotName } from "../text/wager_names";
import { canonical } from "./deal";
import { corrections } from "./corrections";
import { handsWrong } from "./hands";
import { charges, feesOf, settle, stakeOn } from "./poker";
import { rulings } from "./rulings";
import {
  allHands,
  check,
  isWheel,
  note,
  type Charge,
  type Check,
  type PokerProof,
  type Proof,
  type Seen,
  type WheelProof,
} from "./types";
import { settleBet } from "./wheel";
import * as texts from "../../texts/proof";

/** The checks of a round's end. */
export function settlementOf(proof: Proof, seen: Seen): Check[] {
  const wrong = handsWrong(proof);
  if (wrong.length) return [check("settlement", wrong, "", texts.bets.fails)];
  if (proof.ended === "voided") return [...voided(proof), ...rulings(proof)];
  const checks = isWheel(proof) ? spun(proof) : played(proof, seen);
  return [...checks, ...rulings(proof), ...corrections(proof)];
}

type Settled = NonNullable<End["places"]>[number];
type Row = Partial<SettledWager & SettledBet> & { stake: number; net: number; clause: string };

const rowsOf = (place?: Settled): Row[] => place?.wagers ?? place?.bets ?? [];
const nameOf = (row: Row) => spotName((row.wager ?? row.bet)!);
const KEYS = ["wager", "bet", "stake", "net", "action", "clause", "held", "in_prison"] as const;

/** What differs between two rows, or nothing. */
function differs(where: string, due?: Row, said?: Row): string[] {
  if (!said) return [texts.settlement.missing(where)];
  if (!due) return [texts.settlement.extra(where)];
  if (KEYS.every((key) => due[key] === said[key])) return [];
  return [texts.settlement.other(where, due, said)];
}

/** Every row of every place compared, and then the whole: nothing may be there twice or beside it. */
function compared(proof: Proof, places: Settled[], wrong: string[]): Check {
  const said = proof.end.places ?? [];
  for (const place of new Set([...places, ...said].map((settled) => settled.place))) {
    const [due, proved] = [
      places.find((settled) => settled.place === place),
      said.find((settled) => settled.place === place),
    ];
    const [rows, other] = [rowsOf(due), rowsOf(proved)];
    for (let n = 0; n < Math.max(rows.length, other.length); n++)
      wrong.push(
        ...differs(
          texts.settlement.where(place, nameOf((rows[n] ?? other[n])!)),
          rows[n],
          other[n],
        ),
      );
    if (due && proved && (due.net !== proved.net || due.seat !== proved.seat))
      wrong.push(texts.settlement.otherTotal(place, due.net, proved.net));
  }
  if (!wrong.length && canonical(places) !== canonical(said)) wrong.push(texts.settlement.twice);
  const count = places.reduce((sum, settled) => sum + rowsOf(settled).length, 0);
  return check("settlement", wrong, texts.settlement.fits(count), texts.settlement.fails);
}

const WORDS = ["type", "at", "by", "id", "round", "seed"];

/** What an end says beside what is worked out again. */
function beside(end: End, ...known: string[]): string[] {
  const more = Object.keys(end).filter((key) => !WORDS.includes(key) && !known.includes(key));
  return more.map((key) => texts.settlement.extraField(key.replaceAll("_", " ")));
}

// Cards

function played(proof: PokerProof, seen: Seen): Check[] {
  const { places, left } = settle(proof);
  const wrong = beside(
    proof.end,
    "net",
    "places",
    "fees",
    ...(proof.banker === null ? [] : ["banker", "bank", "bank_left"]),
  );
  for (const hand of proof.hands)
    if (stakeOn(hand, "ante") > 0 !== (hand.move !== undefined))
      wrong.push(
        hand.move
          ? texts.settlement.moveWithoutAnte(hand.place)
          : texts.settlement.anteWithoutMove(hand.place),
      );
  const checks = [compared(proof, places, wrong)];
  if (proof.bank !== null) checks.push(bank(proof, left!, seen));
  return [...checks, sums(proof, places), ...fees(proof)];
}

function bank(proof: PokerProof, left: number, seen: Seen): Check {
  const { end } = proof;
  const wrong: string[] = [];
  if (end.banker !== proof.banker) wrong.push(texts.bank.otherBanker(proof.banker!, end.banker));
  if ((end.bank ?? 0) !== proof.bank)
    wrong.push(texts.bank.otherAmount(proof.bank!, end.bank ?? 0));
  if (seen.bank !== undefined && seen.bank !== proof.bank)
    wrong.push(texts.bank.otherSeen(seen.bank));
  if (end.bank_left !== left) wrong.push(texts.bank.otherRest(left, end.bank_left ?? 0));
  const short = (end.places ?? []).some((settled) =>
    settled.wagers?.some((row) => row.clause === proof.rulebook.bank!.unmatched_clause),
  );
  const order = texts.bank.order[proof.rulebook.bank!.settle_order ?? "seat"];
  return check("bank", wrong, texts.bank.fits(proof.bank!, order, left, short), texts.bank.fails);
}

function sums(proof: Proof, places: Settled[]): Check {
  const gained = places.reduce((sum, settled) => sum + settled.net, 0);
  const who = proof.banker === null ? texts.HOUSE : texts.BANKER;
  const said = proof.end.net ?? 0;
  const wrong = said === -gained ? [] : [texts.sum.other(gained, who, said)];
  return check("sum", wrong, texts.sum.fits(who), texts.sum.fails);
}

/** What differs from the rates: the fees of a round, held or collected. */
function ratesWrong(proof: Proof, all: Charge[]): string[] {
  return canonical(all) === canonical(proof.fees) ? [] : [texts.fees.other(all, proof.fees)];
}

/** What differs from the rates in a void round: on a chain bets may have closed before it was dealt. */
function heldWrong(proof: Proof): string[] {
  const wrong = ratesWrong(proof, feesOf(proof).all);
  const closed = proof.chain > 0 && proof.hands.length > 0;
  return wrong.length && closed ? ratesWrong(proof, feesOf(proof, true).all) : wrong;
}

function fees(proof: Proof): Check[] {
  const { all, late } = feesOf(proof);
  const said = proof.end.fees ?? [];
  const wrong = ratesWrong(proof, all);
  if (canonical(late) !== canonical(said)) wrong.push(texts.fees.otherLate(late, said));
  if (!proof.rulebook.fees && !wrong.length) return [];
  const total = all.reduce((sum, charge) => sum + charge.cents, 0);
  return [check("fees", wrong, texts.fees.fits(total), texts.fees.fails)];
}

// The wheel

function spun(proof: WheelProof): Check[] {
  const places = proof.hands.map(({ place, wagers }) => {
    const bets = wagers.map((bet) => settleBet(proof.rulebook, bet, proof.pocket!, place));
    return { place, bets, net: bets.reduce((sum, bet) => sum + bet.net, 0) };
  });
  const checks = [
    compared(proof, places, beside(proof.end, "net", "places", "fees")),
    sums(proof, places),
    ...fees(proof),
  ];
  const held = proof.hands.some((hand) => hand.wagers.some((bet) => bet.in_prison));
  if (held) checks.push(note("prison", texts.PRISON));
  return checks;
}

// Void rounds

function voided(proof: Proof): Check[] {
  const due = new Map<number, number>();
  const add = (place: number, cents: number) => due.set(place, (due.get(place) ?? 0) + cents);
  for (const hand of proof.hands) {
    for (const bet of hand.wagers) add(hand.place, bet.cents);
    if (hand.move === "play") add(hand.place, stakeOn(hand, "ante"));
  }
  if (proof.banker !== null) add(proof.banker, proof.bank ?? 0);
  for (const fee of proof.fees) add(fee.place, fee.cents);
  const back = new Map<number, number>();
  for (const charge of [...(proof.end.returned ?? []), ...(proof.end.fees ?? [])])
    back.set(charge.place, (back.get(charge.place) ?? 0) + charge.cents);
  const wrong = [...beside(proof.end, "reason", "returned", "fees"), ...heldWrong(proof)];
  if (canonical(charges(due)) !== canonical(charges(back)))
    wrong.push(texts.voided.other(charges(due), charges(back)));
  const all = [
    texts.voided.bets,
    ...(proof.bank === null ? [] : [texts.voided.bank]),
    ...(proof.fees.length ? [texts.voided.fees] : []),
  ];
  return [check("settlement", wrong, texts.voided.fits(all), texts.voided.fails)];
}

// What this browser saw

/** Whether wagers, move and result are what this browser was shown. */
export function ownEnd(proof: Proof, seen: Seen): Check[] {
  const checks: Check[] = [];
  const hand = allHands(proof).find((hand) => hand.place === seen.place);
  if (seen.wagers?.length || (seen.wagers && hand)) {
    const tell = (bets: Bet[], move?: string) =>
      [
        ...bets.map((bet) => texts.ownBets.bet(spotName(bet.spot), bet.cents, !!bet.in_prison)),
        ...(move ? [move] : []),
      ].join(", ") || texts.NOTHING;
    const [own, said] = [
      tell(seen.wagers, seen.move),
      tell(hand?.wagers ?? [], seen.move && hand?.move),
    ];
    if (seen.away && own !== said) checks.push(note("wagers", texts.ownBets.notSeen(own, said)));
    else
      checks.push(
        check(
          "wagers",
          own === said ? [] : [texts.ownBets.other(own, said)],
          texts.ownBets.fits(own, !!seen.move),
          texts.ownBets.fails,
        ),
      );
  }
  if (seen.end) {
    const wrong = results(seen.end) === results(proof.end) ? [] : [texts.result.other];
    checks.push(check("result", wrong, texts.result.fits, texts.result.fails));
  }
  return checks;
}

/** An end as text, to compare: everything that moves money. */
const results = (end: End) =>
  canonical(
    [
      end.type,
      end.round,
      end.seed,
      end.net,
      end.bank,
      end.bank_left,
      end.banker,
      end.fees,
      end.returned,
      end.places,
    ].map((value) => value ?? null),
  );
