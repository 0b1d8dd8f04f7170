/** What goes over a table's WebSocket. docs/protocol.md describes it. */

type Phase = "between" | "offering" | "betting" | "revealing" | "deciding" | "closed";
export type Move = "play" | "fold";

export interface Bet {
  spot: string;
  cents: number;
  in_prison?: boolean;
}

export interface Place {
  place: number;
  player: string;
  stack: number;
  bot?: boolean;
  aside?: boolean;
  leaving?: boolean;
}

export interface HandView {
  place: number;
  seat: number;
  wagers: Bet[];
  fee?: number;
  ready?: boolean;
  added_seed?: boolean;
  cards?: number[];
  move?: Move;
}

export interface RoundView {
  round: number;
  commitment: string;
  hands: HandView[];
  banker?: number;
  bank?: number;
  /** What is collected from the banker. */
  bank_fee?: number;
  first?: number;
  dealer?: (number | null)[];
  pocket?: string;
  /** The chain that the room's seed is of, and its link; nothing in a round of scheme 1. */
  chain?: number;
  link?: number;
  /** What places have committed to, and the seeds they have shown, in hexadecimal. */
  committed?: Record<string, string>;
  committed_by?: Record<string, string>;
  shown?: Record<string, string>;
  /** Seeds in the clear. */
  added?: Record<string, string>;
}

/** The room's seeds at a table: which chain, its end, the last seed shown, and how many links are used. */
export interface Chain {
  number: number;
  epoch: number;
  length: number;
  used: number;
  end: string;
  tip: string;
  /** How long places have to show their seeds, in milliseconds. */
  reveal: number;
}

/** What dealing on chains came to at a table. */
interface Dealings {
  rounds: number;
  seeds_shown: number;
  seeds_left_out: number;
  voided_after_close: number;
  voided_without_seed: number;
}

export interface SettledWager {
  wager: string;
  stake: number;
  net: number;
  action: number;
  clause: string;
}

export interface SettledBet {
  player: string;
  bet: string;
  stake: number;
  net: number;
  clause: string;
  held?: number;
  in_prison?: boolean;
}

export interface End {
  type: "round.settled/1" | "spin.settled/1" | "round.voided/1";
  at: number;
  round: number;
  seed: string;
  net?: number;
  bank?: number;
  bank_left?: number;
  banker?: number;
  reason?: string;
  fees?: { place: number; cents: number }[];
  returned?: { place: number; cents: number }[];
  places?: {
    place: number;
    seat?: number;
    net: number;
    wagers?: SettledWager[];
    bets?: SettledBet[];
  }[];
}

export interface Rate {
  min: number;
  max: number;
  player: number;
  banker: number;
  clause: string;
}

/** The round before, and who took part in it, by place: others may sit there since. */
export interface Last {
  round: RoundView;
  end: End;
  players: Record<number, string>;
}

export interface TableView {
  table: string;
  version: number;
  title: string;
  game: "three_card_poker" | "roulette";
  digest: string;
  fees: Rate[];
  settings: {
    places: number;
    pace: { pause: number; offer: number; bets: number; moves: number };
    silence: Move;
    least_bank: number;
    bots: boolean;
  };
  phase: Phase;
  next_round: number;
  places: Place[];
  deadline?: number;
  offered_to?: number;
  waits_for?: "banker" | "players";
  closing?: string;
  prison?: Record<string, Bet[]>;
  round?: RoundView;
  last?: Last;
  chain?: Chain;
  dealings?: Dealings;
}

export interface Own {
  place?: number;
  hand?: number;
  cards?: number[];
  last_hand?: number;
  last_cards?: number[];
}

export interface News {
  owner?: string;
  disabled?: boolean;
  change?: string;
  notices?: string[];
}

/** Signed by the room: the hash of an event, and by it of all events before it at the table. */
export interface Receipt {
  key: string;
  epoch: number;
  stream: string;
  version: number;
  hash: string;
  signature: string;
}

export type FromServer =
  | {
      type: "hello";
      protocol: number;
      player: string | null;
      version: number;
      now: number;
      key: string;
    }
  | {
      type: "view";
      version: number;
      now: number;
      view: TableView;
      news: News;
      own?: Own;
      receipt?: Receipt;
    }
  | { type: "answer"; id: string; first: number | null; last: number | null }
  | { type: "refused"; id: string; code: string; message: string }
  | { type: "bye"; code: string; message: string };

export type Command =
  | { type: "sit"; place: number; cents: number }
  | { type: "top_up"; cents: number }
  | { type: "stand_aside"; aside: boolean }
  | { type: "leave"; when: "now" | "after_round" }
  | { type: "accept_bank"; round: number; cents: number }
  | { type: "decline_bank"; round: number }
  | { type: "want_bank" }
  | { type: "add_seed"; round: number; seed: string }
  | { type: "commit_seed"; round: number; commitment: string }
  | { type: "show_seed"; round: number; seed: string }
  | { type: "place_wagers"; round: number; wagers: Bet[]; ready: boolean }
  | { type: "clear_wagers"; round: number }
  | { type: "choose"; round: number; move: Move };

/** Where somebody had a part in the last round, as a player or the banker. */
export function placeIn(last: Last | undefined, player: string | null): number | undefined {
  const found = Object.entries(last?.players ?? {}).find(([, name]) => name === player);
  return found && Number(found[0]);
}

/** Everything shown in one: the view with one's own cards laid down in it. */
export function complete(view: TableView, own: Own): TableView {
  const lay = (round: RoundView | undefined, place?: number, cards?: number[]) =>
    round && cards
      ? { ...round, hands: round.hands.map((h) => (h.place === place ? { ...h, cards } : h)) }
      : round;
  const seen = { ...view };
  const round = lay(view.round, own.hand, own.cards);
  if (round) seen.round = round;
  if (view.last) {
    seen.last = { ...view.last, round: lay(view.last.round, own.last_hand, own.last_cards)! };
  }
  return seen;
}
