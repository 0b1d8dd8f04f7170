/** What the page says about provably fair cards: seeds, proofs, and how it all works. */

export { seatName } from "./names";

// The panel

export const fair = (wheel: boolean) => (wheel ? "Fair pocket" : "Fair cards");
export const FINISHED_ROUNDS = "Finished rounds";
export const roundNumber = (round: number) => `Round ${round}`;
export const SEED_ALOUD = ", seed";
export const verifyRound = (round: number, open: boolean) =>
  `${open ? "Close the proof of" : "Verify"} round ${round}`;
export const VERIFY = "Verify";
export const CLOSE = "Close";
export const ANOTHER_ROUND = "Another round";
export const VERIFY_IT = "Verify it";
export const seedGivesAll = (wheel: boolean) =>
  wheel
    ? "Anyone with a finished round's seed can work out its pocket."
    : "Anyone with a finished round's seed can work out all its cards, folded hands included.";

// Marks

export const markAloud = (fits: boolean | null) =>
  fits === null ? "Unknown:" : fits ? "Correct:" : "Wrong:";

// How it works

export const HOW_IT_WORKS = "How this works";
export const steps = (wheel: boolean): string[] => [
  "The table's seeds form a chain: each one is the fingerprint of the next, and the end of the chain is shown before its first round. Thousands of seeds are fixed at once, so the table can't pick another one after seeing the bets.",
  `While bets are open, this page sends the fingerprint of 32 random bytes of yours. When bets close, it shows the bytes. ${wheel ? "Where the ball lands follows from all seeds together, so neither the table nor you can choose it." : "Your bytes are mixed into the shuffle, so the deck can't have been arranged beforehand."}`,
  `When the round is over, the table shows its seed. This page checks that it is the next one in the chain, ${wheel ? "works out the pocket, and settles every bet" : "shuffles and deals again, and settles every bet"} by the rulebook, whose fingerprint is part of the shuffle.`,
  `It also compares with what this window saw while you played: the chain, every seat's fingerprint, your seed, ${wheel ? "your bets" : "your cards, your bets"} and the result.`,
];
export const SEED_GIVES_FOLDED =
  "Anyone with a finished round's seed can work out all its cards, folded hands included.";
export const CANNOT_PROVE =
  "What this can't prove: that the other seats are real people. Your own seed is the one to rely on. Without any player's seed the table could have chosen the result. Leaving a seed out lets its owner choose between two outcomes, so the table counts every one that is left out.";
export const WHOLE_LOG = "A single-file program verifies a whole room's log:";
export const VERIFIER = "python verifier/verify_log.py FILE";
export const THE_COMMAND = "The command";

// Your own text

export const ADD_OWN_TEXT = "Add your own text, unhidden";
export const ABOUT_OWN_TEXT =
  "It counts together with the hidden seed this page sends for you. The table can read it while bets are open.";
export const ownTextLabel = (added: boolean) =>
  added ? "Other text instead" : "Your text for this round";
export const ADD_MY_TEXT = "Add my text";
export const YOU_ADDED = "You added";
export const TO_THIS_ROUND = "to this round.";
export const TEXT_WHILE_OPEN = "You can add text while bets are open.";
export const othersAdded = (names: string) => `${names} added text too.`;
export const EVERY_ROUND = "Add random text for me every round";
export const TEXT_TOO_SHORT = "Your text needs at least one letter.";
export const textTooLong = (size: number) =>
  `Your text can have at most 64 bytes; this one has ${size}.`;
export const invisible = (code: string) =>
  `Your text can't have invisible characters (found U+${code}; emoji made of several have one).`;
export const TEXT_REFUSED = "The table didn't take your text; see the message above.";
export const TEXT_TOO_LATE = "Bets closed before your text arrived. Try again next round.";

// A proof

export const VERIFIED = "Verified: this round was played and paid fairly.";
export const VERIFIED_BUT_FREE =
  "Verified: played and paid by the rules. But the table could have chosen the result.";
export const VERIFIED_WITHOUT_YOURS = "Verified, but your seed was not counted.";
export const VERIFIED_WITHOUT_ANY =
  "Verified, but your seed was not counted, and the table could have chosen the result.";
export const mismatches = (count: number) =>
  count === 1 ? "Something doesn't match." : `${count} things don't match.`;
export const verdictAloud = (round: number, verdict: string) => `Round ${round}: ${verdict}`;
export const TRY_AGAIN = "Try again";
export const checking = (round: number) => `Checking round ${round}…`;
export const checkedWith = (native: boolean) =>
  `Checked by this page in your browser, with ${native ? "your browser's SHA-256" : "the page's own SHA-256, because browsers offer theirs over https only"}.`;
export const THE_VALUES = "The values";
export const seedGives = (wheel: boolean) =>
  `The seed gives ${wheel ? "the pocket of the round" : "every card of the round, folded hands too"}. Your own program can check the same: this is everything the table published.`;
export const PROOF_AS_JSON = "The proof as JSON";
export const COPY_PROOF = "Copy the proof";
export const ABOUT_RECEIPT =
  "When bets closed, the server signed everything that decides the result. Anyone who has its log can check that it still says so:";
export const RECEIPT_COMMAND = "queenhigh verify --receipt";
export const RECEIPT_AS_JSON = "The receipt as JSON";
export const COPY_RECEIPT = "Copy the receipt";

// Seeds of the round

export const count = (n: number, noun: string) =>
  `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const whole = (n: number) => n.toLocaleString("en");
export const NO_SEED_SENT = "Your page sends no more seeds at this table.";
export const I_HAVE_READ_THIS = "I have read this";
export const lockedIn = (round: number, link: number, length: number, chain: number) =>
  `Round ${round}'s shuffle is locked in: link ${whole(link)} of ${whole(length)} of chain ${chain}, fixed before bets opened.`;
export const withoutChain = (round: number) =>
  `Round ${round} is of scheme 1: its seed was drawn for this round alone, so the table could have chosen it.`;
export const chainUsed = (chain: number, used: number, length: number) =>
  `Chain ${chain}: ${count(used, "link")} of ${whole(length)} used. The next seed is already fixed.`;
export const BEFORE_BETS = "Before bets open, you see here what the next round is bound to.";
export const SITTING_OUT = "You're sitting out, so this page sends no seed for you.";
export const COMMITMENT = "Commitment";
export const hashesTo = (isEnd: boolean) =>
  `This round's seed hashes to ${isEnd ? "the end of the chain" : ""}`;
export const THE_COMMITMENT = "The commitment";
export const chainEnds = (chain: number) => `Chain ${chain} ends in`;
export const THE_END = "The end";
export const SIGNING_KEY = "The server signs its log with the key";
export const THE_KEY = "The server's key";

interface Dealings {
  rounds: number;
  seeds_shown: number;
  seeds_left_out: number;
  voided_after_close: number;
  voided_without_seed: number;
}
export const dealings = (sums: Dealings, chains: number) =>
  `At this table: ${count(sums.rounds, "round")} on ${count(chains, "chain")}; seeds of players: ${whole(sums.seeds_shown)} shown, ${whole(sums.seeds_left_out)} left out; ${count(sums.voided_after_close, "round")} void after bets closed${sums.voided_without_seed ? `; ${count(sums.voided_without_seed, "round")} void without showing the table's seed` : ""}.${sums.rounds && !sums.seeds_shown ? " No player's hidden seed was in any round, so the table could have chosen every result." : ""}`;

interface Witnessed {
  rounds: number;
  bound: number;
  free: number;
  leftOut: number;
  voided: number;
}
export const witnessed = ({ rounds, bound, free, leftOut, voided }: Witnessed) =>
  `This browser saw ${count(rounds, "round")} end here. ${count(bound, "round")} had a player's seed${free ? `; ${count(free, "round")} had none, so the table could have chosen ${free === 1 ? "the result" : "those results"}` : ""}. ${count(leftOut, "seed")} left out, ${count(voided, "round")} void after bets closed.`;
export const lostSight = (rounds: number) =>
  `It missed the end of ${count(rounds, "round")} in which it had shown your seed.`;
export const restored = (times: number) =>
  `The server was restored from a backup ${times === 1 ? "once" : `${times} times`} meanwhile.`;

// Copying

export const COPY = "Copy";
export const COPIED = "Copied";
export const NOT_COPIED = "Not copied";
export const isCopied = (what: string) => `${what} is copied.`;
export const copyFailed = (what: string) =>
  `Your browser did not copy ${what}. Select the text and copy it.`;
export const copyLabel = (label: string, what: string) => `${label}: ${what}`;

// What became of the seeds

export const FOREIGN_SEED = "Your seat has a seed that is not from this browser.";
export const SWAPPED_SEED =
  "The table took your commitment, and now shows another one for your seat.";
export const OTHER_DEVICE = "Another of your devices sent the seed for your seat.";
export const SEED_COUNTS = "Your seed is shown, and counts.";
export const SEED_WAS_IN = "Your seed was in it.";
export const SEED_SHOWN = "Your seed was shown.";
export const SEED_SENT = "Your seed is sent, hidden until bets close.";
export const SEED_SENDING = "Sending your seed, hidden until bets close.";
export const NO_COMMITMENT = "Your commitment did not arrive.";
export const SHOWING_SEED = "Showing your seed…";
export const VOID_BEFORE = "It was void before seeds counted.";
export const voidBefore = (sent: boolean) =>
  `The round was void before seeds counted.${sent ? " Yours was sent." : ""}`;
export const SEED_LEFT_OUT = "It came too late, or the table left it out.";
export const notCounted = (why: string) => `Your seed was not counted. ${why}`;
export const NO_CHAIN = "The table could have chosen: no chain of seeds bound it.";
const seats = (count: number) => (count === 1 ? "one seat" : `${count} seats`);
export const hiddenSeeds = (hidden: number) =>
  hidden ? `Hidden seeds of ${seats(hidden)}.` : "No seat has sent a hidden seed.";
const NO_HIDDEN_SEED =
  "No player's hidden seed is in this round, so the table could have chosen the result.";
/** "Randomness of two seats, yours included. 1 left out." */
export function randomness(count: number, leftOut: number, isIn: boolean | null): string {
  const out = leftOut > 0 ? ` ${leftOut} left out.` : "";
  if (!count) return `${NO_HIDDEN_SEED}${out}`;
  const you = isIn === null ? "" : isIn ? ", yours included" : ", yours not";
  return `Randomness of ${seats(count)}${you}.${out}`;
}

// What this browser finds wrong, without being asked

/** The table's chain is not the one it was on before. */
export const history = {
  changed: (how: string) => `The table shows a different history than before. ${how}`,
  beforeRestore: "It is back in a state from before it was restored.",
  playedAgain: (round: number) => `Round ${round} was over, and is being played again.`,
  earlierChain: (chain: number, before: number) =>
    `It is back on chain ${chain} after chain ${before}.`,
  otherChain: (chain: number) => `Chain ${chain} isn't the one shown before.`,
  startsTooEarly: (chain: number) => `Chain ${chain} starts before a round that was already over.`,
  noChain: (round: number) => `Round ${round} is on no chain, but earlier rounds were.`,
};
export const NEW_KEY = "The server at this address has a different signing key than before.";
export const RESTORED = "The server was restored from a backup. Rounds may be missing.";

export const closedTwice = (round: number, how: string) =>
  `Two of your windows saw round ${round} close differently. ${how}`;
export const endedTwice = (round: number) => `Round ${round} now has a different end than before.`;
export const aboutRound = (round: number, problem: string) => `Round ${round}: ${problem}`;
export const NOTHING_SHOWN = "It is settled, but the table shows no cards or pocket of it.";
export const NOT_FROM_SEEDS = "What the table shows doesn't follow from the seeds.";
