"""Open connections, counted by network: one network cannot take all that a machine has.

Those of a trusted proxy are not counted, since it brings everyone.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from queenhigh.server.peers import network_of

__all__ = ["Connection", "Connections"]


class Connections(set[Any]):
    """The protocols of all open connections, as uvicorn keeps them, and how many a network has."""

    def __init__(self, most: int, is_proxy: Callable[[str], bool]) -> None:
        super().__init__()
        self._most, self._is_proxy = most, is_proxy
        self._open: dict[asyncio.BaseTransport, str] = {}
        self._counts: Counter[str] = Counter()

    def come(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection; tell whether its network may have it."""
        peer = transport.get_extra_info("peername")
        if not peer or self._is_proxy(str(peer[0])):
            return True
        network = network_of(str(peer[0]))
        if self._counts[network] >= self._most:
            return False
        self._open[transport] = network
        self._counts[network] += 1
        return True

    def go(self, transport: asyncio.BaseTransport) -> None:
        """Count a connection no longer."""
        network = self._open.pop(transport, None)
        if network is not None:
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection as uvicorn makes it; one too many of a network is closed at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, or end at once."""
        super().connection_made(transport)
        if not self.connections.come(transport):
            cast("asyncio.Transport", transport).abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.connections.go(self.transport)
        super().connection_lost(exc)
