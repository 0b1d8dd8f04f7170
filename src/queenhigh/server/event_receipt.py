"""Receipts of events, signed by the room, so that players can check its log later."""

from typing import Protocol

from msgspec import Struct

from queenhigh.store.signing import Receipt
from queenhigh.table.state import State

__all__ = ["ClosedBets", "EventReceipt", "SignsReceipts", "sign_event"]


class SignsReceipts(Protocol):
    """A store that signs receipts."""

    def receipt(self, stream: str, version: int | None = None) -> Receipt | None:
        """Return a receipt of an event, by default of the last; ``None`` if there is none."""


class EventReceipt(Struct, frozen=True):
    """Signed by the room: the hash of a stream's event, and by it of all events before it there."""

    key: str
    epoch: int
    stream: str
    version: int
    hash: str
    signature: str


def sign_event(store: SignsReceipts, stream: str, version: int | None) -> EventReceipt | None:
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

    It covers everything that decides the deal, before anyone has shown a seed.
    """

    def __init__(self, store: SignsReceipts, stream: str) -> None:
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
