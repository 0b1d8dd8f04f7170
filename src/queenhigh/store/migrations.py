"""The versions of a store's file: what each added, and how an older file is brought up to date."""

from pathlib import Path
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.batches import mark_tips
from queenhigh.store.signing import Signer, grow
from queenhigh.store.streams import GENESIS, is_next
from queenhigh.store.used import MIGRATION as _USED

__all__ = ["MIGRATIONS", "check_newer", "migrate"]

#: Each brings a file from the version of its place to the next.
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
)
#: Since this version of a file streams have their ends marked.
_MARKED = 3


def check_newer(connection: apsw.Connection, file: Path) -> int:
    """Return which version a file is of."""
    version = int(connection.pragma("user_version"))
    if version > len(MIGRATIONS):
        told = f"{file} was written by a newer Queenhigh: update this one"
        raise QueenhighError("store.newer", told)
    return version


def migrate(connection: apsw.Connection, file: Path, signer: Signer) -> None:
    """Bring a file up to date; refuse one that a newer program wrote."""
    with connection:
        version = check_newer(connection, file)
        if version == len(MIGRATIONS):
            return
        if 0 < version < _MARKED:
            head = _prove_events(connection, file)
        for step in MIGRATIONS[version:]:
            connection.execute(step)
        if version == 1:  # from before heads were signed
            connection.execute("insert into head values (1, ?, ?, ?, ?)", signer.sign(*head))
        elif version == _MARKED - 1:
            _check_signed(connection, file, head)
        if version < _MARKED:
            mark_tips(connection, signer)
        connection.pragma("user_version", len(MIGRATIONS))


def _prove_events(connection: apsw.Connection, file: Path) -> tuple[int, bytes]:
    """Return how many events a file without marks has, and the hash over all of them.

    Whoever has the file can call it older than it is. Then its marks would be made for whatever
    events it has, so that they are read first, each by the one before it in its stream.
    """
    ask = (
        "select event.id, name, version, event, hash from event"
        " left join stream on stream.id = event.stream order by event.id"
    )
    ends: dict[str, tuple[int, bytes]] = {}
    events, over_all = 0, GENESIS
    rows: Any = connection.execute(ask)
    for id, name, version, event, tip in rows:
        last, before = ends.get(name, (0, GENESIS))
        follows = isinstance(name, str) and is_next(before, name, version, event, tip)
        if not follows or (id, version) != (events + 1, last + 1):
            raise _damaged(file)
        ends[name], events, over_all = (version, tip), id, grow(over_all, tip)
    return events, over_all


def _check_signed(connection: apsw.Connection, file: Path, found: tuple[int, bytes]) -> None:
    """Refuse a file whose events are others than its head is of; the head's key is known."""
    heads: Any = connection.execute("select events, hash from head").fetchall()
    if found != (heads[0] if heads else (0, GENESIS)):
        raise _damaged(file)


def _damaged(file: Path) -> QueenhighError:
    told = f"the events of {file} are not those it was signed with: restore a backup"
    return QueenhighError("store.damaged", told)
