/** Tells what happens at a table of Three Card Poker: to the live region, and in a log one can read. */
import type { PokerRules } from "./rulebook";
import { announcer } from "./announce.svelte";
import { cardName, handName } from "./hands";
import { bankerFee, inOrder, playerAt, playerThen, reasons, upName } from "./poker";
import { placeIn, type Own, type TableView } from "./protocol";
import { bareName, gain, list, money } from "./words";

const MOST = 60;

export class TableLog {
  /** The newest first. */
  lines = $state<{ n: number; text: string }[]>([]);
  #n = 0;
  #before: TableView | null = null;
  #seat: number | undefined;

  /** Compare what is seen now with what was seen before, and tell the difference. */
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
  const there = (one: TableView) => new Map(one.places.map((place) => [place.player, place]));
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

/** What has begun; who has just sat down has heard of nothing before. */
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
  const mine = view.round?.hands.find((hand) => hand.place === own.hand);
  return (
    view.phase === "deciding" &&
    !!own.cards &&
    !!mine &&
    !mine.move &&
    mine.wagers.some((bet) => bet.spot === "ante")
  );
}

/** What the round that just ended came to for who had a part in it, at that place. */
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
  const mine = last.end.places?.find((one) => one.place === me);
  if (mine) {
    const hand = last.round.hands.find((one) => one.place === mine.place);
    const told = reasons(mine, hand, last.round, rulesOf(last.end.round), { you: true }).map(
      (one) => one.text,
    );
    return [`${told.join(" ")} ${result(mine.net, hand?.fee)}`];
  }
  return me !== undefined && last.end.banker === me
    ? [bankResult(last.end.net ?? 0, bankerFee(last))]
    : [];
}

/** What can be read, but need not be heard: the bank on its way round, and what others won and lost. */
function others(before: TableView, view: TableView, own: Own, me: number | undefined): string[] {
  const told: string[] = [];
  if (
    view.phase === "offering" &&
    view.offered_to !== own.place &&
    view.offered_to !== before.offered_to
  )
    told.push(`The bank is offered to ${playerAt(view, view.offered_to)}.`);
  const last = view.last;
  if (last?.end.places && last.end.round !== before.last?.end.round) {
    const places = inOrder(last.end.places, last.round.first).filter((one) => one.place !== me);
    if (places.length)
      told.push(
        `Round ${last.end.round}: ${places.map((one) => `${playerThen(last, one.place)} ${gain(one.net)}`).join(", ")}.`,
      );
  }
  return told;
}

const collected = (fee: number) => (fee ? `, and ${money(fee)} was collected` : "");

/** What a round came to, in a sentence; a fee is collected whatever the cards bring. */
export function result(net: number, fee = 0): string {
  if (net > 0) return `You won ${money(net)}${collected(fee)}.`;
  return net < 0
    ? `The round cost you ${money(-net)}${collected(fee)}.`
    : `You are even${collected(fee)}.`;
}

/** What a round came to for who banked it. */
export function bankResult(net: number, fee: number): string {
  if (net > 0) return `Your bank won ${money(net)}${collected(fee)}.`;
  return `Your bank ${net < 0 ? `lost ${money(-net)}` : "is even"}${collected(fee)}.`;
}
