/** Keys that do what the buttons of a table do. */
import { settings } from "../ui/settings.svelte";

/** What keys can do, in the order in which they are listed. */
export const ACTION_KEYS = {
  chip: "12345",
  ante: "A",
  side: "B",
  deal: " ",
  spin: " ",
  rebet: "R",
  clear: "C",
  play: "P",
  fold: "F",
  help: "?",
} as const;
export type Action = keyof typeof ACTION_KEYS;

/** What to do for a key; `chip` is told which one, from 0. An action that is not possible now does nothing. */
export type Actions = Partial<Record<Exclude<Action, "chip">, () => void>> & {
  chip?: (index: number) => void;
};

/** Fields in which keys write or choose. */
const FIELDS = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]';
/** What Space belongs to while it has the focus. */
const PRESSED = 'button, a[href], summary, input, label, [role="button"], [role="tab"]';

/** Return the character that a key stands for; on keyboards of other scripts, by where the key is. */
function character({ key, code }: KeyboardEvent): string {
  if (/^Digit[1-5]$/.test(code) && !/^\d$/.test(key)) return code.slice(-1);
  if (key.length === 1 && key > "~" && /^Key/.test(code)) return code.slice(-1);
  return key.toUpperCase();
}

class Shortcuts {
  /** The newest binding comes first. */
  #bound = $state.raw<readonly Actions[]>([]);

  /** What keys do now. */
  readonly actions = $derived.by(() =>
    (Object.keys(ACTION_KEYS) as Action[]).filter((action) => this.#bound.some((b) => b[action])),
  );

  /** Have keys do something until what is returned is called. */
  bind(actions: Actions): () => void {
    if (!this.#bound.length) addEventListener("keydown", this.#onKey);
    this.#bound = [actions, ...this.#bound];
    return () => {
      this.#bound = this.#bound.filter((others) => others !== actions);
      if (!this.#bound.length) removeEventListener("keydown", this.#onKey);
    };
  }

  readonly #onKey = (event: KeyboardEvent) => {
    if (!settings.shortcuts || event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = character(event);
    if (event.shiftKey && key !== "?") return;
    if (!this.#isFree(event.target, key) || !this.#run(key)) return;
    event.preventDefault();
  };

  /** Whether a key means nothing where it was pressed. */
  #isFree(target: EventTarget | null, key: string): boolean {
    if (document.querySelector("dialog[open]")) return false;
    if (!(target instanceof Element)) return true;
    return !target.closest(FIELDS) && !(key === " " && target.closest(PRESSED));
  }

  #run(key: string): boolean {
    const chip = ACTION_KEYS.chip.indexOf(key);
    const choose = this.#bound.find((actions) => actions.chip)?.chip;
    if (chip >= 0 && choose) {
      choose(chip);
      return true;
    }
    for (const actions of this.#bound)
      for (const [action, act] of Object.entries(actions) as [Action, () => void][])
        if (action !== "chip" && ACTION_KEYS[action] === key) {
          act();
          return true;
        }
    return false;
  }
}

export const shortcuts = new Shortcuts();

/**
 * Put the keyboard where the next act is, unless the player is busy elsewhere: it moves from the
 * page itself and from within `group` only.
 */
export function focusNext(target: HTMLElement | null | undefined, group?: Element | null) {
  const active = document.activeElement;
  const isIdle = !active || active === document.body || active.id === "main";
  if (target && (isIdle || group?.contains(active))) target.focus({ preventScroll: true });
}
