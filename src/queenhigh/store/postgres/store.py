"""Streams in a PostgreSQL database, which several processes may write."""

from pathlib import Path
from typing import Any

from queenhigh.errors import QueenhighError
from queenhigh.store.batch import Request
from queenhigh.store.durable_store import PAGE, DurableStore
from queenhigh.store.files import explained_keys
from queenhigh.store.location import PostgresUrl, shown
from queenhigh.store.postgres.connection import Db, Link
from queenhigh.store.postgres.reader import (
    events_after,
    hash_at,
    head_of,
    is_archived,
    last_version,
    stream_events,
)
from queenhigh.store.postgres.room_row import RoomRow, check_finished, open_room
from queenhigh.store.postgres.schema import migrate
from queenhigh.store.postgres.writer import PostgresWriter
from queenhigh.store.reader import Row
from queenhigh.store.signing import Head, Signer, is_signed
from queenhigh.store.streams import GENESIS

__all__ = ["DEALING_KEY", "SIGNING_KEY", "PostgresStore"]

#: The files of a room's keys, in the folder that its processes share.
SIGNING_KEY, DEALING_KEY = "room.key", "room.dealing"
_STREAM_ID = "(select id from stream where name = %s)"
_ENDS = (
    "select coalesce(tip.version, -1), mark from stream"
    " left join tip on tip.stream = stream.id where name = %s"
)


class PostgresStore(DurableStore):
    """Streams in a database. Its keys are in a folder that every process of the room has."""

    def __init__(self, url: PostgresUrl, keys: Path) -> None:
        self.url, self._keys = url, keys
        self.room = RoomRow(-1, b"", b"")
        self._reads = Link(url, self._prepare)
        try:
            with self._reads.use() as db:
                head = head_of(db)
            super().__init__(self._signer_of(head))
            self._writes = Link(url, self._prepare)
        except BaseException:
            self._reads.close()
            raise
        self.writer = PostgresWriter(self._writes, self._signer, head)

    def _prepare(self, db: Db) -> None:
        """Bring the schema and the row of the room up to date, on every new connection.

        After a fail-over the epoch changes: rounds under way are voided, and chains begin again.
        """
        migrate(db, self.url)
        check_finished(db, self.url)
        with explained_keys(self._keys):
            self._keys.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._signer_of(head_of(db))
            room = open_room(db, self.url, self._keys / DEALING_KEY)
        if self.room.epoch not in (-1, room.epoch):
            self.writer.forget()
        self.room = room

    def _signer_of(self, head: Head) -> Signer:
        """Return the signer; raise if it has not the key that signed the room so far."""
        file = self._keys / SIGNING_KEY
        remedy = f"copy the key of {shown(self.url)} there, from where it is served"
        if head.events and not file.exists():
            raise QueenhighError("store.key", f"{file} is missing: {remedy}")
        signer = Signer(file)
        if head.events and head.key != signer.key:
            message = f"{file} is not the key that signed {shown(self.url)}: {remedy}"
            raise QueenhighError("store.key", message)
        if head.events and not is_signed(head):
            message = f"the head of {shown(self.url)} is damaged: run queenhigh verify"
            raise QueenhighError("store.damaged", message)
        return signer

    @property
    def epoch(self) -> int:
        """A number that every restore raises; 0 for a room that was never restored."""
        return self.room.epoch

    @property
    def dealing_key(self) -> bytes:
        """The secret in a file that all processes of the room have."""
        return self.room.dealing_key

    @property
    def head(self) -> Head:
        """The head as of the last commit of this process."""
        return self.writer.head

    @property
    def is_shared(self) -> bool:
        """Whether other processes may append while this one does: always."""
        return True

    def _write(self, requests: list[Request]) -> list[Exception | None]:
        outcomes = self.writer.write(requests)
        self._note_failure(outcomes)
        return outcomes

    def _page(self, stream: str, after: int) -> tuple[list[Any], list[Any]]:
        with self._reads.use() as db, db.transaction():
            db.execute("set transaction isolation level repeatable read, read only")
            rows = stream_events(db, stream, after, limit=PAGE)
            ends = db.execute(_ENDS, (stream,), binary=True).fetchall()
        return rows, ends

    def _hash_at(self, stream: str, version: int) -> bytes:
        with self._reads.use() as db:
            return hash_at(db, stream, version) or GENESIS

    def _is_archived(self, stream: str) -> bool:
        with self._reads.use() as db:
            return is_archived(db, stream)

    def _saved(self, stream: str) -> list[Any]:
        query = f"select version, state, hash, signature from snapshot where stream = {_STREAM_ID}"
        return self._query(query, stream)

    def version(self, stream: str) -> int:
        """Return how many events a stream has."""
        with self._reads.use() as db:
            return last_version(db, stream)

    def count(self) -> int:
        """Return how many events are written, by whichever process."""
        with self._reads.use() as db:
            return head_of(db).events

    def events(self, after: int, limit: int) -> list[Row]:
        """Return the events of all streams after a number, in the order they came."""
        with self._reads.use() as db:
            return events_after(db, after, limit)

    def is_used(self, stream: str, key: str) -> bool:
        """Return whether an append to a stream that is written had this key."""
        query = f"select 1 from used where stream = {_STREAM_ID} and key = %s"
        return bool(self._query(query, stream, key))

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""
        return sorted(name for (name,) in self._query("select name from stream"))

    def _query(self, query: str, *values: Any) -> list[Any]:
        with self._reads.use() as db:
            return db.execute(query, values, binary=True).fetchall()

    def missing(self) -> QueenhighError | None:
        """Return an error while the database does not answer."""
        return self._reads.error or self._writes.error

    def probe(self) -> QueenhighError | None:
        """Ask the database whether it answers; return an error if it does not."""
        try:
            self._query("select 1")
        except QueenhighError as error:
            return error
        return self.missing()

    def close(self) -> None:
        """Write all queued appends, then close the connections."""
        self.flush()
        self._closed = True
        self._reads.close()
        self._writes.close()
