/**
 * How cards and chips move: from where something is measured to be, by transforms and opacity only,
 * so that the compositor moves them alone. Every function does less for players who asked their
 * device for less motion, and nothing in a tab that nobody sees.
 */

/** All times in milliseconds. */
export const DEAL_GAP = 90;
export const DEAL = 260;
export const TURN = 220;
const FADE = 160;
/** How long a chip travels: from the tray to a spot, and between a spot and the bank. */
export const TOSS = 160;
export const PAY = 280;

/** How far a curve rises above the straight line, as a share of its length, and at most in pixels. */
const LIFT = 0.15;
const MOST_LIFT = 60;

export interface Point {
  x: number;
  y: number;
}

/** Whether the player asked for less motion. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether things may travel over the felt at all. */
export const mayMove = () => !document.hidden && !isCalm();

/** Return the middle of an element, as it is laid out now. */
export function middle(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

const pixels = ({ x, y }: Point) => `${x.toFixed(1)}px ${y.toFixed(1)}px`;

/** Show an element without moving it. */
export function fadeIn(element: Element, delay = 0): Animation | undefined {
  if (document.hidden) return undefined;
  return element.animate([{ opacity: 0 }, {}], { duration: FADE, delay, fill: "backwards" });
}

/** Move a card in from a point, given as an offset from where it lies. */
export function dealFrom(card: Element, from: Point, delay: number): Animation {
  const keyframes = [
    { translate: pixels(from), rotate: "24deg", opacity: 0 },
    { opacity: 1, offset: 0.2 },
    {},
  ];
  const easing = "cubic-bezier(0.2, 0.7, 0.2, 1)";
  return card.animate(keyframes, { duration: DEAL, delay, easing, fill: "backwards" });
}

/** Turn a card: its cover goes edge on, then its face comes round. */
export function turnOver(cover: Element, face: Element, delay: number): Animation[] {
  const half = { duration: TURN / 2, fill: "both" } as const;
  const edge = (degrees: number) => `perspective(30rem) rotateY(${degrees}deg)`;
  return [
    cover.animate([{ transform: edge(0) }, { transform: edge(90) }], {
      ...half,
      delay,
      easing: "ease-in",
    }),
    face.animate([{ transform: edge(-90) }, { transform: edge(0) }], {
      ...half,
      fill: "backwards",
      delay: delay + TURN / 2,
      easing: "ease-out",
    }),
  ];
}

/**
 * Return where on the curve between two points something is, as an offset from its own end `own`:
 * at 0 it is at `other`, at 1 at `own`. Both ways lead along the same curve, which rises.
 */
export function onCurve(other: Point, own: Point, share: number): Point {
  const length = Math.hypot(own.x - other.x, own.y - other.y);
  const rise = Math.min(MOST_LIFT, LIFT * length);
  const left = 1 - share;
  const bend = 4 * left * share * rise;
  return { x: (other.x - own.x) * left, y: (other.y - own.y) * left - bend };
}

export interface Flight {
  /** Where it comes from or goes to: an element, or a selector of one in the same felt. */
  between: string | Element | undefined;
  duration?: number;
  delay?: number;
}

/** Begin slowly, and end slowly. */
export const smooth = (share: number) =>
  share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;

function other(node: Element, between: Flight["between"]): Element | null {
  if (typeof between !== "string") return between ?? null;
  const felt = node.closest("[data-felt]") ?? document;
  return felt.querySelector(between);
}

/**
 * Fly a chip between where it lies and another element, as a transition: with `in:flight` it comes
 * from there, with `out:flight` it goes there. Write `in:flight={{ between: "[data-bank]" }}`.
 */
export function flight(node: Element, { between, duration = PAY, delay = 0 }: Flight) {
  if (document.hidden) return { duration: 0 };
  const end = isCalm() ? null : other(node, between);
  if (!end) return { duration: FADE, css: (share: number) => `opacity: ${share}` };
  const [from, own] = [middle(end), middle(node)];
  return {
    duration,
    delay,
    easing: smooth,
    css: (share: number) =>
      `translate: ${pixels(onCurve(from, own, share))}; opacity: ${Math.min(1, share * 4)}`,
  };
}
