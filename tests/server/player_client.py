"""A player at a table over a real socket."""

import asyncio
import json
from collections.abc import Callable
from itertools import count
from typing import Any, Self
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server.bot_clients import Served

Json = dict[str, Any]
_PATIENCE = 40


class PlayerClient:
    """A socket at a table: all messages received, and the newest view."""

    def __init__(
        self, served: Served, table: str, name: str | None = None, cookie: str = ""
    ) -> None:
        self.served, self.table = served, table
        self.name, self.cookie = name, cookie
        if name is not None and not cookie:
            self.name, self.cookie = served.guest(name)
        self.socket: ClientConnection | None = None
        self.received: list[str] = []
        self.view: Json = {}
        self.own: Json = {}
        self.news: Json = {}
        self.frozen = False
        self.bye: Json | None = None
        self.closed: tuple[int, str] | None = None
        self._ids = count(1)
        self._answers: dict[str, Json] = {}
        self._changed = asyncio.Condition()
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self.arrive()
        return self

    async def __aexit__(self, *args: object) -> None:
        await self.depart()

    async def arrive(self, query: str = "", **headers: str) -> None:
        """Open the socket."""
        address = f"{self.served.sockets}/api/tables/{quote(self.table)}/socket{query}"
        if self.cookie:
            headers["Cookie"] = self.cookie
        self.socket = await connect(
            address, additional_headers=headers, max_size=None, open_timeout=300, ping_timeout=300
        )
        self._reading = asyncio.create_task(self._read(self.socket))

    async def depart(self) -> None:
        """Close the socket."""
        if self.socket is not None:
            await self.socket.close()
        if self._reading is not None:
            await self._reading

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                assert isinstance(text, str)
                self.received.append(text)
                await self._take(json.loads(text))
        except ConnectionClosed:
            pass
        self.closed = (socket.close_code or 0, socket.close_reason or "")
        async with self._changed:
            self._changed.notify_all()

    async def _take(self, message: Json) -> None:
        async with self._changed:
            if message["type"] == "view":
                self.view, self.own = message["view"], message.get("own", {})
                self.news, self.frozen = message["news"], message.get("frozen", False)
            elif message["type"] in ("answer", "refused"):
                self._answers[message["id"]] = message
            elif message["type"] == "bye":
                self.bye = message
            self._changed.notify_all()

    # Actions

    async def send(self, text: str) -> None:
        """Send anything."""
        assert self.socket is not None
        await self.socket.send(text)

    async def ask(self, kind: str, id: str | None = None, **fields: Any) -> Json:
        """Send a command; return its reply, an answer or a refusal."""
        id = id or f"{self.name}.{next(self._ids)}.{asyncio.get_running_loop().time()}"
        self._answers.pop(id, None)
        await self.send(json.dumps({"type": kind, "id": id, **fields}))
        await self.until(lambda: id in self._answers)
        return self._answers[id]

    async def do(self, kind: str, **fields: Any) -> Json:
        """Send a command that must be accepted."""
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "answer", answer
        return answer

    async def refused(self, code: str, kind: str, **fields: Any) -> str:
        """Send a command that must be refused."""
        answer = await self.ask(kind, **fields)
        assert (answer["type"], answer.get("code")) == ("refused", code), answer
        return str(answer["message"])

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, or the socket is closed."""
        async with asyncio.timeout(_PATIENCE), self._changed:
            await self._changed.wait_for(lambda: holds() or self.closed is not None)
        assert holds(), f"{self.name}: the socket was closed: {self.closed} {self.bye}"

    async def until_phase(self, phase: str, round: int | None = None) -> None:
        """Wait until the table is in a phase, of a round."""
        await self.until(lambda: self.view.get("phase") == phase and round in (None, self.round))

    async def until_over(self, round: int) -> None:
        """Wait until a round is over."""
        await self.until(
            lambda: (self.view.get("last") or {"round": {}})["round"].get("round") == round
        )

    async def until_closed(self) -> tuple[int, str]:
        """Wait until the server has closed the socket."""
        async with asyncio.timeout(_PATIENCE), self._changed:
            await self._changed.wait_for(lambda: self.closed is not None)
        assert self.closed is not None
        return self.closed

    @property
    def round(self) -> int:
        """The round under way."""
        return int((self.view.get("round") or {}).get("round", 0))

    @property
    def awaited(self) -> list[int]:
        """The places that the table waits for."""
        return list(self.view.get("awaited", ()))

    @property
    def is_offered(self) -> bool:
        """Whether the bank is offered to this player."""
        place = self.own.get("place")
        return place is not None and self.view.get("offered_to") == place

    def is_away(self, place: int) -> bool:
        """Return whether the player at a place is away."""
        return any(row["place"] == place and row.get("away") for row in self.view["places"])

    async def sit(self, place: int, cents: int = 100_000) -> None:
        """Take a place."""
        await self.do("sit", place=place, cents=cents)
        await self.until(lambda: self.own.get("place") == place)

    async def bet(self, wagers: dict[str, int], *, ready: bool = True) -> None:
        """Place wagers."""
        bets = [{"spot": spot, "cents": cents} for spot, cents in wagers.items()]
        await self.do("place_wagers", round=self.round, wagers=bets, ready=ready)
