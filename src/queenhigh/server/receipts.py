"""Receipts over HTTP: what the room signs for who wants to check its log later."""

from typing import Annotated

from fastapi import Query
from fastapi.responses import Response

from queenhigh.server.answers import answer
from queenhigh.server.event_receipt import sign_event
from queenhigh.server.premises import found
from queenhigh.store.sqlite import SqliteStore

__all__ = ["Version", "give_receipt"]

#: The version of an event in its stream; without one the last.
Version = Annotated[int | None, Query(ge=1, lt=2**53)]


def give_receipt(store: SqliteStore, stream: str, version: int | None) -> Response:
    """Return a receipt of an event as JSON, or refuse where there is no such event."""
    return answer(found(sign_event(store, stream, version), "event"))
