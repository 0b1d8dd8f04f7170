/**
 * A round that is over, proved in the browser. Nothing is believed: the commitment is hashed again,
 * the cards are dealt again, and every cent is settled again by the rulebook in the proof. This
 * shares no code with the room.
 */
import { down, keyOnChain } from "./chain";
import { canonical, commitmentOf, digestOf, keyOf, Words } from "./deal";
import { unchanged } from "./fixed";
import { ownEnd, settlementOf } from "./judge";
import { seatsWrong } from "./poker";
import { chained, isDealt, ofPlaces, ofPlayers, ownHidden } from "./seeds";
import {
  check,
  isWheel,
  note,
  type Check,
  type PokerProof,
  type Proof,
  type Seen,
  type WheelProof,
} from "./types";
import { pockets } from "./wheel";
import { hex, native, type Bytes } from "./sha256";
import { cardName } from "../poker/hands";
import { seatName } from "../../texts/names";
import * as texts from "../../texts/proof";

export type { Check, Proof, Seen } from "./types";

/** The result of a proof: every check, and the values on the way for anyone who wants to look. */
export interface Verdict {
  checks: Check[];
  values: [string, string][];
  /** Whether the browser's own SHA-256 was used. */
  native: boolean;
}

interface Case {
  proof: Proof;
  seen: Seen;
  asked: { table: string; round: number };
  values: [string, string][];
}

/** Prove a round; with what this browser saw of it, also that it is the round that was played. */
export async function prove(
  proof: Proof,
  seen: Seen = {},
  asked: Case["asked"] = proof,
): Promise<Verdict> {
  const given: Case = { proof, seen, asked, values: [] };
  return { checks: await follow(WORK, given), values: given.values, native: native() };
}

/** Check only what a round was dealt from, of a proof or of what a table shows of a round. */
export const checkSeeds = (proof: Proof, seen: Seen): Promise<Check[]> =>
  follow([["round", round], ...OF_SEEDS], { proof, seen, asked: proof, values: [] });

async function follow(works: Work[], given: Case): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [id, work] of works) {
    try {
      checks.push(...(await work(given)));
    } catch (error) {
      // A proof that makes no sense is one that does not fit.
      checks.push(check(id, [(error as Error).message], "", texts.INVALID));
    }
  }
  return checks;
}

const endOf = (proof: Proof) =>
  ({ settled: isWheel(proof) ? "spin.settled/1" : "round.settled/1", voided: "round.voided/1" })[
    proof.ended
  ];

function round({ proof, asked }: Case): Check[] {
  const wrong: string[] = [];
  if (proof.table !== asked.table || proof.round !== asked.round)
    wrong.push(texts.round.names(proof.round, proof.table));
  if (proof.end.round !== proof.round) wrong.push(texts.round.endsOther(proof.end.round));
  if (proof.end.type !== endOf(proof))
    wrong.push(texts.round.endsOtherwise(proof.ended, proof.end.type));
  return [
    check(
      "round",
      wrong,
      texts.round.fits(asked.round, asked.table),
      texts.round.fails(asked.round, asked.table),
    ),
  ];
}

// What was committed to

async function rules({ proof, seen, values }: Case): Promise<Check[]> {
  const digest = await digestOf(proof.rulebook);
  values.push([texts.values.rulebook, digest]);
  const wrong: string[] = [];
  if (digest !== proof.digest) wrong.push(texts.rules.otherDigest(digest, proof.digest));
  if (seen.digest && seen.digest !== proof.digest) wrong.push(texts.rules.shown(seen.digest));
  return [check("rules", wrong, texts.rules.fits, texts.rules.fails)];
}

/** A round on a chain whose seed the room has lost is void, and says so. */
const isLost = ({ chain, ended, seed }: Proof) =>
  Boolean(chain) && ended === "voided" && seed === "";

async function commitment({ proof, values }: Case): Promise<Check[]> {
  const { table, chain, link, seed } = proof;
  if (isLost(proof) && proof.end.seed === "") return [note("commitment", texts.commitment.noSeed)];
  const made = chain
    ? await down(table, chain, link, seed, link - 1)
    : await commitmentOf(table, proof.round, proof.digest, seed);
  values.push([texts.values.seed, proof.seed], [texts.values.commitment, made]);
  const wrong: string[] = [];
  if (made !== proof.commitment) wrong.push(texts.commitment.gives(made, proof.commitment));
  if (proof.end.seed !== proof.seed) wrong.push(texts.commitment.otherSeed);
  if (chain && !(link > 0)) wrong.push(texts.commitment.noLink(link));
  return [check("commitment", wrong, texts.commitment.fits(!!chain), texts.commitment.fails)];
}

function shown({ proof, seen }: Case): Check[] {
  if (!seen.commitment) return [note("shown", texts.shown.notSeen)];
  const wrong =
    seen.commitment === proof.commitment
      ? []
      : [texts.shown.other(seen.commitment, proof.commitment)];
  return [check("shown", wrong, texts.shown.fits, texts.shown.fails)];
}

function ownSeed({ proof, seen }: Case): Check[] {
  const added = seen.place === undefined ? undefined : proof.seeds[seen.place];
  if (added !== undefined && seen.added?.includes(added))
    return [check("seed", [], texts.ownText.fits(added), "")];
  if (seen.seed === undefined) {
    if (added !== undefined) return [note("seed", texts.ownText.foreign(added))];
    return seen.place === undefined || proof.chain ? [] : [note("seed", texts.ownText.none)];
  }
  const wrong = added === undefined ? texts.ownText.missing : texts.ownText.other(added);
  return [check("seed", [wrong], "", texts.ownText.fails(seen.seed))];
}

// What was dealt

async function deal({ proof, values }: Case): Promise<Check[]> {
  if (isLost(proof))
    return [note("deal", isDealt(proof) ? texts.deal.noSeed : texts.deal.voidEarly)];
  const { seed, digest, committed, seeds } = proof;
  const key = proof.chain
    ? await keyOnChain(seed, proof, digest, committed, seeds)
    : await keyOf(seed, seeds);
  for (const hidden of committed ?? [])
    values.push([texts.values.hiddenSeed(hidden.place), hidden.shown ?? texts.values.leftOut]);
  for (const [place, text] of Object.entries(seeds)) values.push([texts.values.text(place), text]);
  values.push([texts.values.key, hex(key)], [texts.values.words, await firstWords(key)]);
  return [isWheel(proof) ? await spin(proof, values, key) : await cards(proof, values, key)];
}

async function firstWords(key: Bytes): Promise<string> {
  const words = new Words(key);
  const eight: string[] = [];
  for (let n = 0; n < 8; n++) eight.push((await words.next()).toString(16).padStart(8, "0"));
  return eight.join(" ");
}

async function spin(proof: WheelProof, values: Case["values"], key: Bytes): Promise<Check> {
  const fails = texts.deal.pocketFails;
  if (proof.pocket === null)
    return check(
      "deal",
      proof.ended === "voided" ? [] : [texts.deal.noPocket],
      texts.deal.voidBeforeSpin,
      fails,
    );
  const wheel = pockets(proof.rulebook);
  const pocket = wheel[await new Words(key).below(wheel.length)]!;
  values.push([texts.values.pocket, pocket]);
  const wrong = pocket === proof.pocket ? [] : [texts.deal.otherPocket(pocket, proof.pocket)];
  return check("deal", wrong, texts.deal.pocketFits(pocket), fails);
}

const names = (of: number[]) => of.map(cardName).join(", ") || texts.NOTHING;
const handAt = (list: number[], n: number) => list.slice(3 * n, 3 * n + 3);

async function cards(proof: PokerProof, values: Case["values"], key: Bytes): Promise<Check> {
  const { fails } = texts.deal;
  if (!proof.cards.length)
    return check(
      "deal",
      proof.ended === "voided" ? [] : [texts.deal.noCards],
      texts.deal.voidBeforeCards,
      fails,
    );
  const words = new Words(key);
  const deck = await words.shuffle();
  const wrong: string[] = [];
  if (proof.cards.length !== 3 * (proof.places.length + 1)) wrong.push(texts.deal.notThree);
  [...proof.places.map(seatName), texts.values.dealer].forEach((who, n) => {
    const [due, said] = [handAt(deck, n), handAt(proof.cards, n)];
    values.push([who, names(due)]);
    if (canonical(due) !== canonical(said))
      wrong.push(texts.deal.otherHand(who, names(due), names(said)));
  });
  if (proof.rulebook.bank?.first === "drawn") {
    const first = (await words.below(proof.rulebook.seats)) + 1;
    values.push([texts.values.first, String(first)]);
    if (first !== proof.first) wrong.push(texts.deal.otherFirst(first, proof.first));
  }
  return check("deal", wrong, texts.deal.fits(proof.places.length), fails);
}

function ownCards({ proof, seen }: Case): Check[] {
  if (!seen.cards || seen.place === undefined) return [];
  const index = proof.places.indexOf(seen.place);
  const said = index < 0 ? [] : handAt(proof.cards, index);
  const wrong =
    String(said) === String(seen.cards)
      ? []
      : [texts.ownCards.other(names(seen.cards), names(said))];
  return [check("cards", wrong, texts.ownCards.fits(names(seen.cards)), texts.ownCards.fails)];
}

function seats({ proof }: Case): Check[] {
  if (isWheel(proof) || !proof.cards.length) return [];
  const wrong = seatsWrong(proof);
  const rule = proof.rulebook.bank?.first;
  if (rule === "left" && proof.first !== 1) wrong.push(texts.seating.otherFirst(proof.first));
  const fits =
    rule === undefined
      ? texts.seating.inOrder
      : texts.seating.fromBanker(proof.first, rule === "drawn");
  const checks = [check("seats", wrong, fits, texts.seating.fails)];
  if (rule === "button") checks.push(note("button", texts.seating.button));
  return checks;
}

type Work = [string, (given: Case) => Check[] | Promise<Check[]>];

/** What a round was dealt from. */
const OF_SEEDS: Work[] = [
  ["commitment", commitment],
  ["chain", ({ proof, seen }) => chained(proof, seen)],
  ["shown", shown],
  ["fixed", ({ proof, seen }) => unchanged(proof, seen)],
  ["places", ({ proof, seen }) => ofPlaces(proof, seen)],
  ["hidden", ({ proof, seen }) => ownHidden(proof, seen)],
];

/** In the order in which the page lists them. */
const WORK: Work[] = [
  ["round", round],
  ["rules", rules],
  ...OF_SEEDS,
  ["players", ({ proof, seen }) => ofPlayers(proof, seen)],
  ["seed", ownSeed],
  ["deal", deal],
  ["cards", ownCards],
  ["seats", seats],
  ["settlement", ({ proof, seen }) => settlementOf(proof, seen)],
  ["result", ({ proof, seen }) => ownEnd(proof, seen)],
];
