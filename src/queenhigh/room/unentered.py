"""Tables that the books have not entered: their events were archived before."""

from collections.abc import Callable
from typing import Any, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.room.desk import stream_of
from queenhigh.room.log_by_steps import Log

__all__ = ["Archived", "Progress", "check_entered", "missing_tables"]

#: Asks the file of the books.
Ask = Callable[..., list[Any]]
#: Stands where a table has the version of its snapshot: an archived table needs none.
_MISSING = -1


class Progress(NamedTuple):
    """How many events are entered, how many there are, and tables archived before they were."""

    entered: int
    events: int
    missing: list[str]


class Archived:
    """The archived tables among some events of the log, and how far they go."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._ends: dict[str, tuple[int, bytes]] = {}

    def has(self, row: tuple[int, str, int, bytes, bytes]) -> bool:
        """Take an event of a table of which only hashes are left; tell whether it was one."""
        _, stream, version, event, hashed = row
        if event or (stream not in self._ends and not self._log.is_archived(stream)):
            return False
        self._ends[stream] = (version, hashed)
        return True

    def write(self, ask: Ask) -> None:
        """Note in the books how far these tables are."""
        for stream, (version, hashed) in self._ends.items():
            name = stream.removeprefix(stream_of(""))
            ask("insert or ignore into tables values (null, ?, 0, x'', 0, x'')", name)
            set_to = "update tables set version = ?, hash = ?, kept_at = ?, kept = x''"
            ask(f"{set_to} where name = ?", version, hashed, _MISSING, name)


def missing_tables(ask: Ask) -> list[str]:
    """Return the tables that were archived before all their rounds were entered."""
    query = "select name from tables where kept_at = ? order by name"
    return [str(name) for (name,) in ask(query, _MISSING)]


def check_entered(ask: Ask, table: str) -> None:
    """Refuse to look for a round of a table that is not entered."""
    if table in missing_tables(ask):
        told = f"the rounds of table {table[:40]!r} are archived: ask the room for the archive"
        raise QueenhighError("round.archived", told)
