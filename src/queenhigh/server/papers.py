"""Migrations of what a server keeps in its room's file beside the streams.

The floor, notices, how tables opened, accounts and sessions are rows of this file. Their version
has a table of its own, since the file's ``user_version`` belongs to the streams.
"""

from typing import Any

import apsw

from queenhigh.errors import QueenhighError

__all__ = ["migrate"]

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
