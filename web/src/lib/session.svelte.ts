import { api, type Me, type Room } from "./api";
import { complaint } from "./words";

/** Who has less than this, in cents, is given chips. */
const BROKE = 10_000;

/** Who is playing in this browser, and the room as it was last seen. */
class Session {
  me = $state.raw<Me | null>(null);
  room = $state.raw<Room | null>(null);
  known = $state(false);

  /** Look at the room, and at one's own chips if one has entered. */
  async look() {
    const room = await api.room();
    this.me = room.player === null ? null : await api.me();
    this.room = room;
    this.known = true;
  }

  async enter(name: string, password?: string) {
    this.me = password ? await api.logIn(name, password) : await api.enter(name);
    this.known = true;
  }

  async leave() {
    await api.logOut();
    this.me = null;
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
      this.me = await api.chips();
      return "";
    } catch (error) {
      return complaint(error);
    }
  }
}

export const session = new Session();
