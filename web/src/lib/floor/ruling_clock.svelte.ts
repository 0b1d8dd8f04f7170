/** The clock of a round, which stands while a dialog about it is open. */
import type { RulingClockState } from "../../generated/server";
import { ApiError } from "../net/api";
import { floor } from "./api";

/** How often the stop is renewed, in milliseconds: the server waits for that for 15 seconds. */
const EVERY = 5000;
/** What says that a round is not under way. */
const LATE = new Set(["round.over", "round.ahead", "round.none"]);

export class RulingClock {
  /** Whether the clock stands, and who has stopped it; nothing until that is known. */
  state = $state.raw<RulingClockState | null>(null);
  /** Why it is too late for this round. */
  late = $state.raw<ApiError | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked: Promise<void>;

  constructor(
    readonly table: string,
    readonly round: number,
  ) {
    this.#asked = this.#renew();
  }

  async #renew() {
    try {
      this.state = await floor.stopClock(this.table, this.round);
    } catch (error) {
      this.note(error);
    }
    if (!this.late) this.#timer = setTimeout(() => (this.#asked = this.#renew()), EVERY);
  }

  /** Remember an error if it says that the round is not under way; one that says more replaces it. */
  note(error: unknown) {
    if (!(error instanceof ApiError) || !LATE.has(error.code)) return;
    if (!this.late?.correction?.facts) this.late = error;
    clearTimeout(this.#timer);
  }

  /** Start the clock again: the dialog is closed. */
  close() {
    void this.#asked.then(() => {
      clearTimeout(this.#timer);
      // Without an answer it runs again soon; of a round that is over there is nothing to end.
      if (!this.late) floor.startClock(this.table, this.round).catch(() => undefined);
    });
  }
}
