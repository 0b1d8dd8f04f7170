/** What a round came to, and why: on the felt, beside it, in the log, in replays. */
import { dollars, gain, list, money, sentence } from "../lib/text/format";

// The figure, always after the fee

/** A part of a round as money: what the cards brought, and the fee. */
interface Part {
  net: number;
  fee: number;
}

/** Where the fee turns what the cards brought around, say both: "the cards were even". */
function cardsAndFee({ net, fee }: Part): string {
  const cards = net > 0 ? `won ${money(net)}` : "were even";
  return `the cards ${cards}, the fee was ${money(fee)}`;
}

/** Whether the fee makes a round that was not lost by the cards a loss, or even. */
export const isTurnedByFee = ({ net, fee }: Part) => fee > 0 && net >= 0 && net <= fee;

/** "You won $14.00 after the $1.00 fee." */
export function playerResult({ net, fee }: Part): string {
  const total = net - fee;
  if (isTurnedByFee({ net, fee }))
    return total < 0
      ? `You're down ${money(-total)} – ${cardsAndFee({ net, fee })}.`
      : `You broke even – ${cardsAndFee({ net, fee })}.`;
  if (total > 0) return `You won ${money(total)}${fee ? ` after the ${money(fee)} fee` : ""}.`;
  return total < 0 ? `You lost ${money(-total)}${fee ? ", fee included" : ""}.` : "You broke even.";
}

export const YOUR_BANK = "Your bank";
export const bankOf = (player: string) => `${player}'s bank`;

/** "Your bank won $25.00 after the $2.00 fee." */
export function bankerResult({ net, fee }: Part, bank = YOUR_BANK): string {
  const total = net - fee;
  if (isTurnedByFee({ net, fee }))
    return total < 0
      ? `${bank} is down ${money(-total)} – ${cardsAndFee({ net, fee })}.`
      : `${bank} broke even – ${cardsAndFee({ net, fee })}.`;
  if (total > 0) return `${bank} won ${money(total)}${fee ? ` after the ${money(fee)} fee` : ""}.`;
  return total < 0
    ? `${bank} lost ${money(-total)}${fee ? ", fee included" : ""}.`
    : `${bank} broke even.`;
}

export const feeIs = (fee: number) => `Fee ${money(fee)}.`;

export const VOID = "Round void";
/** "The dealer dropped a card. Your bets and fees are returned." */
export const voidWhy = (reason: string) => `${sentence(reason)}. All bets and fees are returned.`;
export const voidRound = (round: number, reason: string) =>
  `Round ${round} is void: ${reason}. All bets and fees are returned.`;
/** While nothing says which round: beside its cards. */
export const voidHere = (reason: string) =>
  `This round is void: ${reason}. All bets and fees are returned.`;

// Why

export const DEALER_SHORT = "Dealer doesn't qualify";
export const DEALER_SHORT_BETTER = "Dealer doesn't qualify but has the better hand";
export const DEALER_SHORT_TIE = "Dealer doesn't qualify, and the hands tie";

/** A name with a comma in it is closed by one: "three of a kind, sixes, wins". */
const closed = (hand: string) => (hand.includes(",") ? `${hand},` : hand);

export const dealerHas = (hand: string) => `Dealer has ${hand}`;
/** "Dealer has king-high and qualifies"; where every hand qualifies, only what it is. */
export const dealerIs = (hand: string, qualifies: boolean | undefined) =>
  qualifies === undefined
    ? dealerHas(hand)
    : `${dealerHas(closed(hand))} and ${qualifies ? "qualifies" : "doesn't qualify"}`;
export const dealerWins = (hand: string) => `Dealer's ${closed(hand)} wins`;
export const dealerBeats = (dealer: string, mine: string, you: boolean) =>
  `Dealer's ${closed(dealer)} beats ${you ? "your " : ""}${mine}`;
export const beatsDealer = (mine: string, dealer: string, you: boolean) =>
  `${you ? `Your ${closed(mine)}` : sentence(closed(mine))} beats the dealer's ${dealer}`;
export const tie = (hand: string) => `It's a tie with ${hand}`;

/** "Ante wins $5.00, Play is returned." */
export const wagersMoved = (moved: readonly string[]) => `${moved.join(", ")}.`;
export const wins = (wager: string, cents: number) => `${wager} wins ${money(cents)}`;
export const loses = (wager: string, cents: number) => `${wager} loses ${money(cents)}`;
/** "Ante and Play win $5.00 each" */
export const bothWin = (wagers: readonly string[], cents: number) =>
  `${list(wagers)} win ${money(cents)} each`;
export const bothLose = (wagers: readonly string[], cents: number) =>
  `${list(wagers)} lose ${money(cents)} each`;
export const returned = (wager: string) => `${wager} is returned`;
export const bothReturned = (wagers: readonly string[]) => `${list(wagers)} are returned`;
/** "Pair Plus wins $5.00: a pair pays 1 to 1." */
export const paysFor = (wager: string, cents: number, kind: string, pays: string) =>
  `${wins(wager, cents)}: ${kind} pays ${pays}.`;

export const FOLDED = { you: "You folded", other: "Folded" } as const;
export const CLOCK_FOLDED = {
  you: "The clock folded your hand",
  other: "Folded by the clock",
} as const;
export const CLOCK_PLAYED = {
  you: "Time ran out: the clock played your hand.",
  other: "Played by the clock.",
} as const;

// A bank that does not cover everything

interface Returned {
  wager: string;
  cents: number;
}
const amounts = (some: readonly Returned[]) =>
  list(some.map(({ wager, cents }) => `${money(cents)} ${wager}`));
const are = (some: readonly unknown[]) => (some.length === 1 ? "is" : "are");

/** How a bank ends; by its net result it may also have won all that it may win. */
const ENDS = { action: "ran out", net: "reached its limit" } as const;
type Coverage = keyof typeof ENDS;

/** "The bank ran out before your bet: your $15.00 Ante is returned." */
export function bankEndedFor(
  some: readonly Returned[],
  you: boolean,
  wasReached: boolean,
  coverage: Coverage = "action",
) {
  const before = wasReached ? "" : you ? " before your bet" : " before this bet";
  return `The bank ${ENDS[coverage]}${before}: ${you ? "your " : ""}${amounts(some)} ${are(some)} returned.`;
}
export const bankCoveredPart = (some: readonly Returned[]) =>
  `The bank covered part of it; ${list(some.map(({ wager, cents }) => `${money(cents)} of ${wager}`))} ${are(some)} returned.`;
export const bankPaidPart = (paid: number, due: number, wager: string, you: boolean) =>
  `The bank could pay only ${money(paid)} of the ${money(due)} ${you ? "you won" : "won"} on ${wager}.`;
export const bankEndedOf = (wager: string, coverage: Coverage = "action") =>
  `The bank ${ENDS[coverage]} before paying ${wager}.`;
export const BANK_RAN_OUT = "The bank ran out.";
export const NO_BETS = "Nobody bet.";

// The bank beside the dealer

/** "$500 to cover bets" */
export const toCover = (cents: number) => `${dollars(cents)} to cover bets`;
/** "Covered $92 of $500" */
export const covered = (cents: number, bank: number) =>
  `Covered ${dollars(cents)} of ${dollars(bank)}`;
export const BANK_RAN_OUT_HERE = "The bank ran out";
export const BANK_RETURNED = "The bank is returned";
/** "bank +$92.00" */
export const bankCame = (net: number) => `bank ${gain(net)}`;
/** "Covered $92 of $500 · bank +$92.00" */
export const bankLine = (parts: readonly string[]) => parts.join(" · ");

// The plate

export const WHY = "Show the rules behind this result";
export const HIDE_WHY = "Hide the rules";

// The column

export const roundTitle = (round: number) => `Round ${round}`;
export const YOU = "You";
export const banked = (cents: number) => `banked ${dollars(cents)}`;
export const feePart = (fee: number) => `${money(fee)} fee included.`;
/** "Fees: players $6.00, banker $2.00." */
export const fees = (players: number, banker: number) =>
  `Fees: players ${money(players)}${banker ? `, banker ${money(banker)}` : ""}.`;
