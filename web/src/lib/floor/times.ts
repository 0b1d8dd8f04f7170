/** Times on the floor: when something was, and the periods that reports are about. */
import { lasts as words } from "../../texts/floor";

const two = (value: number) => String(value).padStart(2, "0");
const dayOf = (time: Date) => time.toDateString();

/** "14:05:33" */
export const clockTime = (ms: number) => {
  const time = new Date(ms);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
};

/** A time of today as "14:05:33", any other with its day: "18 Nov, 14:05:33". */
export function stamp(ms: number, now = Date.now()): string {
  const time = new Date(ms);
  if (dayOf(time) === dayOf(new Date(now))) return clockTime(ms);
  const year = time.getFullYear() === new Date(now).getFullYear() ? undefined : "numeric";
  const day = time.toLocaleDateString("en-GB", { day: "numeric", month: "short", year });
  return `${day}, ${clockTime(ms)}`;
}

/** How long something lasts, in hours and minutes or minutes and seconds: "1 h 05 min". */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return words.hours(Math.floor(minutes / 60), two(minutes % 60));
  return minutes ? words.minutes(minutes) : words.seconds(seconds);
}

// Periods

/** From a time on, and until before another one, in milliseconds; nothing is without an end. */
export interface Period {
  since?: number | undefined;
  until?: number | undefined;
}

/** The hours at which shifts start. */
const SHIFTS = [6, 14, 22] as const;

const midnight = (time: Date, days = 0, hours = 0) =>
  new Date(time.getFullYear(), time.getMonth(), time.getDate() + days, hours).getTime();

/** The shift that a time is in, or one before it: `back` counts shifts. */
export function shiftOf(time: Date, back = 0, hours: readonly number[] = SHIFTS): Required<Period> {
  const starts = Array.from({ length: 4 + Math.ceil(back / hours.length) }, (_, day) =>
    hours.map((hour) => midnight(time, 2 - day, hour)),
  )
    .flat()
    .sort((a, b) => a - b);
  const now = starts.filter((start) => start <= time.getTime()).length - 1;
  return { since: starts[now - back]!, until: starts[now - back + 1]! };
}

/** The days that end with the one of a time: the last `count`, without the last `back`. */
export const days = (time: Date, count = 1, back = 0): Required<Period> => ({
  since: midnight(time, 1 - count - back),
  until: midnight(time, 1 - back),
});

/** The value of a field for date and time, in the time zone of the device; and back. */
export function fieldOf(ms: number | undefined): string {
  if (ms === undefined) return "";
  const time = new Date(ms);
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
export function ofField(text: string): number | undefined {
  const ms = new Date(text).getTime();
  return text && !Number.isNaN(ms) ? ms : undefined;
}

/** The time zone of the device, in which shifts and days are counted. */
export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
