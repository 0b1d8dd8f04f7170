/** Messages for screen readers: one live region for the whole page, in `App.svelte`. */
class Announcer {
  text = $state("");
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: string[] = [];

  /** Announce a message once. Messages of the same moment are announced together. */
  tell(text: string) {
    if (!text || this.#next.includes(text)) return;
    this.#next.push(text);
    this.text = ""; // so that the same is heard again
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.text = this.#next.join(" ");
      this.#next = [];
    }, 60);
  }
}

export const announcer = new Announcer();
