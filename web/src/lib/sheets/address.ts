/** Which sheet an address of the page means, and where the room has it. */
import type { PrintedSheet } from "../../generated/server";
import { pathOf } from "../net/api";

export type Kind = PrintedSheet["kind"];
export type Paper = PrintedSheet["paper"];
export type Form = "json" | "html" | "pdf";

export const KINDS: readonly Kind[] = ["rule-card", "fees", "pays", "strategy", "felt"];
export const PAPERS: readonly Paper[] = ["letter", "a4"];

/** A sheet of a rulebook, or of the table of that name. */
export interface Wanted {
  isTable: boolean;
  name: string;
  kind: Kind;
}

const isKind = (text: string | undefined): text is Kind => KINDS.includes(text as Kind);

/** Read an address: `house`, `pays`, or `table`, `evening`, `felt`; what is left out is as usual. */
export function wanted(first = "california", others: readonly string[] = []): Wanted {
  const isTable = first === "table" && others.length > 0;
  const [name, kind] = isTable ? others : [first, ...others];
  return { isTable, name: name!, kind: isKind(kind) ? kind : "rule-card" };
}

/** The parts of the address of a sheet in the page. */
export const partsOf = ({ isTable, name, kind }: Wanted) =>
  isTable ? ["sheets", "table", name, kind] : ["sheets", name, kind];

/** Where the room has a sheet. */
export function sheetPath({ isTable, name, kind }: Wanted, form: Form, paper: Paper): string {
  const source = isTable ? pathOf(name) : `/api/rulebooks/${encodeURIComponent(name)}`;
  return `${source}/sheets/${kind}.${form}?paper=${paper}`;
}
