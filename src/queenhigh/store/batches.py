"""What one transaction writes: the appends of all who wait, chained, with one signed head.

Every call into SQLite lets other threads run and then has to wait for its turn again, so there are
few calls: events go in by the dozen, and what is known of the file is kept until somebody else
writes to it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain as flat
from typing import Any, NamedTuple

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Head, Signer, grow, is_signed
from queenhigh.store.streams import (
    AT_END,
    GENESIS,
    Append,
    Belief,
    Conflict,
    DamagedStream,
    KeyUsed,
    chain,
)
from queenhigh.store.used import insert_keys, is_used

__all__ = ["Batches", "Request", "Statement", "mark_tips"]

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
#: The last id of a stream, by whatever names one, and the last id of an event. A stream whose name
#: was lost keeps its id.
_LAST_IDS = """
    select max(
        (select coalesce(max(id), 0) from stream),
        (select coalesce(max(stream), 0) from event),
        (select coalesce(max(stream), 0) from tip),
        (select coalesce(max(stream), 0) from used),
        (select coalesce(max(stream), 0) from snapshot)
    ), (select coalesce(max(id), 0) from event)
"""


class Request(NamedTuple):
    """Appends that belong together, and what they were decided upon.

    ``rows`` are written with them: what the file keeps beside its streams, and they tell of.
    """

    appends: tuple[Append, ...]
    upon: tuple[Belief, ...] = ()
    rows: tuple[Statement, ...] = ()

    def fail(self) -> None:
        """Let everything decided upon this fail too."""
        for belief in self.upon:
            belief.failed = True


class _Tip(NamedTuple):
    """Where a stream is: its id if it has one, its version, its last hash."""

    id: int | None
    version: int
    hash: bytes

    def is_after(self, batch: "_Batch") -> bool:
        """Tell whether this is a stream that the batch does not have yet."""
        return self.id is not None and self.id > batch.streams


class _Batch:
    """Rows to write, and where streams and store will be when they are written."""

    def __init__(self, head: Head, streams: int) -> None:
        self.head, self.streams = head, streams
        self.tips: dict[str, _Tip] = {}
        self.names: list[tuple[int | None, str]] = []
        self.rows: list[tuple[int, int, bytes, bytes]] = []
        self.snapshots: list[tuple[int, int, bytes, bytes, bytes]] = []
        self.keys: set[tuple[int, str]] = set()


class Batches:
    """Writes batches through one connection. Use it from one thread."""

    def __init__(
        self, connection: apsw.Connection, signer: Signer, lost: frozenset[str] = frozenset()
    ) -> None:
        self._db, self._signer, self._lost = connection, signer, lost
        self._seen = -1
        self._head, self._streams = Head(), 0
        self._tips: dict[str, _Tip] = {}
        self._look_again()

    @property
    def head(self) -> Head:
        """The head as of the last commit."""
        return self._head

    def write(self, requests: list[Request]) -> list[Exception | None]:
        """Write all requests in one transaction; return what is wrong with each that failed."""
        head: Head | None = None
        try:
            with _transaction(self._db):
                self._look_again()
                batch = _Batch(self._head, self._streams)
                outcomes = [self._try(batch, request) for request in requests]
                head = self._insert(batch)
        except Exception as error:  # a full disk, say: nobody was served
            self._seen = -1
            if head is None or not self._ends_with(head):
                for request in requests:
                    request.fail()
                told = f"the store could not be written ({error}): see to the disk, and try again"
                return [QueenhighError("store.failed", told)] * len(requests)
        self._head, self._streams = head, batch.streams
        self._tips.update(batch.tips)
        return outcomes

    def _ends_with(self, head: Head) -> bool:
        """Tell whether a batch is there although something failed: what came after its commit."""
        try:
            found: Any = self._db.execute("select events, hash from head").fetchall()
        except apsw.Error:
            return False
        return not self._db.in_transaction and found == [(head.events, head.hash)]

    def _look_again(self) -> None:
        """If another process wrote, trust nothing that was known of the file."""
        ((seen,),) = self._db.execute("pragma data_version")
        if seen == self._seen:
            return
        self._tips.clear()
        ((streams, events),) = self._db.execute(_LAST_IDS)
        heads: Any = self._db.execute("select events, hash, key, signature from head").fetchall()
        head = Head(*heads[0]) if heads else Head()
        if not self._is_own(head) or head.events != events or head.events < self._head.events:
            raise QueenhighError("store.damaged", "its head is damaged: see queenhigh verify")
        self._streams, self._head, self._seen = int(str(streams)), head, int(str(seen))

    def _is_own(self, head: Head) -> bool:
        """Tell whether a head is signed by the key of this store; without events there is none."""
        if head in (Head(), self._head):
            return True
        return head.key == self._signer.key and is_signed(head)

    def _try(self, batch: _Batch, request: Request) -> Exception | None:
        """Take a request unless one that it was decided upon has failed."""
        if any(belief.failed for belief in request.upon):
            at: tuple[str, int | None] = request.appends[0][:2] if request.appends else ("", 0)
            wrong: Exception | None = Conflict(*at, -1)
        else:
            wrong = self._take_with_rows(batch, request)
        if wrong is not None:
            request.fail()
        return wrong

    def _take_with_rows(self, batch: _Batch, request: Request) -> Exception | None:
        """Take one request and write its rows, or do neither."""
        if not request.rows:
            return self._take(batch, request.appends)
        self._db.execute("savepoint request")
        wrong = self._write_rows(request.rows) or self._take(batch, request.appends)
        if wrong is not None:
            self._db.execute("rollback to request")
        self._db.execute("release request")
        return wrong

    def _write_rows(self, rows: tuple[Statement, ...]) -> Exception | None:
        """Write rows; one that its table does not take is the request's own affair."""
        try:
            for statement, values in rows:
                self._db.execute(statement, values)
        except apsw.ConstraintError as error:
            return error
        return None

    def _take(self, batch: _Batch, appends: tuple[Append, ...]) -> Exception | None:
        """Take one request into the batch or nothing of it: what is wrong is its own affair."""
        mark = len(batch.rows)
        tips: dict[str, _Tip] = {}
        used: set[tuple[int, str]] = set()
        snapshots, streams = [], batch.streams
        try:
            for stream, believed, events, state, keys in appends:
                tip = tips.get(stream) or batch.tips.get(stream) or self._tip(stream)
                id, version, before = tip
                if believed not in (version, AT_END):
                    raise Conflict(stream, believed, version)
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
        except apsw.Error:  # the file's affair: it may have ended the transaction
            raise
        except Exception as error:
            del batch.rows[mark:]
            return error
        if streams > batch.streams:
            batch.names += [(one.id, name) for name, one in tips.items() if one.is_after(batch)]
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
            if any((id, key) in some for some in (new, *taken)) or is_used(self._db, id, key):
                raise KeyUsed(stream, key)
            new.add((id, key))
        return new

    def _insert(self, batch: _Batch) -> Head:
        """Write what was taken; return the new head."""
        rows = batch.rows
        if batch.snapshots:
            ask = "insert or replace into snapshot values (?, ?, ?, ?, ?)"
            self._db.executemany(ask, batch.snapshots)
        if not rows:
            return batch.head
        if batch.names:
            self._db.executemany("insert into stream (id, name) values (?, ?)", batch.names)
        for at in range(0, len(rows), _ROWS_AT_ONCE):
            some = rows[at : at + _ROWS_AT_ONCE]
            self._db.execute(_INSERT[len(some)], tuple(flat.from_iterable(some)))
        if batch.keys:
            insert_keys(self._db, batch.keys)
        self._mark(batch)
        over_all = grow(batch.head.hash, *[row[3] for row in rows])
        head = self._signer.sign(batch.head.events + len(rows), over_all)
        self._db.execute("insert or replace into head values (1, ?, ?, ?, ?)", head)
        return head

    def _mark(self, batch: _Batch) -> None:
        """Write down with what hash each stream ends now."""
        mark = self._signer.mark
        tips = [(id, version, mark(tip)) for id, version, tip in batch.tips.values()]
        for at in range(0, len(tips), _ROWS_AT_ONCE):
            some = tips[at : at + _ROWS_AT_ONCE]
            self._db.execute(_MARK[len(some)], tuple(flat.from_iterable(some)))

    def _tip(self, stream: str) -> _Tip:
        if stream not in self._tips:
            self._tips[stream] = self._find_tip(stream)
        return self._tips[stream]

    def _find_tip(self, stream: str) -> _Tip:
        """Look up where a stream is; refuse to go on from where it did not end."""
        ask = (
            "select stream.id, event.version, hash, tip.version, mark from stream"
            " left join event on event.stream = stream.id left join tip on tip.stream = stream.id"
            " where name = ? order by event.version desc limit 1"
        )
        try:
            found: Any = self._db.execute(ask, (stream,)).fetchone()
        except apsw.CorruptError:
            raise DamagedStream(stream, 0) from None
        if stream in self._lost:
            raise DamagedStream(stream, 0)
        if found is None:
            return _Tip(None, 0, GENESIS)
        *tip, version, mark = found
        is_tip = tuple(map(type, tip)) == (int, int, bytes) and tip[1] == version
        if not is_tip or mark != self._signer.mark(tip[2]):
            raise DamagedStream(stream, tip[1] or 0)
        return _Tip(*tip)


def mark_tips(connection: apsw.Connection, signer: Signer) -> None:
    """Write down with what hash each stream of a file ends, as it is read now."""
    connection.execute("delete from tip")
    ask = "select version, hash from event where stream = ? order by version desc limit 1"
    streams: Any = connection.execute("select id from stream").fetchall()
    for (id,) in streams:
        tips: Any = connection.execute(ask, (id,)).fetchall()
        for version, tip in tips:
            connection.execute(_MARK[1], (id, version, signer.mark(tip)))


@contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    """Commit what is done inside, or if that fails roll it back."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
