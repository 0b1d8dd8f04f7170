"""Sockets that are passed on to the process that serves their table.

Bytes go through unread, so views reach a player in the order in which the one process that holds
the table made them. A connection is given to a process of the same machine; all sockets that are
passed on to a process of another machine share a link.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from queenhigh.server.handover import Cuttable, Handover
from queenhigh.server.link_pool import SECONDS_TO_ANSWER, Links, Target
from queenhigh.server.links import DATA, PAUSE, RESUME, Link
from queenhigh.server.peers import Peers

__all__ = ["Relay"]

#: How long a socket waits for its table to be served again, and between two tries: seconds.
_SECONDS_TO_MOVE, _BETWEEN_TRIES = 8.0, 0.03
#: How long a client has to read the last bytes, in seconds; how much it may send unanswered.
_SECONDS_TO_CLOSE, _MOST_UNSENT = 1.0, 65_536


class Relay:
    """A socket that is passed on to the process that serves its table.

    ``first`` returns the request for a target. ``refuse`` is called if nobody serves the table.
    ``may_give`` tells whether the connection itself may be given to the process.
    """

    def __init__(
        self,
        client: asyncio.Transport,
        first: Callable[[Target], bytes],
        refuse: Callable[[], None],
        *,
        may_give: bool,
    ) -> None:
        self._client, self._first, self._refuse = client, first, refuse
        self._may_give = may_give
        self._unsent: list[bytes] = []
        self._upstream: _Upstream | None = None
        self._closed = self._is_paused = False
        #: The sockets of the same table that are not served here.
        self._others: set[Cuttable] = set()

    async def connect(self, peers: Peers, table: str, address: str) -> None:
        """Connect to the process that serves a table; try again while it moves, or refuse."""
        others = self._others = peers.relays.setdefault(table, set())
        try:
            upstream = await self._find(peers, table, address)
        except BaseException:  # nobody may wait for ever
            self._refuse()
            raise
        if upstream is None:
            if not self._closed:
                self._refuse()
            return
        self._upstream = upstream
        if self._is_paused:  # by the answer itself
            upstream.say(PAUSE)
        upstream.write(b"".join(self._unsent))
        self._unsent.clear()
        others.add(self)

    async def _find(self, peers: Peers, table: str, address: str) -> "_Upstream | None":
        loop = asyncio.get_running_loop()
        end = loop.time() + _SECONDS_TO_MOVE
        while not self._closed and loop.time() < end:
            target = await peers.find(table, address, end)
            upstream = await self._try(peers, target) if target is not None else None
            if upstream is not None:
                return upstream
            await asyncio.sleep(_BETWEEN_TRIES)
        return None

    async def _try(self, peers: Peers, target: Target) -> "_Upstream | None":
        """Give the connection to a process, or return the channel if it serves the table."""
        with suppress(OSError):  # a timeout too
            is_given = await self._give(peers.handover, target)
            self._closed = self._closed or is_given
            return None if self._closed else await self._open_channel(peers.links, target)
        return None

    async def _give(self, handover: Handover, target: Target) -> bool:
        """Return whether a process has the connection now."""
        if not self._may_give or self._unsent or not handover.reaches(target.host):
            return False
        return await handover.give(self._client, target.port, self._first(target), self._others)

    async def _open_channel(self, links: Links, target: Target) -> "_Upstream | None":
        """Send the request to a process; return the channel if it serves the table."""
        link = await links.to(target)
        is_served: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        upstream = _Upstream(link, self._client, self._first(target), is_served, self._lose)
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                if await is_served and not self._closed:
                    return upstream
        except TimeoutError:
            if upstream.passes and not self._closed:  # it was answered at the last moment
                return upstream
            link.shutdown()  # the next try makes another; the sockets of this one keep it
        upstream.abort()
        return None

    def _lose(self) -> None:
        """Close the client's side after the other process has closed its own."""
        self._others.discard(self)
        self._close_client()

    def _close_client(self) -> None:
        """Close the client's side, soon also if it reads nothing."""
        self._client.close()
        asyncio.get_running_loop().call_later(_SECONDS_TO_CLOSE, self._client.abort)

    def send(self, data: bytes) -> None:
        """Pass bytes on to the other process."""
        if self._upstream is not None:
            self._upstream.write(data)
            return
        self._unsent.append(data)
        if sum(map(len, self._unsent)) > _MOST_UNSENT:  # no client sends so much unanswered
            self._client.abort()

    def pause(self) -> None:
        """Read nothing from the other process while the client takes nothing."""
        self._is_paused = True
        if self._upstream is not None:
            self._upstream.say(PAUSE)

    def resume(self) -> None:
        """Read from the other process again."""
        self._is_paused = False
        if self._upstream is not None:
            self._upstream.say(RESUME)

    def cut(self) -> None:
        """Close both sides."""
        self._close_client()
        self.close()

    def close(self) -> None:
        """Close the other process's side."""
        self._closed = True
        self._others.discard(self)
        if self._upstream is not None:
            self._upstream.abort()


class _Upstream:
    """The channel to the other process: its bytes are written to the client as they come.

    ``is_served`` gets whether the process serves the table; one that does not answers 503.
    """

    def __init__(
        self,
        link: Link,
        client: asyncio.Transport,
        request: bytes,
        is_served: "asyncio.Future[bool]",
        on_lost: Callable[[], None],
    ) -> None:
        self._link, self._client = link, client
        self._is_served, self._on_lost = is_served, on_lost
        self.passes = False
        self._number = link.open(self, request)

    def on_data(self, data: bytes) -> None:
        """Pass the answer to the request on to the client, and all bytes after it."""
        if self._is_served.done():
            return
        moves = data.startswith(b"HTTP/1.1 503") and b'"table.moving"' in data
        self.passes = not moves and not self._client.is_closing()
        self._is_served.set_result(self.passes)
        if self.passes:
            self._client.write(data)
            self.on_data = self._client.write  # type: ignore[method-assign]

    def on_close(self) -> None:
        """Report that the other process is gone, or never served the table."""
        if self.passes:
            self._on_lost()
        elif not self._is_served.done():
            self._is_served.set_result(False)

    def on_pause(self) -> None:
        """Read nothing from the client while the other process takes nothing."""
        if not self._client.is_closing():
            self._client.pause_reading()

    def on_resume(self) -> None:
        """Read from the client again."""
        if not self._client.is_closing():
            self._client.resume_reading()

    def write(self, data: bytes) -> None:
        """Send bytes to the other process."""
        if data:
            self.say(DATA, data)

    def say(self, kind: int, data: bytes = b"") -> None:
        """Send something to the other process."""
        self._link.send(self._number, kind, data)

    def abort(self) -> None:
        """Close the channel at once, and pass nothing on any more."""
        self.passes = False
        if not self._is_served.done():
            self._is_served.set_result(False)
        self._link.close(self._number)
        self.on_resume()  # a full link may have paused the client, and the next one is another
