/** A spin settled by its rulebook. */
import type { Bet, SettledBet } from "../net/protocol";
import type { BetRow, WheelBook } from "../net/rulebook";
import { ratio, wins } from "./pay";
import { bets } from "../../texts/proof";

export const pockets = (book: WheelBook): string[] => [
  ...["0", "00", "000"].slice(0, book.zeros),
  ...numbers(1, 36),
];

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, n) => String(from + n));
}

/** Every place of a shape on the layout: twelve rows of three. */
function shapes(shape: string, book: WheelBook): string[][] {
  const places: string[][] = [];
  const all = (...of: number[]) => places.push(of.map(String));
  for (let n = 1; n <= 36; n++) {
    const column = (n - 1) % 3;
    if (shape === "straight") all(n);
    if (shape === "split" && column < 2) all(n, n + 1);
    if (shape === "split" && n <= 33) all(n, n + 3);
    if (shape === "street" && column === 0) all(n, n + 1, n + 2);
    if (shape === "corner" && column < 2 && n <= 33) all(n, n + 1, n + 3, n + 4);
    if (shape === "line" && column === 0 && n <= 31) all(n, n + 1, n + 2, n + 3, n + 4, n + 5);
  }
  if (shape === "straight")
    pockets(book)
      .filter((pocket) => /^0/.test(pocket))
      .forEach((zero) => places.push([zero]));
  return places;
}

interface Spot {
  covers: string[];
  pays: string;
  clause: string;
  evenMoney: boolean;
}

/** What a bet such as "split 17 20" covers and pays. */
export function find(book: WheelBook, bet: string): Spot {
  for (const row of book.bets) {
    const covers = covered(book, row, bet);
    if (!covers) continue;
    const [to, from] = ratio(row.pays);
    return { covers, pays: row.pays, clause: row.clause, evenMoney: to === from };
  }
  throw new Error(bets.notOnLayout(bet));
}

function covered(book: WheelBook, row: BetRow, bet: string): string[] | undefined {
  for (const name of [row.name, ...(row.aliases ?? [])]) {
    if (row.covers) {
      if (bet === name) return row.covers.map(String);
    } else if (bet.startsWith(`${name} `)) {
      const asked = bet
        .slice(name.length + 1)
        .split(" ")
        .sort()
        .join(" ");
      const spots: string[][] = row.shape
        ? shapes(row.shape, book)
        : row.spots!.map((spot) => spot.map(String));
      const spot = spots.find((pockets) => [...pockets].sort().join(" ") === asked);
      if (spot) return spot;
    }
  }
  return undefined;
}

/** A bet settled, as a table writes it down. */
export function settleBet(book: WheelBook, bet: Bet, pocket: string, place: number): SettledBet {
  const spot = find(book, bet.spot);
  const stake = bet.cents;
  const prison = bet.in_prison ? { in_prison: true } : {};
  const is = (net: number, clause: string, held = 0) => ({
    player: String(place),
    bet: bet.spot,
    stake,
    ...prison,
    net,
    clause,
    ...(held ? { held } : {}),
  });
  const half = () => -wins(stake, "1 to 2");
  const hit = spot.covers.includes(pocket);
  const zero = /^0/.test(pocket);
  const rule = book.zero;
  if (bet.in_prison) {
    if (hit) return is(0, rule!.en_prison_clause);
    if (zero && rule!.second_zero === "stay") return is(0, rule!.en_prison_clause, stake);
    return is(zero && rule!.second_zero === "half" ? half() : -stake, rule!.en_prison_clause);
  }
  if (hit) return is(wins(stake, spot.pays), spot.clause);
  if (zero && spot.evenMoney && rule?.on_zero === "la_partage")
    return is(half(), rule.la_partage_clause);
  if (zero && spot.evenMoney && rule?.on_zero === "en_prison")
    return is(0, rule.en_prison_clause, stake);
  return is(-stake, spot.clause);
}
