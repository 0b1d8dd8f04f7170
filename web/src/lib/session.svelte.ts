import { api, ApiError, type Me } from "./api";

/** Who is playing in this browser. */
class Session {
  me = $state.raw<Me | null>(null);
  known = $state(false);

  async look() {
    try {
      this.me = await api.me();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.me = null;
    } finally {
      this.known = true;
    }
  }

  async enter(name: string) {
    this.me = await api.enter(name);
    this.known = true;
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
