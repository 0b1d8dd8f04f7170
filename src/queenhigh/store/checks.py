"""What is looked at when a store is opened, and what only a proof of all of it looks at."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Head, Signer, is_signed
from queenhigh.store.streams import GENESIS, DamagedStream, is_next
from queenhigh.store.used import find_forgetful

__all__ = ["check_head", "check_index", "file_damage", "lost_streams", "quick_damage", "signer_of"]

#: How many instructions SQLite follows between two looks at the clock.
_INSTRUCTIONS = 10_000
_LAST = 2**62
_UNREADABLE = (apsw.Error, UnicodeDecodeError)


def signer_of(file: Path, head: Head) -> Signer:
    """Return who signs a store: nobody but who has signed it so far."""
    key = Path(f"{file}.key")
    if head.events and not key.exists():
        told = f"{key} is not there, and {file} is signed with it: {_REMEDY}"
        raise QueenhighError("store.key", told)
    signer = Signer(key)
    if head.events and signer.key != head.key:
        raise QueenhighError("store.key", f"{key} is not the key that signed {file}: {_REMEDY}")
    return signer


_REMEDY = (
    "put the right one there, or, if it is lost, move it away, take a backup, and restore that:"
    " it gets a new key"
)


def check_head(connection: apsw.Connection, file: Path) -> Head:
    """Return the head of a store; refuse a store that does not end where its head says."""
    version = int(connection.pragma("user_version"))
    if version == 1 and Path(f"{file}.key").exists():  # keys came with heads
        told = f"{file} has no head, but a key: somebody changed it, so restore a backup"
        raise QueenhighError("store.damaged", told)
    if version < 2:  # from before there were heads
        return Head()
    with connection:  # as of one moment, since others may write
        heads: Any = connection.execute("select events, hash, key, signature from head").fetchall()
        ((last,),) = connection.execute("select coalesce(max(id), 0) from event")
    head = Head(*heads[0]) if heads else Head()
    typed = tuple(map(type, head)) == (int, bytes, bytes, bytes)
    if not typed or head.events != last or (heads and not is_signed(head)):
        told = f"the head of {file} does not fit its events: see queenhigh verify, restore a backup"
        raise QueenhighError("store.damaged", told)
    return head


def lost_streams(connection: apsw.Connection, seconds: float) -> frozenset[str]:
    """Return the streams that are not found by their names, as far as there is time to look.

    Otherwise such a stream would be taken for one that has no events yet.
    """
    ask = (
        "select cast(name as blob) from stream as one not indexed"
        " where (select id from stream where name = one.name) is not one.id"
    )
    end = monotonic() + seconds
    try:
        found = _interruptible(connection, ask, lambda: monotonic() > end)
    except apsw.InterruptError:
        found = []
    return frozenset(bytes(name or b"").decode(errors="replace") for (name,) in found)


def quick_damage(file: Path, seconds: float) -> str | None:
    """Say in what a file is not a sound database, as far as that is found in some seconds."""
    end = monotonic() + seconds
    try:
        return _damage(file, "pragma quick_check(1)", lambda: monotonic() > end)
    except apsw.InterruptError:
        return None


def file_damage(file: Path, stop: Callable[[], bool]) -> str | None:
    """Say in what a file is not a sound database, if it is not; ``stop`` ends the search."""
    try:
        return _damage(file, "pragma integrity_check(1)", stop)
    except apsw.InterruptError:
        raise KeyboardInterrupt from None


def _damage(file: Path, ask: str, stop: Callable[[], bool]) -> str | None:
    try:
        with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as store:
            store.set_busy_timeout(5000)
            ((found,),) = _interruptible(store, ask, stop)
    except apsw.InterruptError:
        raise
    except _UNREADABLE as error:
        found = str(error)
    return None if found == "ok" else str(found).splitlines()[-1]


def _interruptible(connection: apsw.Connection, ask: str, stop: Callable[[], bool]) -> list[Any]:
    connection.set_progress_handler(stop, _INSTRUCTIONS)
    try:
        return connection.execute(ask).fetchall()
    finally:
        connection.set_progress_handler(None)


def check_index(file: Path, ends: Mapping[str, tuple[int, bytes]], signed_by: bytes) -> None:
    """Read every stream by its name and the index, as a room does, and compare where it ends.

    ``ends`` has the version and the hash that each stream ends with in the order of all events;
    what was appended since is proved only to follow. Where the key that signed it lies beside the
    store the marks are checked too.
    """
    key = Path(f"{file}.key")
    own = Signer(key) if key.is_file() else None
    signer = own if own is not None and own.key == signed_by else None
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as store:
        store.set_busy_timeout(5000)
        with store:
            marked = int(store.pragma("user_version")) > 2  # before that there were no marks
            for stream, end in ends.items():
                found = _read_on(store, stream, (0, GENESIS), end[0])
                if found != end:
                    raise DamagedStream(stream, found[0])
                last = _read_on(store, stream, end, None)
                if marked and not _is_marked(store, stream, last, signer):
                    raise DamagedStream(stream, last[0])
            _check_keys(store, ends)


def _check_keys(store: apsw.Connection, ends: Mapping[str, tuple[int, bytes]]) -> None:
    try:
        stream = find_forgetful(store)
    except _UNREADABLE as error:
        told = f"the keys that wallets have used cannot be read ({error}): restore a backup"
        raise QueenhighError("store.damaged", told) from None
    if stream is not None:
        raise DamagedStream(stream, ends.get(stream, (0, b""))[0])


def _read_on(
    store: apsw.Connection, stream: str, after: tuple[int, bytes], upto: int | None
) -> tuple[int, bytes]:
    """Return version and hash of the last event up to a version, if each follows from the last."""
    ask = (
        "select version, event, hash from event where stream ="
        " (select id from stream where name = ?) and version > ? and version <= ?"
        " order by version"
    )
    version, before = after
    try:
        rows: Any = store.execute(ask, (stream, version, upto or _LAST))
        for found, event, tip in rows:
            # Of an archived event nothing is here but its hash, which the head covers.
            proved = event == b"" or is_next(before, stream, found, event, tip)
            if found != version + 1 or not proved:
                break
            version, before = found, tip
        else:
            return version, before
    except _UNREADABLE:
        pass
    raise DamagedStream(stream, version)


def _is_marked(
    store: apsw.Connection, stream: str, end: tuple[int, bytes], signer: Signer | None
) -> bool:
    ask = "select version, mark from tip where stream = (select id from stream where name = ?)"
    try:
        found: Any = store.execute(ask, (stream,)).fetchall()
    except _UNREADABLE:
        return False
    if len(found) != 1 or found[0][0] != end[0]:
        return False
    return signer is None or found[0][1] == signer.mark(end[1])
