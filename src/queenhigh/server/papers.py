"""Rows that a server keeps in its room's file beside the streams: their changes and migrations.

The floor, notices, how tables opened, accounts and sessions are rows of this file. Their version
has a table of its own, since the file's ``user_version`` belongs to the streams. A change that the
log tells of is written in one transaction with its events.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.room.registry import ACCOUNTS, FLOOR_LOG, AccountEvent, FloorActed
from queenhigh.store.batches import Statement
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import AT_END, Append, Belief, Then
from queenhigh.table.events import encode

__all__ = ["NOTHING", "Change", "Papers", "migrate", "refusing_failures"]

#: Each brings the papers from the version of its place to the next. Those that say `if not exists`
#: complete what an older program left, which made tables one by one and kept no version.
_MIGRATIONS = (
    """
    create table if not exists floor (hash blob primary key) strict;
    create table if not exists floor_log (
        id integer primary key,
        at integer not null,
        who text not null,
        action text not null,
        subject text not null,
        before text not null,
        after text not null,
        reason text not null
    ) strict;
    create table if not exists notice (
        id integer primary key, at integer not null, tables text not null, text text not null
    ) strict;
    create table if not exists opened (
        name text primary key,
        owner text,
        disabled integer not null default 0,
        bots_bank integer not null default 1
    ) strict;
    """,
    "alter table opened add column change blob;",
    """
    alter table opened add column bots integer not null default 0;
    alter table opened add column closed integer not null default 0;
    """,
    """
    create table if not exists account (
        name text primary key,
        folded text not null unique,
        password text,
        frozen integer not null default 0,
        failures integer not null default 0,
        locked_until integer not null default 0
    ) strict;
    create table if not exists session (
        hash blob primary key,
        name text not null references account,
        until integer not null
    ) strict;
    """,
    """
    create table if not exists session_time (
        id integer primary key check (id = 1),
        clock integer not null,
        time integer not null
    ) strict;
    """,
    "alter table opened add column closing integer not null default 0;",
)
_VERSION = """
create table if not exists papers (
    id integer primary key check (id = 1),
    version integer not null
) strict;
"""


def migrate(db: apsw.Connection) -> None:
    """Bring the papers of a file up to date; refuse those that a newer program wrote."""
    if _version(db) == len(_MIGRATIONS):
        return
    db.execute("begin immediate")
    try:
        db.execute(_VERSION)
        version = _version(db)
        if version > len(_MIGRATIONS):
            raise QueenhighError(
                "store.newer", "this room was written by a newer Queenhigh: update this one"
            )
        for step in _MIGRATIONS[version:]:
            db.execute(step)
        db.execute("insert or replace into papers values (1, ?)", (len(_MIGRATIONS),))
        db.execute("commit")
    except BaseException:
        db.execute("rollback")
        raise


def _version(db: apsw.Connection) -> int:
    """Return the version of the papers; of those without one, the version that they look like."""
    if _columns(db, "papers"):
        found: Any = db.execute("select version from papers").fetchone()
        if found:
            return int(found[0])
    columns = _columns(db, "opened")
    if not columns:
        return 0
    return 3 if "closed" in columns else 2 if "change" in columns else 1


def _columns(db: apsw.Connection, table: str) -> set[str]:
    return {str(name) for (name,) in db.execute("select name from pragma_table_info(?)", (table,))}


@contextmanager
def refusing_failures() -> Iterator[None]:
    """Refuse what the disk does not take, as the store does for what it writes itself."""
    try:
        yield
    except apsw.ConstraintError:  # no affair of the disk
        raise
    except apsw.Error as error:
        told = f"the store could not be written ({error}): see to the disk, and try again"
        raise QueenhighError("store.failed", told) from None


class Change(NamedTuple):
    """Rows to write, and the events that tell of it: all of it or nothing."""

    rows: tuple[Statement, ...] = ()
    events: tuple[FloorActed | AccountEvent, ...] = ()

    def appends(self) -> list[Append]:
        """Return what the streams get."""
        return [
            Append(
                FLOOR_LOG if isinstance(event, FloorActed) else ACCOUNTS, AT_END, (encode(event),)
            )
            for event in self.events
        ]


NOTHING = Change()


class Papers:
    """The rows of one room. Without a store no event tells of a change."""

    def __init__(self, db: apsw.Connection, store: SqliteStore | None = None) -> None:
        self.db, self.store = db, store
        migrate(db)

    def write(self, *changes: Change) -> None:
        """Write changes all at once; they are on disk when this returns."""
        change = _joined(changes)
        if self.store is not None and change.events:
            self.store.append(*change.appends(), rows=change.rows)
            return
        with refusing_failures(), self.db:
            for statement, values in change.rows:
                self.db.execute(statement, values)

    def submit(
        self,
        then: Then,
        change: Change,
        upon: tuple[Belief, ...],
        appends: tuple[Append, ...] = (),
    ) -> None:
        """Queue a change for the store's next flush; it fails with what it was decided upon.

        ``appends`` to other streams come before its events, in the same transaction.
        """
        if self.store is None:
            assert not appends, "events have a store"
            self.write(change)
            then(None)
            return
        self.store.submit(then, *appends, *change.appends(), upon=upon, rows=change.rows)


def _joined(changes: tuple[Change, ...]) -> Change:
    rows = tuple(row for change in changes for row in change.rows)
    return Change(rows, tuple(event for change in changes for event in change.events))
