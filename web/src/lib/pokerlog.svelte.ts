/** Tells what happens at a table of Three Card Poker: to the live region, and in a log one can read. */
import type { Rules } from "./api";
import { announcer } from "./announce.svelte";
import { cardName, handName } from "./hands";
import { inOrder, playerAt, reasons, upName } from "./poker";
import type { Own, TableView } from "./protocol";
import { bareName, gain, list, money } from "./words";

const MOST = 60;

export class TableLog {
  /** The newest first. */
  lines = $state<{ n: number; text: string }[]>([]);
  #n = 0;
  #before: TableView | null = null;

  /** Compare what is seen now with what was seen before, and tell the difference. */
  see(view: TableView, own: Own, rules: Rules) {
    const before = this.#before;
    this.#before = view;
    if (!before || before.version === view.version) return;
    for (const text of [...moved(before, view), ...phase(before, view, own, rules), ...ended(before, view, own, rules)]) this.tell(text);
  }

  tell(text: string) {
    announcer.tell(text);
    this.lines = [{ n: ++this.#n, text }, ...this.lines.slice(0, MOST - 1)];
  }
}

function moved(before: TableView, view: TableView): string[] {
  const there = (one: TableView) => new Map(one.places.map((place) => [place.player, place]));
  const [then, now] = [there(before), there(view)];
  return [
    ...[...now.keys()].filter((name) => !then.has(name)).map((name) => `${bareName(name)} sits down.`),
    ...[...then.keys()].filter((name) => !now.has(name)).map((name) => `${bareName(name)} has left.`),
  ];
}

function phase(before: TableView, view: TableView, own: Own, rules: Rules): string[] {
  if (before.phase === view.phase && before.round?.round === view.round?.round && before.offered_to === view.offered_to) return [];
  const round = view.round;
  if (view.phase === "offering")
    return [view.offered_to === own.place ? "The bank is offered to you." : `The bank is offered to ${playerAt(view, view.offered_to)}.`];
  if (view.phase === "betting" && round) {
    const banker = round.banker === undefined ? "" : round.banker === own.place
      ? ` You bank with ${money(round.bank ?? 0)}.`
      : ` ${playerAt(view, round.banker)} banks with ${money(round.bank ?? 0)}.`;
    return [`Round ${round.round}. Bets are open.${banker}`];
  }
  if (view.phase === "deciding" && round) {
    const up = upName(round);
    const shows = up ? ` The dealer shows ${up}.` : "";
    const cards = own.cards ?? [];
    if (!cards.length || own.hand === round.banker) return [`No more bets.${shows}`];
    const has = `You have ${handName(cards, rules.document.ace_low)}: ${list(cards.map(cardName))}.`;
    return [`${has}${shows}${mayMove(view, own) ? " Play or fold?" : ""}`];
  }
  if (view.phase === "closed") return ["The table is closed."];
  return [];
}

/** Whether you have a hand to decide on. */
export function mayMove(view: TableView, own: Own): boolean {
  const mine = view.round?.hands.find((hand) => hand.place === own.hand);
  return view.phase === "deciding" && !!own.cards && !!mine && !mine.move && mine.wagers.some((bet) => bet.spot === "ante");
}

function ended(before: TableView, view: TableView, own: Own, rules: Rules): string[] {
  const last = view.last;
  if (!last || last.end.round === before.last?.end.round) return [];
  if (last.end.type === "round.voided/1") return [`Round ${last.end.round} is void: ${last.end.reason}. Everything came back.`];
  const places = inOrder(last.end.places ?? [], last.round.first);
  const mine = places.find((one) => one.place === own.last_hand);
  const told = places.filter((one) => one !== mine).map((one) => `${playerAt(view, one.place)} ${gain(one.net)}`);
  const said = told.length ? [`Round ${last.end.round}: ${told.join(", ")}.`] : [];
  if (mine) {
    const hand = last.round.hands.find((one) => one.place === mine.place);
    said.push(`${reasons(mine, hand, last.round, rules, { you: true }).map((one) => one.text).join(" ")} ${result(mine.net)}`);
  } else if (last.end.banker !== undefined && own.last_hand === undefined && last.end.banker === own.place) {
    said.push(`Your bank comes to ${gain(last.end.net ?? 0)}.`);
  }
  return said;
}

/** What a round came to, in a sentence. */
export function result(net: number): string {
  if (net > 0) return `You won ${money(net)}.`;
  return net < 0 ? `The round cost you ${money(-net)}.` : "You are even.";
}
