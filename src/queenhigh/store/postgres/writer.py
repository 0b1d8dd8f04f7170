"""One transaction for the appends of all who wait, numbered and signed under the head's lock.

The row of the head is locked first, so commits of several processes follow one another, and the
events of all of them have one order. Everything that the batch depends on is asked for together
with the lock, and everything it writes is sent together with the commit: two round trips.

The ends of streams that this process holds are known, so appends to them are chained and encoded
before the lock: under it only the head is signed. Other batches are made under the lock.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import psycopg

from queenhigh.errors import QueenhighError
from queenhigh.store.batch import Batch, Request, Statement, Tip
from queenhigh.store.postgres.arrays import Blobs, Numbers, Texts
from queenhigh.store.postgres.connection import Db, Link, explain, refusing_warnings
from queenhigh.store.postgres.reader import TIPS
from queenhigh.store.postgres.rows import as_postgres
from queenhigh.store.rows import RowTaken
from queenhigh.store.signing import Head, Signer, is_signed
from queenhigh.store.streams import GENESIS, DamagedStream, LeaseLost

__all__ = ["PostgresWriter"]


_LOCK_HEAD = "select events, hash, key, signature, streams from head where id = 1 for update"
_LEASES = "select name, token from lease where name = any(%s)"
_USED = """
    select name, used.key from unnest(%s::text[], %s::text[]) as wanted (name, key)
    join stream using (name) join used on used.stream = stream.id and used.key = wanted.key
"""
_STREAMS = "insert into stream select * from unnest(%b::bigint[], %b::text[])"
_EVENTS = """
    insert into event (id, stream, version, event, hash)
    select %b + n, stream, version, event, hash
    from unnest(%b::bigint[], %b::bigint[], %b::bytea[], %b::bytea[])
    with ordinality as new (stream, version, event, hash, n)
"""
_KEYS = "insert into used select * from unnest(%b::bigint[], %b::text[])"
_MARK = """
    insert into tip select * from unnest(%b::bigint[], %b::bigint[], %b::bytea[], %b::bytea[])
    on conflict (stream) do update
    set version = excluded.version, hash = excluded.hash, mark = excluded.mark
"""
_SNAPSHOT = """
    insert into snapshot values (%b, %b, %b, %b, %b) on conflict (stream) do update
    set version = excluded.version, hash = excluded.hash,
        signature = excluded.signature, state = excluded.state
"""
_HEAD = (
    "update head set events = %b, hash = %b, key = %b, signature = %b, streams = %b where id = 1"
)


class _Known(NamedTuple):
    """What a batch depends on, read under the lock of the head."""

    head: Head
    streams: int
    tips: dict[str, Tip | DamagedStream]
    tokens: dict[str, int]
    used: set[tuple[str, str]]

    def is_used(self, stream: str, id: int, key: str) -> bool:
        """Return whether a stream has used a key."""
        return (stream, key) in self.used


class _NotKnown(Exception):
    """A batch depends on what only the database knows."""


class _Rows(NamedTuple):
    """The rows of a batch as arrays."""

    events: tuple[Numbers, Numbers, Blobs, Blobs] | None
    marks: tuple[Numbers, Numbers, Blobs, Blobs] | None


class PostgresWriter:
    """Writes requests in batches through one connection.

    ``tokens`` are those of the streams that this process holds; the database is asked for them in
    every transaction, and a stream that has another one there is not written.
    """

    def __init__(self, link: Link, signer: Signer, head: Head) -> None:
        self._link, self._signer, self._head = link, signer, head
        self.tokens: dict[str, int] = {}
        #: The ends of streams that this process holds, which no other can have changed.
        self._tips: dict[str, Tip] = {}

    @property
    def head(self) -> Head:
        """The head as of the last commit of this process."""
        return self._head

    def hold(self, stream: str, token: int) -> None:
        """Write to a stream with a token from now on."""
        self.tokens[stream] = token
        self._tips.pop(stream, None)

    def release(self, stream: str) -> None:
        """Write to a stream no more, once another process holds it."""
        self.tokens.pop(stream, None)
        self._tips.pop(stream, None)

    def forget(self) -> None:
        """Forget what was written: the database is another one, which may have less.

        It may also have given the same tokens to other processes, so none is held any more.
        """
        self._head = Head()
        self._tips.clear()
        self.tokens.clear()

    def write(self, requests: list[Request]) -> list[Exception | None]:
        """Write all requests in one transaction; return the error of each that failed.

        If the answer to the commit is lost, all are reported as failed. A command that is sent
        again then finds its events, if they were written.
        """
        try:
            with self._link.use() as db:
                return self._write(db, requests)
        except QueenhighError as error:
            return self._fail(requests, error)
        except psycopg.IntegrityError as error:  # an end of a stream was not what it seemed
            return self._fail(requests, explain(error, self._link.url))
        except Exception as error:  # nobody may wait for an answer for ever
            return self._fail(requests, error)

    def _fail(self, requests: list[Request], error: Exception) -> list[Exception | None]:
        """Report that no request was written, and forget what is known of streams."""
        self._tips.clear()
        for request in requests:
            request.fail()
        return [error] * len(requests)

    def _write(self, db: Db, requests: list[Request]) -> list[Exception | None]:
        prepared = self._prepare(requests)
        rows = _rows_of(prepared) if prepared is not None else None
        known = self._begin(db, requests)
        outcomes: list[Exception | None] = [None] * len(requests)
        if prepared is not None and rows is not None and self._holds(known, prepared):
            batch = prepared
            batch.head, batch.streams = known.head, known.streams
        else:
            ends = (partial(self._tip, known), known.is_used)
            batch = Batch(known.head, known.streams, self._signer, *ends)
            add = partial(self._add_with_rows, db, batch)
            outcomes = [batch.try_request(request, add) for request in requests]
            rows = _rows_of(batch)
        self._head = self._end(db, batch, rows)
        self._tips.update({name: tip for name, tip in batch.tips.items() if name in self.tokens})
        return outcomes

    def _prepare(self, requests: list[Request]) -> Batch | None:
        """Return a batch of all requests if their streams are held and all can be appended."""
        batch = Batch(self._head, 0, self._signer, self._known_tip, _ask, fatal=(_NotKnown,))
        try:
            for request in requests:
                has_failed = any(lineage.failed for lineage in request.depends_on)
                if has_failed or request.rows or batch.add(request.appends) is not None:
                    return None
        except _NotKnown:
            return None
        return batch

    def _known_tip(self, stream: str) -> Tip:
        """Return the end of a stream that this process holds, and has written before."""
        tip = self._tips.get(stream)
        if tip is None or tip.id is None:
            raise _NotKnown
        return tip

    def _holds(self, known: _Known, batch: Batch) -> bool:
        """Return whether this process still holds all streams of a batch."""
        return all(known.tokens.get(name) == self.tokens.get(name) for name in batch.tips)

    def _begin(self, db: Db, requests: list[Request]) -> _Known:
        """Begin a transaction, lock the head, and read what the requests depend on."""
        appends = [append for request in requests for append in request.appends]
        streams = {append.stream for append in appends}
        unknown = [name for name in streams if name not in self._tips]
        wanted = [(append.stream, key) for append in appends for key in append.keys]
        with db.pipeline():
            db.execute("begin")
            head = db.execute(_LOCK_HEAD, binary=True)
            leases = db.execute(_LEASES, (list(streams),), binary=True)
            tips = db.execute(TIPS, (unknown,), binary=True) if unknown else None
            keys = [list(column) for column in zip(*wanted, strict=True)]
            used = db.execute(_USED, keys) if keys else None
        ((*values, count),) = head.fetchall()
        return _Known(
            self._checked(Head(*values)),
            int(count),
            self._read_tips(tips.fetchall() if tips is not None else ()),
            {str(name): int(token) for name, token in leases.fetchall()},
            {(str(name), str(key)) for name, key in used.fetchall()} if used is not None else set(),
        )

    def _checked(self, head: Head) -> Head:
        """Return the head; raise if it is not signed by this room's key, or went back."""
        is_known = head.events == 0 or head == self._head
        signed = is_known or (head.key == self._signer.key and is_signed(head))
        if not signed or head.events < self._head.events:
            raise QueenhighError("store.damaged", "its head is damaged: run queenhigh verify")
        return head

    def _read_tips(self, rows: Iterable[tuple[Any, ...]]) -> dict[str, Tip | DamagedStream]:
        """Return the ends of streams; the error for one that is not as it is marked."""
        tips: dict[str, Tip | DamagedStream] = {}
        for name, id, version, last_hash, mark, stored in rows:
            sound = last_hash is not None and last_hash == stored
            if sound and mark == self._signer.mark(last_hash):
                tips[name] = Tip(id, version, last_hash)
            else:
                tips[name] = DamagedStream(name, version or 0)
        return tips

    def _tip(self, known: _Known, stream: str) -> Tip:
        """Return the end of a stream; raise if another process holds it, or it is damaged."""
        self._check_lease(known, stream)
        tip = self._tips.get(stream) or known.tips.get(stream)
        if isinstance(tip, DamagedStream):
            raise tip
        return tip or Tip(None, 0, GENESIS)

    def _check_lease(self, known: _Known, stream: str) -> None:
        """Raise unless this process may write a stream: it holds it, or nobody does."""
        if known.tokens.get(stream) != self.tokens.get(stream):
            raise LeaseLost(stream)

    def _add_with_rows(self, db: Db, batch: Batch, request: Request) -> Exception | None:
        """Add a request to the batch and write its rows, or do neither; return the error."""
        if not request.rows:
            return batch.add(request.appends)
        db.execute("savepoint request")
        error = self._write_rows(db, request.rows) or batch.add(request.appends)
        if error is not None:
            db.execute("rollback to request")
        db.execute("release request")
        return error

    def _write_rows(self, db: Db, rows: tuple[Statement, ...]) -> Exception | None:
        """Write rows; return the error of a row that violates a constraint of its table."""
        try:
            for statement, values in rows:
                db.execute(as_postgres(statement), values)
        except psycopg.IntegrityError:
            return RowTaken()
        return None

    def _end(self, db: Db, batch: Batch, rows: _Rows) -> Head:
        """Write the rows of a batch and commit; return the new head once that is acknowledged."""
        head = batch.sign_head()
        with refusing_warnings(db), db.pipeline():
            for snapshot in batch.snapshots:
                db.execute(_SNAPSHOT, snapshot)
            if rows.events is not None and rows.marks is not None:
                if batch.names:
                    db.execute(_STREAMS, _numbered(batch.names))
                db.execute(_EVENTS, (batch.head.events, *rows.events))
                if batch.keys:
                    db.execute(_KEYS, _numbered(batch.keys))
                db.execute(_MARK, rows.marks)
                db.execute(_HEAD, (*head, batch.streams))
            db.execute("commit")
        return head


def _ask(stream: str, id: int, key: str) -> bool:
    """Raise: only the database knows which keys are used."""
    raise _NotKnown


def _rows_of(batch: Batch) -> _Rows:
    """Return the rows of a batch as arrays; without events there are none."""
    if not batch.rows:
        return _Rows(None, None)
    return _Rows(_hashed(batch.rows), _hashed(batch.marks()))


def _hashed(
    rows: Iterable[tuple[int, int, bytes, bytes]],
) -> tuple[Numbers, Numbers, Blobs, Blobs]:
    """Return rows of two numbers and two blobs as columns."""
    first, second, third, fourth = zip(*rows, strict=True)
    return Numbers(first), Numbers(second), Blobs(third), Blobs(fourth)


def _numbered(rows: Iterable[tuple[int, str]]) -> tuple[Numbers, Texts]:
    """Return rows of a number and a text as columns."""
    numbers, texts = zip(*rows, strict=True)
    return Numbers(numbers), Texts(texts)
