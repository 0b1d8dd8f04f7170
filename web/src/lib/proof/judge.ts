/** How a round ended, worked out again and compared with what the proof says, row by row. */
import type { Bet, End, SettledBet, SettledWager } from "../net/protocol";
import { spotName } from "../text/wager_names";
import { list, money } from "../text/format";
import { canonical } from "./deal";
import { handsWrong } from "./hands";
import { charges, feesOf, settle, stakeOn } from "./poker";
import {
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

/** The checks of a round's end. */
export function settlementOf(proof: Proof, seen: Seen): Check[] {
  const wrong = handsWrong(proof);
  if (wrong.length)
    return [check("settlement", wrong, "", "The hands and wagers are none that the rulebook has.")];
  if (proof.ended === "voided") return voided(proof);
  return isWheel(proof) ? spun(proof) : played(proof, seen);
}

const FAILS = "The round is not settled as the rulebook says.";
const came = (net: number) =>
  net > 0 ? `wins ${money(net)}` : net < 0 ? `loses ${money(-net)}` : "moves nothing";
const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

type Settled = NonNullable<End["places"]>[number];
type Row = Partial<SettledWager & SettledBet> & { stake: number; net: number; clause: string };

const rowsOf = (place?: Settled): Row[] => place?.wagers ?? place?.bets ?? [];
const nameOf = (row: Row) => spotName((row.wager ?? row.bet)!);
const KEYS = ["wager", "bet", "stake", "net", "action", "clause", "held", "in_prison"] as const;

/** What differs between two rows, or nothing. */
function differs(where: string, due?: Row, said?: Row): string[] {
  if (!due || !said)
    return [`${where}: ${due ? "it is missing in the proof." : "it has no place in this round."}`];
  if (KEYS.every((key) => due[key] === said[key])) return [];
  const tell = (row: Row) =>
    [
      `${money(row.stake)}${row.in_prison ? " in prison" : ""} ${came(row.net)}`,
      row.held ? `${money(row.held)} held` : "",
      row.action === undefined ? "" : `${money(row.action)} in action`,
      `by ${row.clause}`,
    ]
      .filter(Boolean)
      .join(", ");
  return [`${where}: by the rulebook ${tell(due)}; the proof says ${tell(said)}.`];
}

/** Every row of every place compared, and then the whole: nothing may be there twice or beside it. */
function compared(proof: Proof, places: Settled[], what: string, wrong: string[]): Check {
  const said = proof.end.places ?? [];
  for (const place of new Set([...places, ...said].map((settled) => settled.place))) {
    const [due, proved] = [
      places.find((settled) => settled.place === place),
      said.find((settled) => settled.place === place),
    ];
    const [rows, other] = [rowsOf(due), rowsOf(proved)];
    for (let n = 0; n < Math.max(rows.length, other.length); n++)
      wrong.push(
        ...differs(`Place ${place}, ${nameOf((rows[n] ?? other[n])!)}`, rows[n], other[n]),
      );
    if (due && proved && (due.net !== proved.net || due.seat !== proved.seat))
      wrong.push(`Place ${place} ${came(due.net)} in all; the proof says it ${came(proved.net)}.`);
  }
  if (!wrong.length && canonical(places) !== canonical(said))
    wrong.push("The proof settles a place twice, or says more of one than the round gave.");
  const count = places.reduce((sum, settled) => sum + rowsOf(settled).length, 0);
  return check(
    "settlement",
    wrong,
    `${many(count, what)}, settled again by the rulebook: every one comes to what the table paid or took.`,
    FAILS,
  );
}

const WORDS = ["type", "at", "by", "id", "round", "seed"];

/** What an end says beside what is worked out again. */
function beside(end: End, ...known: string[]): string[] {
  const more = Object.keys(end).filter((key) => !WORDS.includes(key) && !known.includes(key));
  return more.map(
    (key) => `The end of the round names ${key.replaceAll("_", " ")}, which has no place in it.`,
  );
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
        `Place ${hand.place} has ${hand.move ? "a move and no Ante" : "an Ante and no move"}.`,
      );
  const checks = [compared(proof, places, "wager", wrong)];
  if (proof.bank !== null) checks.push(bank(proof, left!, seen));
  return [...checks, sums(proof, places), ...fees(proof)];
}

const ORDERS = {
  seat: "in order of action",
  wager: "wager by wager, in order of action",
  bonus_first: "in order of action, side bets first",
};

function bank(proof: PokerProof, left: number, seen: Seen): Check {
  const { end } = proof;
  const wrong: string[] = [];
  if (end.banker !== proof.banker)
    wrong.push(`Place ${proof.banker} banks; the end names place ${end.banker}.`);
  if ((end.bank ?? 0) !== proof.bank)
    wrong.push(`The bank was ${money(proof.bank!)}; the end says ${money(end.bank ?? 0)}.`);
  if (seen.bank !== undefined && seen.bank !== proof.bank)
    wrong.push(`While bets were open the bank was ${money(seen.bank)}.`);
  if (end.bank_left !== left)
    wrong.push(`Of the bank ${money(left)} is left; the proof says ${money(end.bank_left ?? 0)}.`);
  const short = (end.places ?? []).some((settled) =>
    settled.wagers?.some((row) => row.clause === proof.rulebook.bank!.unmatched_clause),
  );
  const order = ORDERS[proof.rulebook.bank!.settle_order ?? "seat"];
  const fits = `The bank of ${money(proof.bank!)} was matched ${order}; ${money(left)} of it is left${short ? ", and what it did not cover went back" : ""}.`;
  return check("bank", wrong, fits, "The bank does not fit.");
}

function sums(proof: Proof, places: Settled[]): Check {
  const gained = places.reduce((sum, settled) => sum + settled.net, 0);
  const who = proof.banker === null ? "the house" : "the banker";
  const said = proof.end.net ?? 0;
  const wrong =
    said === -gained
      ? []
      : [
          `The players' results add up to ${money(gained)}, and ${who} is said to have ${money(said)}.`,
        ];
  return check(
    "sum",
    wrong,
    `To the cent: what players gained or lost, ${who} lost or gained.`,
    "The amounts do not add up to nothing.",
  );
}

const chargesText = (list: Charge[]) =>
  list.map((charge) => `place ${charge.place} ${money(charge.cents)}`).join(", ") || "none";

/** What differs from the rates: the fees of a round, held or collected. */
function ratesWrong(proof: Proof, all: Charge[]): string[] {
  return canonical(all) === canonical(proof.fees)
    ? []
    : [`By the rates: ${chargesText(all)}; the proof says ${chargesText(proof.fees)}.`];
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
  if (canonical(late) !== canonical(said))
    wrong.push(`Collected at the end: ${chargesText(late)}; the proof says ${chargesText(said)}.`);
  if (!proof.rulebook.fees && !wrong.length) return [];
  const total = all.reduce((sum, charge) => sum + charge.cents, 0);
  return [
    check(
      "fees",
      wrong,
      `The fees are the flat amounts that were posted: ${money(total)} in all.`,
      "The fees are not those that were posted.",
    ),
  ];
}

// The wheel

function spun(proof: WheelProof): Check[] {
  const places = proof.hands.map(({ place, wagers }) => {
    const bets = wagers.map((bet) => settleBet(proof.rulebook, bet, proof.pocket!, place));
    return { place, bets, net: bets.reduce((sum, bet) => sum + bet.net, 0) };
  });
  const checks = [
    compared(proof, places, "bet", beside(proof.end, "net", "places", "fees")),
    sums(proof, places),
    ...fees(proof),
  ];
  const held = proof.hands.some((hand) => hand.wagers.some((bet) => bet.in_prison));
  if (held)
    checks.push(
      note(
        "prison",
        "Bets in prison were held over from the round before. That they were is not proved here.",
      ),
    );
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
    wrong.push(
      `Put down and paid: ${chargesText(charges(due))}; returned: ${chargesText(charges(back))}.`,
    );
  const all = [
    `every ${isWheel(proof) ? "bet" : "wager"}`,
    ...(proof.bank === null ? [] : ["the bank"]),
    ...(proof.fees.length ? ["the fees"] : []),
  ];
  return [
    check(
      "settlement",
      wrong,
      `The round is void, and ${list(all)} came back.`,
      "The round is void, and not everything came back.",
    ),
  ];
}

// What this browser saw

/** Whether wagers, move and result are what this browser was shown. */
export function ownEnd(proof: Proof, seen: Seen): Check[] {
  const checks: Check[] = [];
  const hand = proof.hands.find((hand) => hand.place === seen.place);
  if (seen.wagers?.length || (seen.wagers && hand)) {
    const tell = (bets: Bet[], move?: string) =>
      [
        ...bets.map(
          (bet) => `${spotName(bet.spot)} ${money(bet.cents)}${bet.in_prison ? " in prison" : ""}`,
        ),
        ...(move ? [move] : []),
      ].join(", ") || "nothing";
    const yours = isWheel(proof) ? "Your bets" : "Your wagers";
    const [own, said] = [
      tell(seen.wagers, seen.move),
      tell(hand?.wagers ?? [], seen.move && hand?.move),
    ];
    if (seen.away && own !== said)
      checks.push(
        note(
          "wagers",
          `This window was away when bets were closed: it saw ${own} before, and the proof says ${said}.`,
        ),
      );
    else
      checks.push(
        check(
          "wagers",
          own === said ? [] : [`You had ${own}; the proof says ${said}.`],
          `${yours}${seen.move ? " and your move" : ""} are as you made them: ${own}.`,
          `${yours} are not as you made them.`,
        ),
      );
  }
  if (seen.end) {
    const wrong =
      results(seen.end) === results(proof.end)
        ? []
        : ["The amounts that this browser was shown at the end of the round are others."];
    checks.push(
      check(
        "result",
        wrong,
        "The result is the one that the table showed when the round ended.",
        "The table showed another result when the round ended.",
      ),
    );
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
