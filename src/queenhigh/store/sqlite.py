"""Streams in one SQLite file: one writer, and one commit for all that wait for it.

Callers queue their appends; the writer takes all that wait, writes them in one transaction, and
tells each its own outcome after the commit. So an acknowledged event is on disk, and a disk that
commits a hundred times a second serves far more than a hundred tables.
"""

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.streams import GENESIS, Append, Conflict, Stored, chain

__all__ = ["SqliteStore"]

#: Older ones can corrupt a database in WAL mode when two connections reset the log at once.
_OLDEST = (3, 51, 3)
#: How many appends one transaction takes at most.
_MOST_AT_ONCE = 1000

#: Each brings a file from the version of its place to the next.
_MIGRATIONS = (
    """
    create table stream (id integer primary key, name text not null unique) strict;
    -- Events lie in the order they came, whatever their stream: a commit that serves many streams
    -- then writes few pages. The index finds a stream's, and is the lock.
    create table event (
        id integer primary key,
        stream integer not null references stream,
        version integer not null,
        event blob not null,
        hash blob not null,
        unique (stream, version)
    ) strict;
    """,
)


class _Request(NamedTuple):
    appends: tuple[Append, ...]
    done: "Future[None]"


class _Head(NamedTuple):
    """Where a stream is: its id if it has one, its version, its last hash."""

    id: int | None
    version: int
    hash: bytes


class SqliteStore:
    """Streams in a file; several threads may use it, one process at a time writes."""

    def __init__(self, file: Path) -> None:
        _check_version(apsw.sqlite_lib_version())
        try:
            self._writes = _open(file)
            _migrate(self._writes, file)
            self._reads = _open(file)
        except apsw.Error as error:
            told = f"{file} cannot be used as a store ({error}): name another file"
            raise QueenhighError("store.file", told) from None
        self._reading = Lock()
        self._heads: dict[str, _Head] = {}
        self._queue: SimpleQueue[_Request | None] = SimpleQueue()
        self._writer = Thread(target=self._write, name="store", daemon=True)
        self._writer.start()

    def append(self, *appends: Append) -> None:
        """Append to some streams all at once or not at all; it is durable when this returns."""
        self.submit(*appends).result()

    def submit(self, *appends: Append) -> "Future[None]":
        """Queue an append; the answer comes once it is durable."""
        if not self._writer.is_alive():
            raise QueenhighError("store.closed", "the store is closed: open it again")
        request = _Request(appends, Future())
        request.done.set_running_or_notify_cancel()  # what is queued is written: no calling it off
        self._queue.put(request)
        return request.done

    def read(self, stream: str, after: int = 0) -> Iterator[Stored]:
        """Yield the events of a stream that come after a version."""
        ask = (
            "select version, event, hash from event where stream ="
            " (select id from stream where name = ?) and version > ? order by version"
        )
        with self._reading:
            rows: list[Any] = self._reads.execute(ask, (stream, after)).fetchall()
        for row in rows:
            yield Stored(stream, *row)

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""
        with self._reading:
            found: list[Any] = self._reads.execute("select name from stream").fetchall()
        return sorted(name for (name,) in found)

    def close(self) -> None:
        """Write what is queued, then let go of the file."""
        self._queue.put(None)
        self._writer.join()
        self._writes.close()
        self._reads.close()

    # The writer's thread

    def _write(self) -> None:
        while (first := self._queue.get()) is not None:
            requests, last = self._all_that_wait(first)
            self._commit(requests)
            if last:
                return

    def _all_that_wait(self, first: _Request) -> tuple[list[_Request], bool]:
        """Take what has queued up meanwhile; tell whether the end was among it."""
        requests = [first]
        while len(requests) < _MOST_AT_ONCE:
            try:
                request = self._queue.get_nowait()
            except Empty:
                break
            if request is None:
                return requests, True
            requests.append(request)
        return requests, False

    def _commit(self, requests: list[_Request]) -> None:
        """Write all requests in one transaction, and answer each after the commit."""
        outcomes: list[Exception | None] = []
        try:
            with self._writes:
                outcomes += [self._try(request.appends) for request in requests]
        except Exception as error:  # a full disk, say: nobody was served
            self._heads.clear()
            outcomes = [error] * len(requests)
        for request, outcome in zip(requests, outcomes, strict=True):
            if outcome is None:
                request.done.set_result(None)
            else:
                request.done.set_exception(outcome)

    def _try(self, appends: tuple[Append, ...]) -> Exception | None:
        """Write one request or nothing of it; what is wrong with it is its own affair."""
        try:
            with self._writes:  # within the transaction this is a savepoint
                self._heads.update(self._insert(appends))
        except apsw.ConstraintError:  # another process wrote: the heads known here are old
            self._heads.clear()
            first = appends[0]
            return Conflict(first.stream, first.version, self._head(first.stream).version)
        except Exception as error:
            return error
        return None

    def _insert(self, appends: tuple[Append, ...]) -> dict[str, _Head]:
        """Insert events after their streams' heads; return the new heads."""
        heads: dict[str, _Head] = {}
        rows = []
        for stream, believed, events in appends:
            id, version, before = heads.get(stream) or self._head(stream)
            if version != believed:
                raise Conflict(stream, believed, version)
            if id is None and events:
                self._writes.execute("insert into stream (name) values (?)", (stream,))
                id = self._writes.last_insert_rowid()
            for event in events:
                version += 1
                before = chain(before, stream, version, event)
                rows.append((id, version, event, before))
            heads[stream] = _Head(id, version, before)
        ask = "insert into event (stream, version, event, hash) values (?, ?, ?, ?)"
        self._writes.executemany(ask, rows)
        return heads

    def _head(self, stream: str) -> _Head:
        if stream not in self._heads:
            ask = (
                "select stream.id, version, hash from stream join event on event.stream = stream.id"
                " where name = ? order by version desc limit 1"
            )
            found: Any = self._writes.execute(ask, (stream,)).fetchone()
            self._heads[stream] = _Head(*found) if found else _Head(None, 0, GENESIS)
        return self._heads[stream]


def _check_version(version: str) -> None:
    if tuple(map(int, version.split("."))) < _OLDEST:
        wanted = ".".join(map(str, _OLDEST))
        told = f"SQLite {version} can corrupt its files: install apsw with SQLite {wanted} or newer"
        raise QueenhighError("store.sqlite", told)


def _open(file: Path) -> apsw.Connection:
    connection = apsw.Connection(str(file))
    connection.set_busy_timeout(5000)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    return connection


def _migrate(connection: apsw.Connection, file: Path) -> None:
    """Bring a file up to date; refuse one that a newer program wrote."""
    with connection:
        version = int(connection.pragma("user_version"))
        if version > len(_MIGRATIONS):
            told = f"{file} was written by a newer Queenhigh: update this one"
            raise QueenhighError("store.newer", told)
        for step in _MIGRATIONS[version:]:
            connection.execute(step)
        connection.pragma("user_version", len(_MIGRATIONS))
