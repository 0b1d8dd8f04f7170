"""Receipts of events: what the room signs, so that players can check its log later."""

from msgspec import Struct

from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.state import State

__all__ = ["ClosedBets", "EventReceipt", "sign_event"]


class EventReceipt(Struct, frozen=True):
    """Signed by the room: the hash of a stream's event, and by it of all events before it there."""

    key: str
    epoch: int
    stream: str
    version: int
    hash: str
    signature: str


def sign_event(store: SqliteStore, stream: str, version: int | None) -> EventReceipt | None:
    """Return a receipt of an event, by default of the last one of its stream."""
    receipt = store.receipt(stream, version)
    if receipt is None:
        return None
    return EventReceipt(
        key=receipt.key.hex(),
        epoch=receipt.epoch,
        stream=receipt.stream,
        version=receipt.version,
        hash=receipt.hash.hex(),
        signature=receipt.signature.hex(),
    )


class ClosedBets:
    """The receipt that goes out with a table while seeds are shown, signed once a round.

    It covers everything the deal will follow from, before anyone has shown a seed.
    """

    def __init__(self, store: SqliteStore, stream: str) -> None:
        self._store, self._stream = store, stream
        self._round = 0
        self._receipt: EventReceipt | None = None

    def receipt(self, state: State) -> EventReceipt | None:
        """Return the receipt of a table whose bets are closed and whose seeds are being shown."""
        if state.phase != "revealing":
            return None
        if state.number != self._round:
            self._receipt = sign_event(self._store, self._stream, state.version)
            self._round = state.number
        return self._receipt
