/** A round that is over, checked by itself from what the table shows of it: no proof is asked for. */
import type { Last, Own, RoundView, TableView } from "../net/protocol";
import { keyOnChain } from "../proof/chain";
import { Words } from "../proof/deal";
import { fixedInView, voidedHands } from "../proof/fixed";
import { isDealt } from "../proof/seeds";
import type { Check, Proof, Seen } from "../proof/types";
import { pockets } from "../proof/wheel";
import { checkSeeds } from "../proof/prove";
import type { Rulebook } from "../net/rulebook";
import { hex, ownSha256 } from "../proof/sha256";
import { NOT_FROM_SEEDS, NOTHING_SHOWN } from "../../texts/fairness";

/** What the table shows of a round, in the form of a proof; its cards only as far as they are shown. */
export function shownAsProof(view: TableView, { round, end }: Last, { digest = "" }: Seen): Proof {
  return {
    ...{ table: view.table, round: round.round, at: end.at, digest, end },
    ended: end.type === "round.voided/1" ? "voided" : "settled",
    rulebook: { game: view.game } as Rulebook,
    ...{ commitment: round.commitment, seed: end.seed, seeds: round.added ?? {} },
    ...{ chain: round.chain ?? 0, link: round.link ?? 0 },
    committed: Object.entries(round.committed ?? {}).map(([place, commitment]) => ({
      place: Number(place),
      player: round.committed_by?.[place] ?? "",
      commitment,
      shown: round.shown?.[place] ?? null,
      bot: view.places.some((seat) => seat.bot && seat.place === Number(place)),
    })),
    ...{ banker: round.banker ?? null, bank: null, first: null, fees: [], places: [] },
    hands: round.hands,
    voided: voidedHands(round),
    cards: (round.dealer ?? []).map((card) => card ?? -1),
    pocket: round.pocket ?? null,
  } as Proof;
}

/** What may not be another later, once a round was shown to be over. */
export function endOf({ round, end }: Last): string {
  const { chain, link, commitment, shown, dealer, pocket } = round;
  const all = [fixedInView(round), end, chain, link, commitment, shown, dealer, pocket];
  return hex(ownSha256(new TextEncoder().encode(JSON.stringify(all))));
}

/** What does not fit in a round on a chain, of which a window has seen the start. */
export async function whatIsWrong(
  view: TableView,
  last: Last,
  own: Own,
  seen: Seen,
  book?: Rulebook,
): Promise<string[]> {
  const proof = shownAsProof(view, last, seen);
  const bad = (checks: Check[]) =>
    checks
      .filter((check) => check.fits === false)
      .map(({ id, says, wrong }) => (id === "fixed" ? `${says} ${wrong[0]}` : says));
  const wrong = bad(await checkSeeds(proof, seen));
  if (proof.ended === "settled" && !isDealt(proof)) wrong.push(NOTHING_SHOWN);
  if (proof.seed && isDealt(proof) && (await isDealtOtherwise(proof, last, own, seen, book)))
    wrong.push(NOT_FROM_SEEDS);
  return wrong;
}

const fits = (shown: readonly (number | null)[], dealt: number[]) =>
  shown.every((card, n) => card === null || card === dealt[n]);

/** Whether anything that is shown of the cards, or the pocket, is not what the seeds give. */
async function isDealtOtherwise(
  proof: Proof,
  { round }: Last,
  own: Own,
  seen: Seen,
  book?: Rulebook,
): Promise<boolean> {
  const { seed, digest, committed, seeds } = proof;
  const words = new Words(await keyOnChain(seed, proof, digest, committed, seeds));
  if (proof.pocket !== null) {
    if (book?.game !== "roulette") return false; // the rules of the wheel are not known yet
    const wheel = pockets(book);
    return wheel[await words.below(wheel.length)] !== proof.pocket;
  }
  const deck = await words.shuffle();
  const gone: RoundView["hands"] = voidedHands(round);
  const hands = [...round.hands, ...gone].sort((a, b) => a.seat - b.seat);
  const dealt = (n: number) => deck.slice(3 * n, 3 * n + 3);
  const all = hands.every((hand, n) => {
    const ownCards = hand.place === seen.place ? seen.cards : undefined;
    const later = hand.place === own.last_hand ? own.last_cards : undefined;
    return [hand.cards, ownCards, later].every((cards) => fits(cards ?? [], dealt(n)));
  });
  const everyone = hands.every((hand) => hand.wagers.length);
  return !(all && everyone && fits(round.dealer ?? [], dealt(hands.length)));
}
