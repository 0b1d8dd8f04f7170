"""Streams in one SQLite file."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.batch import Request
from queenhigh.store.checks import check_head, lost_streams, signer_of
from queenhigh.store.commit_writer import CommitWriter
from queenhigh.store.durable_store import PAGE, DurableStore
from queenhigh.store.files import make_private
from queenhigh.store.migrations import check_newer, migrate
from queenhigh.store.presence import Presence
from queenhigh.store.reader import UNREADABLE, EventReader
from queenhigh.store.signing import Head, secret_in
from queenhigh.store.streams import GENESIS, DamagedStream

__all__ = ["SqliteStore"]

#: Older versions can corrupt a database in WAL mode when two connections reset the log at once.
_OLDEST = (3, 51, 3)
#: How long the search for lost streams may take when a store is opened.
_SECONDS_TO_LOOK = 1.0


class SqliteStore(DurableStore):
    """Streams in a file; several threads may use it, one process at a time writes."""

    def __init__(self, file: Path) -> None:
        _check_version(apsw.sqlite_lib_version())
        try:
            self._writes = _open(file)
            check_newer(self._writes, file)
            super().__init__(signer_of(file, check_head(self._writes, file)))
            migrate(self._writes, file, self._signer)
            self._reads = _open(file)
            self._reader = EventReader(self._reads)
            self._lost = lost_streams(self._reads, _SECONDS_TO_LOOK)
            self._writer = CommitWriter(self._writes, self._signer, self._lost)
        except (*UNREADABLE, OSError) as error:
            message = f"{file} cannot be used as a database ({error}): choose another file"
            raise QueenhighError("store.file", message) from None
        self._file = file
        self._presence = Presence(file)
        self._reading = Lock()

    @property
    def is_shared(self) -> bool:
        """Whether other processes may append while this one does: a file has one writer."""
        return False

    @cached_property
    def epoch(self) -> int:
        """A number that every restore raises; 0 for a store that was never restored."""
        match self._query("select number from epoch"):
            case [(int(number),)]:
                return number
        message = "the database has lost its epoch: make a backup of it and restore that"
        raise QueenhighError("store.damaged", message)

    @cached_property
    def dealing_key(self) -> bytes:
        """The secret in a file beside the store, which is drawn when it is first used."""
        return secret_in(Path(f"{self._file}.dealing"))

    @property
    def head(self) -> Head:
        """The head as of the last commit."""
        return self._writer.head

    def _write(self, requests: list[Request]) -> list[Exception | None]:
        """Write requests; all fail if the file was deleted or replaced before or meanwhile."""
        gone = self.missing()
        if gone is None:
            outcomes = self._writer.write(requests)
            self._note_failure(outcomes)
            gone = self.missing()
        if gone is None:
            return outcomes
        for request in requests:
            request.fail()
        return [gone] * len(requests)

    def _page(self, stream: str, after: int) -> tuple[list[Any], list[Any]]:
        """Return the next events of a stream, and where it ends at the same moment."""
        # A stream whose end is lost has version -1 there, which fits no event.
        tips = (
            "select coalesce(tip.version, -1), mark from stream"
            " left join tip on tip.stream = stream.id where name = ?"
        )
        if stream in self._lost:
            raise DamagedStream(stream, after)
        try:
            with self._reading, self._reads:
                rows = list(self._reader.stream_events(stream, after, limit=PAGE))
                ends = self._reads.execute(tips, (stream,)).fetchall()
        except UNREADABLE:
            raise DamagedStream(stream, after) from None
        return rows, ends

    def _is_archived(self, stream: str) -> bool:
        """Return whether no event of a stream has its bytes."""
        with self._reading:
            return self._reader.is_archived(stream)

    def _hash_at(self, stream: str, version: int) -> bytes:
        with self._reading_events():
            event_hash = self._reader.hash_at(stream, version)
            return GENESIS if event_hash is None else bytes(event_hash)

    def _saved(self, stream: str) -> list[Any]:
        """Return the snapshot of a stream, in a list: version, state, hash, signature."""
        query = (
            "select version, state, hash, signature from snapshot where stream ="
            " (select id from stream where name = ?)"
        )
        return self._query(query, stream)

    def is_used(self, stream: str, key: str) -> bool:
        """Return whether an append to a stream that is written had this key."""
        query = (
            "select 1 from used where stream = (select id from stream where name = ?) and key = ?"
        )
        return bool(self._query(query, stream, key))

    def version(self, stream: str) -> int:
        """Return how many events a stream has."""
        with self._reading_events():
            return self._reader.last_version(stream)

    def count(self) -> int:
        """Return how many events are written."""
        with self._reading_events():
            return (self._reader.head() or Head()).events

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""
        rows = self._query("select cast(name as blob) from stream")
        return sorted(bytes(name or b"").decode(errors="replace") for (name,) in rows)

    def _query(self, query: str, *values: Any) -> list[Any]:
        with self._reading_events():
            return self._reads.execute(query, values).fetchall()

    @contextmanager
    def _reading_events(self) -> Iterator[None]:
        """Hold the connection for reading; explain what SQLite cannot read."""
        try:
            with self._reading:
                yield
        except UNREADABLE as error:
            message = f"the database is damaged ({error}): restore a backup"
            raise QueenhighError("store.damaged", message) from None

    def missing(self) -> QueenhighError | None:
        """Return an error if the file was deleted or replaced."""
        return self._presence.check()

    def close(self) -> None:
        """Write all queued appends, then close the file."""
        self.flush()
        self._closed = True
        for connection in (self._writes, self._reads):
            with suppress(apsw.Error):  # the next program to open the file will tidy up
                connection.close()


def _check_version(version: str) -> None:
    if tuple(map(int, version.split("."))) < _OLDEST:
        wanted = ".".join(map(str, _OLDEST))
        message = (
            f"SQLite {version} can corrupt its files: install apsw with SQLite {wanted} or newer"
        )
        raise QueenhighError("store.sqlite", message)


def _open(file: Path) -> apsw.Connection:
    make_private(file)  # SQLite gives the files beside it the same permissions
    connection = apsw.Connection(str(file))
    connection.set_busy_timeout(5000)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    return connection
