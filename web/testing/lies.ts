/** False proofs of rounds: each gives somebody money that no rule gives. */
import type { SettledBet, SettledWager } from "../src/lib/net/protocol";
import { canonical } from "../src/lib/proof/deal";
import { settle } from "../src/lib/proof/poker";
import { isWheel, type PokerProof, type Proof } from "../src/lib/proof/types";

type Row = SettledWager | SettledBet;
type Place = NonNullable<Proof["end"]["places"]>[number];

interface Lie {
  /** Whether the lie can be told of a round. */
  fits: (proof: Proof) => boolean;
  /** Change the proof of a round into the lie. */
  tell: (proof: Proof) => void;
}

const rowsOf = (place: Place): Row[] => place.wagers ?? place.bets ?? [];
/** Each settled wager or bet of a round with its place. */
const settled = (proof: Proof): [Place, Row][] =>
  (proof.end.places ?? []).flatMap((place) =>
    rowsOf(place).map((row): [Place, Row] => [place, row]),
  );
const handAt = (proof: Proof, place: number) => proof.hands.find((hand) => hand.place === place)!;
const isAnte = (row: Row) => "wager" in row && row.wager === "ante";
const cloned = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Change the result of a row, and every sum with it. */
function gain(proof: Proof, place: Place, row: Row, net: number) {
  place.net += net - row.net;
  proof.end.net! -= net - row.net;
  row.net = net;
}

// Rounds

const isSpin = (proof: Proof) => proof.ended === "settled" && isWheel(proof);
const isHouse = (proof: Proof) => proof.ended === "settled" && proof.rulebook.banker === "house";
const hasAnte = (proof: Proof) => isHouse(proof) && settled(proof).some(([, row]) => isAnte(row));
const isVoid = (proof: Proof) =>
  proof.ended === "voided" && proof.hands.length > 0 && !isWheel(proof);

/** Whether a bet won at a wheel where none can be in prison. */
const wonFree = (proof: Proof) =>
  isSpin(proof) &&
  isWheel(proof) &&
  proof.rulebook.zero?.on_zero !== "en_prison" &&
  settled(proof).some(([, row]) => row.net > 0);

/** Whether a lone hand of a bank that covered it all could be one against the house. */
const isLone = (proof: Proof) =>
  proof.rulebook.fees?.collect === "before" &&
  proof.hands.length === 1 &&
  proof.banker !== null &&
  proof.first === 1 &&
  Boolean(proof.end.bank_left);

// Lies

/** Take a win for a bet that was in prison, and only freed. */
function pushInPrison(proof: Proof) {
  const [place, row] = settled(proof).find(([, row]) => row.net > 0)! as [Place, SettledBet];
  const bet = handAt(proof, place.place).wagers[place.bets!.indexOf(row)]!;
  bet.in_prison = row.in_prison = true;
  gain(proof, place, row, 0);
  const clause = isWheel(proof) ? proof.rulebook.zero?.en_prison_clause : undefined;
  if (clause) row.clause = clause;
  else delete (row as Partial<SettledBet>).clause;
}

/** Bet a thousand times what was bet, above every limit, and settle that rightly. */
function betMore(proof: Proof) {
  const place = proof.end.places![0]!;
  for (const bet of handAt(proof, place.place).wagers) bet.cents *= 1000;
  for (const row of place.bets!) {
    row.stake *= 1000;
    gain(proof, place, row, row.net * 1000);
    if (row.held !== undefined) row.held *= 1000;
  }
}

/** Make a move that is none, after which nobody asks for the Ante. */
function forgetTheAnte(proof: Proof) {
  const [place] = settled(proof).find(([, row]) => isAnte(row))!;
  Object.assign(handAt(proof, place.place), { move: "lucky" });
  const game = place.wagers!.filter((row) => row.wager === "ante" || row.wager === "play");
  for (const row of game) gain(proof, place, row, 0);
  place.wagers = place.wagers!.filter((row) => !game.includes(row));
}

/** Pay Pair Plus as three of a kind for a hand whose cards are not there. */
const neverDealt =
  (...places: unknown[]) =>
  (proof: Proof) => {
    const row = { wager: "pair_plus", stake: 100, net: 3000, action: 3000, clause: "HO-4" };
    proof.hands = [{ place: 1, seat: 1, wagers: [{ spot: "pair_plus", cents: 100 }] }];
    Object.assign(proof, { places, cards: proof.cards.slice(0, 3 * (places.length + 1)) });
    proof.end.places = [{ place: 1, seat: 1, wagers: [row], net: 3000 }];
    proof.end.net = -3000;
  };

/** Make the house the banker of a player-banked game: no bank runs short, and no banker pays a fee. */
function houseBanks(proof: Proof) {
  const { place } = proof.hands[0]!;
  proof.fees = proof.fees.filter((fee) => fee.place !== proof.banker);
  proof.banker = proof.bank = null;
  for (const key of ["banker", "bank", "bank_left", "fees"] as const) delete proof.end[key];
  proof.hands[0]!.seat = proof.end.places![0]!.seat = place;
}

/** Return a place's wagers twice. */
function comeAgain(proof: Proof) {
  const hand = cloned(proof.hands[0]!);
  proof.hands.push(hand);
  const down = hand.wagers.filter((bet) => bet.spot === "ante" && hand.move === "play");
  const cents = [...hand.wagers, ...down].reduce((sum, bet) => sum + bet.cents, 0);
  (proof.end.returned ??= []).push({ place: hand.place, cents });
}

/** Leave the fees out of a void round, and return none. */
function keepTheFees(proof: Proof) {
  const back = [...(proof.end.returned ?? []), ...(proof.end.fees ?? [])];
  for (const fee of proof.fees) {
    const from = back
      .filter((charge) => charge.place === fee.place && charge.cents >= fee.cents)
      .at(-1)!;
    from.cents -= fee.cents;
  }
  proof.fees = [];
}

function secondHand(proof: Proof) {
  const { place } = proof.hands[0]!;
  proof.hands.push({ place, seat: place, wagers: [{ spot: "straight 17", cents: 9900 }] });
}

/** Settle a round by another reading of its bank, as the other lies do: every sum with it. */
function settledBy(proof: Proof, reading: object): Proof["end"] {
  const { rulebook } = proof as PokerProof;
  const bank = { ...rulebook.bank!, ...reading };
  const { places, left } = settle({ ...proof, rulebook: { ...rulebook, bank } } as PokerProof);
  const net = -places.reduce((sum, place) => sum + place.net, 0);
  return { ...proof.end, places, net, bank_left: left! };
}

/** The lie that a round was settled by another reading, told of rounds that it changes. */
const anotherReading = (table: string, reading: object): Lie => ({
  fits: (proof) =>
    proof.table === table &&
    proof.ended === "settled" &&
    canonical(settledBy(proof, reading).places) !== canonical(proof.end.places),
  tell: (proof) => void Object.assign(proof.end, settledBy(proof, reading)),
});

const chargedByKind = (proof: Proof) =>
  proof.rulebook.fees?.fee_per === "kind" && proof.ended === "settled";

/** Forget the fee of Play, where each kind of wager has its own. */
function forgetPlay(proof: Proof) {
  const { place } = proof.hands.find((hand) => hand.move === "play")!;
  for (const charge of [...proof.fees, ...(proof.end.fees ?? [])])
    if (charge.place === place) charge.cents -= 50;
  if (proof.end.fees) proof.end.fees = proof.end.fees.filter((charge) => charge.cents);
}

/** Raise Pair Plus until it is a cent too much beside the Ante, and settle that rightly. */
function betTooMuch(proof: Proof) {
  const hand = proof.hands.find((hand) => hand.wagers.length === 2)!;
  const side = hand.wagers.find((bet) => bet.spot === "pair_plus")!;
  side.cents = 401 - hand.wagers.find((bet) => bet.spot === "ante")!.cents;
  const { places } = settle(proof as PokerProof);
  Object.assign(proof.end, { places, net: -places.reduce((sum, place) => sum + place.net, 0) });
}

const paidTwice = (proof: Proof) =>
  void proof.end.places!.push({ ...cloned(proof.end.places![0]!), net: 77_777 });
const withWager = (spot: string) => (proof: Proof) =>
  void proof.hands[0]!.wagers.push({ spot, cents: 300 });
const withEnd = (more: object) => (proof: Proof) => void Object.assign(proof.end, cloned(more));

// Rulings and corrections

const isRuled =
  (...rulings: string[]) =>
  ({ incidents = [] }: Proof) =>
    incidents.some(({ ruling }) => rulings.includes(ruling));
const ruledAs = (proof: Proof, ruling: string) =>
  proof.incidents!.find((incident) => incident.ruling === ruling)!;
const hasVoid = ({ voided, ended }: Proof) => ended === "settled" && Boolean(voided);
const paidItsFee = (proof: Proof) => hasVoid(proof) && proof.voided![0]!.fee > 0;
const isCorrected = ({ corrections }: Proof) => Boolean(corrections);
const fromTheBank = ({ corrections = [] }: Proof) =>
  corrections.some(({ moved }) => moved.some(({ against, owed }) => against === "bank" && !owed));

/** Settle a hand too that a ruling made void. */
function settleVoidHand(proof: Proof) {
  const [hand] = proof.voided!.splice(0, 1);
  const { place, seat, wagers } = hand!;
  const ante = wagers.some(({ spot }) => spot === "ante");
  proof.hands.push({ place, seat, wagers, ...(ante ? { move: "fold" as const } : {}) });
  proof.hands.sort((a, b) => a.seat - b.seat);
  const { places } = settle(proof as PokerProof);
  Object.assign(proof.end, { places, net: -places.reduce((sum, row) => sum + row.net, 0) });
}

/** Pay more by a correction, and say the same in its rows and its sum. */
function payMore({ corrections }: Proof) {
  const correction = corrections!.find(({ moved }) =>
    moved.some(({ against, owed }) => against === "bank" && !owed),
  )!;
  const moved = correction.moved.find(({ against, owed }) => against === "bank" && !owed)!;
  moved.cents += 100;
  correction.net -= 100;
  const rows = correction.places ?? correction.spins ?? [];
  const row = rows.find(({ place }) => place === moved.place);
  if (row) row.net += 100;
}

const ofCorrection = (change: object) => (proof: Proof) =>
  void Object.assign(proof.corrections![0]!, cloned(change));

export const LIES: Record<string, Lie> = {
  "a ruling of nobody": {
    fits: isRuled("void", "redeal", "void_hand"),
    tell: (proof) => void Object.assign(proof.incidents![0]!, { staff: "" }),
  },
  "a ruling against the rulebook": {
    fits: isRuled("void_hand"),
    tell: (proof) => void Object.assign(ruledAs(proof, "void_hand"), { ruling: "play_on" }),
  },
  "a ruling by another clause": {
    fits: isRuled("default_move"),
    tell: (proof) => void Object.assign(ruledAs(proof, "default_move"), { clause: "IR-1" }),
  },
  "a ruling for another reason": {
    fits: isRuled("redeal"),
    tell: (proof) => void (proof.end.reason = "the banker asked for it"),
  },
  "a misdeal that was played": {
    fits: (proof) => proof.ended === "settled" && isRuled("default_move")(proof),
    tell: (proof) => {
      const rule = (!isWheel(proof) ? proof.rulebook.irregularities?.misdeal : undefined) ?? "void";
      const misdeal = { kind: "misdeal", clause: "IR-1", ruling: rule, place: null };
      Object.assign(ruledAs(proof, "default_move"), misdeal);
    },
  },
  "a void hand without a ruling": {
    fits: hasVoid,
    tell: (proof) => void (proof.incidents = []),
  },
  "a void hand that keeps its fee": {
    fits: paidItsFee,
    tell: (proof) => void (proof.voided![0]!.fee = 0),
  },
  "a void hand that gets more": {
    fits: hasVoid,
    tell: (proof) => void (proof.voided![0]!.cents += 500),
  },
  "a void hand that is settled": { fits: hasVoid, tell: settleVoidHand },
  "a correction that pays more": { fits: fromTheBank, tell: payMore },
  "a correction by one person": {
    fits: isCorrected,
    tell: (proof) => {
      for (const correction of proof.corrections!) correction.approved_by = correction.asked_by;
    },
  },
  "a correction of other facts": {
    fits: ({ corrections = [] }) => corrections.some(({ facts }) => facts.void),
    tell: (proof) => void (proof.corrections!.find(({ facts }) => facts.void)!.facts = {}),
  },
  "a debt that isn't": {
    fits: isCorrected,
    tell: (proof) => void (proof.corrections![0]!.moved[0]!.owed = 100),
  },
  "a correction without its fees": {
    fits: ({ corrections }) => Boolean(corrections?.[0]?.fees?.length),
    tell: ofCorrection({ fees: [] }),
  },
  "a correction that moves nothing": {
    fits: isCorrected,
    tell: ofCorrection({ moved: [] }),
  },
  "a win in prison": { fits: wonFree, tell: pushInPrison },
  "a bet above the limit": { fits: isSpin, tell: betMore },
  "a bet that disappears": { fits: isSpin, tell: secondHand },
  "a spin paid twice": { fits: isSpin, tell: paidTwice },
  "a fee at a wheel": {
    fits: isSpin,
    tell: (proof) => void proof.fees.push({ place: 1, cents: 99_999 }),
  },
  "a late fee at a wheel": { fits: isSpin, tell: withEnd({ fees: [{ place: 1, cents: 999 }] }) },
  "a bank at a wheel": { fits: isSpin, tell: withEnd({ banker: 1, bank: 5000, bank_left: 0 }) },
  "what comes back of a spin": { fits: isSpin, tell: withEnd({ returned: [] }) },
  "a tip": {
    fits: isSpin,
    tell: (proof) => void Object.assign(proof.end.places![0]!, { tip: 500 }),
  },
  "a lucky spot": { fits: isHouse, tell: withWager("lucky") },
  "a second Ante": { fits: hasAnte, tell: withWager("ante") },
  "a move that is none": { fits: hasAnte, tell: forgetTheAnte },
  "a hand paid twice": { fits: isHouse, tell: paidTwice },
  "a hand that was not dealt": { fits: isHouse, tell: neverDealt() },
  "a hand that lies elsewhere": { fits: isHouse, tell: neverDealt("1") },
  "a banker of the house": { fits: isHouse, tell: withEnd({ banker: 3, bank: 5000 }) },
  "no banker": { fits: isLone, tell: houseBanks },
  "a hand that comes back twice": { fits: isVoid, tell: comeAgain },
  "a void that pays": { fits: isVoid, tell: withEnd({ places: [], net: -500 }) },
  "the order of seats": anotherReading("in turn", { settle_order: "seat" }),
  "side bets last": anotherReading("bonus first", { settle_order: "seat" }),
  "a forfeit that comes back": anotherReading("in turn", { fold_uncovered: "returned" }),
  "Play without its fee": {
    fits: (proof) => chargedByKind(proof) && proof.hands.some((hand) => hand.move === "play"),
    tell: forgetPlay,
  },
  "bets above the total": {
    fits: (proof) =>
      proof.table === "together" &&
      proof.ended === "settled" &&
      proof.hands.some((hand) => hand.wagers.length === 2),
    tell: betTooMuch,
  },
  "a void that keeps fees": {
    fits: (proof) => isVoid(proof) && proof.fees.length > 0,
    tell: keepTheFees,
  },
};
