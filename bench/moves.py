"""How long it takes until tables answer: after a start, after a crash, after a planned stop."""

import asyncio
import json
import time

from bench.load import PATIENCE
from bench.measure import NotComputed
from bench.sockets import Socket, connect

__all__ = ["seconds_to_answer"]

#: Seconds between two tries to connect.
_BETWEEN_TRIES = 0.02


async def seconds_to_answer(port: int, tables: list[str], start: float) -> list[float]:
    """Return how many seconds after a start, by the monotonic clock, each table showed a view."""
    return await asyncio.gather(*[_watch(port, table, start) for table in tables])


async def _watch(port: int, table: str, start: float) -> float:
    """Connect to a table again and again until it shows a view."""
    while time.monotonic() < start + PATIENCE:
        shown = asyncio.Event()
        try:
            socket = await _connect(port, table, shown)
        except OSError:
            await asyncio.sleep(_BETWEEN_TRIES)
            continue
        while not shown.is_set() and not socket.closed:
            await asyncio.sleep(0.002)
        taken = time.monotonic() - start
        socket.close()
        if shown.is_set():
            return taken
    raise NotComputed(f"table {table} did not answer within {PATIENCE} s")


async def _connect(port: int, table: str, shown: asyncio.Event) -> Socket:
    """Connect as a spectator; a view sets the event."""

    def hear(message: bytes) -> None:
        if json.loads(message)["type"] == "view":
            shown.set()

    return await connect(port, f"/api/tables/{table}/socket", None, hear)
