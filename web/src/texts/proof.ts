/**
 * What the proof of a round says: every check, and what doesn't match. Players know a place by the
 * number of its seat; its number within a round, from the banker's left, is a position.
 */
import { list, money, sentence } from "../lib/text/format";
import { count } from "./fairness";
import { seatName } from "./names";

const seat = (place: number | string) => `seat ${place}`;
const seats = (count: number) => (count === 1 ? "one seat" : `${count} seats`);

export const NOTHING = "nothing";
export const INVALID = "This part of the proof is invalid.";
/** A seat's problem: "Seat 3: the Ante is missing." */
export const atSeat = (place: number, problem: string) => `${seatName(place)}: ${problem}`;

// The round

export const round = {
  names: (round: number, table: string) => `The proof names round ${round} at ${table}.`,
  endsOther: (round: number) => `The result in the proof is of round ${round}.`,
  endsOtherwise: (ended: string, type: string) =>
    `The proof says the round was ${ended}, but it ends with ${type}.`,
  fits: (round: number, table: string) => `This is the proof of round ${round} at ${table}.`,
  fails: (round: number, table: string) => `This is not a proof of round ${round} at ${table}.`,
};

// What the round is bound to

export const rules = {
  otherDigest: (digest: string, said: string) =>
    `The rulebook in the proof has the fingerprint ${digest}; the proof says ${said}.`,
  shown: (digest: string) => `While bets were open, the table showed the fingerprint ${digest}.`,
  fits: "The rulebook in the proof is the one the round was bound to.",
  fails: "The rulebook in the proof isn't the one the round was bound to.",
};

export const commitment = {
  noSeed: "The round is void, and the table didn't show its seed.",
  gives: (made: string, said: string) =>
    `This seed gives the commitment ${made}; the proof says ${said}.`,
  otherSeed: "The round ended with a different seed.",
  noLink: (link: number) => `A chain has no link ${link}.`,
  fits: (chain: boolean) =>
    `The commitment is the SHA-256 of this seed, hashed with the table, ${chain ? "the chain and the link" : "the round and the rulebook"}.`,
  fails: "The commitment doesn't match this seed.",
};

export const shown = {
  notSeen:
    "This window wasn't watching while bets were open, so it can't say which commitment was shown.",
  other: (seen: string, said: string) => `You were shown ${seen}; the proof says ${said}.`,
  fits: "You were shown this commitment before bets closed.",
  fails: "You were shown a different commitment before bets closed.",
};

export const chain = {
  none: "The table could have chosen its seed: this round uses scheme 1, with a seed drawn for it alone.",
  notSeen: (chain: number) =>
    `This window didn't see chain ${chain} before the round, so it can't check where the chain ends.`,
  goneBack: "This round uses scheme 1. A table that has started a chain never goes back.",
  otherChain: (chain: number, seen: number) =>
    `The round uses chain ${chain}; you were shown chain ${seen}.`,
  otherLink: (link: number, due: number) => `The round uses link ${link}; link ${due} was next.`,
  otherEnd: (end: string) => `Its seed doesn't lead to the end of the chain, ${end}.`,
  fits: (link: number, chain: number) =>
    `The table's seed is link ${link} of chain ${chain}: hashed link by link, it leads to the end you were shown.`,
  fails: "The table's seed isn't the next one of the chain you were shown.",
  tooLong: (most: number) => `A chain has at most ${most.toLocaleString("en")} links.`,
};

/** What is fixed when bets close. */
export const fixed = {
  /** "Ante $5.00, Bonus $1.00 at position 2" */
  hand: (bets: readonly string[], position: number) => `${bets.join(", ")} at position ${position}`,
  seed: (commitment: string, player: string) => `${commitment} (${player})`,
  text: (text: string) => `“${text}”`,
  banker: (before: number | undefined, now: number | undefined) =>
    `The banker was ${before === undefined ? "nobody" : seat(before)}; now it is ${now === undefined ? "nobody" : seat(now)}.`,
  /** "Seat 5 added nothing; now it is “lucky”." */
  changed: (place: string, did: string, before: string, now: string) =>
    `${seatName(place)} ${did} ${before}; now it is ${now}.`,
  did: { committed: "committed to", added: "added", bet: "bet" },
  fits: "The bets, the banker and what every seat committed to or added are as you were shown when bets closed.",
  fails: "The round was changed after bets closed.",
};

// Seeds

export const seeds = {
  /** "Ann (seat 3)" */
  owner: (player: string, place: number) => `${player} (${seat(place)})`,
  noneHidden: (texts: boolean) =>
    `No seat sent a hidden seed: this round follows from the table's chain${texts ? " and the texts that seats added" : " alone"}.`,
  bound: "A player's seed is in this round, so the table couldn't choose the result freely.",
  free: "No player with a bet has a hidden seed in this round, so the table could have chosen the result.",
  fits: (shown: number) =>
    shown
      ? `The round has the randomness of ${seats(shown)}, and each seed matches its commitment.`
      : "No hidden seed was shown.",
  committed: (count: number) => `${sentence(seats(count))} committed to a seed.`,
  fails: "The seats' seeds don't match what they committed to or showed.",
  leftOut: (owners: readonly string[]) =>
    `Committed to but not shown, so left out: the ${owners.length === 1 ? "seed" : "seeds"} of ${list(owners)}. Leaving a seed out lets its owner choose between two outcomes, so it is counted.`,
  notHere: "These hidden seeds don't belong in this round.",
  schemeOne: "Rounds of scheme 1 have no hidden seeds.",
  otherCommitment: (owner: string) => `The seed of ${owner} doesn't match its commitment.`,
  twice: "A seat is listed twice.",
  missing: (place: string, seed: string) =>
    `${seatName(place)} showed ${seed}, which isn't in the proof.`,
};

/** The seed that this browser hid until bets closed. */
export const hidden = {
  foreign: "Your seat's hidden seed isn't from this browser.",
  none: "This browser sent no hidden seed for you in this round.",
  lacksCommitment: "The table took your commitment, but the proof lacks it.",
  noCommitment: "Your commitment isn't in the round.",
  other: (seed: string, said: string) => `You sent ${seed}; the proof says ${said}.`,
  leftOut: "The table took your seed, but the proof leaves it out.",
  fits: "Your hidden seed is in the round as you sent it.",
  fails: "Your hidden seed isn't in the round as you sent it.",
};

/** The text that the player added in the open. */
export const ownText = {
  fits: (text: string) => `Your text “${text}” is in the round.`,
  foreign: (text: string) => `Your seat added the text “${text}”, but not from this browser.`,
  none: "You added no text to this round.",
  missing: "The proof has no text from your seat.",
  other: (text: string) => `The proof says your seat added “${text}”.`,
  fails: (text: string) => `Your text “${text}” isn't in the round.`,
};

// The result

export const deal = {
  noSeed: "Without the table's seed, this page can't work out the result.",
  voidEarly: "The round was void before it had a result.",
  noPocket: "The proof names no pocket.",
  voidBeforeSpin: "The round was void before the wheel was spun.",
  otherPocket: (pocket: string, said: string) =>
    `The seeds give ${pocket}; the proof says ${said}.`,
  pocketFits: (pocket: string) => `The seeds give ${pocket}, as the proof says.`,
  pocketFails: "The pocket doesn't follow from the seeds.",
  noCards: "The proof has no cards.",
  voidBeforeCards: "The round was void before cards were dealt.",
  notThree: "The proof doesn't have three cards for each hand and the dealer.",
  otherHand: (who: string, cards: string, said: string) =>
    `${who} is dealt ${cards}; the proof says ${said}.`,
  otherFirst: (position: number, said: number | null) =>
    `The seeds draw position ${position} to act first; the proof says ${said ?? NOTHING}.`,
  fits: (hands: number) =>
    `Shuffled and dealt again from the seeds, every card matches the proof: ${hands === 1 ? "one hand" : `${hands} hands`} and the dealer's.`,
  fails: "The cards don't follow from the seeds.",
};

export const ownCards = {
  other: (seen: string, said: string) => `You were shown ${seen}; the proof says ${said}.`,
  fits: (cards: string) => `Your hand in the proof is the one you were shown: ${cards}.`,
  fails: "Your hand in the proof isn't the one you were shown.",
};

export const seating = {
  bankerPlays: (place: number) => `${seatName(place)} is the banker and also has a hand.`,
  otherPosition: (place: number, position: number) =>
    `${seatName(place)} can't have position ${position}.`,
  noBanker: (place: number) => `The table has no ${seat(place)} for the banker.`,
  otherOrder: "The cards weren't dealt in order around the table.",
  otherFirst: (position: number | null) =>
    `Action starts at position ${position ?? "none"}; the rulebook says position 1.`,
  inOrder: "Everyone was dealt in seat order.",
  /** `drawn`: the check of the cards has compared it with the seeds. */
  fromBanker: (first: number | null, drawn: boolean) =>
    `Positions are numbered from the banker's left, cards were dealt in that order, and action starts at position ${first ?? "none"}${drawn ? ", drawn from the seeds as checked above" : ""}.`,
  fails: "The seating doesn't follow the rulebook.",
  button:
    "Action starts one seat further each round. That depends on earlier rounds and isn't checked here.",
};

// Bets

/** Each follows the seat: "Seat 3: the Ante is missing." */
export const bets = {
  playerBanks: "A player banks at this table, but the proof names no banker or no bank.",
  houseBanks: "The house banks at this table, but the proof names a banker or a bank.",
  noSeat: (place: number) => `The table has no ${seat(place)}.`,
  twoHands: (place: number) => `${seatName(place)} is listed twice.`,
  notAllowed: (bet: string, cents: number) =>
    `the rulebook doesn't allow ${money(cents)} on ${bet}.`,
  aboveTotal: (cents: number, most: number) =>
    `bets of ${money(cents)} in total are above the limit of ${money(most)}.`,
  aboveLimit: (cents: number, bet: string) => `${money(cents)} on ${bet} is above the limit.`,
  unknown: (bet: string) => `this game has no ${bet}.`,
  notOnLayout: (bet: string) => `This layout has no bet “${bet}”.`,
  twice: (bet: string) => `${bet} is listed twice.`,
  noPrison: (bet: string) => `${bet} can't be in prison here.`,
  noSuchMove: (move: string) => `“${move}” isn't a move.`,
  noMoves: "roulette has no moves.",
  empty: "there is no bet.",
  noAnte: "the Ante is missing.",
  fails: "The rulebook doesn't allow this round's bets or banker.",
};

// Payouts

const moved = (net: number) =>
  net > 0 ? `wins ${money(net)}` : net < 0 ? `loses ${money(-net)}` : "neither wins nor loses";

interface Row {
  stake: number;
  net: number;
  clause: string;
  action?: number | undefined;
  held?: number | undefined;
  in_prison?: boolean | undefined;
}
/** "$5.00 bet wins $5.00, $5.00 in action (CA-15)" */
const rowText = ({ stake, net, clause, action, held, in_prison }: Row) => {
  const inPrison = in_prison ? " in prison" : "";
  const isHeld = held ? `, ${money(held)} held` : "";
  const inAction = action === undefined ? "" : `, ${money(action)} in action`;
  return `${money(stake)} bet${inPrison} ${moved(net)}${isHeld}${inAction} (${clause})`;
};

export const settlement = {
  where: (place: number, bet: string) => `${seatName(place)}, ${bet}`,
  missing: (where: string) => `${where}: missing from the proof.`,
  extra: (where: string) => `${where}: not part of this round.`,
  other: (where: string, due: Row, said: Row) =>
    `${where}: by the rulebook, ${rowText(due)}; the proof says ${rowText(said)}.`,
  otherTotal: (place: number, due: number, said: number) =>
    `${seatName(place)} ${moved(due)} in total; the proof says it ${moved(said)}.`,
  twice: "The proof lists a seat twice or contains extra data.",
  extraField: (name: string) => `The result contains “${name}”, which doesn't belong there.`,
  moveWithoutAnte: (place: number) => `${seatName(place)} has a move but no Ante.`,
  anteWithoutMove: (place: number) => `${seatName(place)} has an Ante but no move.`,
  fits: (bets: number) =>
    `Settled again by the rulebook, every amount matches the proof: ${count(bets, "bet")}.`,
  fails: "The round isn't settled as the rulebook says.",
  partOfACent: (pay: string | number, cents: number) =>
    `${pay} on ${money(cents)} isn't a whole number of cents.`,
};

export const bank = {
  order: {
    seat: "in order of action",
    wager: "one kind of bet after another, in order of action",
    bonus_first: "in order of action, side bets first",
  },
  otherBanker: (place: number, said: number | undefined) =>
    `${seatName(place)} is the banker; the result names ${said === undefined ? "none" : seat(said)}.`,
  otherAmount: (cents: number, said: number) =>
    `The bank was ${money(cents)}; the result says ${money(said)}.`,
  otherSeen: (cents: number) => `While bets were open, the table showed a bank of ${money(cents)}.`,
  otherRest: (left: number, said: number) =>
    `${money(left)} of the bank is left; the proof says ${money(said)}.`,
  fits: (cents: number, order: string, left: number, short: boolean) =>
    `The bank of ${money(cents)} covered bets ${order}; ${money(left)} of it wasn't needed${short ? ", and bets it couldn't cover were returned" : ""}.`,
  fails: "The bank doesn't match.",
};

export const HOUSE = "the house";
export const BANKER = "the banker";
export const sum = {
  other: (players: number, who: string, said: number) =>
    `The players' results sum to ${money(players)}, but the proof gives ${who} ${money(said)}.`,
  fits: (who: string) =>
    `The amounts sum to zero, to the cent: what players won or lost, ${who} lost or won.`,
  fails: "The amounts don't sum to zero.",
};

interface Charge {
  place: number;
  cents: number;
}
/** "seat 3 $1.00, seat 5 $2.00" */
const charges = (some: readonly Charge[]) =>
  some.map(({ place, cents }) => `${seat(place)} ${money(cents)}`).join(", ") || NOTHING;

export const fees = {
  other: (due: readonly Charge[], said: readonly Charge[]) =>
    `By the rulebook's rates: ${charges(due)}; the proof says ${charges(said)}.`,
  otherLate: (due: readonly Charge[], said: readonly Charge[]) =>
    `Due at the end: ${charges(due)}; the proof says ${charges(said)}.`,
  fits: (total: number) => `The fees match the rulebook's flat rates: ${money(total)} in total.`,
  fails: "The fees don't match the rulebook's rates.",
  noRate: (cents: number) => `The rulebook has no fee for a bet of ${money(cents)}.`,
};

export const PRISON =
  "Whether the bets in prison were held from the round before isn't checked here.";

export const voided = {
  other: (paid: readonly Charge[], returned: readonly Charge[]) =>
    `Paid in: ${charges(paid)}; returned: ${charges(returned)}.`,
  bets: "all bets",
  bank: "the bank",
  fees: "the fees",
  fits: (all: readonly string[]) => `The round is void, and ${list(all)} were returned.`,
  fails: "The round is void, but what was returned doesn't match.",
};

// Rulings and corrections

interface Ruled {
  kind: string;
  place: number | null;
  clause: string;
  ruling: string;
  staff: string;
}
const HAPPENED: Record<string, string> = {
  misdeal: "a misdeal",
  exposed_player: "an exposed card of",
  exposed_dealer: "an exposed card of the dealer",
  player_gone: "a player who was gone,",
};
const FOLLOWED: Record<string, string> = {
  play_on: "play went on",
  void: "the round was void",
  redeal: "the round was void, to be dealt again",
  void_hand: "the hand was void",
  default_move: "the table made its default move",
};
/** "Maria ruled on a misdeal (IR-1): the round was void" */
const ruledText = ({ kind, place, clause, ruling, staff }: Ruled) =>
  `${staff} ruled on ${HAPPENED[kind]}${place === null ? "" : ` ${seat(place)}`} (${clause}): ${FOLLOWED[ruling]}`;

export const rulings = {
  noneHere: "This game has no rulings.",
  did: ruledText,
  other: (said: Ruled, due: { clause: string; ruling: string }) =>
    `${ruledText(said)}. By the rulebook (${due.clause}), ${FOLLOWED[due.ruling]}.`,
  otherPlace: (place: number | null) =>
    place === null ? "A ruling lacks its seat." : `A ruling names ${seat(place)}.`,
  notDone: (ruled: string) => `${ruled}. The round didn't go on like that.`,
  unruled: (place: number) => `${seatName(place)} had a void hand without a ruling.`,
  otherReturn: (place: number, due: number, said: number) =>
    `${seatName(place)} bet ${money(due)}, fee included; ${money(said)} was returned.`,
  nobody: "A ruling lacks its person or its reason.",
  fits: (ruled: readonly Ruled[]) => `${ruled.map(ruledText).join(". ")}.`,
  fails: "The rulings don't match the rulebook or the round.",
};

interface Corrected {
  asked_by: string;
  approved_by: string;
  reason: string;
  moved: readonly { place: number; against: string; cents: number }[];
}
/** "seat 3 gets $5.00, seat 5 pays $2.00" */
function movedText(moved: Corrected["moved"]): string {
  const sums = new Map<number, number>();
  for (const { place, cents } of moved) sums.set(place, (sums.get(place) ?? 0) + cents);
  const parts = [...sums].filter(([, cents]) => cents);
  return (
    parts
      .map(
        ([place, cents]) =>
          `${seat(place)} ${cents > 0 ? "gets" : "pays"} ${money(Math.abs(cents))}`,
      )
      .join(", ") || "no chips move yet"
  );
}

export const corrections = {
  noHand: (place: number) => `${seatName(place)} had no hand to correct.`,
  voidAndMore: "A round corrected to void has other facts too.",
  otherMove: (place: number, against: string, due: number, said: number) =>
    `${seatName(place)}: ${money(due)} more is due ${against === "bank" ? "from the bank" : "from the fees"}; the correction says ${money(said)}.`,
  otherRows: "Settled again with these facts, the bets come to something else.",
  otherNet: (due: number, said: number) =>
    `Settled again, the bank's result is ${money(due)}; the correction says ${money(said)}.`,
  otherFees: (due: readonly Charge[], said: readonly Charge[]) =>
    `Settled again, the fees are ${charges(due)}; the correction says ${charges(said)}.`,
  otherEnd: "The correction doesn't say whether the round is void.",
  onePerson: "A correction needs two people.",
  newLogin: (asker: string, approver: string) =>
    `${asker} and ${approver} may be one person: in the day before, somebody made or changed a login that both could use.`,
  owed: "Some chips weren't there to move and are owed. How many there were isn't checked here.",
  fits: ({ asked_by, approved_by, reason, moved }: Corrected) =>
    `Corrected: ${asked_by} asked for it (“${reason}”), and ${approved_by} approved it. Settled again with these facts, exactly the difference moved: ${movedText(moved)}.`,
  fails: "A correction doesn't match what the rulebook gives.",
};

// What this browser saw

export const ownBets = {
  bet: (name: string, cents: number, isHeld: boolean) =>
    `${name} ${money(cents)}${isHeld ? " in prison" : ""}`,
  notSeen: (seen: string, said: string) =>
    `This window wasn't watching when bets closed. It last saw ${seen}; the proof says ${said}.`,
  other: (seen: string, said: string) => `You had ${seen}; the proof says ${said}.`,
  fits: (seen: string, moved: boolean) =>
    `Your bets${moved ? " and your move" : ""} are as you made them: ${seen}.`,
  fails: "Your bets aren't as you made them.",
};

export const result = {
  other: "The kind of result, the round, the seed, the banker or the amounts differ.",
  fits: "The result is the one the table showed when the round ended.",
  fails: "The table showed a different result when the round ended.",
};

// The values on the way

export const values = {
  rulebook: "Rulebook",
  seed: "Seed",
  commitment: "Commitment",
  hiddenSeed: (place: number) => `Hidden seed of ${seat(place)}`,
  leftOut: "left out",
  text: (place: string) => `Text of ${seat(place)}`,
  key: "Key",
  words: "Words 0 to 7",
  pocket: "Pocket",
  dealer: "The dealer",
  first: "First position",
};

export const NOT_HEX = "A seed in it isn't written in hexadecimal digits.";
