"""Tables that are not in the index because their events were archived before."""

from collections.abc import Callable
from typing import Any, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.history.index.log_reader import LogReader
from queenhigh.store.reader import Row
from queenhigh.table.streams import table_stream

__all__ = ["ArchivedTables", "Progress", "check_entered", "missing_tables"]

#: Executes a statement on the index file, with its values.
Query = Callable[..., list[Any]]
#: Stands where a table has the version of its snapshot: an archived table needs none.
_MISSING = -1


class Progress(NamedTuple):
    """How many events are entered, how many there are, and tables archived before they were."""

    entered: int
    events: int
    missing: list[str]


class ArchivedTables:
    """The archived tables among some events of the log, and how far they go."""

    def __init__(self, log: LogReader) -> None:
        self._log = log
        self._ends: dict[str, tuple[int, bytes]] = {}

    def take(self, row: Row) -> bool:
        """Take an event if it is of an archived table; return whether it is."""
        is_known = row.stream in self._ends
        if row.event or not (is_known or self._log.is_archived(row.stream)):
            return False
        self._ends[row.stream] = (row.version, row.hash)
        return True

    def write(self, query: Query) -> None:
        """Write to the index how far these tables are."""
        for stream, (version, last_hash) in self._ends.items():
            name = stream.removeprefix(table_stream(""))
            query("insert or ignore into tables values (null, ?, 0, x'', 0, x'')", name)
            update = "update tables set version = ?, hash = ?, kept_at = ?, kept = x''"
            query(f"{update} where name = ?", version, last_hash, _MISSING, name)


def missing_tables(query: Query) -> list[str]:
    """Return the tables that were archived before all their rounds were entered."""
    rows = query("select name from tables where kept_at = ? order by name", _MISSING)
    return [str(name) for (name,) in rows]


def check_entered(query: Query, table: str) -> None:
    """Refuse to look for a round of a table that is not entered."""
    if table in missing_tables(query):
        message = f"the rounds of table {table[:40]!r} are archived: ask the floor for the archive"
        raise QueenhighError("round.archived", message)
