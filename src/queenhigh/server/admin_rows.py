"""The rows of a server, in the room's file beside the streams: their changes and migrations.

The floor's token, notices, how tables were opened, accounts, sessions, and the logins of the staff
are rows. The table ``papers`` has their version, since the file's ``user_version`` belongs to the
streams. A change and its events are written in one transaction.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, cast

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.batch import Statement
from queenhigh.store.durable_store import DurableStore
from queenhigh.store.rows import RowsDb
from queenhigh.store.streams import AT_END, Append, Conflict, Lineage, OnDone
from queenhigh.table.events import encode
from queenhigh.table.registry import STAFF, RegistryEvent, stream_of

if TYPE_CHECKING:
    from queenhigh.store.postgres.rows import PostgresRows

__all__ = [
    "NOTHING",
    "AdminChange",
    "AdminRows",
    "StaffChanged",
    "joined",
    "migrate",
    "refusing_failures",
    "row_versions",
]

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
    """
    create table if not exists staff (
        name text primary key,
        folded text not null unique,
        password text not null,
        secret blob,
        new_secret blob,
        used_step integer not null default 0
    ) strict;
    create table if not exists staff_session (
        hash blob primary key,
        id text not null unique,
        name text not null references staff,
        address text not null,
        started integer not null,
        seen integer not null
    ) strict;
    create table if not exists staff_token (hash blob primary key, name text not null) strict;
    """,
)
_VERSION = """
create table if not exists papers (
    id integer primary key check (id = 1),
    version integer not null
) strict;
"""


#: The key of the lock under which the rows of PostgreSQL are migrated.
_LOCK = 0x51_75_65_65_6F
#: The same rows on PostgreSQL, which began later.
_POSTGRES_MIGRATIONS = (
    """
    create table floor (hash bytea primary key);
    create table floor_log (
        id bigint primary key,
        at bigint not null,
        who text not null,
        action text not null,
        subject text not null,
        before text not null,
        after text not null,
        reason text not null
    );
    create table notice (
        id bigint primary key, at bigint not null, tables text not null, text text not null
    );
    create table opened (
        name text primary key,
        owner text,
        disabled integer not null default 0,
        bots_bank integer not null default 1,
        change bytea,
        bots integer not null default 0,
        closed integer not null default 0,
        closing integer not null default 0,
        practice integer not null default 0
    );
    create table account (
        name text primary key,
        folded text not null unique,
        password text,
        frozen integer not null default 0,
        failures integer not null default 0,
        locked_until bigint not null default 0
    );
    create table session (
        hash bytea primary key,
        name text not null references account on update cascade deferrable initially deferred,
        until bigint not null
    );
    create index on session (until);
    create table session_time (
        id integer primary key check (id = 1),
        clock bigint not null,
        time bigint not null
    );
    create table former_name (folded text primary key);
    """,
    """
    create table staff (
        name text primary key,
        folded text not null unique,
        password text not null,
        secret bytea,
        new_secret bytea,
        used_step bigint not null default 0
    );
    create table staff_session (
        hash bytea primary key,
        id text not null unique,
        name text not null references staff on delete cascade deferrable initially deferred,
        address text not null,
        started bigint not null,
        seen bigint not null
    );
    create table staff_token (hash bytea primary key, name text not null);
    """,
)


def migrate_postgres(db: "PostgresRows") -> None:
    """Migrate the rows of a database to this version; refuse rows that a newer program wrote."""
    with db:
        db.execute("select pg_advisory_xact_lock(?)", (_LOCK,))
        db.execute(
            "create table if not exists papers"
            " (id integer primary key check (id = 1), version integer not null)"
        )
        row = db.execute("select version from papers").fetchone()
        version = int(row[0]) if row else 0
        _check_newer(version, len(_POSTGRES_MIGRATIONS))
        for step in _POSTGRES_MIGRATIONS[version:]:
            db.execute(step)
        query = "insert into papers values (1, ?) on conflict (id) do update set version = ?"
        db.execute(query, (len(_POSTGRES_MIGRATIONS),) * 2)


def row_versions(db: RowsDb) -> tuple[int, int]:
    """Return the version that rows have, and this program's; raise if a newer one wrote them."""
    if isinstance(db, apsw.Connection):
        version, newest = _version(db), len(_MIGRATIONS)
    else:
        exists = db.execute("select to_regclass('queenhigh.papers')").fetchone() != (None,)
        row = db.execute("select version from papers").fetchone() if exists else None
        version, newest = int(row[0]) if row else 0, len(_POSTGRES_MIGRATIONS)
    _check_newer(version, newest)
    return version, newest


def _check_newer(version: int, newest: int) -> None:
    if version > newest:
        raise QueenhighError(
            "store.newer", "a newer version of Queenhigh wrote this database: update this one"
        )


def migrate(db: apsw.Connection) -> None:
    """Migrate the rows of a file to this version; refuse rows that a newer program wrote."""
    if _version(db) == len(_MIGRATIONS):
        return
    db.execute("begin immediate")
    try:
        db.execute(_VERSION)
        version = _version(db)
        _check_newer(version, len(_MIGRATIONS))
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


class StaffChanged(QueenhighError):
    """The staff changed before something was written that depends on it."""

    def __init__(self) -> None:
        super().__init__("staff.changed", "the staff has just changed: try again")


class AdminChange(NamedTuple):
    """Rows to write together with their events: all of it or nothing."""

    rows: tuple[Statement, ...] = ()
    events: tuple[RegistryEvent, ...] = ()
    #: The version of the staff's stream that it was decided at, if it depends on the staff.
    staff: int | None = None

    def appends(self) -> list[Append]:
        """Return the appends of the events to their streams; they fail if the staff has changed."""
        changed = [Append(stream_of(event), AT_END, (encode(event),)) for event in self.events]
        return changed if self.staff is None else [Append(STAFF, self.staff, ()), *changed]


NOTHING = AdminChange()


class AdminRows:
    """The rows of one room. Without a store, events are not written."""

    def __init__(self, db: RowsDb, store: DurableStore | None = None) -> None:
        self.db, self.store = db, store
        if isinstance(db, apsw.Connection):
            migrate(db)
        else:
            migrate_postgres(cast("PostgresRows", db))

    def write(self, *changes: AdminChange) -> None:
        """Write changes all at once; they are on disk when this returns."""
        change = joined(*changes)
        if self.store is not None and change.events:
            self._append(self.store, change)
            return
        with refusing_failures(), self.db:
            for statement, values in change.rows:
                self.db.execute(statement, values)

    def _append(self, store: DurableStore, change: AdminChange) -> None:
        try:
            store.append(*change.appends(), rows=change.rows)
        except Conflict as conflict:
            if conflict.stream != STAFF:
                raise
            raise StaffChanged from None

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


def joined(*changes: AdminChange) -> AdminChange:
    """Return changes as one."""
    rows = tuple(row for change in changes for row in change.rows)
    events = tuple(event for change in changes for event in change.events)
    versions = [change.staff for change in changes if change.staff is not None]
    return AdminChange(rows, events, min(versions, default=None))
