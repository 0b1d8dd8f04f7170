"""Checks of a store: quick ones whenever it is opened, and thorough ones for a proof."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.location import Location
from queenhigh.store.reader import UNREADABLE, EventReader, is_typed_head
from queenhigh.store.signing import Head, Signer, is_signed
from queenhigh.store.streams import GENESIS, DamagedStream, is_next
from queenhigh.store.used import find_forgetful

__all__ = ["check_head", "check_index", "file_damage", "lost_streams", "quick_damage", "signer_of"]

#: How many instructions SQLite executes between two calls of the progress handler.
_INSTRUCTIONS = 10_000


def signer_of(file: Path, head: Head) -> Signer:
    """Return the signer of a store; raise if it has not the key that signed the store so far."""
    key = Path(f"{file}.key")
    if head.events and not key.exists():
        message = f"{key} is missing, and {file} is signed with it: {_REMEDY}"
        raise QueenhighError("store.key", message)
    signer = Signer(key)
    if head.events and signer.key != head.key:
        raise QueenhighError("store.key", f"{key} is not the key that signed {file}: {_REMEDY}")
    return signer


_REMEDY = (
    "put the right key there; if it is lost, move it away, make a backup and restore that, which"
    " creates a new key"
)


def check_head(connection: apsw.Connection, file: Path) -> Head:
    """Return the head of a store; raise if it is not signed or counts other events."""
    version = int(connection.pragma("user_version"))
    if version == 1 and Path(f"{file}.key").exists():  # keys came with heads
        message = f"{file} has a key but no head, so it was changed: restore a backup"
        raise QueenhighError("store.damaged", message)
    if version < 2:  # written before there were heads
        return Head()
    with connection:  # as of one moment, since others may write
        reader = EventReader(connection)
        stored, last = reader.head(), reader.last_number()
    head = stored or Head()
    fits = is_typed_head(head) and head.events == last
    if not fits or (stored is not None and not is_signed(stored)):
        message = (
            f"the head of {file} does not match its events: run queenhigh verify, restore a backup"
        )
        raise QueenhighError("store.damaged", message)
    return head


def lost_streams(connection: apsw.Connection, seconds: float) -> frozenset[str]:
    """Return the streams that are not found by their names, as far as there is time to look.

    Such a stream would be taken for one that has no events yet.
    """
    query = (
        "select cast(name as blob) from stream as each not indexed"
        " where (select id from stream where name = each.name) is not each.id"
    )
    end = monotonic() + seconds
    try:
        rows = _interruptible(connection, query, lambda: monotonic() > end)
    except apsw.InterruptError:
        rows = []
    return frozenset(bytes(name or b"").decode(errors="replace") for (name,) in rows)


def quick_damage(file: Path, seconds: float) -> str | None:
    """Return what is wrong with a database file, if that is found within some seconds."""
    end = monotonic() + seconds
    try:
        return _damage(file, "pragma quick_check(1)", lambda: monotonic() > end)
    except apsw.InterruptError:
        return None


def file_damage(file: Path, stop: Callable[[], bool]) -> str | None:
    """Return what is wrong with a database file, or ``None``; ``stop`` ends the search."""
    try:
        return _damage(file, "pragma integrity_check(1)", stop)
    except apsw.InterruptError:
        raise KeyboardInterrupt from None


def _damage(file: Path, query: str, stop: Callable[[], bool]) -> str | None:
    try:
        with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as store:
            store.set_busy_timeout(5000)
            ((result,),) = _interruptible(store, query, stop)
    except apsw.InterruptError:
        raise
    except UNREADABLE as error:
        result = str(error)
    return None if result == "ok" else str(result).splitlines()[-1]


def _interruptible(connection: apsw.Connection, query: str, stop: Callable[[], bool]) -> list[Any]:
    """Return all rows of a query, unless ``stop`` returns true before they are found."""
    connection.set_progress_handler(stop, _INSTRUCTIONS)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.set_progress_handler(None)


def check_index(room: Location, ends: Mapping[str, tuple[int, bytes]], signed_by: bytes) -> None:
    """Read every stream by its name and the index, as a room does, and compare its end.

    ``ends`` has the version and the hash that each stream ends with in the order of all events;
    events appended since need only follow from it. If the key that signed the store lies beside
    it, the marks are checked too.
    """
    if isinstance(room, Path):
        _check_file_index(room, ends, signed_by)
        return
    from queenhigh.store.postgres.checks import check_index as check_database  # noqa: PLC0415

    check_database(room, ends)


def _check_file_index(file: Path, ends: Mapping[str, tuple[int, bytes]], signed_by: bytes) -> None:
    key = Path(f"{file}.key")
    own = Signer(key) if key.is_file() else None
    signer = own if own is not None and own.key == signed_by else None
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as store:
        store.set_busy_timeout(5000)
        with store:
            marked = int(store.pragma("user_version")) > 2  # before that there were no marks
            for stream, end in ends.items():
                indexed = _end_of(store, stream, (0, GENESIS), end[0])
                if indexed != end:
                    raise DamagedStream(stream, indexed[0])
                last = _end_of(store, stream, end, None)
                if marked and not _is_marked(store, stream, last, signer):
                    raise DamagedStream(stream, last[0])
            _check_keys(store, ends)


def _check_keys(store: apsw.Connection, ends: Mapping[str, tuple[int, bytes]]) -> None:
    try:
        stream = find_forgetful(store)
    except UNREADABLE as error:
        message = f"the command ids used by wallets cannot be read ({error}): restore a backup"
        raise QueenhighError("store.damaged", message) from None
    if stream is not None:
        raise DamagedStream(stream, ends.get(stream, (0, b""))[0])


def _end_of(
    store: apsw.Connection, stream: str, after: tuple[int, bytes], upto: int | None
) -> tuple[int, bytes]:
    """Return version and hash of the last event up to a version; raise if one does not follow."""
    version, before = after
    try:
        rows = EventReader(store).stream_events(stream, version, upto or None)
        for number, event, tip in rows:
            # An archived event has only its hash here, which the head covers.
            proved = event == b"" or is_next(before, stream, number, event, tip)
            if number != version + 1 or not proved:
                break
            version, before = number, tip
        else:
            return version, before
    except UNREADABLE:
        pass
    raise DamagedStream(stream, version)


def _is_marked(
    store: apsw.Connection, stream: str, end: tuple[int, bytes], signer: Signer | None
) -> bool:
    query = "select version, mark from tip where stream = (select id from stream where name = ?)"
    try:
        rows: Any = store.execute(query, (stream,)).fetchall()
    except UNREADABLE:
        return False
    if len(rows) != 1 or rows[0][0] != end[0]:
        return False
    return signer is None or rows[0][1] == signer.mark(end[1])
