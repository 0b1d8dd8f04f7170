"""The events and the head of a room on PostgreSQL, read in order or stream by stream.

The same questions as those of the reader of files (``store/reader.py``), for the same callers. It
proves nothing; callers compare hashes and versions themselves.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.store.location import PostgresUrl, shown
from queenhigh.store.postgres.connection import Db, connect, explained
from queenhigh.store.postgres.schema import check_version
from queenhigh.store.reader import Row
from queenhigh.store.signing import Head

__all__ = [
    "TIPS",
    "PostgresReader",
    "StreamEnd",
    "differing_keys",
    "events_after",
    "hash_at",
    "hash_of",
    "head_of",
    "is_archived",
    "last_number",
    "last_version",
    "stream_ends",
    "stream_events",
]


#: How many events of all streams are fetched at a time.
_PAGE = 5_000
_LAST = 2**62
_STREAM_ID = "(select id from stream where name = %s)"
_EVENTS = (
    "select event.id, name, version, event, hash from event"
    " left join stream on stream.id = event.stream where event.id > %s order by event.id limit %s"
)
_STREAM_EVENTS = (
    f"select version, event, hash from event where stream = {_STREAM_ID}"
    " and version > %s and version <= %s order by version limit %s"
)

#: The ends of streams as they are marked, and whether the last event is there.
TIPS = """
    select name, stream.id, tip.version, tip.hash, mark, event.hash from stream
    left join tip on tip.stream = stream.id
    left join event on event.stream = stream.id and event.version = tip.version
    where name = any(%s)
"""
#: How each stream ended when there were so many events, by the index, and how many it had; how it
#: ends now, in the same way; and how its end is marked.
_STREAM_ENDS = """
    select name, old.version, old.hash, coalesce(old_count, 0),
        last.version, last.hash, counted, tip.version, tip.hash from stream
    left join lateral (select version, hash from event where stream = stream.id and id <= %(upto)s
        order by version desc limit 1) as old on true
    left join lateral (select version, hash from event where stream = stream.id
        order by version desc limit 1) as last on true
    left join (select stream, count(*) as counted, count(*) filter (where id <= %(upto)s)
        as old_count from event group by stream) as counts on counts.stream = stream.id
    left join tip on tip.stream = stream.id
"""
#: The keys that wallets have used: the rule is that of ``own_key`` in table/wallet.py.
_USED_KEYS = """
    select stream, body ->> 'by' || chr(10) || coalesce(body ->> 'id', '') from (
        select stream, substr(name, 8) as player, convert_from(event, 'UTF8')::jsonb as body
        from event join stream on stream.id = event.stream where starts_with(name, 'wallet/')
    ) as wallets
    where case
        when body ->> 'type' in ('wallet.issued/1', 'wallet.bought_in/1') then true
        when body ->> 'type' in ('wallet.cashed_out/1', 'wallet.handed_over/1')
            then body ->> 'by' = player
        else false
    end
"""


def head_of(connection: Db) -> Head:
    """Return the head as it is stored; one of no events if its row is missing."""
    query = "select events, hash, key, signature from head"
    row = connection.execute(query, binary=True).fetchone()
    return Head(*row) if row else Head()


def events_after(connection: Db, after: int, limit: int) -> list[Row]:
    """Return the events of all streams after a number, in the order they came."""
    rows = connection.execute(_EVENTS, (after, limit), binary=True).fetchall()
    return [Row(*row) for row in rows]


def stream_events(
    connection: Db,
    stream: str,
    after: int = 0,
    upto: int | None = None,
    limit: int | None = None,
) -> list[tuple[int, bytes, bytes]]:
    """Return version, bytes and hash of a stream's events after a version."""
    values = (stream, after, _LAST if upto is None else upto, limit)
    rows: list[Any] = connection.execute(_STREAM_EVENTS, values, binary=True).fetchall()
    return rows


def hash_at(connection: Db, stream: str, version: int) -> bytes | None:
    """Return the hash of a stream's event of a version, if there is one."""
    query = f"select hash from event where stream = {_STREAM_ID} and version = %s"
    row = connection.execute(query, (stream, version), binary=True).fetchone()
    return row[0] if row else None


def last_number(connection: Db) -> int:
    """Return the number of the last event; 0 if there is none."""
    ((number,),) = connection.execute("select coalesce(max(id), 0) from event").fetchall()
    return int(number)


def hash_of(connection: Db, n: int) -> bytes | None:
    """Return the hash of the event of a number, if there is one."""
    row = connection.execute("select hash from event where id = %s", (n,), binary=True).fetchone()
    return row[0] if row else None


def last_version(connection: Db, stream: str) -> int:
    """Return how many events a stream has."""
    query = f"select coalesce(max(version), 0) from event where stream = {_STREAM_ID}"
    ((version,),) = connection.execute(query, (stream,)).fetchall()
    return int(version)


def is_archived(connection: Db, stream: str) -> bool:
    """Return whether no event of a stream has its bytes."""
    query = f"select count(*), sum((event = '')::int) from event where stream = {_STREAM_ID}"
    ((count, empty),) = connection.execute(query, (stream,)).fetchall()
    return bool(count and count == empty)


class StreamEnd(NamedTuple):
    """How a stream ended after some events of the room, and how it ends now."""

    name: str
    old_version: int | None
    old_hash: bytes | None
    old_count: int
    version: int | None
    hash: bytes | None
    events: int | None
    marked_version: int | None
    marked_hash: bytes | None

    @property
    def is_whole(self) -> bool:
        """Whether the index finds all events that the stream has now, up to its marked end."""
        is_marked = (self.version, self.hash) == (self.marked_version, self.marked_hash)
        return is_marked and self.version is not None and self.version == self.events


def stream_ends(connection: Db, upto: int) -> Iterator[StreamEnd]:
    """Yield how each stream ended when there were so many events, and how it ends now."""
    for row in connection.execute(_STREAM_ENDS, {"upto": upto}, binary=True):
        yield StreamEnd(*row)


def differing_keys(connection: Db) -> str | None:
    """Return a wallet whose used keys are not those of the index, if there is one."""
    indexed = "select stream, key from used"
    for differing in (f"{_USED_KEYS} except {indexed}", f"{indexed} except {_USED_KEYS}"):
        query = f"select name from ({differing}) as keys join stream on stream.id = keys.stream"
        row = connection.execute(f"{query} limit 1").fetchone()
        if row is not None:
            return str(row[0])
    return None


class PostgresReader:
    """The events of a room's database, which others may write to meanwhile."""

    def __init__(self, url: PostgresUrl) -> None:
        self._url = url
        self._db = connect(url, timeouts=False)
        with self.explained():
            is_room = check_version(self._db, url) > 0
        if not is_room:
            self._db.close()
            message = f"{shown(url)} has no room: start one there with queenhigh serve --db"
            raise QueenhighError("file.unreadable", message)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Raise what PostgreSQL says as an error with a sentence."""
        with explained(self._url):
            yield

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Read everything inside as of one moment, whatever others write meanwhile."""
        with self._db.transaction():
            self._db.execute("set transaction isolation level repeatable read, read only")
            yield

    def head(self) -> Head | None:
        """Return the head as it is stored; ``None`` for a room without events."""
        head = head_of(self._db)
        return head if head.events else None

    def epoch(self) -> int:
        """Return the number that every restore raises."""
        row = self._db.execute("select epoch from room").fetchone()
        return int(row[0]) if row else 0

    def events(self, after: int | None = None, limit: int | None = None) -> Iterator[Row]:
        """Yield the events of all streams in the order they came, all or those after a number."""
        last, left = (-_LAST if after is None else after), limit
        while left is None or left > 0:
            count = _PAGE if left is None else min(left, _PAGE)
            rows = events_after(self._db, last, count)
            yield from rows
            if len(rows) < count:
                return
            last, left = rows[-1].n, None if left is None else left - count

    def last_number(self) -> int:
        """Return the number of the last event; 0 if there is none."""
        return last_number(self._db)

    def hash_of(self, n: int) -> bytes | None:
        """Return the hash of the event of a number, if there is one."""
        return hash_of(self._db, n)

    def stream_events(
        self, stream: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[tuple[int, bytes, bytes]]:
        """Yield version, bytes and hash of a stream's events after a version."""
        return iter(stream_events(self._db, stream, after, upto, limit))

    def hash_at(self, stream: str, version: int) -> bytes | None:
        """Return the hash of a stream's event of a version, if there is one."""
        return hash_at(self._db, stream, version)

    def version_before(self, stream: str, n: int) -> int:
        """Return how many events a stream has before the event of a number."""
        query = "select coalesce(max(version), 0) from event"
        query += f" where stream = {_STREAM_ID} and id < %s"
        ((version,),) = self._db.execute(query, (stream, n)).fetchall()
        return int(version)

    def is_archived(self, stream: str) -> bool:
        """Return whether no event of a stream has its bytes."""
        return is_archived(self._db, stream)

    def close(self) -> None:
        """Close the connection."""
        self._db.close()
