/** A round out of the history as a table's view has its last one, so that the same code explains it. */
import { api } from "../net/api";
import type { Bet, HandView, Last } from "../net/protocol";
import type { PokerBook } from "../net/rulebook";
import type { SettleRules } from "../poker/settlement";
import { cardsAt, endOf, feesOf, moveOf, parseCards, type Recalled } from "./rounds";

/** Ask the room for the rules that a round of poker was played by: they are a part of its proof. */
export async function rulesThen(round: Recalled): Promise<SettleRules | null> {
  if (round.game !== "three_card_poker") return null;
  const { rulebook } = await api.proof(round.table, round.number);
  return { document: rulebook as unknown as PokerBook };
}

/** The round as the last one of a view. */
export function lastOf(round: Recalled): Last {
  const fees = feesOf(round);
  const end = endOf(round) ?? round.events.find((event) => event.type === "round.voided/1");
  const posted = round.events.find((event) => event.type === "bank.posted/1")?.cents;
  const { banker } = round;
  return {
    round: {
      round: round.number,
      commitment: round.commitment,
      hands: handsOf(round, fees),
      dealer: parseCards(round.dealer),
      ...(banker === null ? {} : { banker, bank: posted ?? 0, bank_fee: fees[banker] ?? 0 }),
      ...(round.first === null ? {} : { first: round.first }),
    },
    end: {
      ...(banker === null ? {} : { banker, bank: posted ?? 0 }),
      ...end,
      round: round.number,
    } as Last["end"],
    players: round.players,
  };
}

function handsOf(round: Recalled, fees: Record<number, number>): HandView[] {
  return Object.keys(round.players)
    .map(Number)
    .filter((place) => place !== round.banker)
    .map((place) => {
      const [move, cards] = [moveOf(round, place), cardsAt(round, place)];
      return {
        place,
        seat: round.seats[place] ?? 0,
        wagers: wagersOf(round, place),
        fee: fees[place] ?? 0,
        ...(cards.length ? { cards } : {}),
        ...(move?.move ? { move: move.move } : {}),
        ...(move?.silent ? { by_clock: true } : {}),
      };
    });
}

/** What a place had bet when bets closed. */
function wagersOf(round: Recalled, place: number): Bet[] {
  let wagers: Bet[] = [];
  for (const event of round.events.filter((event) => event.place === place))
    if (event.type === "wagers.placed/1") wagers = [...wagers, ...event.wagers!];
    else if (event.type === "wagers.cleared/1") wagers = [];
  return wagers;
}
