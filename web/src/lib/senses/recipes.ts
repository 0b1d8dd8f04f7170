/**
 * The sounds of the room, as data: short noises and tones, each with a soft beginning and a fading
 * end. `start` makes one of them in any audio context.
 */
export type SoundName =
  | "card"
  | "turn"
  | "chip"
  | "stack"
  | "sweep"
  | "win"
  | "push"
  | "tick"
  | "turn_to_act"
  | "ball"
  | "drop"
  | "bell";

/** Pitches in hertz, times in seconds; a voice glides from one pitch to another where it has two. */
interface Voice {
  kind: "noise" | "sine" | "triangle";
  from: number;
  to?: number;
  at?: number;
  length: number;
  level: number;
  /** How long it swells; a click does not. */
  attack?: number;
  /** How narrow a band of noise is. */
  width?: number;
}

/** Clay on clay: a click of noise with two short partials over it. */
const clack = (at: number, pitch = 1, level = 1): Voice[] => [
  { kind: "noise", from: 5200 * pitch, length: 0.03, level: 0.5 * level, width: 1.2, at },
  { kind: "sine", from: 2950 * pitch, length: 0.045, level: 0.28 * level, at },
  { kind: "sine", from: 4430 * pitch, length: 0.03, level: 0.14 * level, at },
];
const note = (at: number, from: number, length: number, level = 0.4): Voice[] => [
  { kind: "triangle", from, length, level, attack: 0.012, at },
  { kind: "sine", from: from * 2, length: length * 0.6, level: level * 0.25, attack: 0.012, at },
];
/** How long the ball runs before it is let down by `drop` or ended. */
const RUN = 4;

export const RECIPES: Record<SoundName, readonly Voice[]> = {
  card: [
    { kind: "noise", from: 3400, to: 1500, length: 0.09, level: 0.55, attack: 0.012, width: 0.8 },
    { kind: "noise", from: 900, length: 0.035, level: 0.4, width: 1, at: 0.06 },
  ],
  turn: [
    { kind: "noise", from: 1800, to: 4200, length: 0.07, level: 0.4, attack: 0.02, width: 0.9 },
    { kind: "noise", from: 1200, length: 0.03, level: 0.5, width: 1, at: 0.07 },
  ],
  chip: clack(0),
  stack: [...clack(0), ...clack(0.05, 1.06, 0.9), ...clack(0.095, 0.97, 0.8), ...clack(0.13, 1.1)],
  sweep: [
    { kind: "noise", from: 1100, to: 420, length: 0.34, level: 0.5, attack: 0.08, width: 0.7 },
    ...clack(0.09, 0.9, 0.5),
    ...clack(0.2, 1.02, 0.4),
    ...clack(0.27, 0.95, 0.5),
  ],
  win: [...note(0, 659.26, 0.4), ...note(0.13, 880, 0.55)],
  push: note(0, 523.25, 0.3, 0.35),
  tick: [
    { kind: "sine", from: 1250, to: 900, length: 0.035, level: 0.5 },
    { kind: "noise", from: 3000, length: 0.015, level: 0.25, width: 1 },
  ],
  turn_to_act: [...note(0, 587.33, 0.22), ...note(0.12, 783.99, 0.4)],
  ball: [
    { kind: "noise", from: 950, to: 520, length: RUN, level: 0.6, attack: 0.25, width: 2.5 },
    { kind: "noise", from: 2600, to: 1500, length: RUN, level: 0.28, attack: 0.25, width: 5 },
  ],
  drop: [0, 0.17, 0.3, 0.4, 0.47, 0.52].flatMap((at, n) =>
    clack(at, 0.62 + 0.03 * (n % 3), 1 - n * 0.14),
  ),
  bell: [1, 2, 2.76, 5.4].map((partial, n) => ({
    kind: "sine",
    from: 740 * partial,
    length: 1.1 / (1 + n * 0.6),
    level: 0.36 / (1 + n),
    attack: 0.003,
  })),
};

const noises = new WeakMap<BaseAudioContext, AudioBuffer>();

/** A second of white noise, made once for each context. */
function noiseOf(context: BaseAudioContext): AudioBuffer {
  const known = noises.get(context);
  if (known) return known;
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.random() * 2 - 1;
  noises.set(context, buffer);
  return buffer;
}

function noiseSource(context: BaseAudioContext, voice: Voice, at: number) {
  const source = new AudioBufferSourceNode(context, { buffer: noiseOf(context), loop: true });
  const { from, to = from, width = 1 } = voice;
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: from, Q: width });
  filter.frequency.setValueAtTime(from, at);
  filter.frequency.exponentialRampToValueAtTime(to, at + voice.length);
  source.connect(filter);
  return { source, end: filter };
}

function toneSource(
  context: BaseAudioContext,
  { kind, from, to = from, length }: Voice,
  at: number,
) {
  const source = new OscillatorNode(context, { type: kind as OscillatorType, frequency: from });
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + length);
  return { source, end: source as AudioNode };
}

/** Make a sound in a context from a moment on; return what ends it before its time. */
export function start(
  context: BaseAudioContext,
  output: AudioNode,
  name: SoundName,
  moment: number,
): () => void {
  const sources = RECIPES[name].map((voice) => {
    const at = moment + (voice.at ?? 0);
    const make = voice.kind === "noise" ? noiseSource : toneSource;
    const { source, end } = make(context, voice, at);
    const gain = new GainNode(context, { gain: 0 });
    const { attack = 0.002, length, level } = voice;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(level, at + attack);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    end.connect(gain).connect(output);
    source.start(at);
    source.stop(at + length);
    return source;
  });
  return () => sources.forEach((source) => source.stop());
}
