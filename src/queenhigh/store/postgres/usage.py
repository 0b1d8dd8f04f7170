"""Whether a room on PostgreSQL is in use: a copy of it, or bots at it, need it for themselves."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from queenhigh.errors import QueenhighError
from queenhigh.store.location import PostgresUrl, shown
from queenhigh.store.postgres.connection import Db, connect, explained
from queenhigh.store.postgres.leases import Leases
from queenhigh.store.postgres.room_row import check_finished, identity_of
from queenhigh.store.postgres.schema import check_version
from queenhigh.store.postgres.store import PostgresStore

__all__ = ["check_complete", "check_unused", "holding", "is_same_database", "sole_user"]

#: The key of the lock that a command holds as long as it uses a room alone.
_LOCK = 0x51_75_65_65_70
_ALL = 2**31


@contextmanager
def sole_user(url: PostgresUrl) -> Iterator[None]:
    """Lock a room while one command uses it; raise if a server or another command does."""
    with closing(connect(url)) as db:
        with explained(url):
            ((is_free,),) = db.execute("select pg_try_advisory_lock(%s)", (_LOCK,)).fetchall()
            if not is_free:
                raise QueenhighError(
                    "serve.busy", f"another command is using {shown(url)}: wait until it is done"
                )
            check_unused(db, url)
        yield


@contextmanager
def holding(store: PostgresStore, prefix: str) -> Iterator[None]:
    """Hold all streams of a prefix while one command appends to them.

    It says only once that it is alive: a server that starts meanwhile takes the streams.
    """
    with closing(Leases(store.url)) as leases:
        id = leases.join("a command", prefix)
        for lease in leases.take(id, _ALL):
            store.writer.hold(lease.stream, lease.token)
        try:
            yield
        finally:
            store.flush()
            leases.leave(id)


def check_unused(db: Db, url: PostgresUrl) -> None:
    """Raise if a process serves a room."""
    if check_version(db, url) == 0:
        return
    query = "select address from process where until > clock_timestamp() limit 1"
    row = db.execute(query).fetchone()
    if row is not None:
        message = f"{shown(url)} is in use by the server at {row[0]}: stop it first"
        raise QueenhighError("serve.busy", message)


def check_complete(url: PostgresUrl) -> None:
    """Raise if a copy into a database is unfinished: it has only a part of a room."""
    with closing(connect(url)) as db, explained(url):
        if check_version(db, url):
            check_finished(db, url)


def is_same_database(url: PostgresUrl, other: PostgresUrl) -> bool:
    """Return whether two URLs lead to one database."""
    with closing(connect(url)) as first, closing(connect(other)) as second, explained(url):
        return identity_of(first) == identity_of(second)
