"""Copies of a room between databases: proved event by event on the way, by the rules at the end.

A copy that was interrupted goes on where it stopped. The new room has the key that signs, and not
the one that deals; its epoch is higher, so that no cards are dealt twice.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from queenhigh.errors import QueenhighError
from queenhigh.store.backup import check_apart
from queenhigh.store.batch import Tip
from queenhigh.store.copying import (
    BadEvent,
    CopiedBatch,
    CopyTarget,
    FileTarget,
    check_key,
    next_epoch,
)
from queenhigh.store.location import Location
from queenhigh.store.open import check_complete, open_reader, signing_key, sole_use
from queenhigh.store.reader import LogSource, Row, is_typed_head
from queenhigh.store.signing import Head, Signer, is_signed
from queenhigh.store.versions import version_of
from queenhigh.table.streams import wallet_stream
from queenhigh.table.wallet import decode_wallet, own_key
from queenhigh.verify.log_file import is_store
from queenhigh.verify.verifier import Report, verify

__all__ = ["RoomCopy", "copying"]

#: How many events one transaction has.
_EVENTS_AT_ONCE = 5_000
Watch = Callable[[int], None]


class RoomCopy:
    """A copy of a room, which nobody else uses meanwhile."""

    def __init__(self, reader: LogSource, head: Head, target: CopyTarget, key: Path) -> None:
        self._reader, self._target, self._key = reader, target, key
        self._signer = Signer(key)
        #: The head of the room that is copied.
        self.head = head
        #: How many events an earlier run has copied.
        self.resumed_at = target.head.events

    @property
    def place(self) -> Location:
        """Where the copy is while it is unfinished."""
        return self._target.place

    def copy_events(self, watch: Watch) -> Report:
        """Copy all events that the target does not have yet; report an event that is bad."""
        with self._reader.explained(), self._reader.at_one_moment():
            self._check_resumed()
            ends, events = self._target.ends(), self._reader.events(self._target.head.events)
            try:
                while rows := list(islice(events, _EVENTS_AT_ONCE)):
                    batch = self._batch(rows, ends)
                    self._target.write(batch)
                    ends.update(batch.tips)
                    watch(self._target.head.events)
            except BadEvent as bad:
                place = (bad.n, bad.stream, bad.version)
                return self._report(str(bad), *place)
        if self._target.head[:2] != self.head[:2]:
            return self._report("the head is of other events than these")
        return self._report(None)

    def _check_resumed(self) -> None:
        """Raise unless the last event of an earlier run is the one that the source has there."""
        last = self._target.head.events
        if last and self._target.last_hash() != self._reader.hash_of(last):
            message = f"{self._target.place} has an unfinished copy of other events"
            raise QueenhighError("copy.other", f"{message}: choose another destination")

    def _batch(self, rows: list[Row], ends: dict[str, Tip]) -> CopiedBatch:
        target = self._target
        batch = CopiedBatch(target.head, target.streams, self._signer, ends)
        for row in rows:
            batch.take(row, _keys(row))
        return batch

    def _report(self, bad: str | None, *place: Any) -> Report:
        return Report(self._target.head.events, 0, self.head.key.hex(), bad, *place)

    def prove(self, watch: Watch) -> Report:
        """Prove the copy itself, by the rules."""
        return verify(self._target.place, watch=watch)

    def finish(self) -> None:
        """Make the copy a room of its own, if the source is still as it was copied."""
        with self._reader.explained():
            if self._reader.head() != self.head:
                message = "the source was used while it was copied: stop its server and copy again"
                raise QueenhighError("copy.changed", message)
            epoch = next_epoch(self._reader.epoch())
        self._target.finish(epoch, self._key)

    def discard(self) -> None:
        """Remove the copy, because it is bad."""
        self._target.discard()


def _keys(row: Row) -> tuple[str, ...]:
    """Return the key that an event of a wallet uses, which no other command may use again."""
    prefix = wallet_stream("")
    if not isinstance(row.stream, str) or not row.stream.startswith(prefix) or row.is_archived:
        return ()
    try:
        event = decode_wallet(row.event)
    except QueenhighError:  # the proof will report it
        return ()
    key = own_key(row.stream.removeprefix(prefix), event)
    return () if key is None else (key,)


@contextmanager
def copying(source: Location, target: Location, keys: Path) -> Iterator[RoomCopy]:
    """Open a copy of a room; ``keys`` is where a room on PostgreSQL has its keys."""
    _check_source(source)
    _check_apart(source, target)
    with (
        sole_use(source),
        sole_use(target),
        closing(open_reader(source, recover=True)) as reader,
    ):
        key = signing_key(source, keys)
        head = _head_of(reader, source, key)
        signer = Signer(key)
        check_key(signing_key(target, keys), signer)
        with closing(_open_target(target, keys, signer)) as opened:
            yield RoomCopy(reader, head, opened, key)


def _check_source(source: Location) -> None:
    """Raise unless there is a whole room of this program's version."""
    if isinstance(source, Path) and source.is_file() and not is_store(source):
        message = f"{source} is not a Queenhigh database: choose another file"
        raise QueenhighError("file.unreadable", message)
    version = version_of(source)
    if 0 < version.has < version.wants:
        message = f"{source} is of an older version: run queenhigh db upgrade first"
        raise QueenhighError("copy.older", message)
    check_complete(source)


def _check_apart(source: Location, target: Location) -> None:
    """Raise if both are one room."""
    if isinstance(source, Path) and isinstance(target, Path):
        is_same = source.resolve() == target.resolve()
        if not is_same:
            check_apart(source, target)
    elif not isinstance(source, Path) and not isinstance(target, Path):
        from queenhigh.store.postgres.usage import is_same_database  # noqa: PLC0415 (an extra)

        is_same = is_same_database(source, target)
    else:
        is_same = False
    if is_same:
        message = f"{source} and {target} are the same room: choose another destination"
        raise QueenhighError("copy.same", message)


def _head_of(reader: LogSource, source: Location, key: Path) -> Head:
    """Return the head of the room that is copied, after checking its signature and its key."""
    with reader.explained():
        head = reader.head()
    if head is None:
        raise QueenhighError("copy.empty", f"{source} has no events: there is nothing to copy")
    if not is_typed_head(head) or not is_signed(head):
        message = f"the head of {source} is damaged: run queenhigh verify, restore a backup"
        raise QueenhighError("store.damaged", message)
    remedy = (
        "put the right key there" if isinstance(source, Path) else "give its folder with --keys"
    )
    if not key.exists():
        message = f"{key} is missing, and {source} is signed with it: {remedy}"
        raise QueenhighError("store.key", message)
    if Signer(key).key != head.key:
        message = f"{key} is not the key that signed {source}: {remedy}"
        raise QueenhighError("store.key", message)
    return head


def _open_target(target: Location, keys: Path, signer: Signer) -> CopyTarget:
    if isinstance(target, Path):
        return FileTarget(target, signer)
    from queenhigh.store.postgres.copying import DatabaseTarget  # noqa: PLC0415 (an extra)

    return DatabaseTarget(target, keys, signer)
