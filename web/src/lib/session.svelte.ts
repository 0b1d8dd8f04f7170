import { api, ApiError, type Me, type Room } from "./api";

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

  /** Ask for play chips; who has some left is told so by the server, and keeps them. */
  async refill() {
    try {
      this.me = await api.chips();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

export const session = new Session();
