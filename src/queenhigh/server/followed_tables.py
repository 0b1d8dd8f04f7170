"""Tables that other processes hold, as they are in the database: for the lobby and for players.

Their sockets and commands go to the process that holds them. What this process shows of them by
itself (the lobby, rules, chips at tables) it reads from the log, when somebody asks for it.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

from queenhigh.errors import QueenhighError
from queenhigh.server.admin_store import OpenedRow
from queenhigh.server.ports import ListedTable, Others
from queenhigh.store.reader import Row
from queenhigh.store.streams import DamagedStream, Store
from queenhigh.table.events import decode
from queenhigh.table.state import State
from queenhigh.table.streams import table_stream
from queenhigh.verify.fold import apply_event, follow_table, load_saved

__all__ = ["FollowedTable", "FollowedTables", "NoOtherTables", "OtherTables", "SharedStore"]

#: How many events are read at a time; if more are new, tables are read from their snapshots.
_MOST_EVENTS = 20_000
#: For how many seconds the rows of tables are used before they are read again.
_ROWS_FOR = 2.0
_PREFIX = table_stream("")


class SharedStore(Store, Protocol):
    """A store that other processes write too."""

    def count(self) -> int:
        """Return how many events are written, by whichever process."""

    def events(self, after: int, limit: int) -> list[Row]:
        """Return the events of all streams after a number, in the order they came."""


@dataclass(frozen=True)
class FollowedTable:
    """A table that another process holds, as the lobby lists it."""

    name: str
    state: State
    row: OpenedRow
    watching: int = 0
    opened_from: str | None = None

    @property
    def owner(self) -> str | None:
        """The player whose table it is."""
        return self.row.owner

    @property
    def disabled(self) -> bool:
        """Whether the floor has paused it."""
        return self.row.disabled

    @property
    def practice(self) -> bool:
        """Whether it is its owner's for practice."""
        return self.row.practice


class FollowedTables:
    """The states of tables, each read when it is first asked for and brought up to date then.

    ``rows`` returns how all tables were opened.
    """

    def __init__(self, store: SharedStore, rows: Callable[[], dict[str, OpenedRow]]) -> None:
        self._store, self._read_rows = store, rows
        self._states: dict[str, State] = {}
        #: Tables that cannot be read, and why.
        self.damaged: dict[str, str] = {}
        self._entered = store.count()
        self._rows: dict[str, OpenedRow] = {}
        self._rows_until = 0.0
        #: Tables that have no row, which stands for one of defaults.
        self._without_row: set[str] = set()

    def forget(self, name: str) -> None:
        """Forget a table: this process holds it now, or it is closed."""
        self.damaged.pop(name, None)
        self._states.pop(name, None)
        self._without_row.discard(name)

    def forget_all(self) -> None:
        """Forget all tables, and read those that are asked for again."""
        self.damaged.clear()
        self._states.clear()
        self._entered = self._store.count()

    def table(self, name: str, watching: int = 0) -> FollowedTable | None:
        """Return a table; ``None`` if there is none of this name, or it is closed or damaged."""
        state = self._state(name)
        if state is None or state.phase == "closed":
            return None
        return FollowedTable(name, state, self._row(name), watching)

    def _row(self, name: str) -> OpenedRow:
        """Return how a table was opened; one that is new is looked for at once."""
        is_new = name not in self._rows and name not in self._without_row
        if is_new or monotonic() >= self._rows_until:
            self._rows_until = monotonic() + _ROWS_FOR
            with suppress(QueenhighError):  # the rows that are known will do
                self._rows = self._read_rows()
        if name not in self._rows:
            self._without_row.add(name)
            return OpenedRow()
        return self._rows[name]

    def _state(self, name: str) -> State | None:
        if name in self.damaged:
            return None
        if name not in self._states:
            try:
                self._states[name] = self._load(name)
            except DamagedStream as error:  # it stays so until another process has the table
                self.damaged[name] = str(error)
                return None
            except QueenhighError:
                return None
        return self._states[name]

    def _load(self, name: str) -> State:
        stream = table_stream(name)
        saved = load_saved(self._store, stream)
        state = saved.state
        for later in follow_table(self._store, stream, saved):
            state = later
        if state is None:
            raise QueenhighError("table.none", f"there is no table {name[:40]!r}")
        return state

    def catch_up(self) -> None:
        """Apply the events that came since; while the database is gone, tables stay as they are."""
        with suppress(QueenhighError):
            self._catch_up()

    def _catch_up(self) -> None:
        """Apply the events that came since, or forget tables for which there are too many."""
        rows = self._store.events(self._entered, _MOST_EVENTS)
        if len(rows) == _MOST_EVENTS:
            self.forget_all()
            return
        for row in rows:
            self._entered = row.n
            if row.stream.startswith(_PREFIX):
                self._apply(row)

    def _apply(self, row: Row) -> None:
        """Apply an event to a table that is known; one that does not fit is read again."""
        name = row.stream.removeprefix(_PREFIX)
        state = self._states.get(name)
        if state is None or row.version <= state.version:
            return
        try:
            if row.version != state.version + 1:
                raise QueenhighError("table.behind", "events are missing")
            self._states[name] = apply_event(state, decode(row.event), row.stream)
        except QueenhighError:
            self.forget(name)


class OtherTables:
    """All tables of the room that this process does not hold."""

    def __init__(self, others: Others, followed: FollowedTables) -> None:
        self._others, self._followed = others, followed

    def names(self) -> list[str]:
        """Return the names of all of them."""
        return self._others.names()

    def table(self, name: str) -> ListedTable | None:
        """Return one of them as it is now, if there is one of this name."""
        if name not in self._others.names():
            return None
        self._followed.catch_up()
        return self._as_of_now(name)

    def listed(self) -> dict[str, ListedTable]:
        """Return all of them as they are now."""
        self._followed.catch_up()
        tables = ((name, self._as_of_now(name)) for name in self._others.names())
        return {name: table for name, table in tables if table is not None}

    def _as_of_now(self, name: str) -> ListedTable | None:
        return self._followed.table(name, self._others.watching(name))

    def claim(self, name: str) -> None:
        """Hold a table that is about to be opened."""
        self._others.claim(name)

    def check_claim(self, name: str) -> None:
        """Read a table that was claimed and could not be opened: perhaps it was written."""
        self._others.check_claim(name)

    def damaged(self) -> dict[str, str]:
        """Return the tables that cannot be read, as far as somebody has asked for them, and why."""
        return self._followed.damaged

    def take(self, name: str) -> None:
        """Note that this process holds a table from now on."""
        self._followed.forget(name)

    def forget(self) -> None:
        """Forget what was read of them."""
        self._followed.forget_all()

    def close_table(self, name: str) -> None:
        """Note that a table is closed, so that no process takes it."""
        self._others.close_table(name)


class NoOtherTables:
    """The tables of other processes, where there is only this one."""

    def names(self) -> list[str]:
        """Return nothing."""
        return []

    def table(self, name: str) -> ListedTable | None:
        """Return nothing."""
        return None

    def listed(self) -> dict[str, ListedTable]:
        """Return nothing."""
        return {}

    def damaged(self) -> dict[str, str]:
        """Return nothing."""
        return {}

    def claim(self, name: str) -> None:
        """Do nothing: nobody else could hold it."""

    def check_claim(self, name: str) -> None:
        """Do nothing."""

    def take(self, name: str) -> None:
        """Do nothing."""

    def forget(self) -> None:
        """Do nothing."""

    def close_table(self, name: str) -> None:
        """Do nothing."""
