"""The lobby: every table in a line, made once for all who look.

A line is made when its table has changed, the list when a line has. Where tables change all the
time the list is made a few times a second at most; who asks in between gets the last one.
"""

from time import monotonic
from typing import Any, NamedTuple

from msgspec.json import encode

from queenhigh import __version__
from queenhigh.room.room import now
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.server.answers import Limit, RoomHead, RoomNotice, RoomView, TableLine
from queenhigh.server.damage_answers import DamagedTable
from queenhigh.server.host import Host
from queenhigh.server.limits import Bucket
from queenhigh.server.live import LiveTable
from queenhigh.sheets.data import rules_line
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.state import State, is_banked
from queenhigh.table.view import view

__all__ = ["Lobby"]

#: How often a second the list is made, and how often at once after a quiet time.
_LISTS, _LISTS_AT_ONCE = 20.0, 5.0


class _Mark(NamedTuple):
    """What a table's line depends on."""

    version: int
    disabled: bool
    watching: int


class Lobby:
    """The tables of a host, as JSON."""

    def __init__(self, host: Host, store: SqliteStore) -> None:
        self._host, self._store = host, store
        self._lines: dict[str, tuple[_Mark, TableLine]] = {}
        self._marks: tuple[object, ...] = ()
        self._names: tuple[object, ...] = ()
        self._list = b""
        self._lists = Bucket(_LISTS, _LISTS_AT_ONCE)

    def seen_by(self, player: str | None) -> bytes:
        """Return the room as one who asks sees it."""
        self._renew()
        return self._begin(player, now()) + self._list

    def _begin(self, player: str | None, at: int) -> bytes:
        """Return how the answer begins: with what is not the same for everyone, or always."""
        asked = {"player": player, "version": __version__, "now": at}
        return encode({**asked, **self._signed()})[:-1] + b","

    def _signed(self) -> dict[str, Any]:
        """Return the room's key, and what it signed last; a room without events has no head."""
        head, key = self._store.head, self._store.key.hex()
        told = RoomHead(head.events, head.hash.hex(), head.signature.hex()) if head.events else None
        return {"key": key, "epoch": self._store.epoch, "head": told}

    def _renew(self) -> None:
        host, tables = self._host, self._host.tables
        marks = tuple([_mark(table) for table in tables.values()])
        names: tuple[object, ...] = (*tables, host.posted(), *host.damaged.items())
        if (names, marks) == (self._names, self._marks) and self._list:
            return
        if names == self._names and not self._lists.take(monotonic()):
            return  # soon enough: only what goes on at tables is a moment old
        self._names, self._marks = names, marks
        lines = {}
        for (name, table), mark in zip(tables.items(), marks, strict=True):
            known = self._lines.get(name)
            lines[name] = known if known and known[0] == mark else (mark, _line(table))
        self._lines = lines
        room = RoomView(
            player=None,
            version=__version__,
            now=0,
            **self._signed(),
            notices=[RoomNotice(**notice) for notice in host.posted()],
            tables=[line for _, line in lines.values()],
            damaged=[DamagedTable(*one) for one in host.damaged.items()],
        )
        self._list = encode(room).removeprefix(self._begin(None, 0))


def _mark(table: LiveTable) -> _Mark:
    return _Mark(table.desk.state.version, table.disabled, len(table.watchers))


def _line(table: LiveTable) -> TableLine:
    """Return a table as the lobby lists it."""
    state = table.desk.state
    seen = view(state)
    banker = state.round.banker if state.round else None
    return TableLine(
        table=table.desk.table,
        title=state.book.title,
        rules=rules_line(state.book),
        game=state.document["game"],
        rulebook=state.book.name,
        digest=state.digest,
        limits=_limits(state.book),
        fees=[*seen.fees],
        places=state.settings.places,
        players=len(table.people()),
        bots=len(state.places) - len(table.people()),
        banker=state.places[banker].player if banker in state.places else None,
        last_banker=_last_banker(state),
        least_bank=state.settings.least_bank if is_banked(state.book) else None,
        phase=state.phase,
        waits_for=seen.waits_for,
        round=state.number,
        pace=state.settings.pace,
        silence=state.settings.silence,
        owner=table.owner,
        disabled=table.disabled,
        closing=state.closing,
        watching=len(table.watchers),
    )


def _last_banker(state: State) -> str | None:
    """Return who banked the round before, at a table where players bank."""
    last = state.last
    if last is None or last.live.banker is None:
        return None
    return last.players.get(last.live.banker)


def _limits(book: Rulebook) -> dict[str, Limit]:
    """Return the least and the most of every wager."""
    if isinstance(book, PokerRulebook):
        return {name: Limit(one.min, one.max) for name, one in book.limits.items()}
    assert isinstance(book, RouletteRulebook)
    return {"bet": Limit(book.limits.min, book.limits.max)}
