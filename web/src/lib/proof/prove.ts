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
import { chained, isDealt, ofPlaces, ownHidden } from "./seeds";
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
      checks.push(
        check(id, [(error as Error).message], "", "This part of the proof makes no sense."),
      );
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
    wrong.push(`It is of round ${proof.round} at ${proof.table}.`);
  if (proof.end.round !== proof.round) wrong.push(`Its end is that of round ${proof.end.round}.`);
  if (proof.end.type !== endOf(proof))
    wrong.push(`It is said to be ${proof.ended}, and its end is a ${proof.end.type}.`);
  return [
    check(
      "round",
      wrong,
      `This is the proof of round ${asked.round} at ${asked.table}.`,
      `This is not a proof of round ${asked.round} at ${asked.table}.`,
    ),
  ];
}

// What was committed to

async function rules({ proof, seen, values }: Case): Promise<Check[]> {
  const digest = await digestOf(proof.rulebook);
  values.push(["Rulebook", digest]);
  const wrong: string[] = [];
  if (digest !== proof.digest)
    wrong.push(
      `The rulebook in the proof has the fingerprint ${digest}, the round names ${proof.digest}.`,
    );
  if (seen.digest && seen.digest !== proof.digest)
    wrong.push(`While bets were open the table announced ${seen.digest}.`);
  const fits = "The rulebook in the proof is the one that the round was committed to.";
  return [
    check("rules", wrong, fits, "The rulebook is not the one that the round was committed to."),
  ];
}

/** A round on a chain whose seed the room has lost is void, and says so. */
const isLost = ({ chain, ended, seed }: Proof) =>
  Boolean(chain) && ended === "voided" && seed === "";

async function commitment({ proof, values }: Case): Promise<Check[]> {
  const { table, chain, link, seed } = proof;
  if (isLost(proof) && proof.end.seed === "")
    return [note("commitment", "The room has lost the seed of this round, so the round is void.")];
  const made = chain
    ? await down(table, chain, link, seed, link - 1)
    : await commitmentOf(table, proof.round, proof.digest, seed);
  values.push(["Seed", proof.seed], ["Commitment", made]);
  const wrong: string[] = [];
  if (made !== proof.commitment)
    wrong.push(`This seed makes ${made}, the proof says ${proof.commitment}.`);
  if (proof.end.seed !== proof.seed) wrong.push("The seed at the end of the round is another one.");
  if (chain && !(link > 0)) wrong.push(`There is no link ${link} of a chain.`);
  const bound = chain ? "its chain and its link" : "the round and the rulebook";
  const fits = `The commitment is the SHA-256 of this seed, bound to the table, ${bound}.`;
  return [check("commitment", wrong, fits, "The commitment is not that of this seed.")];
}

function shown({ proof, seen }: Case): Check[] {
  if (!seen.commitment)
    return [
      note(
        "shown",
        "This window did not look on while bets were open, so it cannot say which commitment was shown then.",
      ),
    ];
  const wrong =
    seen.commitment === proof.commitment
      ? []
      : [`It was shown ${seen.commitment}, the proof says ${proof.commitment}.`];
  const fits = "It is the commitment that you were shown before the bets were closed.";
  return [
    check(
      "shown",
      wrong,
      fits,
      "It is not the commitment that you were shown before the bets were closed.",
    ),
  ];
}

function ownSeed({ proof, seen }: Case): Check[] {
  const added = seen.place === undefined ? undefined : proof.seeds[seen.place];
  if (added !== undefined && seen.added?.includes(added))
    return [check("seed", [], `Your seed “${added}” is among the seeds of the round.`, "")];
  if (seen.seed === undefined) {
    if (added !== undefined)
      return [note("seed", `Your place added the seed “${added}”, not from this browser.`)];
    return seen.place === undefined || proof.chain
      ? []
      : [note("seed", "You added no seed of your own to this round.")];
  }
  const wrong =
    added === undefined
      ? "Your place has no seed in the proof."
      : `The proof has “${added}” for your place.`;
  return [check("seed", [wrong], "", `Your seed “${seen.seed}” is not in the round.`)];
}

// What was dealt

async function deal({ proof, values }: Case): Promise<Check[]> {
  if (isLost(proof))
    return [
      note(
        "deal",
        isDealt(proof)
          ? "Without the room's seed the round cannot be worked out again."
          : "The round was void before anything came of it.",
      ),
    ];
  const { seed, digest, committed, seeds } = proof;
  const key = proof.chain
    ? await keyOnChain(seed, proof, digest, committed, seeds)
    : await keyOf(seed, seeds);
  for (const hidden of committed ?? [])
    values.push([`Hidden seed of place ${hidden.place}`, hidden.shown ?? "left out"]);
  for (const [place, text] of Object.entries(seeds)) values.push([`Seed of place ${place}`, text]);
  values.push(["Key", hex(key)], ["Words 0 to 7", await firstWords(key)]);
  return [isWheel(proof) ? await spin(proof, values, key) : await cards(proof, values, key)];
}

async function firstWords(key: Bytes): Promise<string> {
  const words = new Words(key);
  const eight: string[] = [];
  for (let n = 0; n < 8; n++) eight.push((await words.next()).toString(16).padStart(8, "0"));
  return eight.join(" ");
}

async function spin(proof: WheelProof, values: Case["values"], key: Bytes): Promise<Check> {
  const fails = "The pocket is not the one that the seeds give.";
  if (proof.pocket === null)
    return check(
      "deal",
      proof.ended === "voided" ? [] : ["The proof names no pocket."],
      "The round was void before the wheel turned.",
      fails,
    );
  const wheel = pockets(proof.rulebook);
  const pocket = wheel[await new Words(key).below(wheel.length)]!;
  values.push(["Pocket", pocket]);
  const wrong =
    pocket === proof.pocket ? [] : [`The seeds give ${pocket}, the proof says ${proof.pocket}.`];
  return check("deal", wrong, `Spun again, the seeds give ${pocket}, where the ball lay.`, fails);
}

const names = (of: number[]) => of.map(cardName).join(", ") || "nothing";
const handAt = (list: number[], n: number) => list.slice(3 * n, 3 * n + 3);

async function cards(proof: PokerProof, values: Case["values"], key: Bytes): Promise<Check> {
  const fails = "The cards are not those that the seeds give.";
  if (!proof.cards.length)
    return check(
      "deal",
      proof.ended === "voided" ? [] : ["The proof has no cards."],
      "The round was void before a card was dealt.",
      fails,
    );
  const words = new Words(key);
  const deck = await words.shuffle();
  const wrong: string[] = [];
  if (proof.cards.length !== 3 * (proof.places.length + 1))
    wrong.push("There are not three cards for each hand and the dealer.");
  [...proof.places.map((place) => `Place ${place}`), "The dealer"].forEach((who, n) => {
    const [due, said] = [handAt(deck, n), handAt(proof.cards, n)];
    values.push([who, names(due)]);
    if (canonical(due) !== canonical(said))
      wrong.push(`${who} is dealt ${names(due)}; the proof says ${names(said)}.`);
  });
  if (proof.rulebook.bank?.first === "drawn") {
    const first = (await words.below(proof.rulebook.seats)) + 1;
    values.push(["First seat", String(first)]);
    if (first !== proof.first)
      wrong.push(`The seeds draw seat ${first} to start, the proof says ${proof.first}.`);
  }
  const hands = proof.places.length === 1 ? "one hand" : `${proof.places.length} hands`;
  return check(
    "deal",
    wrong,
    `Shuffled again, the deck gives every card of the round: ${hands} and the dealer's.`,
    fails,
  );
}

function ownCards({ proof, seen }: Case): Check[] {
  if (!seen.cards || seen.place === undefined) return [];
  const index = proof.places.indexOf(seen.place);
  const said = index < 0 ? [] : handAt(proof.cards, index);
  const wrong =
    String(said) === String(seen.cards)
      ? []
      : [`You were shown ${names(seen.cards)}; the proof says ${names(said)}.`];
  return [
    check(
      "cards",
      wrong,
      `Your hand in it is the one you were shown: ${names(seen.cards)}.`,
      "Your hand is not the one you were shown.",
    ),
  ];
}

function seats({ proof }: Case): Check[] {
  if (isWheel(proof) || !proof.cards.length) return [];
  const wrong = seatsWrong(proof);
  const rule = proof.rulebook.bank?.first;
  if (rule === "left" && proof.first !== 1)
    wrong.push(`Action starts at seat ${proof.first}; the rulebook says seat 1.`);
  const drawn = rule === "drawn" ? ", which the seeds drew" : "";
  const fits =
    rule === undefined
      ? "Every hand has the seat of its place."
      : `Seats count from the banker's left, and action starts at seat ${proof.first}${drawn}.`;
  const checks = [check("seats", wrong, fits, "The seats are not as the rulebook has them.")];
  if (rule === "button")
    checks.push(
      note(
        "button",
        "Action moves on one seat each round. That follows from the rounds before, and is not proved here.",
      ),
    );
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
  ["seed", ownSeed],
  ["deal", deal],
  ["cards", ownCards],
  ["seats", seats],
  ["settlement", ({ proof, seen }) => settlementOf(proof, seen)],
  ["result", ({ proof, seen }) => ownEnd(proof, seen)],
];
