/** Whose seeds a round was dealt with: the room's chain, the places', and the player's own. */
import { down, placeCommitment } from "./chain";
import { allHands, check, note, type Check, type Committed, type Proof, type Seen } from "./types";
import { notCounted, SEED_LEFT_OUT } from "../../texts/fairness";
import * as texts from "../../texts/proof";

export const isDealt = (proof: Proof) => proof.cards.length > 0 || proof.pocket !== null;

/** The room's seeds: a chain that was fixed before, or a seed that the room drew for this round alone. */
export async function chained(proof: Proof, { chain }: Seen): Promise<Check[]> {
  if (!proof.chain && !chain) return [note("chain", texts.chain.none)];
  if (!chain) return [note("chain", texts.chain.notSeen(proof.chain))];
  if (!proof.seed && proof.ended === "voided") return [];
  const wrong: string[] = [];
  if (!proof.chain) wrong.push(texts.chain.goneBack);
  else if (proof.chain !== chain.number)
    wrong.push(texts.chain.otherChain(proof.chain, chain.number));
  else {
    const due = proof.round - chain.before;
    if (proof.link !== due) wrong.push(texts.chain.otherLink(proof.link, due));
    if (!(await leadsToEnd(proof, chain))) wrong.push(texts.chain.otherEnd(chain.end));
  }
  return [check("chain", wrong, texts.chain.fits(proof.link, proof.chain), texts.chain.fails)];
}

/** Whether the seed leads to the chain's end; where a seed of it was followed before, only down to that. */
async function leadsToEnd(proof: Proof, { end, tip }: NonNullable<Seen["chain"]>) {
  const { table, chain, link, seed } = proof;
  const from = tip && tip.link <= link ? tip : { link: 0, seed: end };
  return (await down(table, chain, link, seed, from.link)) === from.seed;
}

const nameOf = ({ player, place }: Committed) => texts.seeds.owner(player, place);

/** The seeds that places committed to: each shown one hashes to its commitment, as it was seen. */
export function ofPlaces(proof: Proof, seen: Seen): Check[] {
  if (!proof.chain) return proof.committed?.length ? [misplaced()] : [];
  const wrong = [...madeWrong(proof), ...seenWrong(proof, seen)];
  const shown = proof.committed.filter((committed) => committed.shown !== null);
  const out = proof.committed.filter((committed) => committed.shown === null);
  const checks: Check[] = [];
  if (!proof.committed.length && !wrong.length)
    checks.push(note("places", texts.seeds.noneHidden(Object.keys(proof.seeds).length > 0)));
  else
    checks.push(
      check(
        "places",
        wrong,
        isDealt(proof)
          ? texts.seeds.fits(shown.length)
          : texts.seeds.committed(proof.committed.length),
        texts.seeds.fails,
      ),
    );
  if (out.length && isDealt(proof)) checks.push(note("left", texts.seeds.leftOut(out.map(nameOf))));
  return checks;
}

/**
 * Whether a player's seed binds a deal, so that the room alone could not choose it: one that was hidden
 * until bets were closed, at a place with a bet or the bank, and not a bot's. This browser's own counts
 * in any case. Undefined where nothing was dealt.
 */
export function isBound(proof: Proof, { place: own, hidden }: Seen): boolean | undefined {
  if (!isDealt(proof)) return undefined;
  if (!proof.chain || !proof.seed) return false;
  const atStake = new Set([proof.banker, ...allHands(proof).map(({ place }) => place)]);
  return proof.committed.some(
    ({ place, shown, bot }) =>
      shown !== null && ((atStake.has(place) && !bot) || (place === own && shown === hidden?.seed)),
  );
}

/** Whether players had a part in the deal, or the room could have chosen it. */
export function ofPlayers(proof: Proof, seen: Seen): Check[] {
  const bound = isBound(proof, seen);
  if (bound === undefined) return [];
  return [bound ? check("players", [], texts.seeds.bound, "") : note("players", texts.seeds.free)];
}

const misplaced = () => check("places", [texts.seeds.schemeOne], "", texts.seeds.notHere);

function madeWrong(proof: Proof): string[] {
  const wrong = proof.committed
    .filter(
      (committed) =>
        committed.shown !== null &&
        placeCommitment(proof, committed.place, committed.player, committed.shown) !==
          committed.commitment,
    )
    .map((committed) => texts.seeds.otherCommitment(nameOf(committed)));
  if (new Set(proof.committed.map((committed) => committed.place)).size !== proof.committed.length)
    wrong.push(texts.seeds.twice);
  return wrong;
}

/** Seeds that this window saw shown, and that the proof does not have. */
function seenWrong(proof: Proof, { shown = {} }: Seen): string[] {
  const said = new Map(
    proof.committed.map((committed) => [String(committed.place), committed.shown]),
  );
  return Object.entries(shown)
    .filter(([place, seed]) => said.get(place) !== seed)
    .map(([place, seed]) => texts.seeds.missing(place, seed));
}

/** The seed that this browser hid until bets were closed. */
export function ownHidden(proof: Proof, { place, hidden, shown }: Seen): Check[] {
  if (!proof.chain || place === undefined) return [];
  const committed = proof.committed.find((committed) => committed.place === place);
  if (!hidden) return [note("hidden", committed ? texts.hidden.foreign : texts.hidden.none)];
  const { seed, commitment, taken, counted } = hidden;
  const { fits, fails } = texts.hidden;
  if (committed?.commitment !== commitment)
    return taken
      ? [check("hidden", [texts.hidden.lacksCommitment], "", fails)]
      : [note("dropped", notCounted(texts.hidden.noCommitment))];
  if (committed.shown !== null) {
    const wrong = committed.shown === seed ? [] : [texts.hidden.other(seed, committed.shown)];
    return [check("hidden", wrong, fits, fails)];
  }
  if (!isDealt(proof)) return [];
  return counted || shown?.[place] === seed
    ? [check("hidden", [texts.hidden.leftOut], "", fails)]
    : [note("dropped", notCounted(SEED_LEFT_OUT))];
}
