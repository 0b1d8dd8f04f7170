/** What goes over HTTP. Every error has a code and a sentence. */
import type * as server from "../../generated/server";
import type { Proof } from "../proof/types";
import type { Rules } from "./rulebook";

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** The status of the answer: from 500 on the room, not the request, is to blame. */
    readonly status = 400,
    /** What to ask for instead, of a round that is settled. */
    readonly correction: server.InsteadCorrection | null = null,
  ) {
    super(message);
  }
}

export type { Me } from "../../generated/server";
export type TableLine = Omit<server.TableLine, "game"> & { game: Rules["game"] };
export type Room = Omit<server.RoomView, "tables"> & { tables: TableLine[] };

/** A table that somebody wants to open. */
export interface TableSpec {
  name: string;
  rulebook: string;
  bots: number;
  bots_bank: boolean;
  pace: "quick" | "normal" | "slow";
  places?: number;
  set?: Record<string, unknown>;
  fees?: string | null;
}

function ask(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

async function refusal(answer: Response): Promise<ApiError> {
  const { code, message, correction } = (await answer.json()) as Pick<
    ApiError,
    "code" | "message" | "correction"
  >;
  return new ApiError(code, message, answer.status, correction);
}

/** Ask the room; what it refuses is an ApiError with its sentence. */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await ask(method, path, body);
  if (!answer.ok) throw await refusal(answer);
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T);
}

/** Ask the room for a file: its name and its text. */
export async function fetchText(path: string, body: unknown) {
  const answer = await ask("POST", path, body);
  if (!answer.ok) throw await refusal(answer);
  const named = /filename="(.+)"/.exec(answer.headers.get("Content-Disposition") ?? "");
  return { name: named?.[1] ?? "rulebook.toml", text: await answer.text() };
}

/** Where a table is found. */
export const pathOf = (table: string) => `/api/tables/${encodeURIComponent(table)}`;

export const api = {
  room: () => call<Room>("GET", "/api/room"),
  me: () => call<server.Me>("GET", "/api/me"),
  logIn: (name: string, password: string) =>
    call<server.Me>("POST", "/api/sessions", { name, password }),
  corrections: () => call<server.CorrectedPart[]>("GET", "/api/me/corrections"),
  keepName: (password: string) => call<void>("PUT", "/api/me/password", { password }),
  enter: (name: string) => call<server.Me>("POST", "/api/guests", { name }),
  logOut: () => call<void>("DELETE", "/api/sessions"),
  chips: () => call<server.Me>("POST", "/api/me/chips"),
  rulebooks: () => call<server.RulebookLine[]>("GET", "/api/rulebooks"),
  open: (spec: TableSpec) => call<server.OpenedTable>("POST", "/api/tables", spec),
  close: (table: string) => call<void>("DELETE", pathOf(table)),
  rules: (table: string) => call<Rules>("GET", `${pathOf(table)}/rules`),
  /** The fee schedules that players may choose for their own tables. */
  feePresets: () => call<server.PresetLine[]>("GET", "/api/fee-presets"),
  /** The rules with the exact edges, which may take a moment. */
  pricedRules: (table: string) => call<Rules>("GET", `${pathOf(table)}/rules?edges=true`),
  numbers: (table: string, limit: number) =>
    call<server.LastNumber[]>("GET", `${pathOf(table)}/numbers?limit=${limit}`),
  proof: (table: string, round: number) => call<Proof>("GET", `${pathOf(table)}/rounds/${round}`),
};
