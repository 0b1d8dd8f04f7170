/** What the page says about sheets to print. The sheets themselves come with their words. */
import type { PrintedSheet } from "../generated/server";

export const TITLE = "Sheets to print";
export const ABOUT = "Rules, fees, pays and layouts, computed from the rules of the table.";
export const OF = "Rules of";
export const KINDS_OF_SHEETS = "Kinds of sheets";
export const PAPER = "Paper";
export const PRINT = "Print";
export const DOWNLOAD = "Download PDF";
export const TO_TABLE = "Back to the table";
export const LOADING = "Loading…";
export const ofTable = (table: string) => `Table ${table}`;
export const titleOf = (sheet: string, game: string) => `${sheet}: ${game}`;

export const KINDS: Record<PrintedSheet["kind"], string> = {
  "rule-card": "Rule card",
  fees: "Fees",
  pays: "Pays",
  strategy: "Strategy card",
  felt: "Felt",
};
export const PAPERS: Record<PrintedSheet["paper"], string> = {
  letter: "US Letter",
  a4: "A4",
};
