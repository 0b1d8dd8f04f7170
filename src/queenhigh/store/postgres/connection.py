"""Connections to PostgreSQL: how they are made, what they must promise, and what their errors mean.

A connection that breaks is made again in a thread of its own, so that no table waits for a server
that does not answer; until then everything fails at once, with a sentence.
"""

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socket import AF_UNIX, SHUT_RDWR, SOCK_STREAM
from threading import Lock, RLock, Thread
from time import monotonic, sleep
from typing import Any
from weakref import WeakSet

import psycopg
from psycopg import errors, pq
from psycopg.conninfo import conninfo_to_dict

from queenhigh.errors import QueenhighError
from queenhigh.store.location import PostgresUrl, shown

__all__ = ["Db", "Link", "connect", "end_stalled", "explain", "explained", "refusing_warnings"]

#: A connection whose rows are tuples.
Db = psycopg.Connection[tuple[Any, ...]]

#: After so many seconds a transaction whose process sends nothing more is ended.
_STALLED = 1.5
#: After so many seconds without an answer a connection is given up.
_STUCK = 5.0
#: How often connections are checked for that, in seconds.
_BETWEEN_CHECKS = 0.25
#: What a connection is made with. A server or a process that is gone is noticed within seconds.
_OPTIONS = {
    "application_name": "queenhigh",
    "client_encoding": "UTF8",
    "connect_timeout": "3",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "4000",
    "options": (
        "-c statement_timeout=10000 -c lock_timeout=4000"
        f" -c idle_in_transaction_session_timeout={int(1000 * _STALLED)}"
        " -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
        " -c tcp_user_timeout=4000"
        " -c default_transaction_isolation=read\\ committed"
        " -c client_min_messages=warning -c jit=off -c timezone=UTC -c search_path=queenhigh"
    ),
}
#: PostgreSQL's own timeout does not end a transaction that stalled within a batch of statements,
#: nor after one: psycopg sends a flush then, which stops it.
_END_STALLED = """
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'queenhigh'
    and wait_event = 'ClientRead' and xact_start is not null and state <> 'idle'
    and greatest(query_start, state_change) < clock_timestamp() - make_interval(secs => %s)
"""
#: What a server must promise.
_SETTINGS = """
    select current_setting('server_encoding'), current_setting('synchronous_commit'),
        current_setting('fsync')
"""
#: Values of ``synchronous_commit`` with which an acknowledged commit is on disk.
_DURABLE = ("on", "remote_apply")
_OLDEST = 130_000
#: The least and the longest pause between two tries to connect, in seconds.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0
#: The connections that are checked, under a lock.
_links: "WeakSet[Link]" = WeakSet()
_watching = Lock()


def connect(url: PostgresUrl, *, timeouts: bool = True) -> Db:
    """Return a connection; raise with a sentence if there is none, or it promises too little.

    Without ``timeouts`` a statement may take as long as it needs, for a proof or a copy.
    """
    options = dict(_OPTIONS)
    if not timeouts:
        options["application_name"] = "queenhigh command"
        options["options"] = "-c statement_timeout=0 -c timezone=UTC -c search_path=queenhigh"
    try:
        conninfo_to_dict(url.secret)
        made = psycopg.connect(url.secret, autocommit=True, **options)  # type: ignore[arg-type]
    except psycopg.ProgrammingError:  # its text may have the password
        message = (
            f"{shown(url)} is not a valid URL: check its options, and in its password"
            " write %25 for a % and %40 for an @"
        )
        raise QueenhighError("postgres.url", message) from None
    except psycopg.Error as error:
        raise explain(error, url) from None
    try:
        _check(made, url)
    except BaseException:
        made.close()
        raise
    return made


def _check(made: Db, url: PostgresUrl) -> None:
    """Raise unless the server keeps what it acknowledges, and is new enough."""
    if made.info.server_version < _OLDEST:
        message = (
            f"{shown(url)} runs PostgreSQL {made.info.server_version // 10_000}: use 13 or newer"
        )
        raise QueenhighError("postgres.old", message)
    with explained(url):
        ((encoding, commits, syncs),) = made.execute(_SETTINGS).fetchall()
    if encoding != "UTF8":
        message = (
            f"{shown(url)} has the encoding {encoding}, which lacks letters of players' names:"
            " create it with createdb --encoding=UTF8 --template=template0"
        )
        raise QueenhighError("postgres.encoding", message)
    if commits not in _DURABLE or syncs != "on":
        setting = f"synchronous_commit = {commits}" if commits not in _DURABLE else "fsync = off"
        message = (
            f"{shown(url)} has {setting}, which loses acknowledged rounds in a power cut:"
            " set it to on"
        )
        raise QueenhighError("postgres.unsafe", message)


def end_stalled(db: Db) -> int:
    """End transactions that hold others up, of processes that stopped; return how many."""
    return len(db.execute(_END_STALLED, (_STALLED,)).fetchall())


@contextmanager
def refusing_warnings(db: Db) -> Iterator[None]:
    """Raise if PostgreSQL warns: a commit was not replicated, because its wait was cancelled."""
    warnings: list[errors.Diagnostic] = []
    db.add_notice_handler(warnings.append)
    try:
        yield
    finally:
        db.remove_notice_handler(warnings.append)
    if warnings:
        raise psycopg.OperationalError("a replica is missing")


def explain(error: psycopg.Error, url: PostgresUrl) -> QueenhighError:
    """Return an error of PostgreSQL as one with a sentence that says what to do."""
    if isinstance(error, errors.DiskFull):
        message = "the disk of the database is full: free some space on it"
    elif isinstance(error, errors.ReadOnlySqlTransaction):
        message = "the database is a read-only replica: connect to the primary"
    elif isinstance(error, errors.SerializationFailure | errors.DeadlockDetected):
        message = "another process changed the same rows: try again"
    elif isinstance(error, errors.LockNotAvailable | errors.QueryCanceled):
        message = "the database is too slow right now: try again in a moment"
    elif isinstance(error, errors.InsufficientPrivilege):
        message = f"this user may not use {shown(url)}: make them its owner"
        return QueenhighError("postgres.login", message)
    elif isinstance(error, psycopg.OperationalError):
        refused = _refused_login(error, url)
        if refused is not None:
            return refused
        reason = _first_line(error)
        message = f"the database does not answer ({reason}): try again in a moment"
    else:
        message = f"the database could not be used ({_first_line(error)}): try again"
    return QueenhighError("store.failed", message)


def _without_details(error: Exception) -> QueenhighError:
    """Return an error that players may see: it does not say where the database is."""
    if isinstance(error, QueenhighError) and error.code == "store.failed":
        sentence = re.sub(r" \(.*\)", "", str(error))
    else:
        sentence = "the database does not answer: try again in a moment"
    public = QueenhighError("store.failed", sentence)
    public.__cause__ = error
    return public


def _refused_login(error: psycopg.Error, url: PostgresUrl) -> QueenhighError | None:
    """Return why a server refused to connect; such an error has a text, but no code."""
    text = str(error)
    if re.search(r'database "[^"]*" does not exist', text):
        message = f"{shown(url)} does not exist: create it with createdb"
        return QueenhighError("postgres.none", message)
    if (
        "authentication failed" in text
        or "no password supplied" in text
        or '" does not exist' in text
    ):
        message = f"{shown(url)} does not accept this user or password: check the URL"
        return QueenhighError("postgres.login", message)
    return None


def _first_line(error: psycopg.Error) -> str:
    text = str(error).strip()
    return text.splitlines()[0][:200] if text else type(error).__name__


@contextmanager
def explained(url: PostgresUrl) -> Iterator[None]:
    """Raise what PostgreSQL says as an error with a sentence."""
    try:
        yield
    except psycopg.Error as error:
        raise explain(error, url) from None


def _watch(link: "Link") -> None:
    """Check a connection regularly, for as long as it is used, in one thread for all."""
    with _watching:
        if not _links:
            Thread(target=_check_links, name="queenhigh-watch", daemon=True).start()
        _links.add(link)


def _check_links() -> None:
    while True:
        sleep(_BETWEEN_CHECKS)
        with _watching:
            links = tuple(_links)
            if not links:
                return
        for link in links:
            link.cut_if_stuck()
        del link, links  # a link that is used no more may go


def _socket_of(connection: Db) -> socket.socket:
    """Return a duplicate of a connection's socket."""
    return socket.fromfd(connection.pgconn.socket, AF_UNIX, SOCK_STREAM)


class Link:
    """A connection that is made again when it breaks, in a thread of its own.

    ``prepare`` is called with each new connection. Use one from one thread at a time.
    """

    def __init__(
        self,
        url: PostgresUrl,
        prepare: Callable[[Db], None] = lambda made: None,
    ) -> None:
        self.url, self._prepare = url, prepare
        self._lock = RLock()
        self._closed = False
        self._mending: Thread | None = None
        self._error: QueenhighError | None = None
        #: Since when a caller uses the connection, by a monotonic clock.
        self._used_since: float | None = None
        self._connection: Db | None = self._connect()
        _watch(self)

    def _connect(self) -> Db:
        made = connect(self.url)
        try:
            self._prepare(made)
        except psycopg.Error as error:
            made.close()
            raise explain(error, self.url) from None
        except BaseException:
            made.close()
            raise
        return made

    def cut_if_stuck(self) -> None:
        """Cut the connection if an answer takes too long; the caller that waits gets an error.

        A server that was stopped does not close its connections, and a commit waits without limit
        for a replica that is missing: its events stay invisible until they are replicated.
        """
        since, connection = self._used_since, self._connection
        if since is None or connection is None or monotonic() - since < _STUCK:
            return
        with suppress(OSError, psycopg.Error), _socket_of(connection) as used:
            if self._used_since == since:  # else the number may be that of another socket by now
                used.shutdown(SHUT_RDWR)

    def touch(self) -> None:
        """Note that the connection has answered, in the middle of a longer use."""
        if self._used_since is not None:
            self._used_since = monotonic()

    @property
    def error(self) -> QueenhighError | None:
        """Why there is no connection, if there is none."""
        return None if self._connection is not None else self._error

    @contextmanager
    def use(self) -> Iterator[Db]:
        """Hold the connection; an error of it is explained, and a broken one is made again.

        A row that another one excludes is no error of the database: that is raised as it is.
        """
        with self._lock:
            connection = self._connection
            if connection is None:
                raise self._error or QueenhighError("store.closed", "the database is closed")
            before, self._used_since = self._used_since, monotonic()
            try:
                yield connection
            except psycopg.IntegrityError:
                raise
            except psycopg.Error as error:
                raise self._after(connection, error) from error
            finally:
                self._tidy(connection)
                self._used_since = before

    def _tidy(self, connection: Db) -> None:
        """Leave no transaction open, whatever happened inside."""
        if connection.broken or connection.closed:
            self._lose(QueenhighError("store.failed", "the database does not answer: try again"))
        elif connection.info.transaction_status != pq.TransactionStatus.IDLE:
            try:
                connection.rollback()
            except psycopg.Error as error:
                self._after(connection, error)

    def _after(self, connection: Db, error: psycopg.Error) -> QueenhighError:
        """Return the explained error; give up a connection that may be broken."""
        explanation = _without_details(explain(error, self.url))
        fails_over = isinstance(error, errors.ReadOnlySqlTransaction)
        if connection.broken or connection.closed or fails_over:
            self._lose(explanation)
        return explanation

    def _lose(self, error: QueenhighError) -> None:
        """Give the connection up, and make another in a thread."""
        connection, self._connection = self._connection, None
        self._error = error
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()
        if self._mending is None and not self._closed:
            self._mending = Thread(target=self._mend, name="queenhigh-reconnect", daemon=True)
            self._mending.start()

    def _mend(self) -> None:
        """Connect again, however long that takes."""
        pause = _FIRST_PAUSE
        while not self._closed:
            started = monotonic()
            try:
                made = self._connect()
            except Exception as error:  # it goes on after any error, such as a full disk
                self._error = _without_details(error)
                sleep(max(0.0, pause - (monotonic() - started)))
                pause = min(2 * pause, _LONGEST_PAUSE)
                continue
            self._adopt(made)
            return

    def _adopt(self, made: Db) -> None:
        """Use a new connection, unless it is needed no more."""
        with self._lock:
            self._mending = None
            if self._closed:
                made.close()
            else:
                self._connection = made

    def close(self) -> None:
        """Close the connection for good."""
        self._closed = True
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                with suppress(psycopg.Error):
                    connection.close()
