"""Open connections, counted by network: one network cannot use up all that a machine has.

Those of a trusted proxy are not counted, since everyone comes through it.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from queenhigh.server.client_address import network_of

__all__ = ["LimitedHttpProtocol", "OpenConnections"]


class OpenConnections(set[Any]):
    """The protocols of all open connections, as uvicorn keeps them, and counts by network."""

    def __init__(
        self, most: int, is_proxy: Callable[[str], bool], peer_port: int | None = None
    ) -> None:
        """Count connections but those of proxies, and those that other processes pass on."""
        super().__init__()
        self._most, self._is_proxy, self._peer_port = most, is_proxy, peer_port
        self._open: dict[asyncio.BaseTransport, str] = {}
        self._counts: Counter[str] = Counter()

    def count_opened(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection; return whether its network may have it."""
        peer = transport.get_extra_info("peername")
        if not peer or self._is_proxy(str(peer[0])) or self._is_passed_on(transport):
            return True
        network = network_of(str(peer[0]))
        if self._counts[network] >= self._most:
            return False
        self._open[transport] = network
        self._counts[network] += 1
        return True

    def _is_passed_on(self, transport: asyncio.BaseTransport) -> bool:
        own = transport.get_extra_info("sockname")
        return self._peer_port is not None and bool(own) and own[1] == self._peer_port

    def count_closed(self, transport: asyncio.BaseTransport) -> None:
        """Stop counting a connection."""
        network = self._open.pop(transport, None)
        if network is not None:
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]


class LimitedHttpProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """uvicorn's HTTP protocol, which closes a connection that its network may not have."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Open the connection, or close it at once."""
        super().connection_made(transport)
        if not self.connections.count_opened(transport):
            cast("asyncio.Transport", transport).abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection as closed."""
        self.connections.count_closed(self.transport)
        super().connection_lost(exc)
