"""The versions of a store's file: what each one added, and how an older file is migrated."""

from pathlib import Path

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.commit_writer import mark_tips
from queenhigh.store.reader import EventReader
from queenhigh.store.signing import Head, Signer, extend_head
from queenhigh.store.streams import GENESIS, is_next
from queenhigh.store.used import MIGRATION as _USED

__all__ = ["MIGRATIONS", "check_newer", "migrate"]

#: Each one migrates a file from the version of its index to the next.
MIGRATIONS = (
    """
    create table stream (id integer primary key, name text not null unique) strict;
    -- Events lie in the order they came, whatever their stream: a commit that serves many streams
    -- then writes few pages. The index finds a stream's, and is the lock.
    create table event (
        id integer primary key,
        stream integer not null references stream,
        version integer not null,
        event blob not null,
        hash blob not null,
        unique (stream, version)
    ) strict;
    """,
    """
    create table head (
        id integer primary key check (id = 1),
        events integer not null,
        hash blob not null,
        key blob not null,
        signature blob not null
    ) strict;
    create table snapshot (
        stream integer primary key references stream,
        version integer not null,
        state blob not null
    ) strict;
    """,
    """
    create table epoch (id integer primary key check (id = 1), number integer not null) strict;
    insert into epoch values (1, 0);
    -- Snapshots that nobody signed are worth nothing.
    drop table snapshot;
    create table snapshot (
        stream integer primary key references stream,
        version integer not null,
        hash blob not null,
        signature blob not null,
        state blob not null
    ) strict;
    -- Where each stream ends, so that one that was cut short is seen when it is read.
    create table tip (
        stream integer primary key references stream,
        version integer not null,
        mark blob not null
    ) strict;
    """,
    _USED,
    # A program from before this version would let one person with two names correct a round.
    "",
)
#: Since this version the ends of streams are marked.
_MARKED = 3


def check_newer(connection: apsw.Connection, file: Path) -> int:
    """Return the version of a file; raise if a newer program wrote it."""
    version = int(connection.pragma("user_version"))
    if version > len(MIGRATIONS):
        message = f"{file} was written by a newer version of Queenhigh: update this one"
        raise QueenhighError("store.newer", message)
    return version


def migrate(connection: apsw.Connection, file: Path, signer: Signer) -> None:
    """Migrate a file to the newest version; raise if a newer program wrote it."""
    with connection:
        version = check_newer(connection, file)
        if version == len(MIGRATIONS):
            return
        if 0 < version < _MARKED:
            head = _prove_events(connection, file)
        for step in MIGRATIONS[version:]:
            connection.execute(step)
        if version == 1:  # written before heads were signed
            connection.execute("insert into head values (1, ?, ?, ?, ?)", signer.sign(*head))
        elif version == _MARKED - 1:
            _check_signed(connection, file, head)
        if version < _MARKED:
            mark_tips(connection, signer)
        connection.pragma("user_version", len(MIGRATIONS))


def _prove_events(connection: apsw.Connection, file: Path) -> tuple[int, bytes]:
    """Return how many events a file without marks has, and the hash over all of them.

    Anyone with access to the file can lower its version. Marks are about to be made for whatever
    events it has, so each event is proved first by the one before it in its stream.
    """
    ends: dict[str, tuple[int, bytes]] = {}
    events, over_all = 0, GENESIS
    for id, name, version, event, tip in EventReader(connection).events():
        last, before = ends.get(name, (0, GENESIS))
        follows = isinstance(name, str) and is_next(before, name, version, event, tip)
        if not follows or (id, version) != (events + 1, last + 1):
            raise _damaged(file)
        ends[name], events, over_all = (version, tip), id, extend_head(over_all, tip)
    return events, over_all


def _check_signed(connection: apsw.Connection, file: Path, read: tuple[int, bytes]) -> None:
    """Raise if a file's events are not those of its head, whose key has been checked."""
    head = EventReader(connection).head() or Head()
    if read != (head.events, head.hash):
        raise _damaged(file)


def _damaged(file: Path) -> QueenhighError:
    message = f"the events of {file} do not match its signature: restore a backup"
    return QueenhighError("store.damaged", message)
