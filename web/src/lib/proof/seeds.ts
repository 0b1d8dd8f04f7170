/** Whose seeds a round was dealt with: the room's chain, the places', and the player's own. */
import { list } from "../text/format";
import { down, placeCommitment } from "./chain";
import { check, note, type Check, type Committed, type Proof, type Seen } from "./types";

export const isDealt = (proof: Proof) => proof.cards.length > 0 || proof.pocket !== null;

const NEVER_BACK = "A table that has started a chain never goes back.";

/** The room's seeds: a chain that was fixed before, or a seed that the room drew for this round alone. */
export async function chained(proof: Proof, { chain }: Seen): Promise<Check[]> {
  if (!proof.chain && !chain)
    return [
      note(
        "chain",
        "The room could have chosen: this round is of scheme 1, with a seed that the room drew for it alone.",
      ),
    ];
  if (!chain)
    return [
      note(
        "chain",
        `This window did not see chain ${proof.chain} before the round, so it cannot say where it was to end.`,
      ),
    ];
  if (!proof.seed && proof.ended === "voided") return [];
  const wrong: string[] = [];
  if (!proof.chain) wrong.push(`This round is of scheme 1. ${NEVER_BACK}`);
  else if (proof.chain !== chain.number)
    wrong.push(`It is of chain ${proof.chain}; you were shown chain ${chain.number}.`);
  else {
    const due = proof.round - chain.before;
    if (proof.link !== due) wrong.push(`It uses link ${proof.link}, and link ${due} was next.`);
    if (!(await leadsToEnd(proof, chain)))
      wrong.push(`Hashed ${proof.link} times, its seed does not give ${chain.end}.`);
  }
  return [
    check(
      "chain",
      wrong,
      `The room's seed is link ${proof.link} of chain ${proof.chain}: hashed again and again, it gives the end that you were shown.`,
      "The room's seed is not the next one of the chain that you were shown.",
    ),
  ];
}

/** Whether the seed leads to the chain's end; where a seed of it was followed before, only down to that. */
async function leadsToEnd(proof: Proof, { end, tip }: NonNullable<Seen["chain"]>) {
  const { table, chain, link, seed } = proof;
  const from = tip && tip.link <= link ? tip : { link: 0, seed: end };
  return (await down(table, chain, link, seed, from.link)) === from.seed;
}

const nameOf = ({ player, place }: Committed) => `${player} at place ${place}`;
const places = (count: number) => (count === 1 ? "one place" : `${count} places`);

/** The seeds that places committed to: each shown one hashes to its commitment, as it was seen. */
export function ofPlaces(proof: Proof, seen: Seen): Check[] {
  if (!proof.chain) return proof.committed?.length ? [misplaced()] : [];
  const wrong = [...madeWrong(proof), ...seenWrong(proof, seen)];
  const shown = proof.committed.filter((committed) => committed.shown !== null);
  const out = proof.committed.filter((committed) => committed.shown === null);
  const checks: Check[] = [];
  if (!proof.committed.length && !wrong.length)
    checks.push(
      note("places", "No place hid a seed: this round follows from the room's chain alone."),
    );
  else
    checks.push(
      check(
        "places",
        wrong,
        isDealt(proof)
          ? `It has the randomness of ${places(shown.length)}, and each seed is the one its place committed to.`
          : `${places(proof.committed.length).replace(/^o/, "O")} had committed to a seed.`,
        "The seeds of the places are not those that they committed to.",
      ),
    );
  if (out.length && isDealt(proof))
    checks.push(
      note(
        "left",
        `Left out: the seed of ${list(out.map(nameOf))}, committed to and not shown. Leaving one out is a choice between two outcomes, so it is counted.`,
      ),
    );
  return checks;
}

const misplaced = () =>
  check("places", ["A round of scheme 1 has no hidden seeds."], "", "These seeds have no place.");

function madeWrong(proof: Proof): string[] {
  const wrong = proof.committed
    .filter(
      (committed) =>
        committed.shown !== null &&
        placeCommitment(proof, committed.place, committed.player, committed.shown) !==
          committed.commitment,
    )
    .map((committed) => `The seed of ${nameOf(committed)} does not hash to what it committed to.`);
  if (new Set(proof.committed.map((committed) => committed.place)).size !== proof.committed.length)
    wrong.push("A place is named twice.");
  return wrong;
}

/** Seeds that this window saw shown, and that the proof does not have. */
function seenWrong(proof: Proof, { shown = {} }: Seen): string[] {
  const said = new Map(
    proof.committed.map((committed) => [String(committed.place), committed.shown]),
  );
  return Object.entries(shown)
    .filter(([place, seed]) => said.get(place) !== seed)
    .map(([place, seed]) => `Place ${place} has shown ${seed}, which is not in the proof.`);
}

/** The seed that this browser hid until bets were closed. */
export function ownHidden(proof: Proof, { place, hidden, shown }: Seen): Check[] {
  if (!proof.chain || place === undefined) return [];
  const committed = proof.committed.find((committed) => committed.place === place);
  if (!hidden)
    return [
      note(
        "hidden",
        committed
          ? "The hidden seed of your place is not from this browser."
          : "This browser hid no seed of yours in this round.",
      ),
    ];
  const { seed, commitment, taken, counted } = hidden;
  const fails = "Your hidden seed is not in it as you sent it.";
  if (committed?.commitment !== commitment)
    return taken
      ? [check("hidden", ["The table took your commitment, and the proof lacks it."], "", fails)]
      : [note("dropped", notCounted("Your commitment did not come into the round."))];
  if (committed.shown !== null) {
    const wrong =
      committed.shown === seed ? [] : [`You hid ${seed}; the proof says ${committed.shown}.`];
    return [check("hidden", wrong, "Your hidden seed is in it, as you sent it.", fails)];
  }
  if (!isDealt(proof)) return [];
  return counted || shown?.[place] === seed
    ? [check("hidden", ["The table took your seed, and the proof leaves it out."], "", fails)]
    : [note("dropped", notCounted("It came too late, or the room left it out."))];
}

export const notCounted = (why: string) => `Your seed was sent, not counted. ${why}`;
