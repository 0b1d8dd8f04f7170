/** Amounts that count up or down to what they have become. */
import { mayMove, smooth } from "./motion";
import { stage } from "./stage.svelte";

/** How long that takes, in milliseconds. */
const COUNT = 300;

export interface Counted {
  cents: number;
  /** How the amount is written. */
  text: (cents: number) => string;
}

/** Write an amount into an element, counting up or down to it whenever it changes: `use:counting={{ cents, text: money }}`. */
export function counting(node: HTMLElement, { cents, text }: Counted) {
  let shown = cents;
  let stop = () => {};
  const write = (amount: number) => {
    shown = amount;
    node.textContent = text(amount);
  };
  write(cents);
  return {
    update(next: Counted) {
      stop();
      if (next.cents === shown || !mayMove()) return write(next.cents);
      stop = count(shown, next.cents, (amount) => {
        shown = amount;
        node.textContent = next.text(amount);
      });
    },
    destroy: () => stop(),
  };
}

/** Call `write` with whole amounts on the way, and at last with the exact one; return what ends it. */
function count(from: number, to: number, write: (cents: number) => void): () => void {
  const start = performance.now();
  let frame = 0;
  const end = () => {
    cancelAnimationFrame(frame);
    leave();
  };
  const leave = stage.during(() => {
    end();
    write(to);
  });
  const unit = from % 100 || to % 100 ? 1 : 100; // no cents on the way between whole dollars
  const next = (now: number) => {
    const share = Math.min(1, Math.max(0, now - start) / COUNT);
    write(share === 1 ? to : unit * Math.round((from + (to - from) * smooth(share)) / unit));
    if (share < 1) frame = requestAnimationFrame(next);
    else leave();
  };
  frame = requestAnimationFrame(next);
  return end;
}
