import { settings } from "../ui/settings.svelte";

/** Vibrate for a moment, if the device can: when a chip is put down or a decision made. */
export function touch() {
  // Browsers complain of a page that does so before the player has touched it.
  const device = globalThis.navigator;
  if (settings.sound && device?.userActivation?.hasBeenActive) device.vibrate?.(8);
}
