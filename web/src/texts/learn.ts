/** What the guided first hand says: a heading and a sentence or two for each step. */
import { money, dollars } from "../lib/text/format";
import { anteBonus } from "./rules";

export const TITLE = "Queenhigh: how to play";
export const HEADING = "How to play in 60 seconds";
export const LOADING = "Loading…";
export const NEXT = "Next";
export const SKIP = "Skip";
export const PLAY_NOW = "Play now";
export const READ_RULES = "Read the rules";
export const AGAIN = "Show me again";
export const TO_LOBBY = "Back to the tables";
export const stepOf = (step: number, steps: number) => `Step ${step} of ${steps}`;
/** The table's name while a lesson is on it. */
export const TABLE_TITLE = "Your first hands";
export const YOU = "You";

/** What a step says. */
export interface StepText {
  title: string;
  body: string;
}

/** "queen-high or better", "a pair or better". */
const needs = (qualifier: string) => `${qualifier === "pair" ? "a pair" : qualifier} or better`;

export const hands: StepText = {
  title: "Three cards each",
  body: "You and the dealer get three cards each. The better hand wins. From best to worst:",
};

export const ante = (least: number): StepText => ({
  title: "Bet an Ante",
  body: `Every hand starts with a bet. Tap Ante to put ${dollars(least)} on it.`,
});

export const side = (name: string): StepText => ({
  title: "A side bet, if you like",
  body: `${name} is extra: it pays when your own cards make a pair or better, whatever the dealer has. Tap it or leave it, then press Deal me in.`,
});

export const decide = (hand: string, stake: number): StepText => ({
  title: "Play or fold?",
  body: `You have ${hand}. That's good. Press Play to bet another ${dollars(stake)} that you beat the dealer. If you fold, you give up your Ante.`,
});

/** To a player who wants to fold a good hand. */
export const tryPlay = "Folding is allowed, but a pair is a good hand. Press Play to see why.";

/** What became of the bets of a hand, in cents. */
export interface Outcome {
  /** What you have, and what the dealer has: "a pair of eights". */
  hand: string;
  dealer: string;
  qualifier: string;
  ante: number;
  play: number;
  /** Nothing where there was no side bet. */
  side: { name: string; net: number } | null;
  net: number;
}

const won = (net: number) =>
  net > 0 ? `You won ${money(net)}.` : net < 0 ? `You lost ${money(-net)}.` : "You're even.";

export const shortDealer = ({ dealer, qualifier, ante, side, net }: Outcome): StepText => ({
  title: `The dealer doesn't qualify: ${gainText(net)}`,
  body: [
    `The dealer needs ${needs(qualifier)} to qualify and has only ${dealer}.`,
    `So your Ante wins ${dollars(ante)} and your Play bet is returned.`,
    side && side.net > 0 ? `${side.name} pays ${dollars(side.net)} for your pair.` : "",
    won(net),
  ]
    .filter(Boolean)
    .join(" "),
});

const gainText = (net: number) => (net > 0 ? `+${money(net)}` : money(net));

export const anteAgain: StepText = {
  title: "One more hand",
  body: "Bet an Ante again, then press Deal me in.",
};

export const decideWeak = (hand: string): StepText => ({
  title: "Play or fold this one?",
  body: `You have ${hand}. A good rule: play queen-six-four or better. The highest card counts first, so any king is better and any jack is worse. You choose.`,
});

/** What a side bet without a pair came to. */
const sideLost = ({ side }: Outcome) =>
  side && side.net < 0
    ? ` ${side.name} needs a pair, so its ${dollars(-side.net)} is lost too.`
    : "";

export const folded = (outcome: Outcome): StepText => ({
  title: `You folded: ${gainText(outcome.net)}`,
  body: foldedBody(outcome) + sideLost(outcome),
});

const foldedBody = ({ dealer, ante }: Outcome) =>
  `You lose your ${dollars(-ante)} Ante and nothing more. The dealer has ${dealer} and would have won: playing would have cost you ${dollars(-2 * ante)}.`;

export const beaten = (outcome: Outcome): StepText => ({
  title: `The dealer qualifies and wins: ${gainText(outcome.net)}`,
  body: beatenBody(outcome) + sideLost(outcome),
});

const beatenBody = ({ hand, dealer, qualifier, ante, play }: Outcome) =>
  `The dealer has ${dealer}. That's ${needs(qualifier)}, so the hands are compared, and it beats your ${bare(hand)}. You lose Ante and Play, ${dollars(-ante - play)}. Folding would have cost ${dollars(-ante)}.`;

/** A hand without its article: "pair of eights". */
const bare = (hand: string) => hand.replace(/^an? /, "");

export const end: StepText = { title: "That's the whole game", body: "Remember:" };
/** `bonus`: the hands with an Ante bonus, if there is one. */
export const remember = (qualifier: string, side: string, bonus: string) => [
  `The dealer needs ${needs(qualifier)} to qualify. If not, your Ante wins and Play is returned.`,
  "If the dealer qualifies, the better hand wins both bets.",
  `${side} depends only on your own three cards.`,
  ...(bonus ? [anteBonus(bonus)] : []),
];
