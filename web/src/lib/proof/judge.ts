/** How a round ended, worked out again and compared with what the proof says, row by row. */
import type { End, SettledBet } from "../protocol";
import { spotName } from "../spots";
import { list, money } from "../words";
import { canonical } from "./deal";
import { charges, feesOf, settle, stakeOn } from "./poker";
import { check, type Charge, type Check, type Proof, type Seen } from "./types";
import { settleBet } from "./wheel";

/** The checks of a round's end. */
export function settlementOf(proof: Proof): Check[] {
  if (proof.ended === "voided") return voided(proof);
  return isWheel(proof) ? spun(proof) : played(proof);
}

const isWheel = (proof: Proof) => proof.rulebook.game === "roulette";

const FAILS = "The round is not settled as the rulebook says.";
const came = (net: number) => (net > 0 ? `wins ${money(net)}` : net < 0 ? `loses ${money(-net)}` : "moves nothing");
const many = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** What differs between two rows, or nothing. */
function differs(where: string, due: Record<string, any> | undefined, said: Record<string, any> | undefined, keys: string[]): string[] {
  if (!due || !said) return [`${where}: ${due ? "it is missing in the proof." : "it has no place in this round."}`];
  if (keys.every((key) => due[key] === said[key])) return [];
  const tell = (row: Record<string, any>) =>
    [`${money(row["stake"])} ${came(row["net"])}`, row["held"] ? `${money(row["held"])} held` : "", "action" in row ? `${money(row["action"])} in action` : "", `by ${row["clause"]}`].filter(Boolean).join(", ");
  return [`${where}: by the rulebook ${tell(due)}; the proof says ${tell(said)}.`];
}

// Cards

function played(proof: Proof): Check[] {
  const { places, left } = settle(proof);
  const said = proof.end.places ?? [];
  const wrong: string[] = [];
  let count = 0;
  for (const place of new Set([...places, ...said].map((one) => one.place))) {
    const [due, told] = [places.find((one) => one.place === place), said.find((one) => one.place === place)];
    const rows = Math.max(due?.wagers.length ?? 0, told?.wagers?.length ?? 0);
    for (let n = 0; n < rows; n++, count++) {
      const [row, other] = [due?.wagers[n], told?.wagers?.[n]];
      wrong.push(...differs(`Place ${place}, ${spotName((row ?? other)!.wager)}`, row, other, ["wager", "stake", "net", "action", "clause"]));
    }
    if (due && told && (due.net !== told.net || due.seat !== told.seat)) wrong.push(`Place ${place} ${came(due.net)} in all; the proof says it ${came(told.net)}.`);
  }
  for (const hand of proof.hands)
    if (stakeOn(hand, "ante") > 0 !== (hand.move !== undefined)) wrong.push(`Place ${hand.place} has ${hand.move ? "a move and no Ante" : "an Ante and no move"}.`);
  const checks = [check("settlement", wrong, `${many(count, "wager")}, settled again by the rulebook: every one comes to what the table paid or took.`, FAILS)];
  if (proof.bank !== null) checks.push(bank(proof, left!));
  checks.push(sums(proof, places.reduce((sum, one) => sum + one.net, 0)));
  if (proof.rulebook.fees || proof.fees.length || proof.end.fees) checks.push(fees(proof));
  return checks;
}

function bank(proof: Proof, left: number): Check {
  const { end } = proof;
  const wrong: string[] = [];
  if (end.banker !== proof.banker) wrong.push(`Place ${proof.banker} banks; the end names place ${end.banker}.`);
  if ((end.bank ?? 0) !== proof.bank) wrong.push(`The bank was ${money(proof.bank!)}; the end says ${money(end.bank ?? 0)}.`);
  if (end.bank_left !== left) wrong.push(`Of the bank ${money(left)} is left; the proof says ${money(end.bank_left ?? 0)}.`);
  const short = (end.places ?? []).some((one) => one.wagers?.some((row) => row.clause === proof.rulebook.bank.unmatched_clause));
  const fits = `The bank of ${money(proof.bank!)} was matched in order of action; ${money(left)} of it is left${short ? ", and what it did not cover went back" : ""}.`;
  return check("bank", wrong, fits, "The bank does not fit.");
}

function sums(proof: Proof, gained: number): Check {
  const who = proof.banker === null ? "the house" : "the banker";
  const said = proof.end.net ?? 0;
  const wrong = said === -gained ? [] : [`The players' results add up to ${money(gained)}, and ${who} is said to have ${money(said)}.`];
  return check("sum", wrong, `To the cent: what players gained or lost, ${who} lost or gained.`, "The amounts do not add up to nothing.");
}

const told = (list: Charge[]) => list.map((one) => `place ${one.place} ${money(one.cents)}`).join(", ") || "none";

function fees(proof: Proof): Check {
  const { all, late } = feesOf(proof);
  const wrong: string[] = [];
  if (told(all) !== told(proof.fees)) wrong.push(`By the rates: ${told(all)}; the proof says ${told(proof.fees)}.`);
  if (told(late) !== told(proof.end.fees ?? [])) wrong.push(`Collected at the end: ${told(late)}; the proof says ${told(proof.end.fees ?? [])}.`);
  const total = all.reduce((sum, one) => sum + one.cents, 0);
  return check("fees", wrong, `The fees are the flat amounts that were posted: ${money(total)} in all.`, "The fees are not those that were posted.");
}

// The wheel

function spun(proof: Proof): Check[] {
  const wrong: string[] = [];
  let [count, gained] = [0, 0];
  const said = proof.end.places ?? [];
  for (const place of new Set([...proof.hands, ...said].map((one) => one.place))) {
    const due = (proof.hands.find((one) => one.place === place)?.wagers ?? []).map((bet) => settleBet(proof.rulebook, bet, proof.pocket!));
    const other = said.find((one) => one.place === place);
    const net = due.reduce((sum, row) => sum + row.net, 0);
    for (let n = 0; n < Math.max(due.length, other?.bets?.length ?? 0); n++, count++) {
      const bet = other?.bets?.[n];
      wrong.push(...differs(`Place ${place}, ${spotName((due[n] ?? bet)!.bet)}`, due[n], bet && plain(bet), ["bet", "stake", "net", "clause", "held", "prison"]));
      if (bet && bet.player !== String(place)) wrong.push(`Place ${place}: a bet is written down for place ${bet.player}.`);
    }
    if (other && other.net !== net) wrong.push(`Place ${place} ${came(net)} in all; the proof says it ${came(other.net)}.`);
    gained += net;
  }
  return [check("settlement", wrong, `${many(count, "bet")}, settled again by the rulebook: every one comes to what the table paid or took.`, FAILS), sums(proof, gained)];
}

const plain = (bet: SettledBet) => ({ ...bet, held: bet.held ?? 0, prison: Boolean(bet.in_prison) });

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
  for (const one of [...(proof.end.returned ?? []), ...(proof.end.fees ?? [])]) back.set(one.place, (back.get(one.place) ?? 0) + one.cents);
  const wrong = told(charges(due)) === told(charges(back)) ? [] : [`Put down and paid: ${told(charges(due))}; returned: ${told(charges(back))}.`];
  const all = [`every ${isWheel(proof) ? "bet" : "wager"}`, ...(proof.bank === null ? [] : ["the bank"]), ...(proof.fees.length ? ["the fees"] : [])];
  return [check("settlement", wrong, `The round is void, and ${list(all)} came back.`, "The round is void, and not everything came back.")];
}

// What this browser saw

/** Whether wagers, move and result are what this browser was shown. */
export function ownEnd(proof: Proof, seen: Seen): Check[] {
  const checks: Check[] = [];
  const hand = proof.hands.find((one) => one.place === seen.place);
  if (seen.wagers?.length) {
    const tell = (bets: { spot: string; cents: number }[], move?: string) =>
      [...bets.map((bet) => `${spotName(bet.spot)} ${money(bet.cents)}`), ...(move ? [move] : [])].join(", ") || "nothing";
    const yours = isWheel(proof) ? "Your bets" : "Your wagers";
    const [mine, said] = [tell(seen.wagers, seen.move), tell(hand?.wagers ?? [], seen.move && hand?.move)];
    checks.push(check("wagers", mine === said ? [] : [`You had ${mine}; the proof says ${said}.`], `${yours}${seen.move ? " and your move" : ""} are as you made them: ${mine}.`, `${yours} are not as you made them.`));
  }
  if (seen.end) {
    const wrong = results(seen.end) === results(proof.end) ? [] : ["The amounts that this browser was shown at the end of the round are others."];
    checks.push(check("told", wrong, "The result is the one that the table showed when the round ended.", "The table showed another result when the round ended."));
  }
  return checks;
}

/** An end as text, to compare: everything that moves money. */
const results = (end: End) => canonical([end.type, end.round, end.seed, end.net, end.bank, end.bank_left, end.banker, end.fees, end.returned, end.places].map((one) => one ?? null));
