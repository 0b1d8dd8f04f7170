"""The rows of a server, in the room's file beside the streams: their changes and migrations.

The floor's token, notices, how tables were opened, accounts and sessions are rows. The table
``papers`` has their version, since the file's ``user_version`` belongs to the streams. A change
and its events are written in one transaction.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.commit_writer import Statement
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import AT_END, Append, Lineage, OnDone
from queenhigh.table.events import encode
from queenhigh.table.registry import ACCOUNTS, FLOOR_LOG, AccountEvent, FloorActed

__all__ = ["NOTHING", "AdminChange", "AdminRows", "migrate", "refusing_failures"]

#: Each migrates the rows from the version of its index to the next. `if not exists` completes what
#: an older program left, which created tables one by one and kept no version.
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
    "alter table opened add column practice integer not null default 0;",
    "create table if not exists former_name (folded text primary key) strict;",
)
_VERSION = """
create table if not exists papers (
    id integer primary key check (id = 1),
    version integer not null
) strict;
"""


def migrate(db: apsw.Connection) -> None:
    """Migrate the rows of a file to this version; refuse rows that a newer program wrote."""
    if _version(db) == len(_MIGRATIONS):
        return
    db.execute("begin immediate")
    try:
        db.execute(_VERSION)
        version = _version(db)
        if version > len(_MIGRATIONS):
            raise QueenhighError(
                "store.newer", "a newer version of Queenhigh wrote this database: update this one"
            )
        for step in _MIGRATIONS[version:]:
            db.execute(step)
        db.execute("insert or replace into papers values (1, ?)", (len(_MIGRATIONS),))
        db.execute("commit")
    except BaseException:
        db.execute("rollback")
        raise


def _version(db: apsw.Connection) -> int:
    """Return the version of the rows; without one, the version that the columns belong to."""
    if _columns(db, "papers"):
        row = db.execute("select version from papers").fetchone()
        if row:
            return int(str(row[0]))
    columns = _columns(db, "opened")
    if not columns:
        return 0
    return 3 if "closed" in columns else 2 if "change" in columns else 1


def _columns(db: apsw.Connection, table: str) -> set[str]:
    return {str(name) for (name,) in db.execute("select name from pragma_table_info(?)", (table,))}


@contextmanager
def refusing_failures() -> Iterator[None]:
    """Turn errors of the disk into ``store.failed``, as the store does for its own writes."""
    try:
        yield
    except apsw.ConstraintError:  # not an error of the disk
        raise
    except apsw.Error as error:
        sentence = f"the database could not be written ({error}): check the disk and try again"
        raise QueenhighError("store.failed", sentence) from None


class AdminChange(NamedTuple):
    """Rows to write together with their events: all of it or nothing."""

    rows: tuple[Statement, ...] = ()
    events: tuple[FloorActed | AccountEvent, ...] = ()

    def appends(self) -> list[Append]:
        """Return the appends of the events to their streams."""
        return [
            Append(
                FLOOR_LOG if isinstance(event, FloorActed) else ACCOUNTS, AT_END, (encode(event),)
            )
            for event in self.events
        ]


NOTHING = AdminChange()


class AdminRows:
    """The rows of one room. Without a store, events are not written."""

    def __init__(self, db: apsw.Connection, store: SqliteStore | None = None) -> None:
        self.db, self.store = db, store
        migrate(db)

    def write(self, *changes: AdminChange) -> None:
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
        then: OnDone,
        change: AdminChange,
        depends_on: tuple[Lineage, ...],
        appends: tuple[Append, ...] = (),
    ) -> None:
        """Queue a change for the store's next flush; it fails if what it depends on fails.

        ``appends`` to other streams come before its events, in the same transaction.
        """
        if self.store is None:
            assert not appends, "events have a store"
            self.write(change)
            then(None)
            return
        self.store.submit(
            then, *appends, *change.appends(), depends_on=depends_on, rows=change.rows
        )


def _joined(changes: tuple[AdminChange, ...]) -> AdminChange:
    rows = tuple(row for change in changes for row in change.rows)
    return AdminChange(rows, tuple(event for change in changes for event in change.events))
