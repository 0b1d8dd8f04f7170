"""One transaction for the appends of all who wait, chained, with one signed head.

Every call into SQLite releases the interpreter and has to wait for it again, so there are few
calls: events are inserted by the dozen, and stream ends are cached until another process writes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain as flat
from typing import Any, NamedTuple

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.reader import EventReader
from queenhigh.store.signing import Head, Signer, extend_head, is_signed
from queenhigh.store.streams import (
    AT_END,
    GENESIS,
    Append,
    Conflict,
    DamagedStream,
    KeyUsed,
    Lineage,
    chain,
)
from queenhigh.store.used import insert_keys, is_used

__all__ = ["CommitWriter", "Request", "Statement", "mark_tips"]

#: A statement of SQL, and its values.
Statement = tuple[str, tuple[Any, ...]]

_ROWS_AT_ONCE = 64
_INSERT = tuple(
    "insert into event (stream, version, event, hash) values " + ", ".join(["(?, ?, ?, ?)"] * rows)
    for rows in range(_ROWS_AT_ONCE + 1)
)
_MARK = tuple(
    "insert or replace into tip values " + ", ".join(["(?, ?, ?)"] * rows)
    for rows in range(_ROWS_AT_ONCE + 1)
)


class Request(NamedTuple):
    """Appends that belong together, and the lineages that they depend on.

    ``rows`` are statements for other tables of the file, executed in the same transaction.
    """

    appends: tuple[Append, ...]
    depends_on: tuple[Lineage, ...] = ()
    rows: tuple[Statement, ...] = ()

    def fail(self) -> None:
        """Mark the lineages as failed, so that all later requests of them fail too."""
        for lineage in self.depends_on:
            lineage.failed = True


class _Tip(NamedTuple):
    """The end of a stream: its id if it has one, its version, its last hash."""

    id: int | None
    version: int
    hash: bytes

    def is_after(self, batch: "_Batch") -> bool:
        """Return whether this is a stream that the batch does not have yet."""
        return self.id is not None and self.id > batch.streams


class _Batch:
    """Rows to write, and the ends of streams and the head after they are written."""

    def __init__(self, head: Head, streams: int) -> None:
        self.head, self.streams = head, streams
        self.tips: dict[str, _Tip] = {}
        self.names: list[tuple[int | None, str]] = []
        self.rows: list[tuple[int, int, bytes, bytes]] = []
        self.snapshots: list[tuple[int, int, bytes, bytes, bytes]] = []
        self.keys: set[tuple[int, str]] = set()


class CommitWriter:
    """Writes requests in batches through one connection. Use it from one thread."""

    def __init__(
        self, connection: apsw.Connection, signer: Signer, lost: frozenset[str] = frozenset()
    ) -> None:
        self._db, self._signer, self._lost = connection, signer, lost
        self._reader = EventReader(connection)
        self._seen = -1
        self._head, self._streams = Head(), 0
        self._tips: dict[str, _Tip] = {}
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
                batch = _Batch(self._head, self._streams)
                outcomes = [self._try(batch, request) for request in requests]
                head = self._insert(batch)
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

    def _try(self, batch: _Batch, request: Request) -> Exception | None:
        """Add a request to the batch unless a request that it depends on has failed."""
        error: Exception | None
        if any(lineage.failed for lineage in request.depends_on):
            place: tuple[str, int | None] = request.appends[0][:2] if request.appends else ("", 0)
            error = Conflict(*place, -1)
        else:
            error = self._add_with_rows(batch, request)
        if error is not None:
            request.fail()
        return error

    def _add_with_rows(self, batch: _Batch, request: Request) -> Exception | None:
        """Add a request to the batch and write its rows, or do neither; return the error."""
        if not request.rows:
            return self._add(batch, request.appends)
        self._db.execute("savepoint request")
        error = self._write_rows(request.rows) or self._add(batch, request.appends)
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

    def _add(self, batch: _Batch, appends: tuple[Append, ...]) -> Exception | None:
        """Add all appends of a request to the batch or none; return the error, if there is one."""
        rows_before = len(batch.rows)
        tips: dict[str, _Tip] = {}
        used: set[tuple[int, str]] = set()
        snapshots, streams = [], batch.streams
        try:
            for stream, expected, events, state, keys in appends:
                tip = tips.get(stream) or batch.tips.get(stream) or self._tip(stream)
                id, version, before = tip
                if expected not in (version, AT_END):
                    raise Conflict(stream, expected, version)
                if not events and (state is None or id is None):
                    continue
                if id is None:
                    id = streams = streams + 1
                used |= self._new_keys(stream, id, keys if events else (), (used, batch.keys))
                for event in events:
                    version += 1
                    before = chain(before, stream, version, event)
                    batch.rows.append((id, version, event, before))
                tips[stream] = _Tip(id, version, before)
                if state is not None:
                    signature = self._signer.sign_snapshot(stream, version, before, state)
                    snapshots.append((id, version, before, signature, state))
        except apsw.Error:  # the file fails, not the request: the transaction may be over
            raise
        except Exception as error:
            del batch.rows[rows_before:]
            return error
        if streams > batch.streams:
            batch.names += [(tip.id, name) for name, tip in tips.items() if tip.is_after(batch)]
            batch.streams = streams
        batch.tips.update(tips)
        batch.snapshots += snapshots
        batch.keys |= used
        return None

    def _new_keys(
        self, stream: str, id: int, keys: tuple[str, ...], taken: tuple[set[tuple[int, str]], ...]
    ) -> set[tuple[int, str]]:
        """Return keys with the id of their stream; raise KeyUsed if it had one of them before."""
        new: set[tuple[int, str]] = set()
        for key in keys:
            if any((id, key) in used for used in (new, *taken)) or is_used(self._db, id, key):
                raise KeyUsed(stream, key)
            new.add((id, key))
        return new

    def _insert(self, batch: _Batch) -> Head:
        """Write the rows of a batch; return the new head."""
        rows = batch.rows
        if batch.snapshots:
            insert = "insert or replace into snapshot values (?, ?, ?, ?, ?)"
            self._db.executemany(insert, batch.snapshots)
        if not rows:
            return batch.head
        if batch.names:
            self._db.executemany("insert into stream (id, name) values (?, ?)", batch.names)
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            chunk = rows[start : start + _ROWS_AT_ONCE]
            self._db.execute(_INSERT[len(chunk)], tuple(flat.from_iterable(chunk)))
        if batch.keys:
            insert_keys(self._db, batch.keys)
        self._mark(batch)
        over_all = extend_head(batch.head.hash, *[row[3] for row in rows])
        head = self._signer.sign(batch.head.events + len(rows), over_all)
        self._db.execute("insert or replace into head values (1, ?, ?, ?, ?)", head)
        return head

    def _mark(self, batch: _Batch) -> None:
        """Write the mark of the hash that each stream ends with now."""
        mark = self._signer.mark
        tips = [(id, version, mark(tip)) for id, version, tip in batch.tips.values()]
        for start in range(0, len(tips), _ROWS_AT_ONCE):
            chunk = tips[start : start + _ROWS_AT_ONCE]
            self._db.execute(_MARK[len(chunk)], tuple(flat.from_iterable(chunk)))

    def _tip(self, stream: str) -> _Tip:
        if stream not in self._tips:
            self._tips[stream] = self._find_tip(stream)
        return self._tips[stream]

    def _find_tip(self, stream: str) -> _Tip:
        """Look up the end of a stream; raise if it is not the marked one."""
        try:
            end = self._reader.stream_end(stream)
        except apsw.CorruptError:
            raise DamagedStream(stream, 0) from None
        if stream in self._lost:
            raise DamagedStream(stream, 0)
        if end is None:
            return _Tip(None, 0, GENESIS)
        is_typed = tuple(map(type, end[:3])) == (int, int, bytes)
        is_end = is_typed and end.version == end.marked_version
        if not is_end or end.mark != self._signer.mark(end.hash):
            raise DamagedStream(stream, end.version or 0)
        return _Tip(end.id, end.version, end.hash)


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
