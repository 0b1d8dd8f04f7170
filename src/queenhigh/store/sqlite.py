"""Streams in one SQLite file, with one commit for all appends that wait for it.

Appends are queued; a flush writes all that are queued in one transaction, and reports each outcome
after the commit. So an acknowledged event is on disk, and a disk that commits a hundred times a
second serves far more than a hundred tables. There is no thread of its own: the caller of flush
writes for everyone, and callers that come meanwhile find their appends written.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from threading import Lock, RLock
from time import monotonic
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.checks import check_head, lost_streams, signer_of
from queenhigh.store.commit_writer import CommitWriter, Request, Statement
from queenhigh.store.files import make_private
from queenhigh.store.migrations import check_newer, migrate
from queenhigh.store.presence import Presence
from queenhigh.store.reader import UNREADABLE, EventReader
from queenhigh.store.signing import Head, Receipt, secret_in
from queenhigh.store.streams import (
    GENESIS,
    Append,
    ArchivedStream,
    DamagedStream,
    Lineage,
    OnDone,
    Snapshot,
    Stored,
    is_next,
)

__all__ = ["RECEIPTS", "SqliteStore"]

#: Older versions can corrupt a database in WAL mode when two connections reset the log at once.
_OLDEST = (3, 51, 3)
#: How many appends one transaction takes at most.
_MOST_AT_ONCE = 1000
#: How long the search for lost streams may take when a store is opened.
_SECONDS_TO_LOOK = 1.0
#: Receipts are given for so many of the newest events of a stream: each is proved up to the end.
RECEIPTS = 1000
#: How many events are read at a time.
_PAGE = 5000


class SqliteStore:
    """Streams in a file; several threads may use it, one process at a time writes."""

    def __init__(self, file: Path) -> None:
        _check_version(apsw.sqlite_lib_version())
        try:
            self._writes = _open(file)
            check_newer(self._writes, file)
            self._signer = signer_of(file, check_head(self._writes, file))
            migrate(self._writes, file, self._signer)
            self._reads = _open(file)
            self._reader = EventReader(self._reads)
            self._lost = lost_streams(self._reads, _SECONDS_TO_LOOK)
            self._writer = CommitWriter(self._writes, self._signer, self._lost)
        except (*UNREADABLE, OSError) as error:
            message = f"{file} cannot be used as a database ({error}): choose another file"
            raise QueenhighError("store.file", message) from None
        self._file = file
        self.presence = Presence(file)
        #: Why the last commit failed, if it did.
        self.failure: str | None = None
        #: When the commit under way began, and when the last one was done, by a monotonic clock.
        self.writing_since: float | None = None
        self.written_at = monotonic()
        self._reading = Lock()
        self._queue: deque[tuple[Request, OnDone]] = deque()
        self._writing = RLock()
        self._in_callbacks = False
        self._closed = False

    @cached_property
    def epoch(self) -> int:
        """A number that every restore raises; 0 for a store that was never restored."""
        match self._query("select number from epoch"):
            case [(int(number),)]:
                return number
        message = "the database has lost its epoch: make a backup of it and restore that"
        raise QueenhighError("store.damaged", message)

    @cached_property
    def dealing_key(self) -> bytes:
        """The secret in a file beside the store, which is drawn when it is first used."""
        return secret_in(Path(f"{self._file}.dealing"))

    @property
    def key(self) -> bytes:
        """The public half of the key that signs this store."""
        return self._signer.key

    @property
    def head(self) -> Head:
        """The head as of the last commit."""
        return self._writer.head

    def receipt(self, stream: str, version: int | None = None) -> Receipt | None:
        """Return a receipt of an event, by default of the last; ``None`` if it is not there.

        Everything from the event to the stream's marked end is proved first, because a receipt
        cannot be taken back.
        """
        last = self.version(stream)
        version = last if version is None else version
        if not 1 <= version <= last:
            return None
        if last - version >= RECEIPTS:
            message = f"receipts exist only for the newest {RECEIPTS:,} events of a stream"
            raise QueenhighError("receipt.old", f"{message}: ask for a newer one")
        hashes = [row.hash for row in self.read(stream, version - 1)]
        return self._signer.sign_receipt(self.epoch, stream, version, hashes[0])

    def append(self, *appends: Append, rows: tuple[Statement, ...] = ()) -> None:
        """Append to some streams all at once or not at all; it is durable when this returns."""
        outcomes: list[Exception | None] = []
        self.flush()  # raises inside a flush callback, so that nothing is queued there
        self.submit(outcomes.append, *appends, rows=rows)
        self.flush()
        if outcomes[0] is not None:
            raise outcomes[0]

    def submit(
        self,
        then: OnDone,
        *appends: Append,
        depends_on: tuple[Lineage, ...] = (),
        rows: tuple[Statement, ...] = (),
    ) -> None:
        """Queue an append for the next flush, which calls ``then`` once it is durable.

        ``rows`` are statements for other tables of this file, executed in the same transaction.
        """
        if self._closed:
            raise QueenhighError("store.closed", "the database is closed: open it again")
        self._queue.append((Request(appends, depends_on, rows), then))

    def flush(self) -> bool:
        """Write all that is queued and report each outcome; return whether anything was queued."""
        with self._writing:
            if self._in_callbacks:
                message = "flush() must not be called from a commit callback"
                raise QueenhighError("store.busy", message)
            was_queued = bool(self._queue)
            while self._queue:
                count = min(len(self._queue), _MOST_AT_ONCE)
                self._commit([self._queue.popleft() for _ in range(count)])
            return was_queued

    def _commit(self, queued: list[tuple[Request, OnDone]]) -> None:
        """Write requests in one transaction, and report each outcome after the commit."""
        self.writing_since = monotonic()
        outcomes = self._write([request for request, _ in queued])
        self.writing_since, self.written_at = None, monotonic()
        first_error: BaseException | None = None
        self._in_callbacks = True
        for (_, then), outcome in zip(queued, outcomes, strict=True):
            try:
                then(outcome)
            except BaseException as error:  # the other callbacks are called all the same
                first_error = first_error or error
        self._in_callbacks = False
        if first_error is not None:
            raise first_error

    def _write(self, requests: list[Request]) -> list[Exception | None]:
        """Write requests; all fail if the file was deleted or replaced before or meanwhile."""
        gone = self.presence.check()
        if gone is None:
            outcomes = self._writer.write(requests)
            failed = [each for each in outcomes if getattr(each, "code", "") == "store.failed"]
            self.failure = str(failed[0]) if failed else None
            gone = self.presence.check()
        if gone is None:
            return outcomes
        for request in requests:
            request.fail()
        return [gone] * len(requests)

    def read(self, stream: str, after: int = 0, since: bytes | None = None) -> Iterator[Stored]:
        """Yield the events of a stream that come after a version, each proved by the one before.

        The rows that the index finds are trusted only if the hashes follow from one another
        without a gap, up to the one that the stream ended with when it was last written.
        """
        before = since or (GENESIS if after == 0 else self._hash_at(stream, after))
        while True:
            rows, tips = self._page(stream, after)
            for version, event, tip in rows:
                if version != after + 1 or not is_next(before, stream, version, event, tip):
                    raise self._unproved(stream, after)
                yield Stored(stream, version, event, tip)
                after, before = version, tip
            if len(rows) < _PAGE:
                if tips and tips != [(after, self._signer.mark(before))]:
                    raise DamagedStream(stream, after)
                return

    def last(self, stream: str) -> Stored | None:
        """Return the last event of a stream, proved to be its end; an archived one has no bytes."""
        before = max(self.version(stream) - 1, 0)
        rows, tips = self._page(stream, before)
        if not rows and not tips:
            return None
        for version, event, tip in rows[-1:]:
            since = GENESIS if version == 1 else self._hash_at(stream, version - 1)
            proved = event == b"" or is_next(since, stream, version, event, tip)
            if proved and tips == [(version, self._signer.mark(tip))]:
                return Stored(stream, version, event, tip)
        raise DamagedStream(stream, before)

    def _page(self, stream: str, after: int) -> tuple[list[Any], list[Any]]:
        """Return the next events of a stream, and where it ends at the same moment."""
        # A stream whose end is lost has version -1 there, which fits no event.
        tips = (
            "select coalesce(tip.version, -1), mark from stream"
            " left join tip on tip.stream = stream.id where name = ?"
        )
        if stream in self._lost:
            raise DamagedStream(stream, after)
        try:
            with self._reading, self._reads:
                rows = list(self._reader.stream_events(stream, after, limit=_PAGE))
                ends = self._reads.execute(tips, (stream,)).fetchall()
        except UNREADABLE:
            raise DamagedStream(stream, after) from None
        return rows, ends

    def _unproved(self, stream: str, version: int) -> QueenhighError:
        """Return the error for a stream whose hashes do not follow after a version."""
        with self._reading:
            archived = self._reader.is_archived(stream)
        return ArchivedStream(stream) if archived else DamagedStream(stream, version)

    def _hash_at(self, stream: str, version: int) -> bytes:
        with self._reading_events():
            event_hash = self._reader.hash_at(stream, version)
            return GENESIS if event_hash is None else bytes(event_hash)

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the latest snapshot of a stream; ``None`` for one that does not fit its events."""
        query = (
            "select version, state, hash, signature from snapshot where stream ="
            " (select id from stream where name = ?)"
        )
        try:
            for *row, signature in self._query(query, stream):
                saved = Snapshot(*row)
                if tuple(map(type, (*saved, signature))) != (int, bytes, bytes, bytes):
                    continue
                fits = self._signer.has_signed_snapshot(signature, stream, saved)
                if fits and self._hash_at(stream, saved.version) == saved.hash:
                    return saved
        except QueenhighError:  # a damaged snapshot is ignored: the events are read instead
            pass
        return None

    def is_used(self, stream: str, key: str) -> bool:
        """Return whether an append to a stream that is written had this key."""
        query = (
            "select 1 from used where stream = (select id from stream where name = ?) and key = ?"
        )
        return bool(self._query(query, stream, key))

    def version(self, stream: str) -> int:
        """Return how many events a stream has."""
        with self._reading_events():
            return self._reader.last_version(stream)

    def count(self) -> int:
        """Return how many events are written."""
        with self._reading_events():
            return (self._reader.head() or Head()).events

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""
        rows = self._query("select cast(name as blob) from stream")
        return sorted(bytes(name or b"").decode(errors="replace") for (name,) in rows)

    def _query(self, query: str, *values: Any) -> list[Any]:
        with self._reading_events():
            return self._reads.execute(query, values).fetchall()

    @contextmanager
    def _reading_events(self) -> Iterator[None]:
        """Hold the connection for reading; explain what SQLite cannot read."""
        try:
            with self._reading:
                yield
        except UNREADABLE as error:
            message = f"the database is damaged ({error}): restore a backup"
            raise QueenhighError("store.damaged", message) from None

    def close(self) -> None:
        """Write all queued appends, then close the file."""
        self.flush()
        self._closed = True
        for connection in (self._writes, self._reads):
            with suppress(apsw.Error):  # the next program to open the file will tidy up
                connection.close()


def _check_version(version: str) -> None:
    if tuple(map(int, version.split("."))) < _OLDEST:
        wanted = ".".join(map(str, _OLDEST))
        message = (
            f"SQLite {version} can corrupt its files: install apsw with SQLite {wanted} or newer"
        )
        raise QueenhighError("store.sqlite", message)


def _open(file: Path) -> apsw.Connection:
    make_private(file)  # SQLite gives the files beside it the same permissions
    connection = apsw.Connection(str(file))
    connection.set_busy_timeout(5000)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    return connection
