/** Chains of the rooms' seeds as this window saw them first, and how far it has followed them. */
import { down } from "./proof/chain";
import type { SeenChain } from "./proof/types";
import type { TableView } from "./protocol";

const KEPT = "queenhigh.chains";

export class Chains {
  #first = $state.raw<Record<string, SeenChain>>(load());
  /** By table, the round whose seed is not on the chain. */
  #broken = $state.raw<Record<string, number>>({});

  #keep(table: string, chain: SeenChain) {
    this.#first = { ...this.#first, [table]: chain };
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(this.#first));
    } catch {
      // full or refused; it holds until the page is left
    }
  }

  broken(table: string): number | undefined {
    return this.#broken[table];
  }

  /** The chain that a table is on, as it was shown first. `anew`: this is another room. */
  see({ table, chain, round }: TableView, anew: boolean): SeenChain | undefined {
    const known = anew ? undefined : this.#first[table];
    if (!chain || !round?.link || (known && chain.number <= known.number)) return known;
    const { number, end } = chain;
    const first = { number, end, before: round.round - round.link };
    this.#keep(table, first);
    return first;
  }

  /** A chain with the last seed of it that was followed down to its end. */
  followed(table: string, chain: SeenChain): SeenChain {
    const known = this.#first[table];
    const same = known?.number === chain.number && known.end === chain.end;
    return same && known.tip ? { ...chain, tip: known.tip } : chain;
  }

  /** Follow a seed that was shown down to the last one that was, or to the end. */
  async follow(table: string, chain: SeenChain, round: number, seed: string) {
    const link = round - chain.before;
    const { tip = { link: 0, seed: chain.end } } = this.followed(table, chain);
    if (!seed || link <= tip.link) return;
    const fits = await down(table, chain.number, link, seed, tip.link).then(
      (found) => found === tip.seed,
      () => false,
    );
    if (!fits) this.#broken = { ...this.#broken, [table]: round };
    else if (this.#first[table]?.end === chain.end)
      this.#keep(table, { ...this.#first[table], tip: { link, seed } });
  }
}

function load(): Record<string, SeenChain> {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Record<string, SeenChain>;
  } catch {
    return {}; // no storage, or somebody else's writing in it
  }
}
