"""One transaction for the appends of all who wait, chained, with one signed head.

Every call into SQLite releases the interpreter and has to wait for it again, so there are few
calls: events are inserted by the dozen, and stream ends are cached until another process writes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain as flat

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.batch import Batch, Request, Statement, Tip
from queenhigh.store.reader import EventReader
from queenhigh.store.signing import Head, Signer, is_signed
from queenhigh.store.streams import GENESIS, DamagedStream
from queenhigh.store.used import insert_keys, is_used

__all__ = ["CommitWriter", "insert_batch", "mark_tips"]

_ROWS_AT_ONCE = 64
_INSERT = tuple(
    "insert into event (stream, version, event, hash) values " + ", ".join(["(?, ?, ?, ?)"] * rows)
    for rows in range(_ROWS_AT_ONCE + 1)
)
_MARK = tuple(
    "insert or replace into tip values " + ", ".join(["(?, ?, ?)"] * rows)
    for rows in range(_ROWS_AT_ONCE + 1)
)


class CommitWriter:
    """Writes requests in batches through one connection. Use it from one thread."""

    def __init__(
        self, connection: apsw.Connection, signer: Signer, lost: frozenset[str] = frozenset()
    ) -> None:
        self._db, self._signer, self._lost = connection, signer, lost
        self._reader = EventReader(connection)
        self._seen = -1
        self._head, self._streams = Head(), 0
        self._tips: dict[str, Tip] = {}
        self._check_for_changes()

    @property
    def head(self) -> Head:
        """The head as of the last commit."""
        return self._head

    def write(self, requests: list[Request]) -> list[Exception | None]:
        """Write all requests in one transaction; return the error of each that failed."""
        head: Head | None = None
        try:
            with _transaction(self._db):
                self._check_for_changes()
                batch = self._new_batch()
                add = partial(self._add_with_rows, batch)
                outcomes = [batch.try_request(request, add) for request in requests]
                head = insert_batch(self._db, batch)
        except Exception as error:  # a full disk, for example: no request was written
            self._seen = -1
            if head is None or not self._ends_with(head):
                for request in requests:
                    request.fail()
                message = (
                    f"the database could not be written ({error}): check the disk and try again"
                )
                return [QueenhighError("store.failed", message)] * len(requests)
        self._head, self._streams = head, batch.streams
        self._tips.update(batch.tips)
        return outcomes

    def _new_batch(self) -> Batch:
        """Return an empty batch. An error of SQLite ends it: the transaction may be over."""
        ends = (self._tip, self._is_used)
        return Batch(self._head, self._streams, self._signer, *ends, (apsw.Error,))

    def _is_used(self, stream: str, id: int, key: str) -> bool:
        return is_used(self._db, id, key)

    def _ends_with(self, head: Head) -> bool:
        """Return whether a batch was committed although an error came after its commit."""
        try:
            stored = self._reader.head()
        except apsw.Error:
            return False
        is_stored = stored is not None and stored[:2] == head[:2]
        return is_stored and not self._db.in_transaction

    def _check_for_changes(self) -> None:
        """If another process wrote to the file, check its head and forget cached stream ends."""
        ((seen,),) = self._db.execute("pragma data_version")
        if seen == self._seen:
            return
        self._tips.clear()
        streams, events = self._reader.last_ids()
        head = self._reader.head() or Head()
        if not self._is_own(head) or head.events != events or head.events < self._head.events:
            raise QueenhighError("store.damaged", "its head is damaged: run queenhigh verify")
        self._streams, self._head, self._seen = streams, head, int(str(seen))

    def _is_own(self, head: Head) -> bool:
        """Return whether a head is signed by the key of this store, or there are no events."""
        if head in (Head(), self._head):
            return True
        return head.key == self._signer.key and is_signed(head)

    def _add_with_rows(self, batch: Batch, request: Request) -> Exception | None:
        """Add a request to the batch and write its rows, or do neither; return the error."""
        if not request.rows:
            return batch.add(request.appends)
        self._db.execute("savepoint request")
        error = self._write_rows(request.rows) or batch.add(request.appends)
        if error is not None:
            self._db.execute("rollback to request")
        self._db.execute("release request")
        return error

    def _write_rows(self, rows: tuple[Statement, ...]) -> Exception | None:
        """Write rows; return the error of a row that violates a constraint of its table."""
        try:
            for statement, values in rows:
                self._db.execute(statement, values)
        except apsw.ConstraintError as error:
            return error
        return None

    def _tip(self, stream: str) -> Tip:
        if stream not in self._tips:
            self._tips[stream] = self._find_tip(stream)
        return self._tips[stream]

    def _find_tip(self, stream: str) -> Tip:
        """Look up the end of a stream; raise if it is not the marked one."""
        try:
            end = self._reader.stream_end(stream)
        except apsw.CorruptError:
            raise DamagedStream(stream, 0) from None
        if stream in self._lost:
            raise DamagedStream(stream, 0)
        if end is None:
            return Tip(None, 0, GENESIS)
        is_typed = tuple(map(type, end[:3])) == (int, int, bytes)
        is_end = is_typed and end.version == end.marked_version
        if not is_end or end.mark != self._signer.mark(end.hash):
            raise DamagedStream(stream, end.version or 0)
        return Tip(end.id, end.version, end.hash)


def insert_batch(connection: apsw.Connection, batch: Batch) -> Head:
    """Write the rows of a batch, in the transaction under way; return the new head."""
    rows = batch.rows
    if batch.snapshots:
        insert = "insert or replace into snapshot values (?, ?, ?, ?, ?)"
        connection.executemany(insert, batch.snapshots)
    if not rows:
        return batch.head
    if batch.names:
        connection.executemany("insert into stream (id, name) values (?, ?)", batch.names)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        chunk = rows[start : start + _ROWS_AT_ONCE]
        connection.execute(_INSERT[len(chunk)], tuple(flat.from_iterable(chunk)))
    if batch.keys:
        insert_keys(connection, batch.keys)
    _mark(connection, batch)
    head = batch.sign_head()
    connection.execute("insert or replace into head values (1, ?, ?, ?, ?)", head)
    return head


def _mark(connection: apsw.Connection, batch: Batch) -> None:
    """Write the mark of the hash that each stream ends with now."""
    tips = [(id, version, mark) for id, version, _, mark in batch.marks()]
    for start in range(0, len(tips), _ROWS_AT_ONCE):
        chunk = tips[start : start + _ROWS_AT_ONCE]
        connection.execute(_MARK[len(chunk)], tuple(flat.from_iterable(chunk)))


def mark_tips(connection: apsw.Connection, signer: Signer) -> None:
    """Write the mark of the hash that each stream of a file ends with, whatever it is."""
    connection.execute("delete from tip")
    for id, version, tip in EventReader(connection).ends_by_id():
        connection.execute(_MARK[1], (id, version, signer.mark(tip)))


@contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    """Commit everything executed inside, or roll it back if anything fails."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
