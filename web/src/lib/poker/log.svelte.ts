/** Describes what happens at a table of Three Card Poker: to the live region, and in a log. */
import type { PokerRules } from "../net/rulebook";
import { announcer } from "../ui/announcer.svelte";
import { cardName, handName } from "./hands";
import { bankerFee, inOrder, playerAt, playerThen, reasons, upName } from "./settlement";
import { placeIn, type Own, type TableView } from "../net/protocol";
import { bareName, gain, list, money } from "../text/format";

const MOST = 60;

export class TableLog {
  /** The newest first. */
  lines = $state<{ n: number; text: string }[]>([]);
  #n = 0;
  #before: TableView | null = null;
  #seat: number | undefined;

  /** Compare what is seen now with what was seen before, and describe the difference. */
  see(view: TableView, own: Own, player: string | null, rulesOf: (round: number) => PokerRules) {
    const before = this.#before;
    const came = this.#seat === undefined && own.place !== undefined;
    [this.#before, this.#seat] = [view, own.place];
    if (!before || before.version === view.version) return;
    const me = placeIn(view.last, player);
    const quiet = [...moved(before, view), ...others(before, view, own, me)];
    const aloud = [
      ...ended(before, view, me, rulesOf),
      ...phase(came ? null : before, view, own, rulesOf),
    ];
    for (const text of quiet) this.write(text);
    for (const text of aloud) {
      this.write(text);
      announcer.tell(text);
    }
  }

  write(text: string) {
    this.lines = [{ n: ++this.#n, text }, ...this.lines.slice(0, MOST - 1)];
  }
}

function moved(before: TableView, view: TableView): string[] {
  const there = (view: TableView) => new Map(view.places.map((place) => [place.player, place]));
  const [then, now] = [there(before), there(view)];
  return [
    ...[...now.keys()]
      .filter((name) => !then.has(name))
      .map((name) => `${bareName(name)} sits down.`),
    ...[...then.keys()]
      .filter((name) => !now.has(name))
      .map((name) => `${bareName(name)} has left.`),
  ];
}

/** What has begun; players who have just sat down have heard of nothing before. */
function phase(
  before: TableView | null,
  view: TableView,
  own: Own,
  rulesOf: (round: number) => PokerRules,
): string[] {
  if (
    before?.phase === view.phase &&
    before.round?.round === view.round?.round &&
    before.offered_to === view.offered_to
  )
    return [];
  const round = view.round;
  if (view.phase === "offering")
    return view.offered_to === own.place ? ["The bank is offered to you."] : [];
  if (view.phase === "betting" && round) {
    const banker =
      round.banker === undefined
        ? ""
        : round.banker === own.place
          ? ` You bank with ${money(round.bank ?? 0)}.`
          : ` ${playerAt(view, round.banker)} banks with ${money(round.bank ?? 0)}.`;
    return [`Round ${round.round}. Bets are open.${banker}`];
  }
  if (view.phase === "deciding" && round) {
    const up = upName(round);
    const shows = up ? ` The dealer shows ${up}.` : "";
    const cards = own.cards ?? [];
    if (!cards.length || own.hand === round.banker) return [`No more bets.${shows}`];
    const has = `You have ${handName(cards, rulesOf(round.round).document.ace_low)}: ${list(cards.map(cardName))}.`;
    return [`${has}${shows}${mayMove(view, own) ? " Play or fold?" : ""}`];
  }
  if (view.phase === "closed") return ["The table is closed."];
  return [];
}

/** Whether you have a hand to decide on. */
export function mayMove(view: TableView, own: Own): boolean {
  const ownHand = view.round?.hands.find((hand) => hand.place === own.hand);
  return (
    view.phase === "deciding" &&
    !!own.cards &&
    !!ownHand &&
    !ownHand.move &&
    ownHand.wagers.some((bet) => bet.spot === "ante")
  );
}

/** The result of the round that just ended, for the player at a place. */
function ended(
  before: TableView,
  view: TableView,
  me: number | undefined,
  rulesOf: (round: number) => PokerRules,
): string[] {
  const last = view.last;
  if (!last || last.end.round === before.last?.end.round) return [];
  if (last.end.type === "round.voided/1")
    return [`Round ${last.end.round} is void: ${last.end.reason}. Everything came back.`];
  const settled = last.end.places?.find((settled) => settled.place === me);
  if (settled) {
    const hand = last.round.hands.find((hand) => hand.place === settled.place);
    const sentences = reasons(settled, hand, last.round, rulesOf(last.end.round), {
      you: true,
    }).map((reason) => reason.text);
    return [`${sentences.join(" ")} ${result(settled.net, hand?.fee)}`];
  }
  return me !== undefined && last.end.banker === me
    ? [bankResult(last.end.net ?? 0, bankerFee(last))]
    : [];
}

/** What can be read, but need not be heard: the bank on its way round, and what others won and lost. */
function others(before: TableView, view: TableView, own: Own, me: number | undefined): string[] {
  const lines: string[] = [];
  if (
    view.phase === "offering" &&
    view.offered_to !== own.place &&
    view.offered_to !== before.offered_to
  )
    lines.push(`The bank is offered to ${playerAt(view, view.offered_to)}.`);
  const last = view.last;
  if (last?.end.places && last.end.round !== before.last?.end.round) {
    const places = inOrder(last.end.places, last.round.first).filter(
      (settled) => settled.place !== me,
    );
    if (places.length)
      lines.push(
        `Round ${last.end.round}: ${places.map((settled) => `${playerThen(last, settled.place)} ${gain(settled.net)}`).join(", ")}.`,
      );
  }
  return lines;
}

const collected = (fee: number) => (fee ? `, and ${money(fee)} was collected` : "");

/** What a round came to, in a sentence; a fee is collected whatever the cards bring. */
export function result(net: number, fee = 0): string {
  if (net > 0) return `You won ${money(net)}${collected(fee)}.`;
  return net < 0
    ? `The round cost you ${money(-net)}${collected(fee)}.`
    : `You are even${collected(fee)}.`;
}

/** The result of a round for its banker. */
export function bankResult(net: number, fee: number): string {
  if (net > 0) return `Your bank won ${money(net)}${collected(fee)}.`;
  return `Your bank ${net < 0 ? `lost ${money(-net)}` : "is even"}${collected(fee)}.`;
}
