/** What goes over HTTP. Every error has a code and a sentence. */

export class ApiError extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

export interface Me {
  player: string;
  guest: boolean;
  frozen: boolean;
  wallet: number;
  seats: { table: string; place: number; cents: number }[];
}

export interface Limits {
  [wager: string]: { min: number; max: number };
}

export interface TableLine {
  table: string;
  title: string;
  game: "three_card_poker" | "roulette";
  rulebook: string;
  digest: string;
  limits: Limits;
  fees: { min: number; max: number; player: number; banker: number }[];
  places: number;
  players: number;
  bots: number;
  banker: string | null;
  phase: string;
  owner: string | null;
  disabled: boolean;
  closing: string | null;
  watching: number;
}

/** A rulebook: `document` is the file itself, its clauses in `document.clauses`. */
export interface Rules {
  name: string;
  title: string;
  version: string;
  digest: string;
  game: "three_card_poker" | "roulette";
  assumptions: { clause: string; says: string; key: string | null; value: unknown; others: unknown[] }[];
  document: any;
}

export interface Room {
  version: string;
  now: number;
  notices: { n: number; table: string | null; text: string }[];
  tables: TableLine[];
}

/** Ask the room; what it refuses is an ApiError with its sentence. */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (answer.status === 204) return undefined as T;
  const said = await answer.json();
  if (!answer.ok) throw new ApiError(said.code, said.message);
  return said as T;
}

/** Where a table is found. */
export const at = (table: string) => `/api/tables/${encodeURIComponent(table)}`;

export const api = {
  room: () => call<Room>("GET", "/api/room"),
  me: () => call<Me>("GET", "/api/me"),
  enter: (name: string) => call<Me>("POST", "/api/guests", { name }),
  logOut: () => call<void>("DELETE", "/api/sessions"),
  chips: () => call<Me>("POST", "/api/me/chips"),
  open: (spec: object) => call<{ table: string }>("POST", "/api/tables", spec),
  rules: (table: string) => call<Rules>("GET", `${at(table)}/rules`),
  history: (before?: number) =>
    call<any[]>("GET", `/api/me/history?limit=20${before === undefined ? "" : `&before=${before}`}`),
  proof: (table: string, round: number) =>
    call<any>("GET", `${at(table)}/rounds/${round}`),
};
