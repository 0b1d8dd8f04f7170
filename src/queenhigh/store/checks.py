"""What is looked at when a store is opened: its key, its head, and its list of streams."""

from pathlib import Path
from time import monotonic
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Head, Signer, is_signed

__all__ = ["check_head", "lost_streams", "signer_of"]

#: How many instructions SQLite follows between two looks at the clock.
_INSTRUCTIONS = 10_000


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
    if int(connection.pragma("user_version")) < 2:  # from before there were heads
        return Head()
    heads: Any = connection.execute("select events, hash, key, signature from head").fetchall()
    head = Head(*heads[0]) if heads else Head()
    ((last,),) = connection.execute("select coalesce(max(id), 0) from event")
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
    connection.set_progress_handler(lambda: monotonic() > end, _INSTRUCTIONS)
    try:
        found: Any = connection.execute(ask).fetchall()
    except apsw.InterruptError:
        found = []
    finally:
        connection.set_progress_handler(None)
    return frozenset(bytes(name or b"").decode(errors="replace") for (name,) in found)
