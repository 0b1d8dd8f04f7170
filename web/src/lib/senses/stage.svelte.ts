/** What moves on the felt now: when a deal has ended, and how a tap or a key ends it at once. */
import type { Attachment } from "svelte/attachments";
import { sound } from "./sound";
import { DEAL, DEAL_GAP, dealFrom, mayMove, middle } from "./motion";

/** A card that was just laid down, and how it is turned once all of them lie there. */
interface Dealt {
  element: Element;
  order: number;
  turn: ((delay: number) => Animation[]) | undefined;
}

class Stage {
  /**
   * Whether cards are on their way. Name the player's hand and raise the buttons when it is over;
   * but let players act at any time.
   */
  isDealing = $state(false);

  #shoe: Element | null = null;
  #waiting: Dealt[] = [];
  #dealing: Animation[] = [];
  #skips = new Set<() => void>();

  /**
   * Deal cards from this element: `<div data-shoe {@attach stage.shoe}>`. Cards that appear together
   * with it were dealt before, and lie there at once.
   */
  readonly shoe: Attachment<Element> = (element) => {
    const timer = setTimeout(() => (this.#shoe = element));
    return () => {
      clearTimeout(timer);
      if (this.#shoe === element) this.#shoe = null;
    };
  };

  /** Whether a card that appears now is dealt from the shoe. */
  get deals(): boolean {
    return this.#shoe !== null && mayMove();
  }

  /** Deal a card; those of one moment are dealt together. `turn`: given where it lands face down first. */
  deal(card: Dealt) {
    if (!this.#waiting.length) queueMicrotask(() => this.#dealAll());
    this.#waiting.push(card);
    this.isDealing = true;
  }

  // All are measured before any moves, so that the page is laid out once.
  #dealAll() {
    const cards = this.#waiting;
    this.#waiting = [];
    const shoe = this.#shoe;
    if (!shoe) return this.#onDealt([]);
    const start = middle(shoe);
    const ways = cards.map(({ element }) => {
      const end = middle(element);
      return { x: start.x - end.x, y: start.y - end.y };
    });
    const first = Math.min(...cards.map((card) => card.order));
    const delay = (card: Dealt) => (card.order - first) * DEAL_GAP;
    const dealt = Math.max(...cards.map(delay)) + DEAL;
    const animations = cards.flatMap((card, n) => [
      dealFrom(card.element, ways[n]!, delay(card)),
      ...(card.turn?.(dealt) ?? []),
    ]);
    const sounds = cards.map((card) => sound.play("card", delay(card) + DEAL / 2));
    if (cards.some((card) => card.turn)) sounds.push(sound.play("turn", dealt));
    this.#dealing.push(...animations);
    void this.play(animations).then(() => {
      sounds.forEach((end) => end());
      this.#onDealt(animations);
    });
  }

  #onDealt(animations: Animation[]) {
    this.#dealing = this.#dealing.filter((animation) => !animations.includes(animation));
    this.isDealing = this.#dealing.length + this.#waiting.length > 0;
  }

  /** Have all cards of a deal lie there now: what comes next has begun. */
  endDeal() {
    for (const animation of this.#dealing) animation.finish();
  }

  /** Wait until animations have ended, by themselves or since the player had no patience. */
  async play(animations: Animation[]): Promise<void> {
    const leave = this.during(() => animations.forEach((animation) => animation.finish()));
    await Promise.allSettled(animations.map((animation) => animation.finished));
    leave();
  }

  /** Have something ended by any tap or key, as long as what is returned was not called. */
  during(skip: () => void): () => void {
    if (!this.#skips.size) this.#listen();
    this.#skips.add(skip);
    return () => {
      this.#skips.delete(skip);
      if (!this.#skips.size) this.#deafen();
    };
  }

  /** End everything that moves now. */
  readonly skip = () => {
    const skips = [...this.#skips];
    this.#skips.clear();
    this.#deafen();
    for (const skip of skips) skip();
  };

  #listen() {
    document.addEventListener("pointerdown", this.skip, true);
    document.addEventListener("keydown", this.skip, true);
    document.addEventListener("visibilitychange", this.skip);
  }

  #deafen() {
    document.removeEventListener("pointerdown", this.skip, true);
    document.removeEventListener("keydown", this.skip, true);
    document.removeEventListener("visibilitychange", this.skip);
  }
}

export const stage = new Stage();
