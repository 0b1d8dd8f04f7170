"""Stored events applied one after another: the only fold over the events of a stream.

All code that turns stored events back into a table or a wallet uses it: loading a table, salvaging
a damaged one, finding rounds for the history. Where an event cannot follow those before it,
:class:`BrokenStream` names the place.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.games import GAMES
from queenhigh.rulebook.book import Games
from queenhigh.store.streams import Store, Stored
from queenhigh.table.events import TableEvent, decode
from queenhigh.table.evolve import evolve
from queenhigh.table.snapshot import restore
from queenhigh.table.state import State
from queenhigh.table.streams import table_stream
from queenhigh.table.wallet import Wallet, decode_wallet, evolve_wallet

__all__ = [
    "BrokenStream",
    "SavedTable",
    "apply_event",
    "at_event",
    "follow_table",
    "follow_wallet",
    "load_saved",
]

#: What the pure core raises for an event that does not fit the ones before it.
_MISFITS = (QueenhighError, LookupError, ValueError, RecursionError)


class BrokenStream(QueenhighError):
    """Stored events that do not fit together: the one of ``version`` cannot stand there.

    ``reason`` says why, for the operator. The sentence for users names the table, unless the cause
    has a code and a sentence of its own.
    """

    def __init__(
        self, stream: str, version: int, reason: str, cause: QueenhighError | None = None
    ) -> None:
        code, message = "table.broken", _sentence(stream)
        if cause is not None:
            code, message = cause.code, str(cause)
        QueenhighError.__init__(self, code, message)
        self.stream, self.version, self.reason = stream, version, reason


class _BrokenWallet(BrokenStream, BrokenLog):
    """A wallet's events that do not fit together; the server reports it like a bug of its own."""


def _sentence(stream: str) -> str:
    prefix = table_stream("")
    name = f"table {stream.removeprefix(prefix)}" if stream.startswith(prefix) else stream
    return f"the events of {name} do not fit together: run queenhigh verify"


def _broken(stream: str, version: int, error: Exception) -> BrokenStream:
    """Return an error of the pure core with the place it belongs to."""
    if isinstance(error, BrokenStream):
        return error
    if isinstance(error, QueenhighError):
        cause = None if isinstance(error, BrokenLog) else error
        return BrokenStream(stream, version, str(error), cause)
    return BrokenStream(stream, version, f"{type(error).__name__}: {error}")


@contextmanager
def at_event(stream: str, version: int) -> Iterator[None]:
    """Raise whatever does not fit inside as :class:`BrokenStream` of this place."""
    try:
        yield
    except _MISFITS as error:
        raise _broken(stream, version, error) from error


def apply_event(state: State | None, event: TableEvent, stream: str, games: Games = GAMES) -> State:
    """Return a table after one more event of its stream."""
    try:
        return evolve(state, event, games)
    except _MISFITS as error:
        raise _broken(stream, state.version + 1 if state else 1, error) from error


class SavedTable(NamedTuple):
    """A table as its latest snapshot has it, and the hash of its events up to there."""

    state: State | None = None
    hash: bytes | None = None

    @property
    def version(self) -> int:
        """The version of the snapshot; 0 if there is none."""
        return self.state.version if self.state else 0


def load_saved(store: Store, stream: str, games: Games = GAMES) -> SavedTable:
    """Return the latest snapshot of a table that this program can read, or an empty one."""
    snapshot = store.snapshot(stream)
    state = restore(snapshot.state, games) if snapshot is not None else None
    if snapshot is None or state is None:
        return SavedTable()
    return SavedTable(state, snapshot.hash)


def follow_table(
    store: Store, stream: str, saved: SavedTable, games: Games = GAMES
) -> Iterator[State]:
    """Yield a table after each of its stored events since a snapshot."""
    state = saved.state
    for row in store.read(stream, saved.version, saved.hash):
        try:
            state = evolve(state, decode(row.event), games)
        except _MISFITS as error:
            raise _broken(stream, row.version, error) from error
        yield state


def follow_wallet(wallet: Wallet, rows: Iterable[Stored]) -> Wallet:
    """Return a wallet after some stored events of its stream."""
    for row in rows:
        try:
            wallet = evolve_wallet(wallet, decode_wallet(row.event))
        except QueenhighError as error:
            kind = _BrokenWallet if isinstance(error, BrokenLog) else BrokenStream
            raise kind(row.stream, row.version, str(error), error) from error
    return wallet
