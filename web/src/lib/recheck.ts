/** The cards of a round that is over, dealt again from what the table shows of its seeds. */
import type { Last, Own } from "./protocol";
import { keyOnChain } from "./proof/chain";
import { Words } from "./proof/deal";
import { pockets } from "./proof/wheel";
import type { Rulebook } from "./rulebook";

const same = (a: readonly (number | null)[], b: readonly (number | null)[]) =>
  String(a) === String(b);

/**
 * Whether everything that is shown of a round's deal follows from its seeds; nothing where that
 * cannot be said: the round was not dealt, is of scheme 1, or the wheel's rules are not known.
 */
export async function followsFromSeeds(
  table: string,
  digest: string,
  { round, end }: Last,
  own: Own,
  book?: Rulebook,
): Promise<boolean | undefined> {
  const { chain, committed = {}, shown = {}, pocket, dealer = [] } = round;
  if (!chain || !end.seed || (pocket === undefined && !dealer.length)) return undefined;
  const seeds = Object.entries(committed).map(([place, commitment]) => ({
    place: Number(place),
    player: round.committed_by?.[place] ?? "",
    commitment,
    shown: shown[place] ?? null,
  }));
  const of = { table, chain, round: round.round };
  const words = new Words(await keyOnChain(end.seed, of, digest, seeds, round.added ?? {}));
  if (pocket !== undefined) {
    if (book?.game !== "roulette") return undefined;
    const wheel = pockets(book);
    return wheel[await words.below(wheel.length)] === pocket;
  }
  const deck = await words.shuffle();
  const hands = [...round.hands].sort((a, b) => a.seat - b.seat);
  const dealt = (n: number) => deck.slice(3 * n, 3 * n + 3);
  const fits = (cards: readonly (number | null)[], n: number) =>
    same(
      cards,
      dealt(n).map((card, at) => (cards[at] === null ? null : card)),
    );
  return (
    fits(dealer, hands.length) &&
    hands.every((hand, n) => {
      const mine = hand.place === own.last_hand ? own.last_cards : undefined;
      return fits(mine ?? hand.cards ?? [null, null, null], n);
    })
  );
}
