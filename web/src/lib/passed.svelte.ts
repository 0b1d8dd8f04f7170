/** A timer runs no longer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Whether a moment, by this machine's clock, has passed; where there is none it has not. For a component's beginning. */
export function passed(moment: () => number | undefined): { readonly yes: boolean } {
  let yes = $state(false);
  $effect.pre(() => {
    const left = (moment() ?? Infinity) - Date.now();
    yes = left <= 0;
    if (left <= 0 || left === Infinity) return;
    const timer = setTimeout(() => (yes = true), Math.min(left, LONGEST));
    return () => clearTimeout(timer);
  });
  return {
    get yes() {
      return yes;
    },
  };
}
