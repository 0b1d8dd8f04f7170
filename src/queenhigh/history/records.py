"""Rounds that were played, from a table's events: to recall, to prove, to settle again."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from queenhigh.cards import format_cards
from queenhigh.game import SettledRound, View
from queenhigh.games import GAMES
from queenhigh.history.narration import describe_event
from queenhigh.rulebook.book import Games, Rulebook
from queenhigh.table.commands import CLOCK
from queenhigh.table.events import (
    CardsDealt,
    MoveMade,
    RoundSettled,
    RoundVoided,
    SeatTaken,
    SeatToppedUp,
    SeedAdded,
    SeedShown,
    SpinSettled,
    TableEvent,
    encode,
)
from queenhigh.table.state import ActiveRound, State, drawn, seats_of
from queenhigh.table.streams import table_stream
from queenhigh.verify.fold import BrokenStream, apply_event, at_event

__all__ = [
    "Record",
    "Rounds",
    "Step",
    "as_own_line",
    "as_proof",
    "as_recall",
    "as_settle_line",
    "committed_seeds",
    "hidden_seats",
    "part_of",
    "rounds_of",
]


#: An event, with the players by place when it happened.
Step = tuple[TableEvent, dict[int, str]]


@dataclass(frozen=True)
class Record:
    """A round that is over: its players by place, its events, and chips before and after."""

    table: str
    digest: str
    book: Rulebook
    live: ActiveRound
    end: RoundSettled | SpinSettled | RoundVoided
    players: dict[int, str]
    seats: dict[int, int]
    before: dict[int, int]
    after: dict[int, int]
    #: Each with the players by place when it happened.
    events: tuple[Step, ...]

    @property
    def id(self) -> str:
        """The round's name in its room."""
        return f"{self.table}/{self.live.number}"

    def seen(self, seat: int | None = None) -> View | None:
        """Return the view of a seat, or the public one; ``None`` if nothing was drawn."""
        play = self.live.play
        return self.book.game.view(self.book, play, seat) if play is not None else None

    def steps(self) -> list[str]:
        """Return the events as sentences; folded hands are not shown (CA-11)."""
        seen = self.seen()
        described = (describe_event(event, players, seen) for event, players in self.events)
        return [sentence for sentence in described if sentence]

    def shown(self) -> list[dict[str, Any]]:
        """Return the events of those sentences as data, without cards and the table's seed."""
        seen = self.seen()
        return [
            _shown(event, players)
            for event, players in self.events
            if describe_event(event, players, seen)
        ]


class Rounds:
    """Finds rounds in a table's events as they come: the table, and its round so far.

    ``before`` and ``players`` are the chips and the names of the round by place, ``steps`` its
    events, each with the players by place when it happened.
    """

    def __init__(
        self,
        table: str = "",
        state: State | None = None,
        before: dict[int, int] | None = None,
        players: dict[int, str] | None = None,
        steps: list[Step] | None = None,
        games: Games = GAMES,
    ) -> None:
        self._stream, self.state, self._games = table_stream(table), state, games
        self.before, self.players, self.steps = before or {}, players or {}, steps or []

    def add(self, event: TableEvent) -> Record | None:
        """Take the next event; return the round that it ends, if it ends one."""
        was, state = self.state, apply_event(self.state, event, self._stream, self._games)
        self.state = state
        if was is not None and was.round is None and state.round is not None:
            self.before = _chips(was)
            self.players = {place: seated.player for place, seated in state.places.items()}
            posted = self.steps[-1:] if state.round.banker is not None else []
            self.steps = [(step, self.players) for step, _ in posted]
        if isinstance(event, SeatTaken):
            self.players = {**self.players, event.place: event.player}
            self.before[event.place] = event.cents
        elif isinstance(event, SeatToppedUp):
            self.before[event.place] = self.before.get(event.place, 0) + event.cents
        self.steps.append((event, self.players))
        if isinstance(event, RoundSettled | SpinSettled | RoundVoided):
            return self._end(state, event)
        if state.round is None:
            del self.steps[:-1]  # only the last event before a round, a posted bank, belongs to it
        return None

    def _end(self, state: State, event: RoundSettled | SpinSettled | RoundVoided) -> Record:
        if state.last is None:
            raise BrokenStream(self._stream, state.version, "no round has ended here")
        live = state.last.live
        steps, self.steps = tuple(self.steps), []
        with at_event(self._stream, state.version):
            seats = seats_of(state, live)
        return Record(
            table=state.table, digest=state.digest, book=state.book, live=live, end=event,
            players=dict(self.players), seats=seats,
            before=dict(self.before), after=_chips(state), events=steps,
        )  # fmt: skip


def rounds_of(events: Iterable[TableEvent], table: str, games: Games = GAMES) -> Iterator[Record]:
    """Yield the rounds of a table that are over, from the first."""
    rounds = Rounds(table, games=games)
    for event in events:
        record = rounds.add(event)
        if record is not None:
            yield record


def _chips(state: State) -> dict[int, int]:
    """Return the chips of each place, held and in the stack."""
    return {place: state.stack(place) + state.held(place) for place in state.places}


# To settle again


def as_settle_line(record: Record) -> dict[str, Any] | None:
    """Return a settled round as ``queenhigh settle`` reads it; ``None`` for a void one."""
    if isinstance(record.end, RoundVoided):
        return None
    book = record.book
    players = {seat: record.players[place] for place, seat in record.seats.items()}
    return {"id": record.id, **book.game.to_line(book, drawn(record.live), players)}


def hidden_seats(record: Record, player: str) -> set[int]:
    """Return the seats whose hands a player did not see: those of other players who folded."""
    own = [seat for place, seat in record.seats.items() if record.players.get(place) == player]
    seen = record.seen(own[0] if own else None)
    return {shown.seat for shown in seen.seats if shown.cards is None} if seen else set()


def as_own_line(record: Record, player: str) -> dict[str, Any] | None:
    """Return a settled round for ``queenhigh settle``, without the seats hidden from a player.

    ``None`` if there is no such line: the round is void, nothing of it was shown, or the bank ran
    short, so that the others come to something else without the hidden ones.
    """
    line, hidden = as_settle_line(record), hidden_seats(record, player)
    play, book, end = record.live.play, record.book, record.end
    if line is None or not hidden or play is None or not isinstance(end, RoundSettled):
        return line
    rest = book.game.without(play, hidden)
    again = book.game.settle(book, rest) if rest is not None else None
    results = {row.seat: row.wagers for row in end.places}
    if not isinstance(again, SettledRound):
        return None
    if any(row.wagers != results[row.seat] for row in again.seats):
        return None
    return line | {"seats": [row for row in line["seats"] if row["seat"] not in hidden]}


# To recall


def as_recall(record: Record, player: str) -> dict[str, Any] | None:
    """Return a round as a player of it may see it; ``None`` for a player who had no part in it.

    It has the outcome, every step as a sentence and as data, each wager and its result, and
    credits before and after.
    """
    live, end = record.live, record.end
    took_part = [
        place
        for place, name in record.players.items()
        if name == player and (place in live.wagers or place == live.banker)
    ]
    if not took_part:
        return None
    (place,) = took_part
    recall: dict[str, Any] = {"round": record.id, "at": end.at}
    recall |= {"ended": _ended(end), "place": place}
    recall |= _table(record)
    if isinstance(end, RoundVoided):
        recall |= {"reason": end.reason, "net": 0, "wagers": []}
    elif place == live.banker:
        recall |= {"banked": live.bank, "net": end.net, "wagers": []}
    else:
        recall |= _result(end, place)
    recall["fee"] = 0 if isinstance(end, RoundVoided) else _fees(live).get(place, 0)
    recall |= _cards_seen(record, place)
    recall["credits"] = {"before": record.before[place], "after": record.after[place]}
    recall |= {"seed": end.seed, "commitment": live.commitment}
    return recall | {"steps": record.steps(), "events": record.shown()}


def _table(record: Record) -> dict[str, Any]:
    """Return the places and players of a round, its banker, and the seat that action started at.

    ``up`` is how many of the dealer's cards all saw before they decided; ``ace_low``: an ace also
    counts low, in a straight with a deuce and a three.
    """
    live, book = record.live, record.book
    places = sorted({*live.wagers, *([] if live.banker is None else [live.banker])})
    return {
        "game": book.game.name,
        "up": book.document.get("up", 0),
        "ace_low": book.document.get("ace_low", False),
        "players": {str(place): record.players[place] for place in places},
        "seats": {str(place): seat for place, seat in sorted(record.seats.items())},
        "banker": live.banker,
        "first": _first(record),
    }


def _first(record: Record) -> int | None:
    """Return the seat where action started, where a player banked."""
    seen = record.seen()
    return seen.first if seen and record.live.banker is not None else None


def _shown(event: TableEvent, players: dict[int, str]) -> dict[str, Any]:
    """Return an event as data, without hidden fields, and with the player's name."""
    hidden = {"at", "by", "id", "cards", "key", "rulebook"}  # a digest is enough of the last
    if not isinstance(event, SeedAdded | SeedShown):
        hidden.add("seed")
    shown = {key: value for key, value in _data(event).items() if key not in hidden}
    if "place" in shown:
        shown["player"] = players.get(shown["place"])
    if isinstance(event, MoveMade) and event.by == CLOCK:
        shown["silent"] = True
    return shown


def _data(event: TableEvent) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.json.decode(encode(event))
    return data


def part_of(record: Record) -> dict[str, tuple[int, int]]:
    """Return the gain of each player of a round and the fee they paid."""
    live, end = record.live, record.end
    places = {*live.wagers, *([] if live.banker is None else [live.banker])}
    if isinstance(end, RoundVoided):
        return {record.players[place]: (0, 0) for place in places}
    nets = {row.place: row.net for row in end.places}
    if live.banker is not None:
        nets[live.banker] = end.net
    fees = _fees(live)
    return {record.players[place]: (nets.get(place, 0), fees.get(place, 0)) for place in places}


def as_proof(record: Record, document: dict[str, Any]) -> dict[str, Any]:
    """Return all that is needed to deal a round again and to check how it ended.

    It has the seed: with the seeds of the places it gives every card, folded ones too.
    """
    live, end, seen = record.live, record.end, record.seen()
    dealt = [event for event, _ in record.events if isinstance(event, CardsDealt)]
    return {
        "table": record.table,
        "round": live.number,
        "at": end.at,
        "ended": _ended(end),
        "digest": record.digest,
        "rulebook": document,
        "commitment": live.commitment,
        "seed": end.seed,
        "seeds": {str(place): seed for place, seed in sorted(live.seeds.items())},
        "chain": live.chain,
        "link": live.link,
        "committed": committed_seeds(live),
        "banker": live.banker,
        "bank": live.bank if live.banker is not None else None,
        "first": _first(record),
        "hands": [
            _hand(record, place) for place in sorted(record.seats, key=record.seats.__getitem__)
        ],
        "fees": [{"place": place, "cents": cents} for place, cents in _fees(live).items() if cents],
        "places": [place for event in dealt for place in event.places],
        "cards": [card for event in dealt for card in event.cards],
        "pocket": seen.pocket if seen else None,
        "end": _data(end),
    }


def committed_seeds(live: ActiveRound) -> list[dict[str, Any]]:
    """Return the places that committed to a seed in a round, and the seeds that were shown."""
    return [
        {"place": place, **msgspec.to_builtins(committed)}
        for place, committed in sorted(live.committed.items())
    ]


def _hand(record: Record, place: int) -> dict[str, Any]:
    """Return a place's part in a round: its seat, its wagers before the deal, its move."""
    live, seat = record.live, record.seats[place]
    hand = {"place": place, "seat": seat, "wagers": msgspec.to_builtins(live.wagers[place])}
    seen = record.seen()
    moves = {shown.seat: shown.move for shown in seen.seats} if seen else {}
    return hand | ({"move": moves[seat]} if moves.get(seat) else {})


def _fees(live: ActiveRound) -> dict[int, int]:
    """Return the fees of a round by place, held or collected."""
    return {
        place: live.fees.get(place, 0) + live.paid.get(place, 0)
        for place in sorted({*live.fees, *live.paid})
    }


def _ended(end: RoundSettled | SpinSettled | RoundVoided) -> str:
    return "voided" if isinstance(end, RoundVoided) else "settled"


def _result(end: RoundSettled | SpinSettled, place: int) -> dict[str, Any]:
    if isinstance(end, SpinSettled):
        for player in end.places:
            if player.place == place:
                bets = [(bet.bet, bet.stake, bet.net, bet.clause) for bet in player.bets]
                return {"net": player.net, "wagers": [_wager(*bet) for bet in bets]}
        return {"net": 0, "wagers": []}
    for row in end.places:
        if row.place == place:
            rows = [(bet.wager, bet.stake, bet.net, bet.clause) for bet in row.wagers]
            return {"net": row.net, "wagers": [_wager(*wager) for wager in rows]}
    return {"net": 0, "wagers": []}


def _wager(name: str, stake: int, net: int, clause: str) -> dict[str, Any]:
    return {"wager": name, "stake": stake, "net": net, "clause": clause}


def _cards_seen(record: Record, place: int) -> dict[str, Any]:
    """Return the cards that a place saw in a round."""
    seen = record.seen(record.seats.get(place))
    if seen is None:
        return {}
    if seen.pocket is not None:
        return {"pocket": seen.pocket}
    hands = {str(row.seat): format_cards(row.cards) for row in seen.seats if row.cards is not None}
    dealer = tuple(card for card in seen.dealer if card is not None)
    return {"seat": record.seats.get(place), "hands": hands, "dealer": format_cards(dealer)}
