"""Streams in one SQLite file, with one commit for all that wait for it.

Appends are queued; a flush writes all that are queued in one transaction, and tells each its own
outcome after the commit. So an acknowledged event is on disk, and a disk that commits a hundred
times a second serves far more than a hundred tables. There is no thread of its own: whoever
flushes writes, for everyone, and others who come meanwhile find their work done.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from threading import Lock, RLock
from time import monotonic
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.batches import Batches, Request, Statement
from queenhigh.store.checks import check_head, lost_streams, signer_of
from queenhigh.store.emptying import is_archived
from queenhigh.store.files import make_private
from queenhigh.store.migrations import check_newer, migrate
from queenhigh.store.presence import Presence
from queenhigh.store.signing import Head, Receipt, secret_in
from queenhigh.store.streams import (
    GENESIS,
    Append,
    ArchivedStream,
    Belief,
    DamagedStream,
    Snapshot,
    Stored,
    Then,
    is_next,
)

__all__ = ["RECEIPTS", "SqliteStore"]

#: Older ones can corrupt a database in WAL mode when two connections reset the log at once.
_OLDEST = (3, 51, 3)
#: How many appends one transaction takes at most.
_MOST_AT_ONCE = 1000
#: How long it may take to look for streams that are lost, when a store is opened.
_SECONDS_TO_LOOK = 1.0
_UNREADABLE = (apsw.Error, UnicodeDecodeError)
#: For how many events of a stream receipts are given, the newest: each is proved up to the end.
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
            self._lost = lost_streams(self._reads, _SECONDS_TO_LOOK)
            self._batches = Batches(self._writes, self._signer, self._lost)
        except (*_UNREADABLE, OSError) as error:
            told = f"{file} cannot be used as a store ({error}): name another file"
            raise QueenhighError("store.file", told) from None
        self._file = file
        self.presence = Presence(file)
        #: Why the last commit failed, if it did.
        self.failure: str | None = None
        #: When the commit under way began, and when the last one was done, by a clock that only
        #: goes forward.
        self.writing_since: float | None = None
        self.written_at = monotonic()
        self._reading = Lock()
        self._queue: deque[tuple[Request, Then]] = deque()
        self._writing = RLock()
        self._telling = False
        self._closed = False

    @cached_property
    def epoch(self) -> int:
        """A number that every restore raises; 0 for a store that was never restored."""
        match self._ask("select number from epoch", ()):
            case [(int(number),)]:
                return number
        told = "the store has lost its epoch: take a backup of it, and restore that"
        raise QueenhighError("store.damaged", told)

    @cached_property
    def dealing_key(self) -> bytes:
        """The secret in a file beside the store, which is drawn when it is asked for first."""
        return secret_in(Path(f"{self._file}.dealing"))

    @property
    def key(self) -> bytes:
        """The public half of the key that signs this store."""
        return self._signer.key

    @property
    def head(self) -> Head:
        """The head as of the last commit."""
        return self._batches.head

    def receipt(self, stream: str, version: int | None = None) -> Receipt | None:
        """Return a receipt of an event, by default of the last; nothing if it is not there.

        All from the event to the stream's marked end is proved first: a receipt is for good.
        """
        last = self.version(stream)
        version = last if version is None else version
        if not 1 <= version <= last:
            return None
        if last - version >= RECEIPTS:
            told = f"receipts are for the newest {RECEIPTS:,} events of a stream: this one is older"
            raise QueenhighError("receipt.old", f"{told}, so ask for one of the newest")
        hashes = [row.hash for row in self.read(stream, version - 1)]
        return self._signer.sign_receipt(self.epoch, stream, version, hashes[0])

    def append(self, *appends: Append, rows: tuple[Statement, ...] = ()) -> None:
        """Append to some streams all at once or not at all; it is durable when this returns."""
        outcomes: list[Exception | None] = []
        self.flush()  # which refuses who is being told of a flush: nothing is queued then
        self.submit(outcomes.append, *appends, rows=rows)
        self.flush()
        if outcomes[0] is not None:
            raise outcomes[0]

    def submit(
        self,
        then: Then,
        *appends: Append,
        upon: tuple[Belief, ...] = (),
        rows: tuple[Statement, ...] = (),
    ) -> None:
        """Queue an append for the next flush, which tells its outcome once it is durable.

        ``rows`` of other tables of this file are written in the same transaction.
        """
        if self._closed:
            raise QueenhighError("store.closed", "the store is closed: open it again")
        self._queue.append((Request(appends, upon, rows), then))

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
        self.writing_since = monotonic()
        outcomes = self._write([request for request, _ in queued])
        self.writing_since, self.written_at = None, monotonic()
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

    def _write(self, requests: list[Request]) -> list[Exception | None]:
        """Write requests; what went to a file that is no longer there is not kept by anybody."""
        gone = self.presence.check()
        if gone is None:
            outcomes = self._batches.write(requests)
            failed = [one for one in outcomes if getattr(one, "code", "") == "store.failed"]
            self.failure = str(failed[0]) if failed else None
            gone = self.presence.check()
        if gone is None:
            return outcomes
        for request in requests:
            request.fail()
        return [gone] * len(requests)

    def read(self, stream: str, after: int = 0, since: bytes | None = None) -> Iterator[Stored]:
        """Yield the events of a stream that come after a version, each proved by the one before.

        What the index finds is believed only if the hashes follow from one another without a gap,
        up to the one that the stream ended with when it was written last.
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
        id = "(select id from stream where name = ?)"
        events = (
            f"select version, event, hash from event where stream = {id} and version > ?"
            " order by version limit ?"
        )
        # A stream that is there has an end; one whose end is lost ends with nothing that fits.
        tips = (
            "select coalesce(tip.version, -1), mark from stream"
            " left join tip on tip.stream = stream.id where name = ?"
        )
        if stream in self._lost:
            raise DamagedStream(stream, after)
        try:
            with self._reading, self._reads:
                rows = self._reads.execute(events, (stream, after, _PAGE)).fetchall()
                ends = self._reads.execute(tips, (stream,)).fetchall()
        except _UNREADABLE:
            raise DamagedStream(stream, after) from None
        return rows, ends

    def _unproved(self, stream: str, version: int) -> QueenhighError:
        """Return what is wrong with a stream whose hashes do not follow after a version."""
        with self._reading:
            archived = is_archived(self._reads, stream)
        return ArchivedStream(stream) if archived else DamagedStream(stream, version)

    def _hash_at(self, stream: str, version: int) -> bytes:
        ask = (
            "select hash from event where stream = (select id from stream where name = ?)"
            " and version = ?"
        )
        found = self._ask(ask, (stream, version))
        return bytes(found[0][0]) if found else GENESIS

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the latest snapshot of a stream; ``None`` for one that does not fit its events."""
        ask = (
            "select version, state, hash, signature from snapshot where stream ="
            " (select id from stream where name = ?)"
        )
        try:
            for *row, signature in self._ask(ask, (stream,)):
                kept = Snapshot(*row)
                if tuple(map(type, (*kept, signature))) != (int, bytes, bytes, bytes):
                    continue
                fits = self._signer.has_signed_snapshot(signature, stream, kept)
                if fits and self._hash_at(stream, kept.version) == kept.hash:
                    return kept
        except QueenhighError:  # what is damaged is not read: the events are
            pass
        return None

    def is_used(self, stream: str, key: str) -> bool:
        """Tell whether an append to a stream that is written had this key."""
        ask = "select 1 from used where stream = (select id from stream where name = ?) and key = ?"
        return bool(self._ask(ask, (stream, key)))

    def version(self, stream: str) -> int:
        """Return how many events a stream has."""
        ask = "select max(version) from event where stream = (select id from stream where name = ?)"
        return self._ask(ask, (stream,))[0][0] or 0

    def count(self) -> int:
        """Return how many events are written."""
        found = self._ask("select events from head", ())
        return int(found[0][0]) if found else 0

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""
        found = self._ask("select cast(name as blob) from stream", ())
        return sorted(bytes(name or b"").decode(errors="replace") for (name,) in found)

    def _ask(self, ask: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            with self._reading:
                return self._reads.execute(ask, values).fetchall()
        except _UNREADABLE as error:
            told = f"the store is damaged ({error}): restore it from a backup"
            raise QueenhighError("store.damaged", told) from None

    def close(self) -> None:
        """Write what is queued, then let go of the file."""
        self.flush()
        self._closed = True
        for connection in (self._writes, self._reads):
            with suppress(apsw.Error):  # what a disk keeps it from tidying up, the next one will
                connection.close()


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
