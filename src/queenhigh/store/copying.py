"""A room written again from its events, batch by batch, in whichever database.

Each batch is one transaction and leaves a shorter room that can be proved: marked ends, used keys
and a signed head. So a copy that was interrupted goes on where it stopped. Until it is complete no
program opens it: a file has another name, and a database has a mark.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Protocol

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.backup import check_free
from queenhigh.store.batch import Batch, Tip
from queenhigh.store.commit_writer import insert_batch
from queenhigh.store.files import make_private, put_in_place, sync, write_private
from queenhigh.store.location import Location
from queenhigh.store.migrations import migrate
from queenhigh.store.reader import EventReader, Row
from queenhigh.store.signing import Head, Signer, is_signed
from queenhigh.store.streams import GENESIS, is_next
from queenhigh.store.used import is_used

__all__ = [
    "BadEvent",
    "CopiedBatch",
    "CopyTarget",
    "FileTarget",
    "check_key",
    "check_prefix",
    "copy_key",
    "next_epoch",
]

_TYPES = (int, str, int, bytes, bytes)
_NO_EVENTS = Tip(None, 0, GENESIS)


class BadEvent(Exception):
    """An event that does not follow from the one before it."""

    def __init__(self, row: Row, n: int) -> None:
        super().__init__("this event does not follow from the one before it")
        self.n, self.stream, self.version = n, row.stream, row.version


class CopiedBatch(Batch):
    """A batch of events that have their hashes already; each is proved by the one before it."""

    def __init__(self, head: Head, streams: int, signer: Signer, ends: Mapping[str, Tip]) -> None:
        super().__init__(head, streams, signer, lambda name: ends.get(name, _NO_EVENTS), _unused)

    def take(self, row: Row, keys: Iterable[str]) -> None:
        """Add an event, and the keys that it uses; raise if it does not follow.

        An archived event has only its hash, which the head covers.
        """
        n = self.head.events + len(self.rows) + 1
        if tuple(map(type, row)) != _TYPES:
            raise BadEvent(row, n)
        tip = self.tips.get(row.stream) or self._tip_of(row.stream)
        is_place = (row.n, row.version) == (n, tip.version + 1)
        if not is_place or not (row.is_archived or is_next(tip.hash, *row[1:])):
            raise BadEvent(row, n)
        id = tip.id
        if id is None:
            id = self.streams = self.streams + 1
            self.names.append((id, row.stream))
        self.rows.append((id, row.version, row.event, row.hash))
        self.tips[row.stream] = Tip(id, row.version, row.hash)
        self.keys.update((id, key) for key in keys)


def _unused(stream: str, id: int, key: str) -> bool:
    return False


class CopyTarget(Protocol):
    """Where a room is copied to."""

    #: The head and the number of streams of what is copied.
    head: Head
    streams: int

    @property
    def place(self) -> Location:
        """Where the copy is while it is unfinished, to be proved there."""

    def ends(self) -> dict[str, Tip]:
        """Return the end of each stream that is copied."""

    def last_hash(self) -> bytes | None:
        """Return the hash of the last event that is copied."""

    def write(self, batch: CopiedBatch) -> None:
        """Write a batch in one transaction."""

    def finish(self, epoch: int, key: Path) -> None:
        """Make a complete copy a room, signed with a key from now on."""

    def discard(self) -> None:
        """Remove what was copied, because it is bad."""

    def close(self) -> None:
        """Close the database; an unfinished copy stays."""


class FileTarget:
    """A copy into a SQLite file, which gets its name when it is complete."""

    def __init__(self, target: Path, signer: Signer) -> None:
        self._target, self.place = target, Path(f"{target}.copying")
        with self._explained():
            self._check_name()
            make_private(self.place)
            self._db = apsw.Connection(str(self.place))
        try:
            self._begin(signer)
        except BaseException:
            self._db.close()
            raise

    def _begin(self, signer: Signer) -> None:
        """Create the tables, or read what an earlier run has copied."""
        with self._explained():
            self._db.pragma("synchronous", "full")
            migrate(self._db, self.place, signer)
            reader = EventReader(self._db)
            self.head, last = reader.head() or Head(), reader.last_number()
            self.streams, _ = reader.last_ids()
        check_prefix(self.head, last, signer, str(self.place))

    def _check_name(self) -> None:
        """Raise if the target exists."""
        if self._target.exists() and self.place.exists() and self._target.samefile(self.place):
            self.place.unlink()  # killed right after the copy got its name
        check_free(self._target)

    def ends(self) -> dict[str, Tip]:
        """Return the end of each stream that is copied."""
        with self._explained():
            rows = self._db.execute("select id, name from stream").fetchall()
            names = {int(str(id)): str(name) for id, name in rows}
            return {
                names[id]: Tip(id, version, last)
                for id, version, last in EventReader(self._db).ends_by_id()
            }

    def last_hash(self) -> bytes | None:
        """Return the hash of the last event that is copied."""
        with self._explained():
            return EventReader(self._db).hash_of(self.head.events)

    def write(self, batch: CopiedBatch) -> None:
        """Write a batch in one transaction."""
        with self._explained(), self._db:
            batch.keys = {key for key in batch.keys if not is_used(self._db, *key)}
            self.head = insert_batch(self._db, batch)
            self.streams = batch.streams

    def finish(self, epoch: int, key: Path) -> None:
        """Give the copy its name, the key first."""
        with self._explained():
            self._db.execute("insert or replace into epoch values (1, ?)", (epoch,))
            self._db.close()
            copy_key(key, Path(f"{self._target}.key"))
            sync(self.place)
            check_free(self._target)
            put_in_place(self.place, self._target)
            self.place.unlink(missing_ok=True)
            sync(self._target.parent)

    def discard(self) -> None:
        """Remove the unfinished file."""
        with self._explained():
            self._db.close()
            self.place.unlink()

    def close(self) -> None:
        """Close the file; an unfinished copy stays."""
        self._db.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise errors of the disk and of SQLite as a sentence."""
        try:
            yield
        except apsw.FullError:
            message = f"{self.place} could not be written: the disk is full"
            raise QueenhighError("copy.failed", message) from None
        except apsw.NotADBError:
            message = f"{self.place} is not a database: delete it and try again"
            raise QueenhighError("copy.failed", message) from None
        except (OSError, apsw.Error) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            message = f"{self.place} could not be written ({reason}): check the disk and try again"
            raise QueenhighError("copy.failed", message) from None


def check_prefix(head: Head, last: int, signer: Signer, place: str) -> None:
    """Raise unless an unfinished copy is one of this room, as far as it was written."""
    if head.events == 0 == last:
        return
    if head.key != signer.key:
        message = f"{place} is an unfinished copy of another room: choose another destination"
        raise QueenhighError("copy.other", message)
    if head.events != last or not is_signed(head):
        message = f"the unfinished copy {place} is damaged: delete it and copy again"
        raise QueenhighError("copy.damaged", message)


def next_epoch(before: int) -> int:
    """Return the epoch of a new room made from one: the next number, or the present second."""
    return max(before + 1, int(time()))


def copy_key(key: Path, to: Path) -> None:
    """Copy a key, unless it is there already; raise rather than replace another one."""
    content = key.read_bytes()
    to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(to, content)
    check_key(to, Signer(key))


def check_key(file: Path, signer: Signer) -> None:
    """Raise if there is a key in a file, and it is another one."""
    if file.exists() and Signer(file).key != signer.key:
        message = f"{file} is the key of another room: move it away or choose another folder"
        raise QueenhighError("copy.key", message)
