/** One's last bets at each table, to make them again. They outlive a reload, and end with the tab. */
import { session } from "./session.svelte";

type Stakes = Readonly<Record<string, number>>;

const key = (table: string) => `queenhigh.bets.${session.me?.player ?? ""}/${table}`;

export function lastBets(table: string): Stakes | null {
  const place = key(table);
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "null");
  } catch {
    return null; // no storage, or somebody else's writing in it
  }
}

export function keepBets(table: string, stakes: Stakes) {
  try {
    sessionStorage.setItem(key(table), JSON.stringify(stakes));
  } catch {
    // private windows may refuse; they are known until the page is left
  }
}
