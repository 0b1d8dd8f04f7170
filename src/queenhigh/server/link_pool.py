"""The links of this process to the others, and the request that begins one."""

import asyncio
from base64 import b64encode
from secrets import token_bytes
from typing import NamedTuple, cast

from queenhigh.server.links import Link

__all__ = ["LINK", "SECONDS_TO_ANSWER", "Links", "Target"]

#: The path at which a process takes links from the others.
LINK = "/peers/link"
#: How long a process may take to answer a request before another one is tried.
SECONDS_TO_ANSWER = 1.5


class Target(NamedTuple):
    """Where a request is passed on to, and what is added to it."""

    host: str
    port: int
    headers: dict[str, str]


class Links:
    """The links to other processes, by their addresses; each is made when it is first used."""

    def __init__(self) -> None:
        self._links: dict[tuple[str, int], asyncio.Task[Link]] = {}

    async def to(self, target: Target) -> Link:
        """Return a link to a process."""
        address = target.host, target.port
        task = self._links.get(address)
        if task is None or (task.done() and (task.exception() or task.result().is_lost)):
            task = self._links[address] = asyncio.create_task(_connect(target))
        return await asyncio.shield(task)


async def _connect(target: Target) -> Link:
    """Connect to another process; raise an ``OSError`` if it takes no link."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(SECONDS_TO_ANSWER):
        greeting = _Greeting(_request(target), loop.create_future())
        transport, _ = await loop.create_connection(lambda: greeting, target.host, target.port)
        try:
            early = await greeting.answered
        except BaseException:
            transport.abort()
            raise
    if transport.is_closing():
        raise ConnectionResetError("the process is gone")
    link = Link()
    transport.set_protocol(link)
    link.connection_made(transport)
    link.data_received(early)
    return link


def _request(target: Target) -> bytes:
    """Return the request for a link: the same kind of handshake as for a socket."""
    headers = {
        "Host": "peers",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": b64encode(token_bytes(16)).decode(),
        **target.headers,
    }
    lines = [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([f"GET {LINK} HTTP/1.1", *lines, "", ""]).encode("latin-1")


class _Greeting(asyncio.Protocol):
    """The request for a link; ``answered`` gets what follows the answer, if it is accepted."""

    def __init__(self, request: bytes, answered: "asyncio.Future[bytes]") -> None:
        self._request, self.answered = request, answered
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the request."""
        cast("asyncio.Transport", transport).write(self._request)

    def data_received(self, data: bytes) -> None:
        """Read the answer, whole."""
        self._data += data
        head, end, rest = self._data.partition(b"\r\n\r\n")
        if not end or self.answered.done():
            return
        if head.startswith(b"HTTP/1.1 101"):
            self.answered.set_result(rest)
        else:
            self.answered.set_exception(ConnectionRefusedError("no link is taken there"))

    def connection_lost(self, error: Exception | None) -> None:
        """Fail if there was no answer."""
        if not self.answered.done():
            self.answered.set_exception(ConnectionResetError("the process is gone"))
