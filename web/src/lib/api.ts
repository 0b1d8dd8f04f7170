/** What goes over HTTP. Every error has a code and a sentence. */
import type { Proof } from "./proof/types";
import type { Rules } from "./rulebook";

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
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
  rules: string;
  game: "three_card_poker" | "roulette";
  rulebook: string;
  digest: string;
  limits: Limits;
  fees: { min: number; max: number; player: number; banker: number }[];
  places: number;
  players: number;
  bots: number;
  banker: string | null;
  /** Who banked the round before; nobody where the house banks. */
  last_banker: string | null;
  phase: string;
  waits_for: "banker" | "players" | null;
  round: number;
  owner: string | null;
  disabled: boolean;
  closing: string | null;
  watching: number;
}

/** A table that somebody wants to open. */
export interface TableSpec {
  name: string;
  rulebook: string;
  bots: number;
  bots_bank: boolean;
  pace: "quick" | "normal" | "slow";
  places?: number;
  set?: Record<string, unknown>;
}

export interface Room {
  player: string | null;
  version: string;
  now: number;
  /** The public half of the key that signs the room's log, in hexadecimal. */
  key?: string;
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
  logIn: (name: string, password: string) => call<Me>("POST", "/api/sessions", { name, password }),
  keepName: (password: string) => call<void>("PUT", "/api/me/password", { password }),
  enter: (name: string) => call<Me>("POST", "/api/guests", { name }),
  logOut: () => call<void>("DELETE", "/api/sessions"),
  chips: () => call<Me>("POST", "/api/me/chips"),
  rulebooks: () => call<{ name: string; title: string; game: string }[]>("GET", "/api/rulebooks"),
  open: (spec: TableSpec) => call<{ table: string }>("POST", "/api/tables", spec),
  close: (table: string) => call<void>("DELETE", at(table)),
  rules: (table: string) => call<Rules>("GET", `${at(table)}/rules`),
  numbers: (table: string) =>
    call<{ round: number; pocket: string }[]>("GET", `${at(table)}/numbers`),
  proof: (table: string, round: number) => call<Proof>("GET", `${at(table)}/rounds/${round}`),
};
