"""What a store is: streams that only grow, each event chained to the one before it.

``(stream, version)`` is the lock: an append says at which version it believes a stream to be, and
fails as a whole if any of its streams is elsewhere. What is read back is the very bytes written.
"""

import hashlib
import struct
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from queenhigh.errors import QueenhighError
from queenhigh.table.fairness import fields

__all__ = [
    "AT_END",
    "GENESIS",
    "Append",
    "ArchivedStream",
    "Belief",
    "Conflict",
    "DamagedStream",
    "KeyUsed",
    "Snapshot",
    "Store",
    "Stored",
    "Then",
    "chain",
    "is_next",
]

#: The hash before a stream's first event.
GENESIS = bytes(32)
#: For an append that was decided upon nothing: it follows whatever its stream has.
AT_END = None
_length = struct.Struct(">I").pack
#: ``fields`` written out, since every event goes through here: a tag, and a hash of 32 bytes.
_EVENT = fields(b"queenhigh/event/1") + _length(len(GENESIS))


#: Is told what became of an append: ``None`` if it is durable, or what is wrong.
Then = Callable[[Exception | None], None]


class Belief:
    """What appends were decided upon: once one of them fails, those that follow it fail too."""

    __slots__ = ("failed",)

    def __init__(self) -> None:
        self.failed = False


class Append(NamedTuple):
    """Events for a stream that is believed to have ``version`` events so far, or ``AT_END``."""

    stream: str
    version: int | None
    events: tuple[bytes, ...]
    #: What the stream amounts to after these events, for who does not want to read them all.
    snapshot: bytes | None = None
    #: Names of commands, none of which the stream may have had before.
    keys: tuple[str, ...] = ()


class Snapshot(NamedTuple):
    """What a stream amounted to at a version, and the hash of all its events up to there."""

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
    """Somebody else appended first: read what is new and decide again."""

    def __init__(self, stream: str, believed: int | None, found: int) -> None:
        told = f"{stream} is at version {found}, not {believed}"
        super().__init__("store.conflict", told)
        self.stream, self.believed, self.found = stream, believed, found


class DamagedStream(QueenhighError):
    """What is read of a stream is not what was written; up to ``version`` it is good."""

    def __init__(self, stream: str, version: int) -> None:
        told = f"{stream[:80]} is damaged after version {version}: see queenhigh verify"
        super().__init__("store.damaged", told)
        self.stream, self.version = stream, version


class ArchivedStream(QueenhighError):
    """Of a stream's events only the hashes are here: an archive has their bytes."""

    def __init__(self, stream: str) -> None:
        told = f"{stream[:80]} is closed and archived: give its archive to queenhigh verify"
        super().__init__("stream.archived", told)
        self.stream = stream


class KeyUsed(QueenhighError):
    """A stream had one of an append's keys before."""

    def __init__(self, stream: str, key: str) -> None:
        super().__init__("id.used", "this command was followed before: make a new id")
        self.stream, self.key = stream, key


class Store(Protocol):
    """Streams by their names. Versions count from 1; an empty stream is at 0."""

    def append(self, *appends: Append) -> None:
        """Append to some streams all at once or not at all; it is durable when this returns."""

    def submit(self, then: Then, *appends: Append, upon: tuple[Belief, ...] = ()) -> None:
        """Queue an append for the next flush, which tells its outcome once it is durable.

        If it fails, so does everything queued later upon the same beliefs.
        """

    def flush(self) -> bool:
        """Write all that is queued, in one go; return whether anything was."""

    def read(self, stream: str, after: int = 0, since: bytes | None = None) -> Iterator[Stored]:
        """Yield the events of a stream that come after a version, each proved by the one before.

        ``since`` is the hash at that version where it is known from elsewhere: from a snapshot.
        """

    def last(self, stream: str) -> Stored | None:
        """Return the last event of a stream, proved to be its end; an archived one has no bytes."""

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the latest snapshot of a stream, if one was kept and can be trusted."""

    def is_used(self, stream: str, key: str) -> bool:
        """Tell whether an append to a stream that is written had this key."""

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""

    @property
    def epoch(self) -> int:
        """A number that every restore raises: what was dealt before is not dealt again."""

    @property
    def dealing_key(self) -> bytes:
        """The 32 secret bytes that this store deals with; no copy of the store has them."""

    def close(self) -> None:
        """Let go of everything; nothing that was acknowledged is lost by not doing so."""


def is_next(before: bytes, stream: str, version: Any, event: Any, hashed: Any) -> bool:
    """Tell whether an event as it is read is the one that was written after ``before``."""
    is_typed = isinstance(event, bytes) and isinstance(version, int)
    return is_typed and hashed == chain(before, stream, version, event)


def chain(before: bytes, stream: str, version: int, event: bytes) -> bytes:
    """Return the hash of an event and, by the hash before it, of all that came before."""
    name, number = stream.encode(), b"%d" % version
    parts = (_EVENT, before, _length(len(name)), name, _length(len(number)), number)
    return hashlib.sha256(b"".join((*parts, _length(len(event)), event))).digest()
