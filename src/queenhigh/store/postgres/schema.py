"""The versions of a room's database: what each one added, and how an older one is migrated.

Migrations run one after another under a lock that all processes share. Each must leave a database
that the program before it can still use, because processes are upgraded one by one.
"""

from queenhigh.errors import QueenhighError
from queenhigh.store.location import PostgresUrl, shown
from queenhigh.store.postgres.connection import Db

__all__ = ["LOCK", "MIGRATIONS", "check_version", "migrate", "version_of"]

#: The key of the lock under which migrations run.
LOCK = 0x51_75_65_65_6E
_BEGIN = """
    create schema if not exists queenhigh;
    create table if not exists version (
        id integer primary key check (id = 1), version integer not null
    );
    insert into version values (1, 0) on conflict do nothing;
"""
#: Each one migrates a database from the version of its index to the next.
MIGRATIONS = (
    """
    create table stream (id bigint primary key, name text collate "C" not null unique);
    -- Events lie in the order they came, whatever their stream, and the index on streams grows at
    -- the end of each: both are written in few places, however many events there are.
    create table event (
        id bigint primary key,
        stream bigint not null,
        version bigint not null,
        event bytea not null,
        hash bytea not null,
        unique (stream, version)
    );
    -- Events of a game do not compress well, and are read far less often than written.
    alter table event alter column event set storage external;
    -- One row, locked by every commit: it numbers the events of all processes.
    create table head (
        id integer primary key check (id = 1),
        events bigint not null,
        hash bytea not null,
        key bytea not null,
        signature bytea not null,
        streams bigint not null
    ) with (fillfactor = 10);
    insert into head values (1, 0, decode(repeat('00', 32), 'hex'), '', '', 0);
    create table snapshot (
        stream bigint primary key,
        version bigint not null,
        hash bytea not null,
        signature bytea not null,
        state bytea not null
    );
    -- Where each stream ends, so that one that was cut short is seen when it is read.
    create table tip (
        stream bigint primary key,
        version bigint not null,
        hash bytea not null,
        mark bytea not null
    ) with (fillfactor = 50);
    create table used (
        stream bigint not null,
        key text collate "C" not null,
        primary key (stream, key)
    );
    -- What the room is: the epoch, the database that it was last written in, the mark of the key
    -- that it deals with, whether a copy into it is unfinished, and the secret of its processes.
    create table room (
        id integer primary key check (id = 1),
        epoch bigint not null,
        identity text not null,
        dealing bytea,
        unfinished text,
        secret bytea not null
    );
    -- The processes that serve the room, and the tables that each of them holds.
    create table process (
        id bigint generated always as identity primary key,
        address text not null,
        until timestamptz not null,
        stops boolean not null default false,
        watching jsonb not null default '{}'
    );
    create sequence token;
    create table lease (
        name text collate "C" primary key,
        process bigint not null,
        token bigint not null
    );
    create index on lease (process) where process <> -1;
    create index on lease (token);
    """,
    # Processes of the program before have edition 0 until the last of them is gone (leases.py).
    "alter table process add column edition integer not null default 0;",
)


def version_of(connection: Db) -> int:
    """Return the version of a database; 0 for an empty one."""
    query = "select to_regclass('queenhigh.version')"
    if connection.execute(query).fetchall() == [(None,)]:
        return 0
    ((version,),) = connection.execute("select version from queenhigh.version").fetchall()
    return int(version)


def check_version(connection: Db, url: PostgresUrl) -> int:
    """Return the version of a database; raise if a newer program wrote it."""
    version = version_of(connection)
    if version > len(MIGRATIONS):
        message = f"{shown(url)} was written by a newer version of Queenhigh: update this one"
        raise QueenhighError("store.newer", message)
    return version


def migrate(connection: Db, url: PostgresUrl) -> None:
    """Migrate a database to the newest version; raise if a newer program wrote it."""
    if check_version(connection, url) == len(MIGRATIONS):
        return
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        connection.execute(_BEGIN)
        for step in MIGRATIONS[check_version(connection, url) :]:
            connection.execute(step)
        connection.execute("update version set version = %s", (len(MIGRATIONS),))
