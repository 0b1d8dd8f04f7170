/** A timer runs no longer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** A moment by this machine's clock, and whether it has passed; where there is none it has not. */
export class Deadline {
  hasPassed = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly onPass: () => void = () => undefined) {}

  set(moment: number | undefined) {
    clearTimeout(this.#timer);
    const left = (moment ?? Infinity) - Date.now();
    this.hasPassed = left <= 0;
    if (this.hasPassed || left === Infinity) return;
    this.#timer = setTimeout(
      () => {
        this.hasPassed = true;
        this.onPass();
      },
      Math.min(left, LONGEST),
    );
  }

  clear() {
    clearTimeout(this.#timer);
  }
}
