"""Streams in one SQLite file: one writer, and one commit for all that wait for it.

Callers queue their appends; the writer takes all that wait, writes them in one transaction, and
tells each its own outcome after the commit. So an acknowledged event is on disk, and a disk that
commits a hundred times a second serves far more than a hundred tables.
"""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Head, Signer, grow
from queenhigh.store.streams import GENESIS, Append, Conflict, Snapshot, Stored, chain

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
    """
    create table head (
        id integer primary key check (id = 1),
        events integer not null,
        hash blob not null,
        key blob not null,
        signature blob not null
    ) strict;
    create table snapshot (
        stream integer primary key references stream,
        version integer not null,
        state blob not null
    ) strict;
    """,
)
#: How many events are read at a time.
_PAGE = 5000


class _Request(NamedTuple):
    appends: tuple[Append, ...]
    done: "Future[None]"


class _Tip(NamedTuple):
    """Where a stream is: its id if it has one, its version, its last hash."""

    id: int | None
    version: int
    hash: bytes


class _Batch:
    """What one transaction writes."""

    def __init__(self, head: Head, streams: int) -> None:
        self.events, self.over_all = head.events, head.hash
        self.streams = streams
        self.tips: dict[str, _Tip] = {}
        self.names: list[tuple[int, str]] = []
        self.rows: list[tuple[int, int, bytes, bytes]] = []
        self.snapshots: list[tuple[int, int, bytes]] = []


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
        self._signer = Signer(Path(f"{file}.key"))
        self._reading = Lock()
        self._seen = -1
        self._tips: dict[str, _Tip] = {}
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
            " (select id from stream where name = ?) and version > ? order by version limit ?"
        )
        while True:
            with self._reading:
                rows: list[Any] = self._reads.execute(ask, (stream, after, _PAGE)).fetchall()
            for row in rows:
                yield Stored(stream, *row)
            if len(rows) < _PAGE:
                return
            after = rows[-1][0]

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the latest snapshot of a stream."""
        ask = (
            "select version, state from snapshot where stream ="
            " (select id from stream where name = ?)"
        )
        with self._reading:
            found: Any = self._reads.execute(ask, (stream,)).fetchone()
        return Snapshot(*found) if found else None

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
            with _transaction(self._writes):
                batch = self._begin()
                outcomes += [self._take(batch, request.appends) for request in requests]
                self._insert(batch)
            self._tips.update(batch.tips)
        except Exception as error:  # a full disk, say: nobody was served
            self._tips.clear()
            outcomes = [error] * len(requests)
        for request, outcome in zip(requests, outcomes, strict=True):
            if outcome is None:
                request.done.set_result(None)
            else:
                request.done.set_exception(outcome)

    def _begin(self) -> _Batch:
        """Begin a batch at what the file says; if another process wrote, trust nothing known."""
        seen = int(self._writes.pragma("data_version"))
        if seen != self._seen:
            self._seen = seen
            self._tips.clear()
        streams: Any = self._writes.execute("select max(id) from stream").fetchone()
        return _Batch(_read_head(self._writes), streams[0] or 0)

    def _take(self, batch: _Batch, appends: tuple[Append, ...]) -> Exception | None:
        """Take one request into the batch or nothing of it: what is wrong is its own affair."""
        try:
            tips, rows, snapshots = self._chained(batch, appends)
        except Exception as error:
            return error
        for name, tip in tips.items():
            if tip.id is None or tip.version == 0:
                continue
            if tip.id > batch.streams:
                batch.streams = tip.id
                batch.names.append((tip.id, name))
            batch.tips[name] = tip
        for row in rows:
            batch.over_all = grow(batch.over_all, row[3])
        batch.events += len(rows)
        batch.rows += rows
        batch.snapshots += snapshots
        return None

    def _chained(
        self, batch: _Batch, appends: tuple[Append, ...]
    ) -> tuple[dict[str, _Tip], list[tuple[int, int, bytes, bytes]], list[tuple[int, int, bytes]]]:
        """Chain events to their streams' tips; return the new tips and the rows to write."""
        tips: dict[str, _Tip] = {}
        rows, snapshots, streams = [], [], batch.streams
        for stream, believed, events, state in appends:
            id, version, before = tips.get(stream) or batch.tips.get(stream) or self._tip(stream)
            if version != believed:
                raise Conflict(stream, believed, version)
            if id is None:
                streams += 1
                id = streams
            for event in events:
                version += 1
                before = chain(before, stream, version, event)
                rows.append((id, version, event, before))
            tips[stream] = _Tip(id, version, before)
            if state is not None:
                snapshots.append((id, version, state))
        return tips, rows, snapshots

    def _insert(self, batch: _Batch) -> None:
        if not batch.rows:
            return
        write = self._writes.executemany
        write("insert into stream (id, name) values (?, ?)", batch.names)
        write("insert into event (stream, version, event, hash) values (?, ?, ?, ?)", batch.rows)
        write("insert or replace into snapshot values (?, ?, ?)", batch.snapshots)
        head = self._signer.sign(batch.events, batch.over_all)
        self._writes.execute("insert or replace into head values (1, ?, ?, ?, ?)", head)

    def _tip(self, stream: str) -> _Tip:
        if stream not in self._tips:
            ask = (
                "select stream.id, version, hash from stream join event on event.stream = stream.id"
                " where name = ? order by version desc limit 1"
            )
            found: Any = self._writes.execute(ask, (stream,)).fetchone()
            self._tips[stream] = _Tip(*found) if found else _Tip(None, 0, GENESIS)
        return self._tips[stream]


@contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    """Commit what is done inside, or if that fails roll it back."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def _read_head(connection: apsw.Connection) -> Head:
    ask = "select events, hash, key, signature from head"
    found: Any = connection.execute(ask).fetchone()
    return Head(*found) if found else Head()


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
        if version == 1:
            _catch_up(connection, file)
        connection.pragma("user_version", len(_MIGRATIONS))


def _catch_up(connection: apsw.Connection, file: Path) -> None:
    """Sign what a file holds from before heads were signed."""
    events, over_all = 0, GENESIS
    for (one,) in connection.execute("select hash from event order by id"):
        events, over_all = events + 1, grow(over_all, one)
    head = Signer(Path(f"{file}.key")).sign(events, over_all)
    connection.execute("insert into head values (1, ?, ?, ?, ?)", head)
