"""Rounds that were played, from a table's events: to recall, to prove, to settle again."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from queenhigh.game import SettledRound, View
from queenhigh.games import GAMES
from queenhigh.history.narration import describe_event
from queenhigh.rulebook.book import Games, Rulebook
from queenhigh.table.commands import CLOCK
from queenhigh.table.events import (
    MoveMade,
    RoundSettled,
    RoundVoided,
    SeatLeft,
    SeatTaken,
    SeatToppedUp,
    SeedAdded,
    SeedShown,
    SpinSettled,
    TableEvent,
    encode,
)
from queenhigh.table.state import ActiveRound, PastRound, State, drawn, seats_of
from queenhigh.table.streams import table_stream
from queenhigh.verify.fold import BrokenStream, apply_event, at_event

__all__ = [
    "Record",
    "Rounds",
    "Step",
    "as_own_line",
    "as_past_round",
    "as_settle_line",
    "event_data",
    "fees_of",
    "first_seat",
    "hidden_seats",
    "how_ended",
    "part_of",
    "rounds_of",
    "took_part",
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
            before=dict(self.before), after=_gone(live, steps) | _chips(state), events=steps,
        )  # fmt: skip


def rounds_of(events: Iterable[TableEvent], table: str, games: Games = GAMES) -> Iterator[Record]:
    """Yield the rounds of a table that are over, from the first."""
    rounds = Rounds(table, games=games)
    for event in events:
        record = rounds.add(event)
        if record is not None:
            yield record


def _gone(live: ActiveRound, steps: Iterable[Step]) -> dict[int, int]:
    """Return what players of void hands had who left before their round was over."""
    left = [event for event, _ in steps if isinstance(event, SeatLeft)]
    return {each.place: each.cents + each.kept for each in left if each.place in live.voided}


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


def as_past_round(record: Record) -> PastRound:
    """Return a round as a table needs it to correct it."""
    live = record.live
    took_part = {*live.wagers, *([] if live.banker is None else [live.banker])}
    players = {place: record.players[place] for place in sorted(took_part)}
    document = msgspec.json.encode(dict(record.book.document)).decode()
    return PastRound(live, record.end, players, document)


# To prove


def took_part(live: ActiveRound) -> set[int]:
    """Return the places that had a part in a round, those of void hands too."""
    return {*live.wagers, *live.voided, *([] if live.banker is None else [live.banker])}


def part_of(record: Record) -> dict[str, tuple[int, int]]:
    """Return the gain of each player of a round and the fee they paid."""
    live, end = record.live, record.end
    places = took_part(live)
    if isinstance(end, RoundVoided):
        return {record.players[place]: (0, 0) for place in places}
    nets = {row.place: row.net for row in end.places}
    if live.banker is not None:
        nets[live.banker] = end.net
    fees = fees_of(live)
    return {record.players[place]: (nets.get(place, 0), fees.get(place, 0)) for place in places}


def first_seat(record: Record) -> int | None:
    """Return the seat where action started, where a player banked."""
    seen = record.seen()
    return seen.first if seen and record.live.banker is not None else None


def _shown(event: TableEvent, players: dict[int, str]) -> dict[str, Any]:
    """Return an event as data, without hidden fields, and with the player's name."""
    hidden = {"at", "by", "id", "cards", "key", "rulebook"}  # a digest is enough of the last
    if not isinstance(event, SeedAdded | SeedShown):
        hidden.add("seed")
    shown = {key: value for key, value in event_data(event).items() if key not in hidden}
    if "place" in shown:
        shown["player"] = players.get(shown["place"])
    if isinstance(event, MoveMade) and event.by == CLOCK:
        shown["silent"] = True
    return shown


def event_data(event: TableEvent) -> dict[str, Any]:
    """Return an event as data, as its bytes say it."""
    data: dict[str, Any] = msgspec.json.decode(encode(event))
    return data


def fees_of(live: ActiveRound) -> dict[int, int]:
    """Return the fees of a round by place, held or collected."""
    return {
        place: live.fees.get(place, 0) + live.paid.get(place, 0)
        for place in sorted({*live.fees, *live.paid})
    }


def how_ended(end: RoundSettled | SpinSettled | RoundVoided) -> str:
    """Return how a round ended."""
    return "voided" if isinstance(end, RoundVoided) else "settled"
