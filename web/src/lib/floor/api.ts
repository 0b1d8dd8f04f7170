/** What the floor asks over HTTP: one function for each route. */
import type * as server from "../../generated/server";
import type { Rules as RulesAnswer } from "../../generated/server";
import type { Rules } from "../net/rulebook";
import { call, pathOf } from "../net/api";

type Report = server.Report;

const ROOT = "/api/floor";

type Values = Record<string, string | number | boolean | null | undefined>;
/** A query out of the values that are given: "?table=a&limit=5", or nothing. */
export function query(values: Values): string {
  const given = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  const text = given.map(([key, value]) => `${key}=${encodeURIComponent(value!)}`).join("&");
  return text && `?${text}`;
}

const get = <T>(path: string, values: Values = {}) =>
  call<T>("GET", `${ROOT}${path}${query(values)}`);
const post = <T>(path: string, body?: unknown) => call<T>("POST", `${ROOT}${path}`, body);
const put = <T>(path: string, body: unknown) => call<T>("PUT", `${ROOT}${path}`, body);
const remove = (path: string, values: Values = {}) =>
  call<void>("DELETE", `${ROOT}${path}${query(values)}`);
const at = (...parts: (string | number)[]) =>
  parts.map((part) => `/${encodeURIComponent(part)}`).join("");

/** A page of a list that goes back in time. */
export interface Page {
  before?: number | undefined;
  limit?: number;
}

export interface RoundSearch {
  table?: string;
  number?: number | undefined;
  player?: string;
  since?: number | undefined;
  until?: number | undefined;
}

/** What is to be different at a table. */
export interface RulesChange {
  set?: Record<string, unknown>;
  pace?: string;
  silence?: string;
  least_bank?: number;
}

export interface NewTable extends RulesChange {
  name: string;
  rulebook?: string;
  rulebook_text?: string;
  bots: number;
  bots_bank: boolean;
  places?: number;
  reason: string;
}

export type IncidentKind = server.PossibleIncident["kind"];
export interface Happened {
  kind: IncidentKind;
  place: number | null;
}

/** The name of a member of the staff, or of a program's token. */
type Name = string;

export const floor = {
  // Who is on the floor
  session: () => get<server.FloorSession>("/session"),
  makeOwner: (token: string, name: Name, password: string) =>
    post<server.Staffer>("/owner", { token, name, password }),
  logIn: (name: Name, password: string, more: { code?: string; new_password?: string }) =>
    post<server.Staffer>("/sessions", { name, password, ...more }),
  logOut: () => remove("/sessions"),
  sessions: () => get<server.StaffSession[]>("/sessions"),
  endSession: (id: string) => remove(`/sessions${at(id)}`),
  changePassword: (old: string, password: string) => put<void>("/me/password", { old, password }),
  startTwoFactor: (password: string) => post<server.TwoFactorKey>("/me/two-factor", { password }),
  confirmTwoFactor: (code: string) => put<server.Staffer>("/me/two-factor", { code }),
  endTwoFactor: (password: string) => post<server.Staffer>("/me/two-factor/off", { password }),

  // The staff
  staff: () => get<server.StaffLine[]>("/staff"),
  staffLog: (page: Page) => get<server.StaffLogLine[]>("/staff/log", { ...page }),
  addMember: (name: Name, role: string, password: string) =>
    post<server.StaffLine>("/staff", { name, role, password }),
  setRole: (name: Name, role: string, reason: string) =>
    post<server.StaffLine>(`/staff${at(name)}/role`, { role, reason }),
  removeMember: (name: Name, reason: string) =>
    post<server.StaffLine>(`/staff${at(name)}/remove`, { reason }),
  setPassword: (name: Name, password: string) =>
    put<void>(`/staff${at(name)}/password`, { password }),
  switchTwoFactorOff: (name: Name) => post<server.StaffLine>(`/staff${at(name)}/two-factor/off`),
  tokens: () => get<server.TokenLine[]>("/tokens"),
  grantToken: (name: Name, role: string, reason: string) =>
    post<server.NewToken>("/tokens", { name, role, reason }),
  revokeToken: (name: Name, reason: string) =>
    post<server.TokenLine>("/tokens/revoke", { name, reason }),
  log: (page: Page) => get<server.LogEntry[]>("/log", { ...page }),

  // The room
  glance: () => get<server.Glance>("/glance"),
  room: () => call<server.RoomView>("GET", "/api/room"),
  processes: () => get<server.Processes>("/processes"),
  rulebooks: () => call<server.RulebookLine[]>("GET", "/api/rulebooks"),
  rulebook: (rulebook: string) => call<RulesAnswer>("POST", "/api/rules", { rulebook }),
  notice: (text: string, table: string, reason: string) =>
    post<server.PostedNotice>("/notices", { text, table, reason }),
  takeNoticeDown: (n: number, reason: string) => remove(`/notices${at(n)}`, { reason }),
  players: (search: string, limit: number) =>
    get<server.FloorPlayer[]>("/players", { search, limit }),
  freeze: (player: string, reason: string) =>
    post<server.FrozenAccount>(`/accounts${at(player)}/freeze`, { reason }),
  thaw: (player: string, reason: string) =>
    post<server.FrozenAccount>(`/accounts${at(player)}/thaw`, { reason }),

  // A table
  open: (table: NewTable) => post<server.OpenedTable>("/tables", table),
  table: (table: string) => get<server.TableView>(`/tables${at(table)}`),
  rules: (table: string) => call<Rules>("GET", `${pathOf(table)}/rules`),
  tableLog: (table: string, page: Page) =>
    get<server.LogLine[]>(`/tables${at(table)}/log`, { ...page }),
  rotation: (table: string) => get<server.Rotation>(`/tables${at(table)}/rotation`),
  close: (table: string, reason: string) =>
    post<server.TablePhase>(`/tables${at(table)}/close`, { reason }),
  pause: (table: string, reason: string) =>
    post<server.DisabledTable>(`/tables${at(table)}/disable`, { reason }),
  resume: (table: string, reason: string) =>
    post<server.DisabledTable>(`/tables${at(table)}/enable`, { reason }),
  voidRound: (table: string, round: number, reason: string) =>
    post<server.VoidedRound>(`/tables${at(table)}/void`, { round, reason }),
  abandon: (table: string, reason: string) =>
    post<server.AbandonedTable>(`/tables${at(table)}/abandon`, { reason }),
  changeRules: (table: string, change: RulesChange, reason: string) =>
    post<server.ChangedRules>(`/tables${at(table)}/rules`, { ...change, reason }),
  withdrawChange: (table: string, reason: string) =>
    post<server.KeptRules>(`/tables${at(table)}/rules/withdraw`, { reason }),
  incidents: (table: string) => get<server.Incidents>(`/tables${at(table)}/incidents`),
  foreseeRuling: (table: string, round: number, what: Happened) =>
    post<server.IncidentPreview>(`/tables${at(table)}/incidents/preview`, { round, ...what }),
  /** Stop the clock of a round to rule on it, or renew that. */
  stopClock: (table: string, round: number) =>
    post<server.RulingClockState>(`/tables${at(table)}/incidents/clock`, { round }),
  startClock: (table: string, round: number) =>
    remove(`/tables${at(table)}/incidents/clock`, { round }),
  rule: (table: string, round: number, what: Happened, reason: string) =>
    post<server.RuledIncident>(`/tables${at(table)}/incidents`, { round, ...what, reason }),

  // Rounds and corrections
  rounds: (search: RoundSearch, page: Page) =>
    get<server.RoundLine[]>("/rounds", { ...search, ...page }),
  round: (table: string, number: number) => get<server.FloorRound>(`/rounds${at(table, number)}`),
  corrections: (table?: string) => get<server.Correction[]>("/corrections", { table }),
  correction: (table: string, correction: number) =>
    get<server.Correction>(`/tables${at(table)}/corrections${at(correction)}`),
  foreseeFacts: (table: string, round: number, facts: server.Facts) =>
    post<server.CorrectionPreview>(`/tables${at(table)}/corrections/preview`, { round, facts }),
  foreseeCorrection: (table: string, correction: number) =>
    get<server.CorrectionPreview>(`/tables${at(table)}/corrections${at(correction)}/preview`),
  askCorrection: (table: string, round: number, facts: server.Facts, reason: string) =>
    post<server.AskedForCorrection>(`/tables${at(table)}/corrections`, { round, facts, reason }),
  /** Approve a correction; nothing happens if it would move other chips than were seen. */
  approve: (table: string, correction: number, moved?: server.CorrectionPreview["moved"]) =>
    post<server.Correction>(`/tables${at(table)}/corrections${at(correction)}/approve`, { moved }),
  reject: (table: string, correction: number, reason: string) =>
    post<server.Correction>(`/tables${at(table)}/corrections${at(correction)}/reject`, { reason }),
  withdraw: (table: string, correction: number, reason: string) =>
    post<server.Correction>(`/tables${at(table)}/corrections${at(correction)}/withdraw`, {
      reason,
    }),

  // Reports
  report: (name: string, filter: Values) => get<Report>(`/reports${at(name)}`, filter),
  signatures: (check: boolean, page: Page = {}) =>
    get<server.Signature[]>("/signatures", { check, ...page }),
  sign: (report: Pick<Report, "report" | "filter" | "digest">, note: string) =>
    post<server.Signature>("/signatures", {
      report: report.report,
      filter: report.filter,
      digest: report.digest,
      note,
    }),
};

/** Where a report is downloaded. */
export const reportFile = (name: string, form: "csv" | "pdf", filter: Values) =>
  `${ROOT}/reports${at(name)}.${form}${query(filter)}`;
