/** Rulings of the floor and corrections, as the players they concern read them. */
import { dollars, money, sentence, tableTitle } from "../lib/text/format";

// Rulings: `you` is whether the hand is the player's own

const HAPPENED = {
  misdeal: "misdeal",
  exposed_player: "exposed card",
  exposed_dealer: "exposed dealer card",
  player_gone: "player gone",
} as const;
export type Kind = keyof typeof HAPPENED;

/** "The floor ruled: exposed card." */
export const ruled = (kind: Kind) => `The floor ruled: ${HAPPENED[kind]}.`;
/** "The floor ruled: misdeal (IR-1)." */
export const ruledBy = (kind: Kind, clause: string) =>
  `The floor ruled: ${HAPPENED[kind]} (${clause}).`;
export const happened = (kind: Kind) => sentence(HAPPENED[kind]);
const whose = (player: string, you: boolean) => (you ? "your" : `${player}'s`);

/** "Ben's hand is void; $10.00 is returned (IR-2)." */
export const voidHand = (player: string, you: boolean, back: string, clause: string) =>
  `${sentence(whose(player, you))} hand is void; ${you ? "your " : ""}${back} (${clause}).`;
/** "$10.00 is returned", "$10.00 and the fee are returned" */
export const backOf = (cents: number, hasFee: boolean) =>
  hasFee ? `${money(cents)} and the fee are returned` : `${money(cents)} is returned`;
export const playsOn = (player: string, you: boolean, clause: string) =>
  player
    ? `${sentence(whose(player, you))} hand plays on (${clause}).`
    : `The round plays on (${clause}).`;
export const defaultMove = (player: string, you: boolean, clause: string) =>
  `The table's default move is made for ${whose(player, you)} hand (${clause}).`;
export const isVoid = (clause: string) =>
  `The round is void; all bets and fees are returned (${clause}).`;
export const DEALT_AGAIN = "Dealt again with the same bets: press Ready, or Clear to change them.";
export const DEALT_AGAIN_TO_OTHERS = "Dealt again with the same bets.";
export const dealtAgainAfter = (clause: string) =>
  `The round is void (${clause}), and dealt again with the same bets.`;
export const because = (reason: string) => `Reason: ${reason}.`;

export const YOUR_HAND_IS_VOID = "Your hand is void. Your bets are back in your stack.";
export const HAND_VOID = "Hand void";
/** On the plate: "Exposed card. Your $10.00 is returned." */
export const handVoidWhy = (what: string, back: string) => `${what}Your ${back}.`;
export const handVoidSpoken = (round: number, why: string) =>
  `Your hand of round ${round} is void. ${why}`;

// Corrections

export const CORRECTIONS = "Corrected rounds";
export interface Corrected {
  table: string;
  round: number;
  cents: number;
  owed: number;
  to_wallet: boolean;
  reason?: string;
}

/** "Round 12 at House was corrected: $10.00 came to your stack. Reason: the dealer misread." */
export function corrected({ table, round, cents, owed, to_wallet, reason }: Corrected): string {
  const where = to_wallet ? "your balance" : "your stack";
  const moved =
    cents > 0
      ? `${money(cents)} came to ${where}`
      : cents < 0
        ? `${money(-cents)} was taken from ${where}`
        : "no chips moved";
  return [
    `Round ${round} at ${tableTitle(table)} was corrected: ${moved}.`,
    owing(owed),
    reason ? because(reason) : "",
  ]
    .filter(Boolean)
    .join(" ");
}
const owing = (owed: number) =>
  owed > 0
    ? `You are still owed ${money(owed)}.`
    : owed < 0
      ? `You still owe ${money(-owed)}.`
      : "";
export const SEE_ROUNDS = "See your rounds";
export const OK = "OK";
export const dismiss = (text: string) => `OK: ${text}`;

// In a history

/** "Your hand was void (IR-2)." */
export const wasVoid = (clause: string) => `Your hand was void (${clause}).`;
/** "Corrected: +$10.00. The dealer misread." */
export const correctedLine = (gained: string, reason: string, owed: number) =>
  ["Corrected:", `${gained}.`, `${sentence(reason)}.`, owing(owed)].filter(Boolean).join(" ");
/** "Before the correction: +$5" */
export const settledAs = (gained: string) => `Settled as ${gained}.`;
export const backStep = (player: string, you: boolean, cents: number) =>
  `${sentence(whose(player, you))} hand is void: ${dollars(cents)} is returned.`;
