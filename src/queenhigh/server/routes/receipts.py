"""Receipts over HTTP: signed by the room, to check its log later."""

from typing import Annotated

from fastapi import Query
from fastapi.responses import Response

from queenhigh.server.event_receipt import sign_event
from queenhigh.server.responses import json_response
from queenhigh.server.services import require
from queenhigh.store.durable_store import DurableStore

__all__ = ["Version", "receipt_response"]

#: The version of an event in its stream; the last one by default.
Version = Annotated[int | None, Query(ge=1, lt=2**53)]


def receipt_response(store: DurableStore, stream: str, version: int | None) -> Response:
    """Return a receipt of an event as JSON, or refuse where there is no such event."""
    return json_response(require(sign_event(store, stream, version), "event"))
