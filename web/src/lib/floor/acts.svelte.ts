/** What the floor is about to do: a dialog says what will happen, and asks why. */
export interface Act {
  title: string;
  /** What will happen, in sentences. */
  says: readonly string[];
  /** What the button says. */
  confirm: string;
  /** What the text that is asked for is called; nothing: no text is asked for. */
  asks?: string;
  /** What that text is to begin with. */
  text?: string;
  /** The round whose clock stands while the dialog is open. */
  clock?: { table: string; round: number };
  /** Whether that text may be left empty, and whether it is a password. */
  optional?: boolean;
  secret?: boolean;
  /** Whether players read it. */
  seen?: boolean;
  /** Do it; return what was done, in a sentence. */
  run: (text: string) => Promise<string>;
}

class Acts {
  now = $state.raw<Act | null>(null);
  /** What was done last. */
  done = $state("");

  ask(act: Act) {
    this.done = "";
    this.now = act;
  }

  #saidAt = 0;

  /** Show what was done, without a dialog. */
  say(sentence: string) {
    this.done = sentence;
    this.#saidAt = Date.now();
  }

  /** Forget what was done, on another screen; not what has just been said and led there. */
  forget() {
    if (Date.now() - this.#saidAt > 1000) this.done = "";
  }
}

export const acts = new Acts();
