"""The contract of a store: streams that only grow, each event chained to the one before it.

``(stream, version)`` is the lock: an append names the version it expects each stream to be at, and
fails as a whole if any of its streams is at another one. Reading returns the very bytes written.
"""

import hashlib
import struct
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from queenhigh.errors import QueenhighError
from queenhigh.hashing import fields

__all__ = [
    "AT_END",
    "GENESIS",
    "Append",
    "ArchivedStream",
    "Conflict",
    "DamagedStream",
    "KeyUsed",
    "LeaseLost",
    "Lineage",
    "OnDone",
    "Snapshot",
    "Store",
    "Stored",
    "chain",
    "is_next",
]

#: The hash before a stream's first event.
GENESIS = bytes(32)
#: The version of an append that depends on no earlier event: it goes to the end of its stream.
AT_END = None
_length = struct.Struct(">I").pack
#: What ``fields`` returns, precomputed because every event needs it: a tag, the length of a hash.
_EVENT = fields(b"queenhigh/event/1") + _length(len(GENESIS))


#: Called once an append is done: with ``None`` if it is durable, or with the error.
OnDone = Callable[[Exception | None], None]


class Lineage:
    """A line of appends that build on each other: once one fails, all later ones fail too."""

    __slots__ = ("failed",)

    def __init__(self) -> None:
        self.failed = False


class Append(NamedTuple):
    """Events for a stream that is expected to have ``version`` events so far, or ``AT_END``."""

    stream: str
    version: int | None
    events: tuple[bytes, ...]
    #: The state of the stream after these events, so that readers need not read them all.
    snapshot: bytes | None = None
    #: Names of commands, none of which the stream may have had before.
    keys: tuple[str, ...] = ()


class Snapshot(NamedTuple):
    """The state of a stream at a version, and the hash of all its events up to there."""

    version: int
    state: bytes
    hash: bytes


class Stored(NamedTuple):
    """An event as it is stored: its place, its bytes, and the hash of all up to it."""

    stream: str
    version: int
    event: bytes
    hash: bytes


class Conflict(QueenhighError):
    """Another writer appended first: read the new events and decide again."""

    def __init__(self, stream: str, expected: int | None, actual: int) -> None:
        message = f"{stream} is at version {actual}, not {expected}"
        super().__init__("store.conflict", message)
        self.stream, self.expected, self.actual = stream, expected, actual


class DamagedStream(QueenhighError):
    """The stored events of a stream are not those that were written; up to ``version`` they are."""

    def __init__(self, stream: str, version: int) -> None:
        message = f"{stream[:80]} is damaged after version {version}: run queenhigh verify"
        super().__init__("store.damaged", message)
        self.stream, self.version = stream, version


class ArchivedStream(QueenhighError):
    """Only the hashes of a stream's events are here: an archive has their bytes."""

    def __init__(self, stream: str) -> None:
        message = f"{stream[:80]} is closed and archived: use its archive with queenhigh verify"
        super().__init__("stream.archived", message)
        self.stream = stream


class LeaseLost(QueenhighError):
    """Another process holds a stream: only that one may append to it."""

    def __init__(self, stream: str) -> None:
        message = "this table has moved to another process: reconnect"
        super().__init__("lease.lost", message)
        self.stream = stream


class KeyUsed(QueenhighError):
    """A stream had one of an append's keys before."""

    def __init__(self, stream: str, key: str) -> None:
        super().__init__("id.used", "this command was already executed: use a new id")
        self.stream, self.key = stream, key


class Store(Protocol):
    """Streams by their names. Versions count from 1; an empty stream is at 0."""

    def append(self, *appends: Append) -> None:
        """Append to some streams all at once or not at all; it is durable when this returns."""

    def submit(self, then: OnDone, *appends: Append, depends_on: tuple[Lineage, ...] = ()) -> None:
        """Queue an append for the next flush, which calls ``then`` once it is durable.

        If it fails, so does every append queued later with one of the same lineages.
        """

    def flush(self) -> bool:
        """Write all that is queued, in one transaction; return whether anything was."""

    def read(self, stream: str, after: int = 0, since: bytes | None = None) -> Iterator[Stored]:
        """Yield the events of a stream that come after a version, each proved by the one before.

        ``since`` is the hash at that version, if the caller knows it: from a snapshot.
        """

    def last(self, stream: str) -> Stored | None:
        """Return the last event of a stream, proved to be its end; an archived one has no bytes."""

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the latest snapshot of a stream, if there is one that can be trusted."""

    def is_used(self, stream: str, key: str) -> bool:
        """Return whether an append to a stream that is written had this key."""

    def version(self, stream: str) -> int:
        """Return how many events a stream has."""

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may append while this one does."""

    @property
    def epoch(self) -> int:
        """A number that every restore raises, so that no cards are dealt twice."""

    @property
    def dealing_key(self) -> bytes:
        """The 32 secret bytes that this store deals with; no copy of the store has them."""

    def close(self) -> None:
        """Close the store; nothing that was acknowledged is lost without this."""


def is_next(before: bytes, stream: str, version: Any, event: Any, hashed: Any) -> bool:
    """Return whether a stored event is the one that was written after the hash ``before``."""
    is_typed = isinstance(event, bytes) and isinstance(version, int)
    return is_typed and hashed == chain(before, stream, version, event)


def chain(before: bytes, stream: str, version: int, event: bytes) -> bytes:
    """Return the hash of an event and, by the hash before it, of all that came before."""
    number = b"%d" % version
    parts = (_EVENT, before, _named(stream), _length(len(number)), number)
    return hashlib.sha256(b"".join((*parts, _length(len(event)), event))).digest()


@lru_cache(1024)
def _named(stream: str) -> bytes:
    """Return the name of a stream as it is hashed."""
    name = stream.encode()
    return _length(len(name)) + name
