/** Describes what happens at a table of Three Card Poker: to the live region, and in a log. */
import type { PokerRules } from "../net/rulebook";
import { announcer } from "../ui/announcer.svelte";
import { read, write } from "../ui/stored";
import * as says from "../../texts/log";
import { voidRound } from "../../texts/results";
import { cardName, handName } from "./hands";
import { inOrder, netAt, playerAt, playerThen, upName } from "./settlement";
import { placeIn, type Own, type TableView } from "../net/protocol";
import { bareName, gain, list } from "../text/format";
import { verdictOf } from "./verdict";

const MOST = 60;

export class TableLog {
  /** The newest first. */
  lines = $state<{ n: number; text: string }[]>([]);
  #n = 0;
  #key = "";
  #before: TableView | null = null;
  #seat: number | undefined;

  /** Compare what is seen now with what was seen before, and describe the difference. */
  see(view: TableView, own: Own, player: string | null, rulesOf: (round: number) => PokerRules) {
    this.#restore(view.table, player);
    const before = this.#before;
    const came = this.#seat === undefined && own.place !== undefined;
    [this.#before, this.#seat] = [view, own.place];
    if (!before || before.version === view.version) return;
    const me = placeIn(view.last, player);
    const quiet = [...moved(before, view), ...others(before, view, own, me)];
    const aloud = [
      ...ended(before, view, player, rulesOf),
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
    write(() => sessionStorage, this.#key, this.lines);
  }

  /** Go on after a reload where the log was; each player has a log of their own at each table. */
  #restore(table: string, player: string | null) {
    const key = `queenhigh.log.${player ?? ""}/${table}`;
    if (key === this.#key) return;
    this.#key = key;
    this.lines = read(() => sessionStorage, key, []);
    this.#n = this.lines[0]?.n ?? 0;
  }
}

function moved(before: TableView, view: TableView): string[] {
  const there = (view: TableView) => new Map(view.places.map((place) => [place.player, place]));
  const [then, now] = [there(before), there(view)];
  return [
    ...[...now.keys()]
      .filter((name) => !then.has(name))
      .map((name) => says.sitsDown(bareName(name))),
    ...[...then.keys()]
      .filter((name) => !now.has(name))
      .map((name) => says.hasLeft(bareName(name))),
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
    return view.offered_to === own.place ? [says.YOUR_TURN_TO_BANK] : [];
  if (view.phase === "betting" && round) return [says.betsOpen(round.round, banker(view, own))];
  if (view.phase === "deciding" && round) {
    const up = upName(round);
    const shows = up ? [says.dealerShows(up)] : [];
    const cards = own.cards ?? [];
    if (!cards.length || own.hand === round.banker) return [joined(says.NO_MORE_BETS, ...shows)];
    const hand = handName(cards, rulesOf(round.round).document.ace_low);
    const has = says.youHave(hand, list(cards.map(cardName)));
    return [joined(has, ...shows, ...(mayMove(view, own) ? [says.PLAY_OR_FOLD] : []))];
  }
  if (view.phase === "closed") return [says.TABLE_CLOSED];
  return [];
}

const joined = (...sentences: string[]) => sentences.join(" ");

/** Who banks the round, in a sentence; nothing where the house does. */
function banker(view: TableView, own: Own): string {
  const { banker, bank = 0 } = view.round!;
  if (banker === undefined) return "";
  return banker === own.place ? says.youBank(bank) : says.playerBanks(playerAt(view, banker), bank);
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

/** The result of the round that just ended: of a void for everyone, else for those who played. */
function ended(
  before: TableView,
  view: TableView,
  player: string | null,
  rulesOf: (round: number) => PokerRules,
): string[] {
  const last = view.last;
  if (!last || last.end.round === before.last?.end.round) return [];
  if (last.end.type === "round.voided/1") return [voidRound(last.end.round, last.end.reason ?? "")];
  const verdict = verdictOf(last, player, rulesOf(last.end.round));
  return verdict ? [verdict.spoken] : [];
}

/** What can be read, but need not be heard: the bank on its way round, and what others won and lost. */
function others(before: TableView, view: TableView, own: Own, me: number | undefined): string[] {
  const lines: string[] = [];
  if (
    view.phase === "offering" &&
    view.offered_to !== own.place &&
    view.offered_to !== before.offered_to
  )
    lines.push(says.bankOfferedTo(playerAt(view, view.offered_to)));
  const last = view.last;
  if (last?.end.places && last.end.round !== before.last?.end.round) {
    const places = inOrder(last.end.places, last.round.first).filter(
      (settled) => settled.place !== me,
    );
    if (places.length)
      lines.push(
        says.resultsOf(
          last.end.round,
          places.map(({ place }) =>
            says.resultOf(playerThen(last, place), gain(netAt(last, place) ?? 0)),
          ),
        ),
      );
  }
  return lines;
}
