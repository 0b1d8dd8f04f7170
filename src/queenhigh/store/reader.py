"""The events and the head of a store, read in order or stream by stream.

This is the only module that selects events: the store itself, its checks, log files and the index
of rounds all read through it. It proves nothing; callers compare hashes and versions themselves.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Head

__all__ = [
    "UNREADABLE",
    "USED_KEYS",
    "EventReader",
    "LastEvent",
    "LogSource",
    "Row",
    "StoreReader",
    "StreamEnd",
    "is_typed_head",
]

#: What SQLite raises for a file that is not sound, and Python for a name that is not UTF-8.
UNREADABLE = (apsw.Error, UnicodeDecodeError)
#: How long a store may be in use by another connection, in milliseconds.
_BUSY_MS = 5_000
#: The least number that an event can have in a file, though a store counts from 1; and the last.
_FIRST, _LAST = -(2**63), 2**62
_STREAM_ID = "(select id from stream where name = ?)"
_EVENTS = (
    "select event.id, name, version, event, hash from event"
    " left join stream on stream.id = event.stream where event.id >= ? order by event.id limit ?"
)
_STREAM_EVENTS = (
    f"select version, event, hash from event where stream = {_STREAM_ID}"
    " and version > ? and version <= ? order by version limit ?"
)
_LAST_EVENTS = (
    "select name, version, event, hash from stream join event on event.stream = stream.id"
    " where substr(name, 1, ?) = ? and version ="
    " (select max(version) from event where stream = stream.id) order by name"
)
#: With the version and the mark that the file has written down for the stream's end.
_STREAM_END = (
    "select stream.id, event.version, hash, tip.version, mark from stream"
    " left join event on event.stream = stream.id left join tip on tip.stream = stream.id"
    " where name = ? order by event.version desc limit 1"
)
#: The last id of a stream, in whichever table it is used, and the last id of an event. A stream
#: whose name was lost keeps its id.
_LAST_IDS = """
    select max(
        (select coalesce(max(id), 0) from stream),
        (select coalesce(max(stream), 0) from event),
        (select coalesce(max(stream), 0) from tip),
        (select coalesce(max(stream), 0) from used),
        (select coalesce(max(stream), 0) from snapshot)
    ), (select coalesce(max(id), 0) from event)
"""
#: Selects the keys that wallets have used: the rule is that of ``own_key`` in table/wallet.py.
USED_KEYS = """
    select stream, body ->> '$.by' || char(10) || coalesce(body ->> '$.id', '')
    from (
        select event.stream, substr(name, 8) as player, cast(event as text) as body
        from event join stream on stream.id = event.stream where name glob 'wallet/*'
    )
    where case
        when not json_valid(body) then 0
        when body ->> '$.type' in ('wallet.issued/1', 'wallet.bought_in/1') then 1
        when body ->> '$.type' in ('wallet.cashed_out/1', 'wallet.handed_over/1')
            then body ->> '$.by' = player
        else 0
    end
    and typeof(body ->> '$.by') = 'text'
"""


class Row(NamedTuple):
    """An event as a log has it: its number, its place in its stream, its bytes, its hash.

    In a damaged file any of them may be missing or of another type.
    """

    n: int
    stream: str
    version: int
    event: bytes
    hash: bytes

    @property
    def is_archived(self) -> bool:
        """Return whether only the hash of the event is here: no event has no bytes."""
        return not self.event


class LastEvent(NamedTuple):
    """The last event of a stream."""

    stream: str
    version: int
    event: bytes
    hash: bytes


class StreamEnd(NamedTuple):
    """How a stream ends: its last event, and what the file has written down about it.

    A damaged file may have any value anywhere.
    """

    id: Any
    version: Any
    hash: Any
    marked_version: Any
    mark: Any


class LogSource(Protocol):
    """The events of a room, to be read, in whichever database they are."""

    def explained(self) -> AbstractContextManager[None]:
        """Raise what the database says as an error with a sentence."""

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Read everything inside as of one moment, whatever others write meanwhile."""

    def head(self) -> Head | None:
        """Return the head as it is stored, which may be damaged; ``None`` if there is none."""

    def epoch(self) -> int:
        """Return the number that every restore raises."""

    def events(self, after: int | None = None, limit: int | None = None) -> Iterator[Row]:
        """Yield the events of all streams in the order they came, all or those after a number."""

    def last_number(self) -> int:
        """Return the number of the last event; 0 if there is none."""

    def hash_of(self, n: int) -> bytes | None:
        """Return the hash of the event of a number, if there is one."""

    def stream_events(
        self, stream: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[tuple[int, bytes, bytes]]:
        """Yield version, bytes and hash of a stream's events after a version."""

    def hash_at(self, stream: str, version: int) -> bytes | None:
        """Return the hash of a stream's event of a version, if there is one."""

    def version_before(self, stream: str, n: int) -> int:
        """Return how many events a stream has before the event of a number."""

    def is_archived(self, stream: str) -> bool:
        """Return whether no event of a stream has its bytes."""

    def close(self) -> None:
        """Close the connection."""


class EventReader:
    """Reads events through a connection; what SQLite raises is for the caller to explain."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._db = connection

    def head(self) -> Head | None:
        """Return the head as it is stored, which may be damaged; ``None`` if there is none."""
        rows = self._db.execute("select events, hash, key, signature from head").fetchall()
        return Head(*cast(Any, rows[0])) if rows else None

    def epoch(self) -> int:
        """Return the number that every restore raises; 0 if it is lost."""
        return self._one("select max(number) from epoch") or 0

    def events(self, after: int | None = None, limit: int | None = None) -> Iterator[Row]:
        """Yield the events of all streams in the order they came, all or those after a number.

        An event whose stream has lost its name has none; one that somebody slipped in below
        number 1 comes first.
        """
        first = _FIRST if after is None else after + 1
        rows = self._db.execute(_EVENTS, (first, -1 if limit is None else limit))
        return map(Row._make, rows)

    def last_number(self) -> int:
        """Return the number of the last event; 0 if there is none."""
        ((number,),) = self._db.execute("select coalesce(max(id), 0) from event")
        return int(str(number))

    def hash_of(self, n: int) -> bytes | None:
        """Return the hash of the event of a number, if there is one."""
        event_hash: bytes | None = self._one("select hash from event where id = ?", n)
        return event_hash

    def stream_events(
        self, stream: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[tuple[int, bytes, bytes]]:
        """Yield version, bytes and hash of a stream's events after a version."""
        upto, limit = _LAST if upto is None else upto, -1 if limit is None else limit
        rows: Any = self._db.execute(_STREAM_EVENTS, (stream, after, upto, limit))
        return cast(Iterator[tuple[int, bytes, bytes]], rows)

    def hash_at(self, stream: str, version: int) -> bytes | None:
        """Return the hash of a stream's event of a version, if there is one."""
        query = f"select hash from event where stream = {_STREAM_ID} and version = ?"
        event_hash: bytes | None = self._one(query, stream, version)
        return event_hash

    def version_before(self, stream: str, n: int) -> int:
        """Return how many events a stream has before the event of a number."""
        query = f"select max(version) from event where stream = {_STREAM_ID} and id < ?"
        return self._one(query, stream, n) or 0

    def last_version(self, stream: str) -> int:
        """Return how many events a stream has."""
        return self._one(f"select max(version) from event where stream = {_STREAM_ID}", stream) or 0

    def last_events(self, prefix: str) -> list[LastEvent]:
        """Return the last event of each stream whose name begins so, in the order of names."""
        rows = self._db.execute(_LAST_EVENTS, (len(prefix), prefix))
        return [LastEvent(*row) for row in cast(Any, rows)]

    def stream_end(self, stream: str) -> StreamEnd | None:
        """Return how a stream ends; ``None`` if there is no stream of this name."""
        row: Any = self._db.execute(_STREAM_END, (stream,)).fetchone()
        return StreamEnd(*row) if row is not None else None

    def ends_by_id(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield id, last version and last hash of every stream that has events."""
        query = "select version, hash from event where stream = ? order by version desc limit 1"
        for (id,) in self._db.execute("select id from stream").fetchall():
            for row in cast(Any, self._db.execute(query, (id,)).fetchall()):
                yield (id, *row)

    def last_ids(self) -> tuple[int, int]:
        """Return the last id that any table of the file has for a stream, and that of an event."""
        ((stream, event),) = self._db.execute(_LAST_IDS)
        return int(str(stream)), int(str(event))

    def is_archived(self, stream: str) -> bool:
        """Return whether no event of a stream has its bytes; one that lost some is damaged."""
        query = f"select count(*), sum(event = x'') from event where stream = {_STREAM_ID}"
        try:
            row: Any = self._db.execute(query, (stream,)).fetchone()
        except apsw.Error:
            return False
        return bool(row[0] and row[0] == row[1])

    def _one(self, query: str, *values: Any) -> Any:
        """Return the only value of the first row, or ``None``."""
        row: Any = self._db.execute(query, values).fetchone()
        return row[0] if row is not None else None


class StoreReader(EventReader):
    """The events of a store's file, which others may write to meanwhile; nothing is written.

    With ``recover`` the connection may put a file in order whose writer was killed, which a
    read-only one cannot.
    """

    def __init__(self, file: Path, *, recover: bool = False) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE if recover else apsw.SQLITE_OPEN_READONLY
        self._file = file
        with self.explained():
            super().__init__(apsw.Connection(str(file), flags=flags))
            self._db.set_busy_timeout(_BUSY_MS)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Raise what SQLite says as an error with a sentence that names the file."""
        try:
            yield
        except UNREADABLE as error:
            message = f"{self._file} cannot be read as a Queenhigh database: {error}"
            raise QueenhighError("file.unreadable", message) from None

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Read everything inside as of one moment, whatever others write meanwhile."""
        with self._db:
            yield

    def close(self) -> None:
        """Close the connection."""
        self._db.close()


def is_typed_head(head: Head) -> bool:
    """Return whether the values of a stored head are of the types that a store writes."""
    return tuple(map(type, head)) == (int, bytes, bytes, bytes)
