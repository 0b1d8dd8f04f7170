"""A room copied into a PostgreSQL database, batch by batch; see ``store/copying.py``."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from queenhigh.store.batch import Tip
from queenhigh.store.copying import CopiedBatch, check_prefix, copy_key
from queenhigh.store.files import explained_keys
from queenhigh.store.location import PostgresUrl, shown
from queenhigh.store.postgres.connection import connect, explained
from queenhigh.store.postgres.reader import hash_of, head_of, last_number
from queenhigh.store.postgres.room_row import begin_copy, end_copy
from queenhigh.store.postgres.schema import migrate
from queenhigh.store.postgres.store import SIGNING_KEY
from queenhigh.store.signing import Signer

__all__ = ["DatabaseTarget"]

_EVENTS = "copy event (id, stream, version, event, hash) from stdin (format binary)"
_EVENT_TYPES = ("int8", "int8", "int8", "bytea", "bytea")
_STREAMS = "copy stream (id, name) from stdin (format binary)"
_KEYS = """
    insert into used select * from unnest(%b::bigint[], %b::text[]) on conflict do nothing
"""
_MARKS = """
    insert into tip select * from unnest(%b::bigint[], %b::bigint[], %b::bytea[], %b::bytea[])
    on conflict (stream) do update
    set version = excluded.version, hash = excluded.hash, mark = excluded.mark
"""
_HEAD = "update head set events = %b, hash = %b, key = %b, signature = %b, streams = %b"


class DatabaseTarget:
    """A copy into a database, which is marked until it is complete."""

    def __init__(self, url: PostgresUrl, keys: Path, signer: Signer) -> None:
        self.place, self._keys = url, keys
        with explained_keys(keys):
            keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._db = connect(url, timeouts=False)
        try:
            self._begin(signer)
        except BaseException:
            self._db.close()
            raise

    def _begin(self, signer: Signer) -> None:
        """Mark the database, and read what an earlier run has copied."""
        with self._explained():
            migrate(self._db, self.place)
            begin_copy(self._db, self.place, signer.key.hex())
            self.head = head_of(self._db)
            ((self.streams,),) = self._db.execute("select streams from head").fetchall()
            last = last_number(self._db)
        check_prefix(self.head, last, signer, shown(self.place))

    def ends(self) -> dict[str, Tip]:
        """Return the end of each stream that is copied."""
        query = "select name, stream, version, hash from tip join stream on stream.id = tip.stream"
        with self._explained():
            rows = self._db.execute(query, binary=True)
            return {name: Tip(id, version, last) for name, id, version, last in rows}

    def last_hash(self) -> bytes | None:
        """Return the hash of the last event that is copied."""
        with self._explained():
            return hash_of(self._db, self.head.events)

    def write(self, batch: CopiedBatch) -> None:
        """Write a batch in one transaction."""
        head = batch.sign_head()
        with self._explained(), self._db.transaction(), self._db.cursor() as cursor:
            with cursor.copy(_STREAMS) as streams:
                streams.set_types(("int8", "text"))
                for named in batch.names:
                    streams.write_row(named)
            with cursor.copy(_EVENTS) as events:
                events.set_types(_EVENT_TYPES)
                for id, row in enumerate(batch.rows, batch.head.events + 1):
                    events.write_row((id, *row))
            if batch.keys:
                cursor.execute(_KEYS, _columns(batch.keys))
            cursor.execute(_MARKS, _columns(batch.marks()))
            cursor.execute(_HEAD, (*head, batch.streams))
        self.head, self.streams = head, batch.streams

    def finish(self, epoch: int, key: Path) -> None:
        """Remove the mark, after the key is in its folder."""
        with explained_keys(self._keys):
            copy_key(key, self._keys / SIGNING_KEY)
        with self._explained():
            self._db.execute("analyze")
            end_copy(self._db, epoch)

    def discard(self) -> None:
        """Empty the database again."""
        with self._explained(), self._db.transaction():
            self._db.execute("truncate stream, event, tip, used, room")
            empty = "update head set events = 0, hash = %s, key = '', signature = '', streams = 0"
            self._db.execute(empty, (bytes(32),))

    def close(self) -> None:
        """Close the connection; an unfinished copy stays."""
        self._db.close()

    def _explained(self) -> AbstractContextManager[None]:
        return explained(self.place)


def _columns(rows: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    """Return rows as columns, which PostgreSQL takes as arrays."""
    return [list(column) for column in zip(*rows, strict=True)]
