"""The row of a room: its epoch, where it was last written, and the mark of its dealing key.

A database that was made from a dump, or that a backup was restored to, is another database than
the one in the row; so is one that a replica has taken over. Rounds may have been dealt and shown
that it does not have. It gets another epoch then, and no seed is used twice.
"""

import hashlib
import hmac
import secrets
from pathlib import Path
from time import time
from typing import NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.store.location import PostgresUrl, shown
from queenhigh.store.postgres.connection import Db
from queenhigh.store.postgres.schema import LOCK
from queenhigh.store.signing import secret_in

__all__ = ["RoomRow", "begin_copy", "check_finished", "end_copy", "identity_of", "open_room"]


#: The cluster, its line of history, and the database in it. The line is that of the log file under
#: way: a replica that was promoted writes it down elsewhere only with its next checkpoint. As long
#: as it is a replica it has none, and nothing can be written.
_IDENTITY = """
    select format(
        '%s/%s/%s', system_identifier,
        case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end,
        oid
    )
    from pg_control_system(), pg_database where datname = current_database()
"""
_TAG = b"queenhigh/dealing/1"
#: For so many seconds a process that became silent may return.
_RECENT = 600


class RoomRow(NamedTuple):
    """What is known of a room beside its events."""

    epoch: int
    #: The 32 secret bytes that the room deals with; they are in no database.
    dealing_key: bytes
    #: What processes of the room know each other by.
    secret: bytes


def identity_of(db: Db) -> str:
    """Return what tells a database from every other one."""
    ((identity,),) = db.execute(_IDENTITY).fetchall()
    return str(identity)


def is_replica_of(identity: str, known: str) -> bool:
    """Return whether a database was a replica of another one, whose processes serve it now."""
    (system, _, oid), (known_system, _, known_oid) = identity.split("/"), known.split("/")
    return (system, oid) == (known_system, known_oid)


def begin_copy(db: Db, url: PostgresUrl, room: str) -> None:
    """Mark a database as one that a room, by its public key, is being copied to.

    Raise if it has a room, or an unfinished copy of another one.
    """
    with db.transaction():
        db.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        query = "select events, unfinished, room.id from head left join room on true"
        ((events, unfinished, row),) = db.execute(query).fetchall()
        if unfinished is not None and unfinished != room:
            message = f"{shown(url)} has an unfinished copy of another room"
            raise QueenhighError("copy.other", f"{message}: choose another database")
        if unfinished is None and events:
            message = f"{shown(url)} has a room already: choose an empty database"
            raise QueenhighError("copy.exists", message)
        if row is None:
            values = (identity_of(db), room, secrets.token_bytes(32))
            db.execute("insert into room values (1, 0, %s, null, %s, %s)", values)
        elif unfinished is None:
            db.execute("update room set unfinished = %s", (room,))


def end_copy(db: Db, epoch: int) -> None:
    """Open a room whose copy is complete, with an epoch of its own."""
    values = (epoch, identity_of(db))
    db.execute("update room set unfinished = null, epoch = %s, identity = %s", values)


def open_room(db: Db, url: PostgresUrl, dealing: Path) -> RoomRow:
    """Return the row of a room after bringing it up to date, or raise with a sentence."""
    with db.transaction():
        db.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        identity = identity_of(db)
        row = db.execute("select epoch, identity, dealing, secret from room").fetchone()
        if row is None:
            row = (0, identity, None, secrets.token_bytes(32))
            query = "insert into room values (1, %s, %s, %s, null, %s)"
            db.execute(query, row)
        epoch, known, mark, secret = row
        if known != identity:
            epoch = max(epoch + 1, int(time()))
            db.execute("update room set epoch = %s, identity = %s", (epoch, identity))
            if not is_replica_of(identity, known):  # its processes are those of another database
                db.execute("delete from process")
        key = _dealing_key(db, url, dealing, mark)
    return RoomRow(int(epoch), key, bytes(secret))


def check_finished(db: Db, url: PostgresUrl) -> None:
    """Raise if a room was copied here, and not all of it."""
    if db.execute("select 1 from room where unfinished is not null").fetchone():
        message = f"the copy into {shown(url)} is not finished: run queenhigh copy again"
        raise QueenhighError("copy.unfinished", message)


def _dealing_key(db: Db, url: PostgresUrl, file: Path, mark: bytes | None) -> bytes:
    """Return the dealing key, which must be the one that other processes of the room have.

    Without other processes a lost key is replaced, as beside a file; an open round is voided then.
    Processes that were there a moment ago count: all are silent while the database is away.
    """
    query = "select count(*) from process where until > now() - make_interval(secs => %s)"
    ((others,),) = db.execute(query, (_RECENT,)).fetchall()
    if others and mark is not None and not file.exists():
        message = (
            f"{file} is missing: copy it from a machine where {shown(url)} is served, or wait ten"
            " minutes after the last process of the room has stopped"
        )
        raise QueenhighError("store.key", message)
    key = secret_in(file)
    own = hmac.digest(key, _TAG, hashlib.sha256)
    if others and mark is not None and own != mark:
        message = f"{file} is not the dealing key of {shown(url)}: copy the right one"
        raise QueenhighError("store.key", message)
    if own != mark:
        db.execute("update room set dealing = %s", (own,))
    return key
