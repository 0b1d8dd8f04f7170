/** What may lie on a table by its rulebook, before anything is settled. */
import type { Bet } from "../net/protocol";
import { SIDES, type Limits, type PokerBook, type Rulebook, type WheelBook } from "../net/rulebook";
import { spotName } from "../text/wager_names";
import { allHands, type Hand, type Proof } from "./types";
import { find } from "./wheel";
import { atSeat, bets as texts } from "../../texts/proof";

const SPOTS = ["ante", ...SIDES] as const;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

/** What is wrong with the banker of a round, with its hands and with their wagers. */
export function handsWrong(proof: Proof): string[] {
  const { banker, bank, rulebook } = proof;
  const hands = allHands(proof);
  const wrong: string[] = [];
  if (rulebook.banker === "player") {
    if (!isCount(banker) || !isCount(bank)) wrong.push(texts.playerBanks);
  } else if (banker !== null || bank !== null) wrong.push(texts.houseBanks);
  const places = hands.map((hand) => hand.place);
  for (const [n, hand] of hands.entries()) {
    if (!isCount(hand.place)) wrong.push(texts.noSeat(hand.place));
    if (places.indexOf(hand.place) < n) wrong.push(texts.twoHands(hand.place));
    const problems = hand.wagers.flatMap((bet) => amountWrong(rulebook, bet));
    problems.push(
      ...(rulebook.game === "roulette" ? betsWrong(rulebook, hand) : wagersWrong(rulebook, hand)),
    );
    wrong.push(...problems.map((problem) => atSeat(hand.place, problem)));
  }
  return wrong;
}

/** What is held over was within the limits when it was made. */
function amountWrong(book: Rulebook, { spot, cents, in_prison }: Bet): string[] {
  const { min, max } = limitsOf(book, spot) ?? { min: 1, max: Infinity };
  if (
    isCount(cents) &&
    (in_prison || (min <= cents && cents <= max && cents % book.increment === 0))
  )
    return [];
  return [texts.notAllowed(spotName(spot), cents)];
}

function limitsOf(book: Rulebook, spot: string): Limits | undefined {
  if (book.game === "roulette") return book.limits;
  const name = SPOTS.find((each) => each === spot);
  return name && book.limits?.[name];
}

/** What is wrong with all wagers of a hand where one maximum holds for them together. */
function totalWrong(book: PokerBook, wagers: Bet[]): string[] {
  const most = book.limits?.scope === "total" ? (book.limits.ante?.max ?? Infinity) : Infinity;
  const total = wagers.reduce((sum, bet) => sum + bet.cents, 0);
  return total > most ? [texts.aboveTotal(total, most)] : [];
}

function wagersWrong(book: PokerBook, { wagers, move }: Hand): string[] {
  const spots = wagers.map((bet) => bet.spot);
  const wrong = wagers.flatMap((bet, n) => {
    if (!SPOTS.some((spot) => spot === bet.spot && book[spot]))
      return [texts.unknown(spotName(bet.spot))];
    if (bet.in_prison) return [texts.noPrison(spotName(bet.spot))];
    return spots.indexOf(bet.spot) < n ? [texts.twice(spotName(bet.spot))] : [];
  });
  if (move !== undefined && move !== "play" && move !== "fold") wrong.push(texts.noSuchMove(move));
  if (!wagers.length) wrong.push(texts.empty);
  if (book.ante.required && !spots.includes("ante")) wrong.push(texts.noAnte);
  return [...wrong, ...totalWrong(book, wagers)];
}

function betsWrong(book: WheelBook, { wagers, move }: Hand): string[] {
  const wrong = move === undefined ? [] : [texts.noMoves];
  const lies = new Map<string, number>();
  for (const { spot, cents, in_prison } of wagers) {
    const { evenMoney } = find(book, spot);
    if (!in_prison) lies.set(spot, (lies.get(spot) ?? 0) + cents);
    else if (book.zero?.on_zero !== "en_prison" || !evenMoney)
      wrong.push(texts.noPrison(spotName(spot)));
  }
  for (const [spot, cents] of lies)
    if (cents > book.limits.max) wrong.push(texts.aboveLimit(cents, spotName(spot)));
  return wrong;
}
