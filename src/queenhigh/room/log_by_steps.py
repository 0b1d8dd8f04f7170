"""The log of a store that is in use, some events at a time: what the books read."""

from pathlib import Path
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.room.desk import stream_of
from queenhigh.store.emptying import is_archived
from queenhigh.store.streams import GENESIS, DamagedStream, is_next

__all__ = ["Log"]

#: How long a store may be in use by another, in milliseconds.
_PATIENCE = 5_000


class Log:
    """The store, opened to be read and nothing else; no question holds it for long."""

    def __init__(self, store: Path) -> None:
        if not store.is_file():
            raise QueenhighError("file.unreadable", f"{store}: there is no such store")
        self._file = store
        try:
            self._store = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
        except apsw.Error as error:
            raise self._unreadable(error) from None
        self._store.set_busy_timeout(_PATIENCE)

    def _unreadable(self, error: apsw.Error) -> QueenhighError:
        told = f"{self._file} cannot be read as a store: {error}"
        return QueenhighError("file.unreadable", told)

    def _ask(self, ask: str, *values: Any) -> list[Any]:
        try:
            return self._store.execute(ask, values).fetchall()
        except apsw.Error as error:
            raise self._unreadable(error) from None

    def after(self, n: int, most: int) -> list[Any]:
        """Return the next events of all streams: number, stream, version, event, hash."""
        ask = (
            "select event.id, name, version, event, hash from event"
            " join stream on stream.id = event.stream where event.id > ? order by event.id limit ?"
        )
        return self._ask(ask, n, most)

    def last(self) -> int:
        """Return the number of the last event."""
        return int(self._ask("select coalesce(max(id), 0) from event")[0][0])

    def of(self, table: str, after: int, upto: int, hashed: bytes) -> list[bytes]:
        """Return the events of a table between two versions, proved by the hash of the last."""
        ask = (
            "select version, event, hash from event where version >= ? and version <= ?"
            " and stream = (select id from stream where name = ?) order by version"
        )
        stream, events = stream_of(table), list[bytes]()
        version, before = after, GENESIS
        for found, event, tip in self._ask(ask, after, upto, stream):
            if found > after:
                if found != version + 1 or not is_next(before, stream, found, event, tip):
                    raise DamagedStream(stream, version)
                events.append(event)
            version, before = found, tip
        if (version, before) != (upto, hashed):
            raise DamagedStream(stream, version)
        return events

    def is_archived(self, stream: str) -> bool:
        """Tell whether only the hashes of a stream's events are there."""
        return is_archived(self._store, stream)

    def has(self, n: int, hashed: bytes) -> bool:
        """Tell whether the event of a number has this hash."""
        return self._ask("select hash from event where id = ?", n) == [(hashed,)]

    def has_table(self, table: str, version: int, hashed: bytes) -> bool:
        """Tell whether all of a table's events up to a version are those of this hash."""
        ask = (
            "select hash from event where version = ?"
            " and stream = (select id from stream where name = ?)"
        )
        return self._ask(ask, version, stream_of(table)) == [(hashed,)]

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()
