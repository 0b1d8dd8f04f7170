/** The sounds of the room: on at a low level, from the first tap or key on, until they are switched off. */
import { settings } from "../ui/settings.svelte";
import { start, type SoundName } from "./recipes";

const LEVEL = 0.3;
/** What is heard also in a tab that nobody sees: the table waits for the player. */
const CALLS: readonly SoundName[] = ["turn_to_act", "tick"];
const nothing = () => {};

class Sound {
  #context: AudioContext | null = null;
  #output: AudioNode | null = null;

  /** Begin with the player's first gesture, as browsers want it; call it once for the page. */
  listen() {
    for (const gesture of ["pointerdown", "keydown"])
      addEventListener(gesture, () => this.#wake(), { capture: true, passive: true });
  }

  #wake() {
    if (!settings.sound) return;
    try {
      this.#context ??= new AudioContext();
      if (this.#context.state === "suspended") void this.#context.resume().catch(nothing);
    } catch {
      // a device without sound is a quiet one
    }
  }

  /** Play a sound, in so many milliseconds; return what keeps it from being heard, or ends it. */
  play(name: SoundName, delay = 0): () => void {
    const context = this.#context;
    if (!context || !settings.sound || context.state !== "running") return nothing;
    if (document.hidden && !CALLS.includes(name)) return nothing;
    return start(context, this.#out(context), name, context.currentTime + delay / 1000);
  }

  /** A low level, and never more than the loudspeaker takes, however many sound at once. */
  #out(context: AudioContext): AudioNode {
    if (this.#output) return this.#output;
    const limiter = new DynamicsCompressorNode(context, { threshold: -12, ratio: 12 });
    limiter.connect(context.destination);
    this.#output = new GainNode(context, { gain: LEVEL });
    this.#output.connect(limiter);
    return this.#output;
  }
}

export const sound = new Sound();
export type { SoundName };
