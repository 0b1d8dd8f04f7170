/** What the last round came to for one player: one figure, after the fee, and why. */
import * as says from "../../texts/results";
import * as rulings from "../../texts/rulings";
import { placeIn, type Last, type RoundView } from "../net/protocol";
import { gain } from "../text/format";
import { voidedCents, voidingOf } from "./rulings";
import {
  bankLeft,
  dealerText,
  feeAt,
  grossAt,
  inOrder,
  reasons,
  type Reason,
  type SettleRules,
} from "./settlement";

export interface Verdict {
  round: number;
  /** Whether the player banked. */
  isBank: boolean;
  isVoid: boolean;
  /** What was won or lost, after the fee. */
  net: number;
  fee: number;
  /** The net, signed: "+$14.00"; of a void, that it is one. */
  headline: string;
  /** Why: "Dealer doesn't qualify. Ante wins $5.00, Play is returned. Fee $1.00." */
  why: string;
  /** The same with the net in words, for those who hear it or read it in a log. */
  spoken: string;
  /** The sentences that it is made of, each with its clauses. */
  reasons: Reason[];
  clauses: string[];
}

/** Return the verdict on the last round for a player; nothing for one who had no part in it. */
export function verdictOf(
  last: Last | undefined,
  player: string | null,
  rules: SettleRules,
): Verdict | null {
  const place = placeIn(last, player);
  if (!last || place === undefined) return null;
  if (last.end.type === "round.voided/1") return voided(last);
  const back = voidedCents(last.round, place);
  if (back !== undefined) return voidHand(last, place, rulings.backOf(back, !!rules.document.fees));
  const net = grossAt(last, place);
  if (net === undefined) return null;
  const isBank = place === last.end.banker;
  const why = isBank ? bankReasons(last, rules) : playerReasons(last, place, rules);
  return made(last, { net, fee: feeAt(last, place) }, why, isBank, rules);
}

/** A hand that the floor made void: what came back, by its clause. */
function voidHand(last: Last, place: number, back: string): Verdict {
  const ruling = voidingOf(last.round, place);
  const what = ruling ? `${rulings.happened(ruling.kind)}. ` : "";
  const why = rulings.handVoidWhy(what, back);
  return {
    ...voided(last),
    headline: rulings.HAND_VOID,
    why,
    spoken: rulings.handVoidSpoken(last.end.round, why),
    reasons: ruling ? [{ text: why, clauses: [ruling.clause] }] : [],
    clauses: ruling ? [ruling.clause] : [],
  };
}

function voided(last: Last): Verdict {
  const reason = last.end.reason ?? "";
  const ruling = voidingOf(last.round);
  const why = ruling
    ? `${rulings.happened(ruling.kind)}. ${says.voidWhy(reason)}`
    : says.voidWhy(reason);
  return {
    round: last.end.round,
    isBank: false,
    isVoid: true,
    net: 0,
    fee: 0,
    headline: says.VOID,
    why,
    spoken: says.voidRound(last.end.round, reason),
    reasons: ruling ? [{ text: why, clauses: [ruling.clause] }] : [],
    clauses: ruling ? [ruling.clause] : [],
  };
}

function playerReasons(last: Last, place: number, rules: SettleRules): Reason[] {
  const settled = last.end.places!.find((settled) => settled.place === place)!;
  const hand = last.round.hands.find((hand) => hand.place === place);
  return reasons(settled, hand, last.round, rules, { you: true });
}

/** What the dealer had, and how far a bank went. */
export function bankReasons({ end, round }: Last, rules: SettleRules): Reason[] {
  const clauses = rules.document.bank ? [rules.document.bank.clause] : [];
  const [bank, left] = [end.bank ?? 0, end.bank_left ?? end.bank ?? 0];
  if (!end.places?.length) return [{ text: says.NO_BETS, clauses: [] }];
  const dealer = dealerText(round.dealer ?? [], rules);
  const reach = left <= 0 ? says.BANK_RAN_OUT : `${says.covered(bank - left, bank)}.`;
  return [
    ...(dealer ? [{ text: `${dealer}.`, clauses: [] }] : []),
    ...(left < bank ? [{ text: reach, clauses }] : []),
  ];
}

function made(
  last: Last,
  money: { net: number; fee: number },
  why: Reason[],
  isBank: boolean,
  rules: SettleRules,
): Verdict {
  const { net, fee } = money;
  const result = isBank ? says.bankerResult(money) : says.playerResult(money);
  const sentences = why.map((reason) => reason.text);
  const spoken = isBank ? [result, ...sentences] : [...sentences, result];
  const cost = says.isTurnedByFee(money) ? result : fee ? says.feeIs(fee) : "";
  const charged = rules.document.fees && fee;
  const all = charged
    ? [...why, { text: says.feeIs(fee), clauses: [rules.document.fees!.clause] }]
    : why;
  return {
    round: last.end.round,
    isBank,
    isVoid: false,
    net: net - fee,
    fee,
    headline: gain(net - fee),
    why: (isBank ? spoken : [...sentences, cost]).filter(Boolean).join(" "),
    spoken: spoken.join(" "),
    reasons: all,
    clauses: [...new Set(all.flatMap((reason) => reason.clauses))],
  };
}

/**
 * How far a bank went, in a line: "Covered $92 of $500 · bank +$92.00". `last` is the round once it
 * is over, of which `count` places are settled on screen.
 */
export function bankStatus(
  round: RoundView,
  last: Last | undefined,
  count: number,
  rules: SettleRules,
): string {
  const bank = round.bank ?? 0;
  if (last?.end.type === "round.voided/1") return says.BANK_RETURNED;
  if (!last || count <= 0 || round.banker === undefined) return says.toCover(bank);
  const order = inOrder(last.end.places ?? [], last.round.first);
  const left = bankLeft(last.end, bank, order, count, rules);
  const paid = order.slice(0, count).reduce((sum, settled) => sum + settled.net, 0);
  const came = says.bankCame(-paid - feeAt(last, round.banker));
  if (left <= 0) return says.bankLine([says.BANK_RAN_OUT_HERE, came]);
  return says.bankLine([left < bank ? says.covered(bank - left, bank) : says.toCover(left), came]);
}
