"""A WebSocket client that costs next to nothing, so that a bench measures the server."""

import asyncio
import os
from base64 import b64encode
from collections.abc import Callable

__all__ = ["Socket", "connect"]


class Socket(asyncio.Protocol):
    """One connection; ``heard`` gets every text message."""

    def __init__(self, request: bytes, heard: Callable[[bytes], None]) -> None:
        self._request, self._heard = request, heard
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the socket."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        """Take note of the end."""
        self.closed = True
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(f"refused: {self._buffer[:200]!r}"))

    def data_received(self, data: bytes) -> None:
        """Take what comes: the handshake first, then frames."""
        buffer = self._buffer + data if self._buffer else data
        if not self.ready.done():
            head, blank, rest = buffer.partition(b"\r\n\r\n")
            if not blank or b" 101 " not in head.partition(b"\r\n")[0]:
                self._buffer = buffer
                return
            buffer = rest
            self.ready.set_result(None)
        start_of_frame = 0
        while (payload := _payload(buffer, start_of_frame)) is not None:
            start, end = payload
            if buffer[start_of_frame] & 15 == 1:
                self._heard(buffer[start:end])
            elif buffer[start_of_frame] & 15 == 9:
                self._write(0x8A, buffer[start:end])
            start_of_frame = end
        self._buffer = buffer[start_of_frame:]

    def send(self, text: bytes) -> None:
        """Send a text message."""
        self._write(0x81, text)

    def _write(self, first: int, text: bytes) -> None:
        size = len(text)
        assert self._transport is not None
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        # Masked by zeros, which is allowed and leaves the text as it is.
        self._transport.write(bytes([first]) + length + bytes(4) + text)

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.abort()


def _payload(buffer: bytes, frame: int) -> tuple[int, int] | None:
    """Return where the payload of a frame begins and ends, if it is all there."""
    if len(buffer) < frame + 2:
        return None
    size, start = buffer[frame + 1], frame + 2
    if size >= 126:
        width = 2 if size == 126 else 8
        if len(buffer) < start + width:
            return None
        size, start = int.from_bytes(buffer[start : start + width], "big"), start + width
    return (start, start + size) if len(buffer) >= start + size else None


async def connect(
    port: int,
    path: str,
    cookie: str | None,
    heard: Callable[[bytes], None],
    local: str = "127.0.0.1",
) -> Socket:
    """Return a connection, from an address of this machine, once it is open."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(request, heard), "127.0.0.1", port, local_addr=(local, 0)
    )
    await socket.ready
    return socket
