/** What needs a look, in words: the codes of the server, with what they are about. */
import type { FloorTable } from "../../generated/server";
import { sentence } from "../text/format";
import * as says from "../../texts/floor_tables";
import { clockTime } from "./times";

/** What needs a look; something calm is only worth knowing. */
export interface Alarm {
  text: string;
  isCalm: boolean;
}

export const alarmOf = (code: string, table?: FloorTable): Alarm => ({
  text: alarmWords(code, table),
  isCalm: says.CALM.has(code),
});

/** A code in words; one that this page does not know is shown as it is. */
export function alarmWords(code: string, table?: FloorTable): string {
  if (table) {
    if (code.startsWith("correction")) return says.waiting(table.corrections_waiting || 1);
    if (code === "closing" && table.closing) return says.closing(table.closing);
    if (code === "change" && table.change_from) return says.changesAt(clockTime(table.change_from));
  }
  return says.ALARMS[code] ?? sentence(code.replaceAll("_", " ").replaceAll(".", ": "));
}
