"""Receipts over HTTP: what the room signs for who wants to check its log later."""

from typing import Annotated

from fastapi import Query
from fastapi.responses import Response
from msgspec import Struct

from queenhigh.server.answers import answer
from queenhigh.server.premises import found
from queenhigh.store.sqlite import SqliteStore

__all__ = ["EventReceipt", "Version", "give_receipt"]

#: The version of an event in its stream; without one the last.
Version = Annotated[int | None, Query(ge=1, lt=2**53)]


class EventReceipt(Struct, frozen=True):
    """Signed by the room: the hash of a stream's event, and by it of all events before it there."""

    key: str
    epoch: int
    stream: str
    version: int
    hash: str
    signature: str


def give_receipt(store: SqliteStore, stream: str, version: int | None) -> Response:
    """Return a receipt of an event as JSON, or refuse where there is no such event."""
    receipt = found(store.receipt(stream, version), "event")
    return answer(
        EventReceipt(
            key=receipt.key.hex(),
            epoch=receipt.epoch,
            stream=receipt.stream,
            version=receipt.version,
            hash=receipt.hash.hex(),
            signature=receipt.signature.hex(),
        )
    )
