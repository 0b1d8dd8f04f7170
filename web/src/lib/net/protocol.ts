/** What goes over a table's WebSocket. docs/protocol.md describes it; its types come from the server's. */
import type * as server from "../../generated/server";
import type { Rulebook } from "./rulebook";

export type {
  Bet,
  ChainView as Chain,
  EventReceipt as Receipt,
  HandView,
  News,
  OwnView as Own,
  PlaceView as Place,
  RoundView,
  SettledBet,
  SettledWager,
} from "../../generated/server";
type Own = server.OwnView;
type RoundView = server.RoundView;

export type Move = server.ChooseCommand["move"];

type KeysOfAny<Union> = Union extends unknown ? keyof Union : never;
type ValueOfAny<Union, Key extends PropertyKey> =
  Union extends Partial<Record<Key, infer Value>> ? Value : never;
/** One type for several: fields that not all of them have may be missing. */
type Merged<Union> = Pick<Union, keyof Union> & {
  [Key in Exclude<KeysOfAny<Union>, keyof Union>]?: ValueOfAny<Union, Key>;
};

export type SettledSeat = Merged<server.SettledPlace | server.SettledPlayer>;
export type End = Omit<Merged<server.LastView["end"]>, "by" | "id" | "places"> & {
  places?: SettledSeat[];
};

/** The round before, and who took part in it, by place: others may sit there since. */
export type Last = Omit<server.LastView, "end"> & { end: End };

export type TableView = Omit<server.TableView, "game" | "last"> & {
  game: Rulebook["game"];
  last?: Last;
};

export type FromServer =
  Exclude<server.FromServer, server.Seen> | (Omit<server.Seen, "view"> & { view: TableView });

type WithoutId<Union> = Union extends unknown ? Omit<Union, "id"> : never;
/** What a player may ask for; the socket adds an id. */
export type Command = WithoutId<server.Command>;

/** Where somebody had a part in the last round, as a player or the banker. */
export function placeIn(last: Last | undefined, player: string | null): number | undefined {
  const entry = Object.entries(last?.players ?? {}).find(([, name]) => name === player);
  return entry && Number(entry[0]);
}

/** Return the view with the player's own cards in it. */
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
