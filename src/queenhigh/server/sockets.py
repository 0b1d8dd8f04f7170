"""WebSockets straight on asyncio: uvicorn hands over who asks for one.

What a socket has to say goes out in one write per commit, and what it hears is dealt with at once,
without a task, a queue or a lock of its own: at a busy table those cost more than the table does.
The protocol itself is that of the ``websockets`` library.
"""

import asyncio
import json
from collections.abc import Callable
from http import HTTPStatus
from secrets import token_bytes
from typing import Any, Protocol, cast
from urllib.parse import unquote

from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from queenhigh.server.guard import HEADERS, Wrong, error_body

__all__ = ["Greet", "NotLetIn", "Socket", "Talker"]

#: A ping goes out so often, in seconds, and must be answered before the next.
_PING = 20.0
#: Who was told that the connection ends has so many seconds to take note.
_CLOSING = 1.0


class Talker(Protocol):
    """Who a socket belongs to."""

    def may_send(self) -> bool:
        """Count a frame; tell whether this one may still be taken."""

    def hear(self, text: bytes) -> None:
        """Take a message."""

    def write(self) -> None:
        """Say what is to be said, now that there is room for it again."""

    def gone(self) -> None:
        """Take note that the socket is closed."""


class NotLetIn(Exception):
    """Nobody gets a socket like this: a status, a code and a sentence."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.message)
        self.wrong = wrong


class Socket(asyncio.Protocol):
    """One connection; ``greet`` says who it belongs to, or that nobody gets it."""

    def __init__(self, greet: "Greet", config: Any, server_state: Any, app_state: Any) -> None:
        self._greet = greet
        self._connections = server_state.connections
        self._conn = ServerProtocol(max_size=config.ws_max_size)
        self._talker: Talker | None = None
        self._parts: list[bytes] = []
        self._timer: asyncio.TimerHandle | None = None
        self._ends = False
        self._ping_sent: bytes | None = None
        #: Whether the other side takes what is sent.
        self.has_room = True

    @property
    def address(self) -> str:
        """Where the socket comes from."""
        peer = self._transport.get_extra_info("peername")
        return str(peer[0]) if peer else "nowhere"

    # From asyncio and uvicorn

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast("asyncio.Transport", transport)
        self._connections.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        """End."""
        self._connections.discard(self)
        self._connections.go(self._transport)
        self.has_room = False
        if self._timer is not None:
            self._timer.cancel()
        if self._talker is not None:
            self._talker.gone()
            self._talker = None

    def pause_writing(self) -> None:
        """Say nothing more for now, and hear nothing either: pings would be answered."""
        self.has_room = False
        self._transport.pause_reading()
        if self._talker is not None:
            self._talker.write()

    def resume_writing(self) -> None:
        """Say what has been kept back."""
        self.has_room = True
        self._transport.resume_reading()
        if self._talker is not None:
            self._talker.write()

    def eof_received(self) -> None:
        """Take note that nothing more comes."""
        self._conn.receive_eof()
        self._send()

    def shutdown(self) -> None:
        """End because the server does."""
        self.close(1012, "stop")

    def data_received(self, data: bytes) -> None:
        """Take what comes."""
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
        if self._talker is None or not self._talker.may_send():
            return
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts.append(bytes(frame.data))
            if frame.fin:
                text, self._parts = b"".join(self._parts), []
                self._talker.hear(text)

    def _shake_hands(self, request: Request) -> None:
        path, _, query = request.path.partition("?")
        response = self._conn.accept(request)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            try:
                self._talker = self._greet(self, unquote(path), query, _plain(request))
            except NotLetIn as refused:
                response = self._refusal(refused.wrong)
        else:
            told = "this is no proper request for a WebSocket"
            response = self._refusal(Wrong(response.status_code, "socket.request", told))
        self._conn.send_response(response)
        if self._talker is None:
            return
        self._transport.write(b"".join(self._conn.data_to_send()))
        self._talker.write()
        self._set_timer(_PING, self._ping)

    def _refusal(self, wrong: Wrong) -> Response:
        body = json.dumps(error_body(wrong.code, wrong.message))
        response = self._conn.reject(HTTPStatus(wrong.status), body)
        del response.headers["Content-Type"]
        for name, value in {**HEADERS, **wrong.headers, "content-type": "application/json"}.items():
            response.headers[name] = value
        return response

    # From who it belongs to

    def say(self, messages: list[bytes]) -> None:
        """Send messages in one go."""
        if self._conn.state is State.OPEN:
            for message in messages:
                self._conn.send_text(message)
            self._send()

    def close(self, code: int, reason: str) -> None:
        """End the connection: say so, hear nothing more, and soon let go of it."""
        if self._conn.state is State.OPEN:
            self._conn.send_close(code, reason)
            self._send()
            self._transport.pause_reading()

    def _send(self) -> None:
        """Send what the protocol has to send; see to it that what ends does end."""
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

    def _set_timer(self, seconds: float, then: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, then)


#: Told the path, the query and the headers of a request.
Greet = Callable[[Socket, str, str, dict[str, str]], Talker]


def _plain(request: Request) -> dict[str, str]:
    """Return the headers of a request; those that come more than once are joined."""
    plain: dict[str, str] = {}
    for name, value in request.headers.raw_items():
        key = name.lower()
        between = "; " if key == "cookie" else ", "
        plain[key] = f"{plain[key]}{between}{value}" if key in plain else value
    return plain
