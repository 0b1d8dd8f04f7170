"""What every durable store does alike: one commit for all appends that wait, and proved reading.

Appends are queued; a flush writes all that are queued in one transaction, and reports each outcome
after the commit. So an acknowledged event is on disk, and a disk that commits a hundred times a
second serves far more than a hundred tables. There is no thread of its own: the caller of flush
writes for everyone, and callers that come meanwhile find their appends written.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from threading import RLock
from time import monotonic
from typing import Any

from queenhigh.errors import QueenhighError
from queenhigh.store.batch import Request, Statement
from queenhigh.store.signing import Head, Receipt, Signer
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

__all__ = ["PAGE", "RECEIPTS", "DurableStore"]

#: How many appends one transaction takes at most.
_MOST_AT_ONCE = 1000
#: Receipts are given for so many of the newest events of a stream: each is proved up to the end.
RECEIPTS = 1000
#: How many events are read at a time.
PAGE = 5000


class DurableStore(ABC):
    """Streams in a database; several threads may use it."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer
        #: Why the last commit failed, if it did.
        self.failure: str | None = None
        #: When the commit under way began, and when the last one was done, by a monotonic clock.
        self.writing_since: float | None = None
        self.written_at = monotonic()
        self._queue: deque[tuple[Request, OnDone]] = deque()
        self._writing = RLock()
        self._in_callbacks = False
        self._closed = False

    # What a database provides

    @property
    @abstractmethod
    def epoch(self) -> int:
        """A number that every restore raises; 0 for a store that was never restored."""

    @property
    @abstractmethod
    def dealing_key(self) -> bytes:
        """The 32 secret bytes that this store deals with; no copy of the store has them."""

    @property
    @abstractmethod
    def head(self) -> Head:
        """The head as of the last commit of this process."""

    @property
    @abstractmethod
    def is_shared(self) -> bool:
        """Whether other processes may append while this one does."""

    @abstractmethod
    def _write(self, requests: list[Request]) -> list[Exception | None]:
        """Write requests in one transaction; return the error of each that failed."""

    @abstractmethod
    def _page(self, stream: str, after: int) -> tuple[list[Any], list[Any]]:
        """Return the next events of a stream, and where it ends at the same moment.

        Events are (version, bytes, hash), at most ``PAGE`` of them. The end is (version, mark), in
        a list; the version of an end that is lost is -1, which fits no event.
        """

    @abstractmethod
    def _hash_at(self, stream: str, version: int) -> bytes:
        """Return the hash of a stream's event of a version; the one before all if it is missing."""

    @abstractmethod
    def _is_archived(self, stream: str) -> bool:
        """Return whether no event of a stream has its bytes."""

    @abstractmethod
    def _saved(self, stream: str) -> list[Any]:
        """Return the snapshot of a stream, in a list: version, state, hash, signature."""

    @abstractmethod
    def version(self, stream: str) -> int:
        """Return how many events a stream has."""

    @abstractmethod
    def count(self) -> int:
        """Return how many events are written."""

    @abstractmethod
    def is_used(self, stream: str, key: str) -> bool:
        """Return whether an append to a stream that is written had this key."""

    @abstractmethod
    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""

    @abstractmethod
    def missing(self) -> QueenhighError | None:
        """Return an error if the database is gone: then nothing may change."""

    def probe(self) -> QueenhighError | None:
        """Ask the database whether it answers; return an error if it does not."""
        return self.missing()

    @abstractmethod
    def close(self) -> None:
        """Write all queued appends, then close the database."""

    # Writing

    @property
    def key(self) -> bytes:
        """The public half of the key that signs this store."""
        return self._signer.key

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

        ``rows`` are statements for other tables of this database, executed in the same
        transaction.
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

    def _note_failure(self, outcomes: list[Exception | None]) -> None:
        """Remember why the database could not be written, or that it could."""
        failed = [each for each in outcomes if getattr(each, "code", "") == "store.failed"]
        self.failure = str(failed[0]) if failed else None

    # Reading

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
            if len(rows) < PAGE:
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

    def _unproved(self, stream: str, version: int) -> QueenhighError:
        """Return the error for a stream whose hashes do not follow after a version."""
        archived = self._is_archived(stream)
        return ArchivedStream(stream) if archived else DamagedStream(stream, version)

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the latest snapshot of a stream; ``None`` for one that does not fit its events."""
        try:
            for *row, signature in self._saved(stream):
                saved = Snapshot(*row)
                if tuple(map(type, (*saved, signature))) != (int, bytes, bytes, bytes):
                    continue
                fits = self._signer.has_signed_snapshot(signature, stream, saved)
                if fits and self._hash_at(stream, saved.version) == saved.hash:
                    return saved
        except QueenhighError:  # a damaged snapshot is ignored: the events are read instead
            pass
        return None

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
