import { api, type Me, type Room } from "./api";
import { complaint } from "./words";

/** Who has less than this, in cents, is given chips. */
const BROKE = 10_000;

/** Who is playing in this browser, and the room as it was last seen. */
class Session {
  me = $state.raw<Me | null>(null);
  room = $state.raw<Room | null>(null);
  known = $state(false);
  /** How often something was asked, and which answer was taken last: an older one is not news. */
  #asked = 0;
  #taken = 0;

  /** Look at the room, and at one's own chips if one has entered. */
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
  }

  /** What one has, in the wallet and at all tables. */
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

export const session = new Session();
