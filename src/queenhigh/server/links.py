"""One connection between two processes for all the sockets that one passes on to the other.

A connection for each socket would cost each message two more system calls. A link sends the
messages of all its channels together, once in each turn of the event loop. Each side may pause a
channel; while a link takes nothing, all its channels pause.
"""

import asyncio
from collections.abc import Callable
from struct import Struct
from typing import Any, Protocol, cast

__all__ = ["CLOSE", "DATA", "OPEN", "PAUSE", "RESUME", "Channel", "HeldChannel", "Link"]

#: The number of a channel, what is said of it, and the length of the bytes that follow.
_HEAD = Struct(">IBI")
_HEAD_SIZE, _read_head, _head = _HEAD.size, _HEAD.unpack_from, _HEAD.pack
#: What a frame says of its channel: opened with a request, bytes, closed, take no more, go on.
OPEN, DATA, CLOSE, PAUSE, RESUME = range(5)
#: How many bytes may wait to be sent before all channels pause; a view has a few thousand.
_MOST_WAITING = 1 << 20


class Channel(Protocol):
    """One end of a channel."""

    def on_data(self, data: bytes) -> None:
        """Take bytes from the other end."""

    def on_close(self) -> None:
        """Note that the other end is closed, or the link is lost."""

    def on_pause(self) -> None:
        """Send nothing for now."""

    def on_resume(self) -> None:
        """Send again."""


class Link(asyncio.Protocol):
    """One end of a link.

    ``on_open`` returns the channel that the other side opens with a number; ``on_lost`` is called
    when the connection is gone.
    """

    def __init__(
        self,
        on_open: "Callable[[Link, int], Channel] | None" = None,
        on_lost: "Callable[[Link], None]" = lambda link: None,
    ) -> None:
        self._on_open, self._on_lost = on_open, on_lost
        self._channels: dict[int, Channel] = {}
        #: Channels that the other side has paused.
        self._paused: set[int] = set()
        self._waiting: list[bytes] = []
        self._rest = b""
        self._opened = 0
        self._is_full = self._ends = False

    # From asyncio and uvicorn

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to send."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.set_write_buffer_limits(high=_MOST_WAITING)

    def connection_lost(self, error: Exception | None) -> None:
        """Close every channel."""
        channels = tuple(self._channels.values())
        self._channels.clear()
        self._on_lost(self)
        for channel in channels:
            channel.on_close()

    def pause_writing(self) -> None:
        """Pause every channel: the other process takes nothing."""
        self._is_full = True
        for channel in tuple(self._channels.values()):
            channel.on_pause()

    def resume_writing(self) -> None:
        """Resume the channels that the other side has not paused."""
        self._is_full = False
        for number, channel in tuple(self._channels.items()):
            if number not in self._paused:
                channel.on_resume()

    def shutdown(self) -> None:
        """Open no more channels, and close the link when the last one is closed."""
        self._ends = True
        self._close_if_unused()

    def data_received(self, data: bytes) -> None:
        """Give the bytes to their channels."""
        data = self._rest + data if self._rest else data
        first, end, channels = _HEAD_SIZE, len(data), self._channels
        while first <= end:
            number, kind, size = _read_head(data, first - _HEAD_SIZE)
            after = first + size
            if after > end:
                break
            channel = channels.get(number)
            if kind == DATA and channel is not None:  # nearly always
                channel.on_data(data[first:after])
            else:
                self._take(number, kind, data[first:after])
            first = after + _HEAD_SIZE
        self._rest = data[first - _HEAD_SIZE :]

    def _take(self, number: int, kind: int, data: bytes) -> None:
        if kind == OPEN and self._on_open is not None:
            self._add(number, self._on_open(self, number))
        channel = self._channels.get(number)
        if channel is None:  # closed by this side, which the other does not know yet
            return
        if kind == OPEN:
            channel.on_data(data)
        elif kind == CLOSE:
            self._remove(number)
            channel.on_close()
        elif kind == PAUSE:
            self._paused.add(number)
            channel.on_pause()
        else:
            self._paused.discard(number)
            if not self._is_full:
                channel.on_resume()

    # From its channels

    @property
    def is_lost(self) -> bool:
        """Whether the connection is closed, or about to be."""
        return self._ends or self.transport.is_closing()

    def open(self, channel: Channel, request: bytes) -> int:
        """Open a channel with a request; return its number."""
        self._opened += 1
        self._add(self._opened, channel)
        self.send(self._opened, OPEN, request)
        return self._opened

    def send(self, number: int, kind: int, data: bytes = b"") -> None:
        """Send something of a channel, together with everything else of this turn."""
        if number not in self._channels:
            return
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting += (_head(number, kind, len(data)), data)

    def close(self, number: int) -> None:
        """Close a channel from this side."""
        self.send(number, CLOSE)
        self._remove(number)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not self.transport.is_closing():
            self.transport.write(b"".join(waiting))

    def _add(self, number: int, channel: Channel) -> None:
        self._channels[number] = channel
        if self._is_full:
            channel.on_pause()

    def _remove(self, number: int) -> None:
        self._channels.pop(number, None)
        self._paused.discard(number)
        self._close_if_unused()

    def _close_if_unused(self) -> None:
        if self._ends and not self._channels:
            if self._waiting:
                self._flush()
            self.transport.close()


class HeldChannel(asyncio.Transport):
    """A channel at the process that holds the table: for its socket, the transport to a client."""

    def __init__(self, link: Link, number: int, socket: asyncio.BufferedProtocol) -> None:
        super().__init__()
        self._link, self._number, self._socket = link, number, socket
        self._send, self._receive = link.send, cast("Any", socket).data_received
        self._closing = False
        socket.connection_made(self)

    # From the link

    def on_data(self, data: bytes) -> None:
        """Give bytes of the client to the socket."""
        if self._closing:
            return
        try:
            self._receive(data)
        except Exception as error:  # an error of one socket must not close the others
            loop, message = asyncio.get_running_loop(), "a socket that was passed on failed"
            loop.call_exception_handler({"message": message, "exception": error})
            self.abort()

    def on_close(self) -> None:
        """Tell the socket that the client is gone."""
        self._end()

    def on_pause(self) -> None:
        """Tell the socket that the client takes nothing."""
        self._socket.pause_writing()

    def on_resume(self) -> None:
        """Tell the socket that the client takes messages again."""
        self._socket.resume_writing()

    # From the socket

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes to the client."""
        if not self._closing:
            self._send(self._number, DATA, cast("bytes", data))

    def is_closing(self) -> bool:
        """Return whether the channel is closed."""
        return self._closing

    def close(self) -> None:
        """Close the channel after what was written."""
        self._link.close(self._number)
        self._end()

    def abort(self) -> None:
        """Close the channel."""
        self.close()

    def _end(self) -> None:
        if not self._closing:
            self._closing = True
            asyncio.get_running_loop().call_soon(self._socket.connection_lost, None)

    def pause_reading(self) -> None:
        """Tell the other process to read nothing from the client."""
        self._link.send(self._number, PAUSE)

    def resume_reading(self) -> None:
        """Tell the other process to read from the client again."""
        self._link.send(self._number, RESUME)

    def get_extra_info(self, name: str, default: object = None) -> object:
        """Return what is known of the link's connection."""
        return self._link.transport.get_extra_info(name, default)
