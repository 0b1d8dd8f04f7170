/** A round that is over, step by step: each a sentence, and the felt as it then was. */
import * as says from "../../texts/history";
import * as rulings from "../../texts/rulings";
import { BANK_RAN_OUT, bankerResult, bankOf, playerResult, YOUR_BANK } from "../../texts/results";
import { cardsShown, handName } from "../poker/hands";
import { inOrder, type SettleRules } from "../poker/settlement";
import { verdictOf, type Verdict } from "../poker/verdict";
import { lastOf } from "./last";
import { cardsAt, feesOf, parseCards, type Happened, type Recalled } from "./rounds";
import type { Bet, Move } from "../net/protocol";
import { became, keyOf, spotName, type Settled } from "../text/wager_names";
import { bareName } from "../text/format";

/** The felt after a step. */
export interface Scene {
  bank: number | null;
  wagers: Record<number, Bet[]>;
  dealt: boolean;
  shown: boolean;
  moves: Record<number, Move>;
  pocket: string | null;
  /** What each place that is settled won or lost, after its fee. */
  results: Record<number, number>;
  /** Whose step it was. */
  place: number | null;
  /** What the felt said in the end. */
  verdict: Verdict | null;
}

/** What happened, in a sentence: of a verdict the plate on the felt says it, and is heard before this. */
interface Frame {
  text: string;
  scene: Scene;
}

const EMPTY: Scene = {
  bank: null,
  wagers: {},
  dealt: false,
  shown: false,
  moves: {},
  pocket: null,
  results: {},
  place: null,
  verdict: null,
};

/** A round as steps, each a sentence and the felt as it then was; the verdict needs its rules. */
export function replay(round: Recalled, rules: SettleRules | null = null): Frame[] {
  const frames: Frame[] = [];
  let scene = EMPTY;
  const add = (text: string, change: Partial<Scene>) => {
    scene = { ...scene, place: null, ...change };
    frames.push({ text, scene });
  };
  for (const event of round.events)
    for (const [text, change] of step(round, event, () => scene)) add(text, change);
  const verdict = rules && verdictOf(lastOf(round), round.players[round.place] ?? null, rules);
  const { before, after } = round.credits;
  const stack = says.stackMoved(before, after);
  add(verdict ? stack : `${resultText(round)} ${stack}`.trim(), { verdict });
  return frames;
}

/** What a round came to, where its rules are not known: without why. */
function resultText(round: Recalled): string {
  if (round.ended === "voided") return "";
  return (round.banker === round.place ? bankerResult : playerResult)(round);
}

type Steps = [string, Partial<Scene>][];

function step(round: Recalled, event: Happened, now: () => Scene): Steps {
  const place = event.place ?? 0;
  const you = place === round.place && event.player === round.players[round.place];
  const who = bareName(event.player ?? round.players[place] ?? says.place(place));
  const does = (verb: string) => says.does(who, you, verb);
  const scene = now();
  const more = (...bets: Bet[]) => ({
    ...scene.wagers,
    [place]: [...(scene.wagers[place] ?? []), ...bets],
  });
  switch (event.type) {
    case "bank.posted/1":
      return [[says.posts(does("bank"), event.cents!), { bank: event.cents!, place }]];
    case "round.opened/1":
    case "round.opened/2":
      return [[says.BETS_OPEN, {}]];
    case "seed.added/1":
      return [[says.addsSeed(does("add"), event.seed!), { place }]];
    case "wagers.placed/1": {
      const bets = event.wagers!.map((bet) => says.on(bet.cents, spotName(bet.spot)));
      return [[says.puts(does("put"), bets), { wagers: more(...event.wagers!), place }]];
    }
    case "wagers.cleared/1": {
      const wagers = { ...scene.wagers };
      delete wagers[place];
      return [[says.takesBack(does("take"), event.cents!), { wagers, place }]];
    }
    case "bets.closed/1":
    case "bets.closed/2": {
      const fees = (event.fees ?? []).reduce((sum, fee) => sum + fee.cents, 0);
      return [[says.noMoreBets(fees), {}]];
    }
    case "cards.dealt/1":
    case "cards.dealt/2":
      return [[dealt(round), { dealt: true }]];
    case "move.made/1": {
      const cents = event.cents ?? 0;
      const wagers = cents ? more({ spot: "play", cents }) : scene.wagers;
      const moves = { ...scene.moves, [place]: event.move! };
      return [[moveText(event, does, says.whose(who, you)), { moves, wagers, place }]];
    }
    case "ball.landed/1":
    case "ball.landed/2":
      return [[says.landsOn(event.pocket!), { pocket: event.pocket! }]];
    case "round.settled/1":
    case "spin.settled/1":
      return settled(round, event, scene);
    case "round.voided/1":
      return [[says.isVoid(event.reason!), { wagers: {}, bank: null }]];
    case "incident.ruled/1":
      return [[ruling(event, who, you), { place: event.place ?? null }]];
    case "hand.voided/1": {
      const wagers = { ...scene.wagers };
      delete wagers[place];
      const cents = (event.cents ?? 0) + (event.fee ?? 0);
      return [[rulings.backStep(who, you, cents), { wagers, place }]];
    }
    case "change.announced/1":
      return [[says.changeAnnounced(event.reason!), {}]];
    case "change.withdrawn/1":
      return [[says.changeWithdrawn(event.reason!), {}]];
    default:
      return [];
  }
}

/** What the floor ruled; what came back of it is a step of its own. */
function ruling(event: Happened, who: string, you: boolean): string {
  const clause = event.clause ?? "";
  const player = event.place === undefined ? "" : who;
  const kind = event.kind!;
  const ruled = {
    play_on: () => [rulings.ruled(kind), rulings.playsOn(player, you, clause)],
    default_move: () => [rulings.ruled(kind), rulings.defaultMove(player, you, clause)],
    redeal: () => [rulings.ruled(kind), rulings.dealtAgainAfter(clause)],
    void: () => [rulings.ruledBy(kind, clause)],
    void_hand: () => [rulings.ruledBy(kind, clause)],
  }[event.ruling!]();
  return [...ruled, rulings.because(event.reason ?? "")].join(" ");
}

function moveText(event: Happened, does: (verb: string) => string, whose: string): string {
  const cents = event.cents ?? 0;
  if (event.move === "play")
    return event.silent ? says.clockPlays(whose, cents) : says.plays(does("play"), cents);
  return event.silent ? says.clockFolds(whose) : says.folds(does("fold"));
}

function dealt(round: Recalled): string {
  const cards = cardsAt(round, round.place);
  const up = parseCards(round.dealer).slice(0, round.up);
  return [
    says.DEALT,
    ...(cards.length ? [says.youHave(handName(cards, round.ace_low))] : []),
    ...(up.length ? [says.dealerShows(cardsShown(up))] : []),
  ].join(" ");
}

/** The showdown, then place after place in order of action. */
function settled(round: Recalled, end: Happened, scene: Scene): Steps {
  const steps: Steps = [];
  const dealer = parseCards(round.dealer);
  if (dealer.length === 3)
    steps.push([says.dealerHas(handName(dealer, round.ace_low)), { shown: true }]);
  const fees = feesOf(round);
  let results = scene.results;
  for (const seat of inOrder(end.places ?? [], round.first ?? undefined)) {
    const fee = fees[seat.place] ?? 0;
    results = { ...results, [seat.place]: seat.net - fee };
    const who =
      seat.place === round.place
        ? says.YOU
        : bareName(round.players[seat.place] ?? says.place(seat.place));
    const rows: Settled[] = seat.wagers ?? seat.bets ?? [];
    steps.push([says.settledLine(who, rows.map(outcome), fee), { results, place: seat.place }]);
  }
  if (round.banker !== null) {
    const { banker } = round;
    const part = { net: end.net ?? 0, fee: fees[banker] ?? 0 };
    const whose =
      banker === round.place
        ? YOUR_BANK
        : bankOf(bareName(round.players[banker] ?? says.THE_BANKER));
    const ranOut = end.bank_left === 0 ? ` ${BANK_RAN_OUT}` : "";
    results = { ...results, [banker]: part.net - part.fee };
    steps.push([`${bankerResult(part, whose)}${ranOut}`, { results, place: banker }]);
  }
  return steps;
}

const outcome = (row: Settled) =>
  `${spotName(keyOf(row))}${"in_prison" in row && row.in_prison ? says.IN_PRISON : ""} ${became(row)}`;
