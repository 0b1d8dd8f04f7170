import { api, type Me, type Room } from "./api";
import { complaint } from "../text/format";

/** Players with less than this, in cents, are given chips. */
const BROKE = 10_000;

/** The player who is logged in in this browser, and the room as it was last seen. */
class Account {
  me = $state.raw<Me | null>(null);
  room = $state.raw<Room | null>(null);
  known = $state(false);
  /** Called whenever a player has logged in or out, and when their chips were looked at. */
  readonly listeners = new Set<() => void>();
  /** How often something was asked, and which answer was taken last: an older one is not news. */
  #asked = 0;
  #taken = 0;

  /** Fetch the room, and the player's chips if somebody is logged in. */
  async look() {
    const asked = ++this.#asked;
    const room = await api.room();
    const me = room.player === null ? null : await api.me();
    if (asked < this.#taken) return;
    this.room = room;
    this.#be(me, asked);
  }

  async enter(name: string, password?: string) {
    this.#be(password ? await api.logIn(name, password) : await api.enter(name));
  }

  async leave() {
    await api.logOut();
    this.#be(null);
  }

  #be(me: Me | null, asked = ++this.#asked) {
    this.me = me;
    this.known = true;
    this.#taken = asked;
    for (const listener of this.listeners) listener();
  }

  /** The player's chips, in the wallet and at all tables. */
  get chips() {
    return (this.me?.seats ?? []).reduce((sum, seat) => sum + seat.cents, this.me?.wallet ?? 0);
  }

  /** Whether so little is left that the room gives chips. */
  get isBroke() {
    return this.me !== null && this.chips < BROKE;
  }

  /** Ask for play chips; return what the room says if it gives none. */
  async refill(): Promise<string> {
    try {
      this.#be(await api.chips());
      return "";
    } catch (error) {
      return complaint(error);
    }
  }
}

export const account = new Account();
