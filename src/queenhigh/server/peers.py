"""The other processes of a room: where a table is served, and how they trust each other.

Sockets are passed on to the process that holds their table (``relay.py``), and so are changes by
HTTP. The processes know each other by a secret that is in their database.
"""

import asyncio
import hmac
import http.client
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast
from urllib.parse import unquote

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response

from queenhigh.server.guard import App, Message, Receive, Send, error_body
from queenhigh.server.handover import Cuttable, Handover
from queenhigh.server.link_pool import Links, Target

__all__ = ["MOVING", "PEER_HEADERS", "Forwarding", "Peers"]

#: Headers of a request that another process passes on: the secret, and the client's address.
_SECRET, _ADDRESS = "x-queenhigh-peer", "x-queenhigh-address"
#: Both begin with this; what a client sends under such a name is not passed on.
PEER_HEADERS = "x-queenhigh-"
#: Headers that belong to one connection only.
_OWN = frozenset(
    {"connection", "content-length", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"}
)
#: Requests that only the process may answer that holds the table.
_AT_HOLDER = re.compile(r"/api/floor/tables/([^/]+)/.+|/api/tables/([^/]+)")
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
#: How many seconds another process has to take a request, and to answer it.
_CONNECTING, _ANSWERING = 5.0, 30.0
#: How many requests are passed on at once: to one process, and in all. How many more may wait for
#: one process: if it does not answer, requests to others are still passed on.
_MOST_AT_ONCE, _MOST_IN_ALL, _MOST_WAITING = 4, 16, 8
#: How often a socket looks whether its table is served again, in seconds.
_BETWEEN_LOOKS = 0.03
MOVING = "this table is moving to another server: try again"
_LATE = "the server of this table has not answered yet: check whether it was done"


@dataclass(frozen=True)
class Peers:
    """The other processes: what they are known by, and which of them holds a table."""

    secret: bytes
    #: Where this process is reached by the others.
    own: str
    #: Gives connections to the other processes of this machine.
    handover: Handover
    #: Returns the address of the other process that holds a table, if there is one.
    holder: Callable[[str], str | None]
    #: Returns whether there is a table, which some process will serve if none does right now.
    is_known: Callable[[str], bool]
    #: Returns whether this process serves a table.
    is_live: Callable[[str], bool]
    #: The links that sockets are passed on by.
    links: Links = field(default_factory=Links)
    #: The sockets that are passed on or were given away, by table.
    relays: dict[str, set[Cuttable]] = field(default_factory=dict)

    def cut(self, table: str) -> None:
        """Close the sockets of a table that has moved, so that players connect again."""
        for relay in tuple(self.relays.get(table, ())):
            relay.cut()

    def forget(self, table: str) -> None:
        """Cut the sockets of a table that is closed, and forget it."""
        self.cut(table)
        self.relays.pop(table, None)

    def client(self, headers: Mapping[str, str]) -> str | None:
        """Return the client's address if another process has passed a request on."""
        given = headers.get(_SECRET, "")
        if not hmac.compare_digest(given.encode(), self.secret.hex().encode()):
            return None
        return headers.get(_ADDRESS, "nowhere")

    def target(self, table: str, address: str) -> Target | None:
        """Return where the requests of a table are passed on to, if not answered here."""
        holder = self.holder(table)
        return None if holder is None else self._target(holder, address)

    def _target(self, holder: str, address: str) -> Target:
        host, _, port = holder.rpartition(":")
        headers = {_SECRET: self.secret.hex(), _ADDRESS: address}
        return Target(host.strip("[]"), int(port), headers)

    async def find(self, table: str, address: str, end: float) -> Target | None:
        """Return where a table is served, by this process too; wait until then if it moves."""
        while asyncio.get_running_loop().time() < end:
            holder = self.own if self.is_live(table) else self.holder(table)
            if holder is not None:
                return self._target(holder, address)
            await asyncio.sleep(_BETWEEN_LOOKS)
        return None


class Forwarding:
    """An ASGI application that passes on what another process has to answer."""

    def __init__(self, app: App, peers: Peers) -> None:
        self._app, self._peers = app, peers
        #: Its own, since a process that does not answer must not keep others from being renewed.
        self._threads = ThreadPoolExecutor(_MOST_IN_ALL, "passed-on")
        #: How many requests are passed on to each process, or wait for that; and their turns.
        self._passing: Counter[str] = Counter()
        self._turns: dict[str, asyncio.Semaphore] = defaultdict(
            partial(asyncio.Semaphore, _MOST_AT_ONCE)
        )

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request here, or pass it on to the process that holds its table."""
        table = _table_of(scope)
        if table is None or self._peers.client(Headers(scope=scope)) is not None:
            await self._app(scope, receive, send)
            return
        client = scope["client"][0] if scope.get("client") else "nowhere"
        target = self._peers.target(table, client)
        if target is None:
            await self._app(scope, receive, send)
            return
        body = await _read_body(receive)
        if body is None:
            return  # the client has gone
        response = await self._pass_on_in_turn(scope, body, target)
        await response(scope, cast("Callable[[], Awaitable[Any]]", receive), send)

    async def _pass_on_in_turn(self, scope: Message, body: bytes, target: Target) -> Response:
        """Return the other process's response; one that asks to try again if there is none."""
        place = f"{target.host}:{target.port}"
        if self._passing[place] >= _MOST_AT_ONCE + _MOST_WAITING:
            return JSONResponse(error_body("table.moving", MOVING), 503)
        self._passing[place] += 1
        turn = self._turns[place]
        try:
            await asyncio.wait_for(turn.acquire(), _CONNECTING)
        except TimeoutError:  # nothing was sent yet
            return JSONResponse(error_body("table.moving", MOVING), 503)
        else:
            try:
                return await self._pass_on(scope, body, target)
            finally:
                turn.release()
        finally:
            self._passing[place] -= 1

    async def _pass_on(self, scope: Message, body: bytes, target: Target) -> Response:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, _pass_on, scope, body, target)
        except TimeoutError:
            return JSONResponse(error_body("table.late", _LATE), 504)
        except OSError:
            return JSONResponse(error_body("table.moving", MOVING), 503)


def _table_of(scope: Message) -> str | None:
    """Return the table that a request changes, if it changes one."""
    if scope["type"] != "http" or scope["method"] in _SAFE:
        return None
    match = _AT_HOLDER.fullmatch(scope["path"])
    return unquote(match[1] or match[2]) if match else None


async def _read_body(receive: Receive) -> bytes | None:
    """Return the body of a request; ``None`` if the client goes before it is complete."""
    parts = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _connect(connection: http.client.HTTPConnection) -> None:
    """Connect to another process soon, or not at all; its answer may take longer."""
    try:
        connection.connect()
    except TimeoutError as error:
        raise ConnectionError(str(error)) from None
    connection.sock.settimeout(_ANSWERING)


def _pass_on(scope: Message, body: bytes, target: Target) -> Response:
    """Send a request to another process; return its response."""
    raw = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
    own = {name: value for name, value in raw if not name.startswith(PEER_HEADERS)}
    headers = {name: value for name, value in own.items() if name not in _OWN} | target.headers
    query = scope["query_string"].decode("latin-1")
    path = scope["raw_path"].decode("latin-1") + (f"?{query}" if query else "")
    connection = http.client.HTTPConnection(target.host, target.port, timeout=_CONNECTING)
    try:
        _connect(connection)
        connection.request(scope["method"], path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
    except http.client.HTTPException as error:
        raise OSError(str(error)) from None
    finally:
        connection.close()
    kept = {name: value for name, value in answer.getheaders() if name.lower() not in _OWN}
    return Response(content, answer.status, kept)
