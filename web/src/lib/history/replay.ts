/** A round that is over, step by step: each a sentence, and the felt as it then was. */
import { cardsShown, handName } from "../poker/hands";
import { cardsAt, parseCards, type Happened, type Recalled } from "./rounds";
import type { Bet, Move } from "../net/protocol";
import { became, keyOf, spotName, type Settled } from "../text/wager_names";
import { bareName, list, money } from "../text/format";

/** The felt after a step. */
export interface Scene {
  bank: number | null;
  wagers: Record<number, Bet[]>;
  dealt: boolean;
  shown: boolean;
  moves: Record<number, Move>;
  pocket: string | null;
  results: Record<number, number>;
  /** Whose step it was. */
  place: number | null;
}

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
};

/** A round as steps, each a sentence and the felt as it then was. */
export function replay(round: Recalled): Frame[] {
  const frames: Frame[] = [];
  let scene = EMPTY;
  const add = (text: string, change: Partial<Scene>) => {
    scene = { ...scene, place: null, ...change };
    frames.push({ text, scene });
  };
  for (const event of round.events)
    for (const [text, change] of step(round, event, () => scene)) add(text, change);
  const { before, after } = round.credits;
  const fee = round.fee ? ` The fee was ${money(round.fee)}.` : "";
  add(`You had ${money(before)} before this round and ${money(after)} after it.${fee}`, {});
  return frames;
}

type Steps = [string, Partial<Scene>][];

function step(round: Recalled, event: Happened, now: () => Scene): Steps {
  const place = event.place ?? 0;
  const you = place === round.place && event.player === round.players[round.place];
  const who = you ? "You" : bareName(event.player ?? round.players[place] ?? `Place ${place}`);
  const does = (verb: string) => `${who} ${you ? verb : `${verb}s`}`;
  const scene = now();
  switch (event.type) {
    case "bank.posted/1":
      return [[`${does("bank")} ${money(event.cents!)}.`, { bank: event.cents!, place }]];
    case "round.opened/1":
    case "round.opened/2":
      return [["Bets open. The table has committed to what comes.", {}]];
    case "seed.added/1":
      return [[`${does("add")} the seed “${event.seed}”.`, { place }]];
    case "wagers.placed/1": {
      const bets = event.wagers!.map((bet) => `${money(bet.cents)} on ${spotName(bet.spot)}`);
      const wagers = {
        ...scene.wagers,
        [place]: [...(scene.wagers[place] ?? []), ...event.wagers!],
      };
      return [[`${does("put")} ${list(bets)}.`, { wagers, place }]];
    }
    case "wagers.cleared/1": {
      const wagers = { ...scene.wagers };
      delete wagers[place];
      return [[`${does("take")} back ${money(event.cents!)}.`, { wagers, place }]];
    }
    case "bets.closed/1":
    case "bets.closed/2": {
      const fees = (event.fees ?? []).reduce((sum, fee) => sum + fee.cents, 0);
      return [[`No more bets.${fees ? ` ${money(fees)} in fees are collected.` : ""}`, {}]];
    }
    case "cards.dealt/1":
    case "cards.dealt/2":
      return [[dealt(round), { dealt: true }]];
    case "move.made/1": {
      const silent = event.silent ? ", having said nothing" : "";
      const text =
        event.move === "play"
          ? `${does("play")}: ${money(event.cents!)} more${silent}.`
          : `${does("fold")}${silent}.`;
      const wagers = event.cents
        ? {
            ...scene.wagers,
            [place]: [...(scene.wagers[place] ?? []), { spot: "play", cents: event.cents }],
          }
        : scene.wagers;
      return [[text, { moves: { ...scene.moves, [place]: event.move! }, wagers, place }]];
    }
    case "ball.landed/1":
    case "ball.landed/2":
      return [[`The ball lands on ${event.pocket}.`, { pocket: event.pocket! }]];
    case "round.settled/1":
    case "spin.settled/1":
      return settled(round, event, scene);
    case "round.voided/1":
      return [
        [`The round is void: ${event.reason}. Everything comes back.`, { wagers: {}, bank: null }],
      ];
    case "change.announced/1":
      return [[`Other fees or limits are announced: ${event.reason}.`, {}]];
    case "change.withdrawn/1":
      return [[`The announced change is withdrawn: ${event.reason}.`, {}]];
    default:
      return [];
  }
}

function dealt(round: Recalled): string {
  const cards = cardsAt(round, round.place);
  const up = parseCards(round.dealer).slice(0, round.up);
  const ownHand = cards.length ? ` You have ${handName(cards, round.ace_low)}.` : "";
  return `Cards are dealt.${ownHand}${up.length ? ` The dealer shows ${cardsShown(up)}.` : ""}`;
}

/** The showdown, then place after place in order of action. */
function settled(round: Recalled, end: Happened, scene: Scene): Steps {
  const steps: Steps = [];
  const dealer = parseCards(round.dealer);
  if (dealer.length === 3)
    steps.push([`The dealer has ${handName(dealer, round.ace_low)}.`, { shown: true }]);
  const first = round.first ?? 1;
  const turn = (seated: { seat?: number }) =>
    seated.seat !== undefined && seated.seat < first ? 1 : 0;
  let results = scene.results;
  for (const seat of [...(end.places ?? [])].sort(
    (a, b) => turn(a) - turn(b) || (a.seat ?? a.place) - (b.seat ?? b.place),
  )) {
    results = { ...results, [seat.place]: seat.net };
    const who =
      seat.place === round.place
        ? "You"
        : bareName(round.players[seat.place] ?? `Place ${seat.place}`);
    const rows: Settled[] = seat.wagers ?? seat.bets ?? [];
    steps.push([`${who}: ${list(rows.map(outcome))}.`, { results, place: seat.place }]);
  }
  if (round.banker !== null) {
    results = { ...results, [round.banker]: end.net ?? 0 };
    const net = end.net ?? 0;
    const came =
      net > 0 ? `gains ${money(net)}` : net < 0 ? `loses ${money(-net)}` : "comes out even";
    const who =
      round.banker === round.place
        ? "Your"
        : `${bareName(round.players[round.banker] ?? "The banker")}'s`;
    const left = end.bank_left === 0 ? " It is used up." : "";
    steps.push([`${who} bank ${came}.${left}`, { results, place: round.banker }]);
  }
  return steps;
}

const outcome = (row: Settled) =>
  `${spotName(keyOf(row))}${"in_prison" in row && row.in_prison ? ", in prison since the last spin," : ""} ${became(row)}`;
