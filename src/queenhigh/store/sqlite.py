"""Streams in one SQLite file, with one commit for all that wait for it.

Appends are queued; a flush writes all that are queued in one transaction, and tells each its own
outcome after the commit. So an acknowledged event is on disk, and a disk that commits a hundred
times a second serves far more than a hundred tables. There is no thread of its own: whoever
flushes writes, for everyone, and others who come meanwhile find their work done.
"""

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from threading import Lock, RLock
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.batches import Batches, Request
from queenhigh.store.files import make_private
from queenhigh.store.signing import Signer, grow, secret_in
from queenhigh.store.streams import GENESIS, Append, Belief, Snapshot, Stored, Then

__all__ = ["SqliteStore", "migrate"]

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
    """
    create table epoch (id integer primary key check (id = 1), number integer not null) strict;
    insert into epoch values (1, 0);
    """,
)
#: How many events are read at a time.
_PAGE = 5000


class SqliteStore:
    """Streams in a file; several threads may use it, one process at a time writes."""

    def __init__(self, file: Path) -> None:
        _check_version(apsw.sqlite_lib_version())
        try:
            self._writes = _open(file)
            migrate(self._writes, file)
            self._reads = _open(file)
        except (apsw.Error, OSError) as error:
            told = f"{file} cannot be used as a store ({error}): name another file"
            raise QueenhighError("store.file", told) from None
        self._file = file
        self._batches = Batches(self._writes, Signer(Path(f"{file}.key")))
        self._reading = Lock()
        self._queue: deque[tuple[Request, Then]] = deque()
        self._writing = RLock()
        self._telling = False
        self._closed = False

    @property
    def epoch(self) -> int:
        """How often this store was made of a backup."""
        ((number,),) = self._ask("select number from epoch", ())
        return int(number)

    @cached_property
    def dealing_key(self) -> bytes:
        """The secret in a file beside the store, which is drawn when it is asked for first."""
        return secret_in(Path(f"{self._file}.dealing"))

    def append(self, *appends: Append) -> None:
        """Append to some streams all at once or not at all; it is durable when this returns."""
        outcomes: list[Exception | None] = []
        self.flush()  # which refuses who is being told of a flush: nothing is queued then
        self.submit(outcomes.append, *appends)
        self.flush()
        if outcomes[0] is not None:
            raise outcomes[0]

    def submit(self, then: Then, *appends: Append, upon: tuple[Belief, ...] = ()) -> None:
        """Queue an append for the next flush, which tells its outcome once it is durable."""
        if self._closed:
            raise QueenhighError("store.closed", "the store is closed: open it again")
        self._queue.append((Request(appends, upon), then))

    def flush(self) -> bool:
        """Write all that is queued: then it is durable, or its sender knows why not.

        Return whether anything was queued.
        """
        with self._writing:
            if self._telling:
                told = "a store cannot be flushed by who is told of a flush: do it afterwards"
                raise QueenhighError("store.busy", told)
            some = bool(self._queue)
            while self._queue:
                count = min(len(self._queue), _MOST_AT_ONCE)
                self._commit([self._queue.popleft() for _ in range(count)])
            return some

    def _commit(self, queued: list[tuple[Request, Then]]) -> None:
        """Write requests in one transaction, and tell each its outcome after the commit."""
        outcomes = self._batches.write([request for request, _ in queued])
        wrong: BaseException | None = None
        self._telling = True
        for (_, then), outcome in zip(queued, outcomes, strict=True):
            try:
                then(outcome)
            except BaseException as error:  # the others are told all the same
                wrong = wrong or error
        self._telling = False
        if wrong is not None:
            raise wrong

    def read(self, stream: str, after: int = 0) -> Iterator[Stored]:
        """Yield the events of a stream that come after a version."""
        ask = (
            "select version, event, hash from event where stream ="
            " (select id from stream where name = ?) and version > ? order by version limit ?"
        )
        while True:
            rows = self._ask(ask, (stream, after, _PAGE))
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
        found = self._ask(ask, (stream,))
        return Snapshot(*found[0]) if found else None

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""
        return sorted(name for (name,) in self._ask("select name from stream", ()))

    def _ask(self, ask: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            with self._reading:
                return self._reads.execute(ask, values).fetchall()
        except apsw.Error as error:
            told = f"the store is damaged ({error}): restore it from a backup"
            raise QueenhighError("store.damaged", told) from None

    def close(self) -> None:
        """Write what is queued, then let go of the file."""
        self.flush()
        self._closed = True
        self._writes.close()
        self._reads.close()


def _check_version(version: str) -> None:
    if tuple(map(int, version.split("."))) < _OLDEST:
        wanted = ".".join(map(str, _OLDEST))
        told = f"SQLite {version} can corrupt its files: install apsw with SQLite {wanted} or newer"
        raise QueenhighError("store.sqlite", told)


def _open(file: Path) -> apsw.Connection:
    make_private(file)  # what SQLite keeps beside it is as private
    connection = apsw.Connection(str(file))
    connection.set_busy_timeout(5000)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    return connection


def migrate(connection: apsw.Connection, file: Path) -> None:
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
