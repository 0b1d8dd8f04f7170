"""A batch: the appends of all who wait, checked and chained, ready to be written in a transaction.

It knows no database. A writer looks up the ends of streams for it and writes its rows.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from queenhigh.store.signing import Head, Signer, extend_head
from queenhigh.store.streams import AT_END, Append, Conflict, KeyUsed, Lineage, chain

__all__ = ["Batch", "Request", "Statement", "Tip"]

#: A statement of SQL, and its values.
Statement = tuple[str, tuple[Any, ...]]


class Request(NamedTuple):
    """Appends that belong together, and the lineages that they depend on.

    ``rows`` are statements for other tables of the database, executed in the same transaction.
    """

    appends: tuple[Append, ...]
    depends_on: tuple[Lineage, ...] = ()
    rows: tuple[Statement, ...] = ()

    def fail(self) -> None:
        """Mark the lineages as failed, so that all later requests of them fail too."""
        for lineage in self.depends_on:
            lineage.failed = True


class Tip(NamedTuple):
    """The end of a stream: its id if it has one, its version, its last hash."""

    id: int | None
    version: int
    hash: bytes


class Batch:
    """Rows to write, and the ends of streams and the head after they are written.

    ``tip_of`` returns the end of a stream in the database, ``is_used`` whether a stream, by its
    name and its id, has used a key there. An error of the kinds in ``fatal`` ends the whole batch.
    """

    def __init__(
        self,
        head: Head,
        streams: int,
        signer: Signer,
        tip_of: Callable[[str], Tip],
        is_used: Callable[[str, int, str], bool],
        fatal: tuple[type[Exception], ...] = (),
    ) -> None:
        self.head, self.streams = head, streams
        self._signer, self._tip_of, self._is_used, self._fatal = signer, tip_of, is_used, fatal
        self.tips: dict[str, Tip] = {}
        #: Streams that are new: their ids and names.
        self.names: list[tuple[int, str]] = []
        self.rows: list[tuple[int, int, bytes, bytes]] = []
        self.snapshots: list[tuple[int, int, bytes, bytes, bytes]] = []
        self.keys: set[tuple[int, str]] = set()

    def try_request(
        self, request: Request, add: Callable[[Request], Exception | None]
    ) -> Exception | None:
        """Add a request unless one that it depends on has failed; return its error."""
        error: Exception | None
        if any(lineage.failed for lineage in request.depends_on):
            place: tuple[str, int | None] = request.appends[0][:2] if request.appends else ("", 0)
            error = Conflict(*place, -1)
        else:
            error = add(request)
        if error is not None:
            request.fail()
        return error

    def add(self, appends: tuple[Append, ...]) -> Exception | None:
        """Add all appends of a request or none; return the error, if there is one."""
        rows_before = len(self.rows)
        tips: dict[str, Tip] = {}
        used: set[tuple[int, str]] = set()
        snapshots, streams = [], self.streams
        try:
            for stream, expected, events, state, keys in appends:
                tip = tips.get(stream) or self.tips.get(stream) or self._tip_of(stream)
                id, version, before = tip
                if expected not in (version, AT_END):
                    raise Conflict(stream, expected, version)
                if not events and (state is None or id is None):
                    continue
                if id is None:
                    id = streams = streams + 1
                used |= self._new_keys(stream, id, keys if events else (), used)
                for event in events:
                    version += 1
                    before = chain(before, stream, version, event)
                    self.rows.append((id, version, event, before))
                tips[stream] = Tip(id, version, before)
                if state is not None:
                    signature = self._signer.sign_snapshot(stream, version, before, state)
                    snapshots.append((id, version, before, signature, state))
        except self._fatal:
            raise
        except Exception as error:
            del self.rows[rows_before:]
            return error
        if streams > self.streams:
            named = ((tip.id, name) for name, tip in tips.items())
            self.names += [(id, name) for id, name in named if id is not None and id > self.streams]
            self.streams = streams
        self.tips.update(tips)
        self.snapshots += snapshots
        self.keys |= used
        return None

    def _new_keys(
        self, stream: str, id: int, keys: tuple[str, ...], taken: set[tuple[int, str]]
    ) -> set[tuple[int, str]]:
        """Return keys with the id of their stream; raise KeyUsed if it had one of them before."""
        new: set[tuple[int, str]] = set()
        for key in keys:
            queued = any((id, key) in used for used in (new, taken, self.keys))
            if queued or self._is_used(stream, id, key):
                raise KeyUsed(stream, key)
            new.add((id, key))
        return new

    def sign_head(self) -> Head:
        """Return the head after this batch; without new events it is the one before."""
        if not self.rows:
            return self.head
        over_all = extend_head(self.head.hash, *[row[3] for row in self.rows])
        return self._signer.sign(self.head.events + len(self.rows), over_all)

    def marks(self) -> list[tuple[int, int, bytes, bytes]]:
        """Return id, version, last hash and its mark for each stream that has new events."""
        mark = self._signer.mark
        return [
            (tip.id, tip.version, tip.hash, mark(tip.hash))
            for tip in self.tips.values()
            if tip.id is not None
        ]
