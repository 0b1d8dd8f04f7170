"""Which process holds which stream: rows that the appends of all processes are checked against.

A process says regularly that it is alive. The streams of one that did not are taken by the others,
with new tokens, under the lock that every commit takes: so a commit is either before that, or
finds another token than its own and writes nothing. All times are those of the database.
"""

from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from threading import Thread
from time import sleep
from typing import NamedTuple

import psycopg
from psycopg.types.json import Jsonb

from queenhigh.errors import QueenhighError
from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.connection import Link, connect, end_stalled

__all__ = ["CHANNEL", "CLOSED", "NEWS", "NOBODY", "Lease", "Leases", "Member"]

#: Where processes hear of leases that changed hands, and what else they notify each other of.
CHANNEL, NEWS = "queenhigh_lease", "queenhigh_news"
#: Stands for the process of a stream that nobody holds, and of one that is closed.
NOBODY, CLOSED = 0, -1
#: The longest time between two checks for transactions that stalled, in seconds.
_BETWEEN_CHECKS = 0.5
#: For so many seconds after its time a process may come back: the database may have been away.
_MOMENT = 30.0
#: What the processes of this program can do that those of an older one cannot: check that two
#: people are not one with two names.
_EDITION = 1
_LOCK_HEAD = "select 1 from head where id = 1 for update"
_NOTIFY = f"select pg_notify('{CHANNEL}', '')"


class Lease(NamedTuple):
    """The holder of a stream."""

    stream: str
    #: The id of the process that holds it.
    process: int
    token: int


class Member(NamedTuple):
    """A process of the room, as the database has it."""

    id: int
    #: Where other processes reach it.
    address: str
    #: Whether it gets no streams: it is about to stop, or has not begun yet.
    stops: bool
    #: How many sockets watch each of its tables, without those that nobody watches.
    watching: dict[str, int]
    #: How many streams it holds.
    held: int


class Leases:
    """The leases of a room as one process sees them. It has a connection of its own."""

    def __init__(self, url: PostgresUrl, *, seconds: float = 3.0) -> None:
        self._url, self._link = url, Link(url)
        self._seconds = seconds
        self._closed = False

    def join(self, address: str, prefix: str, *, is_ready: bool = True) -> int:
        """Add a process; return its id. Streams of a prefix that have no lease yet get one.

        A process that is not ready gets no streams of others before ``begin``.
        """
        with self._link.use() as db, db.transaction():
            db.execute(_LOCK_HEAD)
            query = (
                "insert into process (address, stops, edition, until)"
                " values (%s, %s, %s, clock_timestamp() + make_interval(secs => %s)) returning id"
            )
            values = (address, not is_ready, _EDITION, self._seconds)
            ((id,),) = db.execute(query, values).fetchall()
            db.execute(
                "insert into lease select name, %s, nextval('token') from stream"
                " where name >= %s and starts_with(name, %s)"
                " and not exists (select 1 from lease where lease.name = stream.name)",
                (NOBODY, prefix, prefix),
            )
        return int(id)

    def renew(self, process: int, address: str, watching: dict[str, int]) -> bool:
        """Renew the time of a process; return whether the others still count on it.

        A database that replaced another one may have given the same id to another process.
        """
        query = (
            "update process set until = clock_timestamp() + make_interval(secs => %s),"
            " watching = %s where id = %s and address = %s returning 1"
        )
        values = (self._seconds, Jsonb(watching), process, address)
        with self._link.use() as db:
            return bool(db.execute(query, values).fetchall())

    def members(self) -> list[Member]:
        """Return the processes that are alive, with how many streams each holds."""
        query = (
            "select id, address, stops, watching, count(lease.name) from process"
            f" left join lease on lease.process = process.id and lease.process <> {CLOSED}"
            " where until > clock_timestamp() group by process.id order by process.id"
        )
        with self._link.use() as db:
            return [Member(*row) for row in db.execute(query).fetchall()]

    def changes(self, after: int) -> list[Lease]:
        """Return the leases that changed hands since a token, oldest first.

        After token 0 those that are closed are left out: a room has ever more of them.
        """
        query = (
            "select name, process, token from lease where token > %s"
            f" and (process <> {CLOSED} or %s > 0) order by token"
        )
        with self._link.use() as db:
            return [Lease(*row) for row in db.execute(query, (after, after)).fetchall()]

    def silent(self) -> int:
        """Return how many processes were alive a moment ago, and may say so again."""
        query = (
            "select count(*) from process where until < clock_timestamp()"
            " and until > clock_timestamp() - make_interval(secs => %s)"
        )
        with self._link.use() as db:
            ((count,),) = db.execute(query, (_MOMENT,)).fetchall()
        return int(count)

    def orphans(self) -> int:
        """Return how many streams have no holder that is alive, without those that are closed."""
        query = (
            f"select count(*) from lease where process <> {CLOSED} and not exists"
            " (select 1 from process where id = lease.process and until > clock_timestamp())"
        )
        with self._link.use() as db:
            ((count,),) = db.execute(query).fetchall()
        return int(count)

    def take(self, process: int, most: int) -> list[Lease]:
        """Take streams whose holder is not alive any more, and forget such holders."""
        with self._link.use() as db, db.transaction():
            db.execute(_LOCK_HEAD)
            renew = (  # it may have waited long for the lock
                "update process set until = clock_timestamp() + make_interval(secs => %s)"
                " where id = %s returning 1"
            )
            if not db.execute(renew, (self._seconds, process)).fetchall():
                return []
            db.execute("delete from process where until < clock_timestamp()")
            query = (
                "update lease set process = %s, token = nextval('token') where name in"
                f" (select name from lease where process <> {CLOSED} and not exists"
                " (select 1 from process where id = lease.process) order by name limit %s)"
                " returning name, process, token"
            )
            rows = db.execute(query, (process, most)).fetchall()
            if rows:
                db.execute(_NOTIFY)
        return [Lease(*row) for row in rows]

    def claim(self, process: int, stream: str) -> Lease:
        """Take a stream that is new; raise if another process has it."""
        query = (
            "insert into lease values (%s, %s, nextval('token')) on conflict do nothing"
            " returning name, process, token"
        )
        with self._link.use() as db, db.transaction():
            db.execute(_LOCK_HEAD)
            rows = db.execute(query, (stream, process)).fetchall()
            db.execute(_NOTIFY)
        if not rows:
            raise QueenhighError("lease.taken", f"another process has {stream}")
        return Lease(*rows[0])

    def hand_over(self, process: int, to: dict[str, int]) -> None:
        """Give streams of a process to others, by their ids; nobody's if a process is 0."""
        with self._link.use() as db, db.transaction():
            db.execute(_LOCK_HEAD)
            for stream, other in to.items():
                db.execute(
                    "update lease set process = %s, token = nextval('token')"
                    " where name = %s and process = %s",
                    (other, stream, process),
                )
            db.execute(_NOTIFY)

    def free(self, process: int, stream: str) -> bool:
        """Free a stream that was claimed; return whether nothing was written to it."""
        with self._link.use() as db, db.transaction():
            db.execute(_LOCK_HEAD)
            query = (
                "delete from lease where name = %s and process = %s"
                " and not exists (select 1 from stream where stream.name = lease.name) returning 1"
            )
            return bool(db.execute(query, (stream, process)).fetchall())

    def close_stream(self, process: int, stream: str) -> None:
        """Note that a stream is closed; one that was never written can be claimed again."""
        values = (stream, process)
        with self._link.use() as db, db.transaction():
            db.execute(_LOCK_HEAD)
            db.execute(
                "delete from lease where name = %s and process = %s"
                " and not exists (select 1 from stream where stream.name = lease.name)",
                values,
            )
            db.execute(
                f"update lease set process = {CLOSED}, token = nextval('token')"
                " where name = %s and process = %s",
                values,
            )
            db.execute(_NOTIFY)

    def retire_older(self) -> bool:
        """Return whether all processes are of this edition, and no older one can join any more.

        An older program does not say its edition, so without a default its processes cannot join.
        """
        query = "select count(*) from process where edition < %s and until > clock_timestamp()"
        query += " - make_interval(secs => %s)"
        with self._link.use() as db, db.transaction():
            if db.execute(query, (_EDITION, _MOMENT)).fetchall() != [(0,)]:
                return False
            db.execute(_LOCK_HEAD)
            if db.execute(query, (_EDITION, _MOMENT)).fetchall() != [(0,)]:
                return False
            db.execute("delete from process where edition < %s", (_EDITION,))
            db.execute("alter table process alter column edition drop default")
        return True

    def begin(self, process: int) -> None:
        """Mark a process as ready to get streams."""
        with self._link.use() as db:
            db.execute("update process set stops = false where id = %s", (process,))

    def stop(self, process: int) -> None:
        """Mark a process that is about to stop: it gets no more streams."""
        with self._link.use() as db:
            db.execute("update process set stops = true where id = %s", (process,))
            db.execute(_NOTIFY)

    def leave(self, process: int) -> None:
        """Remove a process; streams that it still holds are nobody's."""
        with self._link.use() as db, db.transaction():
            db.execute(_LOCK_HEAD)
            db.execute("delete from process where id = %s", (process,))
            db.execute(
                "update lease set process = %s, token = nextval('token') where process = %s",
                (NOBODY, process),
            )
            db.execute(_NOTIFY)

    def notify(self, texts: list[str]) -> None:
        """Send texts to all processes; one that is not listening misses them."""
        with self._link.use() as db:
            for text in texts:
                db.execute("select pg_notify(%s, %s)", (NEWS, text))

    def wake(self) -> None:
        """Make all processes look now."""
        with self._link.use() as db:
            db.execute(_NOTIFY)

    def missing(self) -> QueenhighError | None:
        """Return an error while the database does not answer."""
        return self._link.error

    def listen(self, on_change: Callable[[], object], on_news: Callable[[str], object]) -> None:
        """Call functions, in a thread: a lease may have changed hands, or a text has come."""
        work = partial(self._listen, on_change, on_news)
        Thread(target=work, name="queenhigh-leases", daemon=True).start()

    def _listen(self, on_change: Callable[[], object], on_news: Callable[[str], object]) -> None:
        """Wait for notifications; while there is no connection, the caller looks by itself.

        In between it ends transactions of processes that stopped in the middle of one: this thread
        goes on even if everything else here waits for the lock that such a transaction has.
        """
        while not self._closed:
            with suppress(QueenhighError, psycopg.Error), closing(connect(self._url)) as db:
                db.execute(f"listen {CHANNEL}")
                db.execute(f"listen {NEWS}")
                on_change()  # what changed before was not heard
                while not self._closed:
                    end_stalled(db)
                    for heard in db.notifies(timeout=_BETWEEN_CHECKS, stop_after=1):
                        if heard.channel == NEWS:
                            on_news(heard.payload)
                        else:
                            on_change()
            sleep(1.0)

    def close(self) -> None:
        """Close the connections."""
        self._closed = True
        self._link.close()
