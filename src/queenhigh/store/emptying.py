"""Streams that an archive has: in the store their events give up their bytes and keep their hashes.

The hash over all events stays what it was, and so does its signature.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from queenhigh.errors import QueenhighError

__all__ = ["LastEvent", "empty_streams", "is_archived", "last_events"]


class LastEvent(NamedTuple):
    """The last event of a stream."""

    stream: str
    version: int
    event: bytes
    hash: bytes


def last_events(store: Path, prefix: str) -> list[LastEvent]:
    """Return the last event of each stream whose name begins so, in the order of names."""
    query = (
        "select name, version, event, hash from stream join event on event.stream = stream.id"
        " where substr(name, 1, ?) = ? and version ="
        " (select max(version) from event where stream = stream.id) order by name"
    )
    with _opened(store) as connection:
        rows: Any = connection.execute(query, (len(prefix), prefix)).fetchall()
    return [LastEvent(*row) for row in rows]


def is_archived(connection: apsw.Connection, stream: str) -> bool:
    """Tell whether no event of a stream has its bytes; one that lost some is damaged."""
    query = (
        "select count(*), sum(event = x'') from event"
        " where stream = (select id from stream where name = ?)"
    )
    try:
        found: Any = connection.execute(query, (stream,)).fetchone()
    except apsw.Error:
        return False
    return bool(found[0] and found[0] == found[1])


def empty_streams(store: Path, ends: Sequence[LastEvent]) -> None:
    """Take the bytes of all events of some streams out of a store, all at once or not at all.

    Refuse if one of them has another end than is given. Nobody else may write meanwhile.
    """
    with _opened(store) as connection:
        with connection:
            for end in ends:
                _empty(connection, end)
        connection.execute("vacuum")
        connection.pragma("wal_checkpoint(truncate)")


def _empty(connection: apsw.Connection, end: LastEvent) -> None:
    query = (
        "select stream.id, version, hash from stream join event on event.stream = stream.id"
        " where name = ? order by version desc limit 1"
    )
    found: Any = connection.execute(query, (end.stream,)).fetchone()
    if found is None or found[1:] != (end.version, end.hash):
        told = f"{end.stream} has changed since it was archived: archive it again"
        raise QueenhighError("archive.changed", told)
    connection.execute("update event set event = x'' where stream = ?", found[:1])
    connection.execute("delete from snapshot where stream = ?", found[:1])


@contextmanager
def _opened(store: Path) -> Iterator[apsw.Connection]:
    try:
        with closing(apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
            connection.set_busy_timeout(5000)
            connection.pragma("synchronous", "full")
            yield connection
    except apsw.Error as error:
        told = f"{store} cannot be archived ({error}): give a room's store, and see to the disk"
        raise QueenhighError("archive.store", told) from None
