"""The lobby: a line for every table, encoded once for all requests.

A line is made when its table has changed, the list when a line has. The list is made a few times a
second at most; requests in between get the last one.
"""

from time import monotonic
from typing import NamedTuple, TypedDict

from msgspec.json import encode

from queenhigh import __version__
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.host import Host
from queenhigh.server.house_rules import differences_of, schedule_of
from queenhigh.server.limits import Bucket
from queenhigh.server.ports import ListedTable
from queenhigh.server.responses import (
    DamagedTable,
    Limit,
    RoomHead,
    RoomView,
    TableLine,
)
from queenhigh.sheets.rule_sheet import in_a_line
from queenhigh.store.durable_store import DurableStore
from queenhigh.table.state import State
from queenhigh.table.view import view

__all__ = ["Lobby"]

#: How often a second the list may be made, and how often at once after a quiet time.
_LISTS, _LISTS_AT_ONCE = 20.0, 5.0


class _Mark(NamedTuple):
    """The values that a table's line depends on."""

    version: int
    disabled: bool
    owner: str | None
    watching: int


class _Signed(TypedDict):
    """The room's key, its epoch, and its last signed head."""

    key: str
    epoch: int
    head: RoomHead | None


class Lobby:
    """The tables of a host, as JSON."""

    def __init__(self, host: Host, store: DurableStore) -> None:
        self._host, self._store = host, store
        self._lines: dict[str, tuple[_Mark, TableLine]] = {}
        self._marks: tuple[object, ...] = ()
        self._names: tuple[object, ...] = ()
        self._list = b""
        self._lists, self._looks = (Bucket(_LISTS, _LISTS_AT_ONCE) for _ in range(2))

    def seen_by(self, player: str | None) -> bytes:
        """Return the room as a player sees it, or a client without a name."""
        self._renew()
        return self._begin(player, self._host.clock.now()) + self._list

    def _begin(self, player: str | None, time_ms: int) -> bytes:
        """Return the first part of the response, which depends on the player and the time."""
        asked = {"player": player, "version": __version__, "now": time_ms}
        return encode({**asked, **self._signed()})[:-1] + b","

    def _signed(self) -> _Signed:
        """Return the room's key and its last signed head; a room without events has none."""
        last, key = self._store.head, self._store.key.hex()
        head = RoomHead(last.events, last.hash.hex(), last.signature.hex()) if last.events else None
        return {"key": key, "epoch": self._store.epoch, "head": head}

    def _renew(self) -> None:
        host = self._host
        if self._list and self._store.is_shared and not self._looks.take(monotonic()):
            return  # other processes' tables are read from the log, which takes a while
        tables = {name: table for name, table in host.listed().items() if not table.practice}
        marks = tuple([_mark(table) for table in tables.values()])
        names: tuple[object, ...] = (*tables, host.notices.posted(), *host.all_damaged().items())
        if (names, marks) == (self._names, self._marks) and self._list:
            return
        if names == self._names and not self._lists.take(monotonic()):
            return  # the last list is recent enough: only the state of tables has changed
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
            notices=host.notices.posted(),
            tables=[line for _, line in lines.values()],
            damaged=[DamagedTable(*item) for item in host.all_damaged().items()],
        )
        self._list = encode(room).removeprefix(self._begin(None, 0))


def _mark(table: ListedTable) -> _Mark:
    return _Mark(table.state.version, table.disabled, table.owner, table.watching)


def _line(table: ListedTable) -> TableLine:
    """Return a table as the lobby lists it."""
    state = table.state
    seen, people = view(state), state.people()
    banker = state.round.banker if state.round else None
    differences = differences_of(state.book)
    return TableLine(
        table=table.name,
        title=state.book.title,
        rules=in_a_line(state.book),
        game=state.document["game"],
        rulebook=state.book.name,
        digest=state.digest,
        rules_digest=state.book.rules_digest,
        differences=None if differences is None else len(differences),
        is_custom=state.book.is_custom,
        limits=_limits(state.book),
        fees=[*seen.fees],
        schedule=schedule_of(state.book),
        places=state.settings.places,
        players=len(people),
        bots=len(state.places) - len(people),
        banker=state.places[banker].player if banker in state.places else None,
        last_banker=_last_banker(state),
        least_bank=state.settings.least_bank if state.book.bank is not None else None,
        phase=state.phase,
        waits_for=seen.waits_for,
        round=state.number,
        pace=state.settings.pace,
        silence=state.settings.default_move,
        owner=table.owner,
        disabled=table.disabled,
        closing=state.closing,
        watching=table.watching,
        charged=seen.charged,
        collect=seen.collect,
        pending=seen.pending,
    )


def _last_banker(state: State) -> str | None:
    """Return the player who banked the last round, at a table where players bank."""
    last = state.last
    if last is None or last.live.banker is None:
        return None
    return last.players.get(last.live.banker)


def _limits(book: Rulebook) -> dict[str, Limit]:
    """Return the minimum and the maximum of every wager."""
    terms = dict(book.betting.wagers)
    if book.betting.any is not None:
        terms["bet"] = book.betting.any
    return {name: Limit(each.min, each.max) for name, each in terms.items()}
