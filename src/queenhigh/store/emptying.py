"""Archived streams: in the store their events lose their bytes and keep their hashes.

The hash over all events does not change, nor does its signature.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.reader import EventReader, LastEvent

__all__ = ["LastEvent", "empty_streams", "last_events"]


def last_events(store: Path, prefix: str) -> list[LastEvent]:
    """Return the last event of each stream whose name begins so, in the order of names."""
    with _opened(store) as connection:
        return EventReader(connection).last_events(prefix)


def empty_streams(store: Path, ends: Sequence[LastEvent]) -> None:
    """Remove the bytes of all events of some streams from a store, all at once or not at all.

    Raise if one of them has another end than is given. No other program may write meanwhile.
    """
    with _opened(store) as connection:
        with connection:
            for end in ends:
                _empty(connection, end)
        connection.execute("vacuum")
        connection.pragma("wal_checkpoint(truncate)")


def _empty(connection: apsw.Connection, end: LastEvent) -> None:
    stored = EventReader(connection).stream_end(end.stream)
    if stored is None or (stored.version, stored.hash) != (end.version, end.hash):
        message = f"{end.stream} has changed since it was archived: archive it again"
        raise QueenhighError("archive.changed", message)
    connection.execute("update event set event = x'' where stream = ?", (stored.id,))
    connection.execute("delete from snapshot where stream = ?", (stored.id,))


@contextmanager
def _opened(store: Path) -> Iterator[apsw.Connection]:
    try:
        with closing(apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
            connection.set_busy_timeout(5000)
            connection.pragma("synchronous", "full")
            yield connection
    except apsw.Error as error:
        message = f"{store} cannot be archived ({error}): check the file and the disk"
        raise QueenhighError("archive.store", message) from None
