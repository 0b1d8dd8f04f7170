/** What every table says, whatever its game: its rail, its notices and its title. */
import { money, tableTitle } from "../lib/text/format";

export const table = {
  name: tableTitle,
  title: (name: string) => `Queenhigh: ${tableTitle(name)}`,
  openedBy: (player: string) => `opened by ${player}`,
  lost: (seat: string) => `Connection lost. Reconnecting…${seat}`,
  ok: "OK",
  dismiss: (line: string) => `OK: ${line}`,
  seeTables: "See the tables",
  fair: "Provably fair",
};

export const chips = {
  legend: "Chip to place",
  name: (cents: number) => `${money(cents)} chip`,
};
