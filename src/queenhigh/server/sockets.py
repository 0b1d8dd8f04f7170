"""WebSockets on asyncio protocols; uvicorn hands over the connections that ask for one.

A socket sends its messages in one write per commit, and handles those it receives at once, without
a task, a queue or a lock: at a busy table those would cost more than the table does. Usual frames
are read and written by ``frames.py``, the handshake and all others by the ``websockets`` library.
"""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from secrets import token_bytes
from typing import Protocol, cast
from urllib.parse import unquote

from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from queenhigh.server import handover
from queenhigh.server.frames import FrameReader, text_frames
from queenhigh.server.guard import HEADERS, Rejection, error_body
from queenhigh.server.link_pool import Target
from queenhigh.server.links import HeldChannel, Link
from queenhigh.server.network_limits import OpenConnections
from queenhigh.server.peers import MOVING, PEER_HEADERS, Peers
from queenhigh.server.relay import Relay

__all__ = ["Accept", "HandshakeRefused", "LinkAccepted", "PassedOn", "Socket", "SocketOwner"]

#: Seconds between pings; each must be answered before the next.
_PING = 20.0
#: Seconds that the other side has to close a connection that we end.
_CLOSING = 1.0
#: All sockets read into this: what is in it is handled before the next socket reads. asyncio would
#: allocate four times as much for each read otherwise, which costs more than the read.
_BUFFER = memoryview(bytearray(65_536))


class SocketOwner(Protocol):
    """The owner of a socket, which handles its messages."""

    def may_send(self) -> bool:
        """Count a frame; return whether it is accepted."""

    def on_message(self, text: bytes) -> None:
        """Handle a message."""

    def write(self) -> None:
        """Send what is queued, if the other side takes it."""

    def on_close(self) -> None:
        """Clean up after the socket was closed."""


class HandshakeRefused(Exception):
    """A request for a socket is refused: a status, a code and a sentence."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.message)
        self.rejection = rejection


class PassedOn(Exception):
    """A request for a socket is passed on to another process."""

    def __init__(self, peers: Peers, table: str, address: str) -> None:
        super().__init__(table)
        self.to = (peers, table, address)


class LinkAccepted(Exception):
    """A request is not for one socket, but for a link with all sockets of another process."""


class _Config(Protocol):
    """The part of uvicorn's configuration that a socket reads."""

    ws_max_size: int


class _ServerState(Protocol):
    """The part of uvicorn's state that a socket registers with."""

    connections: OpenConnections


class Socket(asyncio.BufferedProtocol):
    """One connection; ``accept`` returns its owner, or refuses the handshake."""

    def __init__(
        self, accept: "Accept", config: _Config, server_state: _ServerState, app_state: object
    ) -> None:
        self._accept = accept
        self._for_channel = partial(Socket, accept, config, server_state, app_state)
        self._connections = server_state.connections
        self._max_size = config.ws_max_size
        self._conn = ServerProtocol(max_size=self._max_size)
        #: Reads usual frames from the handshake on.
        self._frames: FrameReader | None = None
        self._owner: SocketOwner | None = None
        #: The other half of a socket that is passed on to another process.
        self._relay: Relay | None = None
        #: The connection and its request, if another process has given them to this one.
        self.given: handover.Taken | None = None
        #: Whether the connection is to be a link with the sockets of another process.
        self._is_link = False
        self._parts: list[bytes] = []
        self._timer: asyncio.TimerHandle | None = None
        self._ends = False
        self._ping_sent: bytes | None = None
        #: Whether the other side takes messages.
        self.has_room = True

    @property
    def address(self) -> str:
        """The address of the peer."""
        peer = self._transport.get_extra_info("peername")
        return str(peer[0]) if peer else "nowhere"

    # From asyncio and uvicorn

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the connection."""
        self._transport = cast("asyncio.Transport", transport)
        self._connections.add(self)
        if self.given is not None:
            self._take_given(self.given)

    def _take_given(self, given: handover.Taken) -> None:
        """Begin with the request of a connection that was given, before anything is read."""
        if not self._connections.count_opened(self._transport):
            self._transport.abort()
            return
        try:
            self.data_received(given.request)
        except BaseException:
            self._transport.abort()
            raise

    def connection_lost(self, error: Exception | None) -> None:
        """Unregister the connection, and tell the owner."""
        self._connections.discard(self)
        self._connections.count_closed(self._transport)
        if self.given is not None:
            handover.end(self.given.connection)
        self.has_room = False
        if self._timer is not None:
            self._timer.cancel()
        if self._owner is not None:
            self._owner.on_close()
            self._owner = None
        if self._relay is not None:
            self._relay.close()

    def pause_writing(self) -> None:
        """Stop sending, and reading too, since pings would be answered."""
        self.has_room = False
        if self._relay is not None:
            self._relay.pause()
            return
        self._transport.pause_reading()
        if self._owner is not None:
            self._owner.write()

    def resume_writing(self) -> None:
        """Start sending and reading again."""
        self.has_room = True
        if self._relay is not None:
            self._relay.resume()
            return
        self._transport.resume_reading()
        if self._owner is not None:
            self._owner.write()

    def eof_received(self) -> None:
        """Handle the end of what the other side sends."""
        if self._relay is not None:
            self._relay.close()
            return
        if self._frames is not None:
            self._read_by_library(self._frames.take_rest())
        self._conn.receive_eof()
        self._send()

    def shutdown(self) -> None:
        """Close the socket because the server stops."""
        if self._relay is not None:
            self._transport.close()
        self.close(1012, "stop")

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the buffer to read into."""
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """Handle bytes that were read into the buffer."""
        self.data_received(bytes(_BUFFER[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Handle received bytes: first a request as uvicorn has read it, whole; then frames."""
        if self._relay is not None:
            self._relay.send(data)
            return
        if self._is_link:
            self._become_link(data)
            return
        if self._frames is None:
            self._read_by_library(data)
            return
        for is_message, part in self._frames.read(data):
            if not is_message:
                self._read_by_library(part)
            elif self._owner is not None and self._owner.may_send():
                self._owner.on_message(part)

    def _read_by_library(self, data: bytes) -> None:
        self._conn.receive_data(data)
        for event in self._conn.events_received():
            if isinstance(event, Request):
                self._shake_hands(event)
            elif isinstance(event, Frame):
                self._take(event)
        self._send()

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.PONG and bytes(frame.data) == self._ping_sent:
            self._ping_sent = None
            return
        if self._owner is None or not self._owner.may_send():
            return
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts.append(bytes(frame.data))
            if frame.fin:
                text, self._parts = b"".join(self._parts), []
                self._owner.on_message(text)

    def _shake_hands(self, request: Request) -> None:
        path, _, query = request.path.partition("?")
        response = self._conn.accept(request)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            try:
                self._owner = self._accept(self, unquote(path), query, _plain(request))
            except HandshakeRefused as refused:
                response = self._refusal(refused.rejection)
            except PassedOn as passed:
                self._pass_on(request, passed)
                return
            except LinkAccepted:
                self._accept_link(response)
                return
        else:
            sentence = "this is not a valid WebSocket request"
            response = self._refusal(Rejection(response.status_code, "socket.request", sentence))
        self._conn.send_response(response)
        if self._owner is None:
            return
        self._transport.write(b"".join(self._conn.data_to_send()))
        self._frames = FrameReader(self._max_size)
        self._owner.write()
        self._set_timer(_PING, self._ping)

    def _accept_link(self, response: Response) -> None:
        """Accept a link; the protocol changes when it is first used, since uvicorn sets it last."""
        self._conn.send_response(response)
        self._transport.write(b"".join(self._conn.data_to_send()))
        self._is_link = True

    def _become_link(self, data: bytes) -> None:
        """Give the connection to a link, each of whose channels has a socket of its own."""

        def open_channel(link: Link, number: int) -> HeldChannel:
            return HeldChannel(link, number, self._for_channel())

        link = Link(open_channel, on_lost=self._connections.discard)
        self._connections.discard(self)
        self._connections.add(link)
        self._transport.set_protocol(link)
        link.connection_made(self._transport)
        link.data_received(data)

    def _pass_on(self, request: Request, passed: PassedOn) -> None:
        """Send the request to another process, and everything after it."""
        first, may_give = partial(_request, request), self.given is None
        self._relay = Relay(self._transport, first, self._refuse_relay, may_give=may_give)
        self._connecting = asyncio.create_task(self._relay.connect(*passed.to))

    def _refuse_relay(self) -> None:
        """Refuse a socket that the other process did not take."""
        if not self._transport.is_closing():
            self._relay = None
            self._conn.send_response(self._refusal(Rejection(503, "table.moving", MOVING)))
            self._send()
            self._transport.close()

    def _refusal(self, rejection: Rejection) -> Response:
        body = json.dumps(error_body(rejection.code, rejection.message))
        response = self._conn.reject(HTTPStatus(rejection.status), body)
        del response.headers["Content-Type"]
        for name, value in {
            **HEADERS,
            **rejection.headers,
            "content-type": "application/json",
        }.items():
            response.headers[name] = value
        return response

    # From its owner

    def send(self, messages: list[bytes]) -> None:
        """Send messages in one write."""
        if self._conn.state is State.OPEN and not self._transport.is_closing():
            self._transport.write(text_frames(messages))

    def close(self, code: int, reason: str) -> None:
        """Close the connection: send a close frame, stop reading, and abort it soon."""
        if self._conn.state is State.OPEN:
            self._conn.send_close(code, reason)
            self._send()
            self._transport.pause_reading()

    def _send(self) -> None:
        """Send what the protocol has queued; abort a connection that should have closed."""
        data = self._conn.data_to_send()
        if data and not self._transport.is_closing():
            self._transport.write(b"".join(data))
            if not data[-1]:
                self._transport.close()
        if not self._ends and self._conn.close_expected():
            self._ends = True
            self._set_timer(_CLOSING, self._transport.abort)

    def _ping(self) -> None:
        if self._ping_sent is not None:
            self._transport.abort()
            return
        self._ping_sent = token_bytes(4)
        if self._conn.state is State.OPEN:
            self._conn.send_ping(self._ping_sent)
            self._send()
        self._set_timer(_PING, self._ping)

    def _set_timer(self, seconds: float, then: Callable[[], object]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, then)


#: Called with the path, the query and the headers of a request.
Accept = Callable[[Socket, str, str, dict[str, str]], SocketOwner]


def _request(request: Request, target: Target) -> bytes:
    """Return a request as it is passed on to another process."""
    own = request.headers.raw_items()
    kept = [(name, value) for name, value in own if not name.lower().startswith(PEER_HEADERS)]
    headers = (*kept, *target.headers.items())
    lines = [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([f"GET {request.path} HTTP/1.1", *lines, "", ""]).encode("latin-1")


def _plain(request: Request) -> dict[str, str]:
    """Return the headers of a request; repeated ones are joined."""
    plain: dict[str, str] = {}
    for name, value in request.headers.raw_items():
        key = name.lower()
        between = "; " if key == "cookie" else ", "
        plain[key] = f"{plain[key]}{between}{value}" if key in plain else value
    return plain
