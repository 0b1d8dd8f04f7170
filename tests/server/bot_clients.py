"""Bots over sockets, which play at a table without end.

A command without a reply is sent again with its id after every reconnect, as careful programs do;
the versions in replies are recorded.
"""

import asyncio
import json
from contextlib import suppress
from random import Random
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

Json = dict[str, Any]
#: Errors while a server is not running.
_GONE = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)


#: Codes of refusals that say nothing about the command: it may be sent again.
PASSING = frozenset({"store.failed", "lease.lost", "room.stops"})


class Served(Protocol):
    """A room that players can enter."""

    @property
    def sockets(self) -> str:
        """The address for WebSockets."""

    def guest(self, name: str) -> tuple[str, str]:
        """Enter as a guest; return the name and the cookie."""


class BotClient:
    """One player at one table."""

    def __init__(self, served: Served, table: str, place: int, seed: int) -> None:
        self.served, self.table, self.place = served, table, place
        self.random = Random(seed)
        self.name, self.cookie = served.guest(f"robot {table} {place}")
        #: The versions in replies, by id.
        self.answered: dict[str, tuple[int, int]] = {}
        self.refused: list[Json] = []
        #: All messages received, on all sockets.
        self.received: list[str] = []
        self.rounds: set[int] = set()
        self._pending: Json | None = None
        self._asked: set[str] = set()

    async def play(self) -> None:
        """Play until cancelled; come back whenever the server does."""
        while True:
            with suppress(*_GONE):
                address = f"{self.served.sockets}/api/tables/{self.table}/socket"
                cookie = {"Cookie": self.cookie}
                async with connect(address, additional_headers=cookie, max_size=None) as socket:
                    await self._read_messages(socket)
            await asyncio.sleep(0.05)

    async def _read_messages(self, socket: ClientConnection) -> None:
        if self._pending is not None:
            await socket.send(json.dumps(self._pending))
        async for text in socket:
            assert isinstance(text, str)
            self.received.append(text)
            await self._take(socket, json.loads(text))

    async def _take(self, socket: ClientConnection, message: Json) -> None:
        if message["type"] in ("answer", "refused") and self._pending:
            if message["id"] != self._pending["id"]:
                return
            if message.get("code") in PASSING:  # not decided: the same command comes again
                await asyncio.sleep(0.1)
                await socket.send(json.dumps(self._pending))
                return
            if message["type"] == "refused":
                self.refused.append(message)
            elif message["first"] is not None:
                self.answered[message["id"]] = (message["first"], message["last"])
            self._pending = None
            await socket.send('{"type":"look"}')
        elif message["type"] == "view" and self._pending is None:
            command = self._next(message["view"], message.get("own", {}))
            if command is not None and command["id"] not in self._asked:
                self._asked.add(command["id"])
                self._pending = command
                await socket.send(json.dumps(command))

    def _next(self, view: Json, own: Json) -> Json | None:
        """Return what to do now, if anything."""
        if view.get("last"):
            self.rounds.add(view["last"]["round"]["round"])
        if own.get("place") is None:
            return {"type": "sit", "id": "sit", "place": self.place, "cents": 400_000}
        round = view.get("round") or {}
        if view["phase"] == "offering" and view.get("offered_to") == self.place:
            return self._answer_offer(view)
        if view["phase"] == "between" and view.get("waits_for") == "banker":
            return {"type": "want_bank", "id": f"want.{view['version']}"}
        hand: Json = next(
            (hand for hand in round.get("hands", ()) if hand["place"] == self.place), {}
        )
        if view["phase"] == "betting" and round.get("banker") != self.place:
            return None if hand.get("ready") else self._bet(view, round["round"])
        if view["phase"] == "deciding" and own.get("cards") and "move" not in hand:
            return self._choose(hand, round["round"])
        return None

    def _answer_offer(self, view: Json) -> Json:
        round = view["next_round"]
        # Its id has the version, since the same round may be offered again.
        stamp = {"id": f"{round}.bank.{view['version']}", "round": round}
        if self.random.random() < 0.3:
            return {"type": "decline_bank", **stamp}
        return {"type": "accept_bank", **stamp, "cents": 20_000}

    def _bet(self, view: Json, round: int) -> Json:
        bets = {"round": round, "wagers": self._wagers(view), "ready": True}
        return {"type": "place_wagers", "id": f"{round}.bet", **bets}

    def _choose(self, hand: Json, round: int) -> Json | None:
        if not any(bet["spot"] == "ante" for bet in hand.get("wagers", ())):
            return None
        move = self.random.choice(("play", "play", "fold"))
        return {"type": "choose", "id": f"{round}.move", "round": round, "move": move}

    def _wagers(self, view: Json) -> list[Json]:
        if view["game"] == "roulette":
            spots = self.random.sample(["red", "black", "odd", "straight 7", "dozen 2"], 2)
            return [{"spot": spot, "cents": 200} for spot in spots]
        if view["fees"]:
            return [{"spot": "ante", "cents": 500}]
        kinds = self.random.choice((["ante"], ["pair_plus"], ["ante", "pair_plus"]))
        return [{"spot": kind, "cents": 100} for kind in kinds]


class SpectatorClient:
    """A spectator that records every message."""

    def __init__(self, served: Served, table: str) -> None:
        self.served, self.table, self.name = served, table, None
        self.received: list[str] = []

    async def play(self) -> None:
        """Watch until cancelled."""
        address = f"{self.served.sockets}/api/tables/{self.table}/socket"
        async with connect(address, max_size=None, open_timeout=300) as socket:
            async for text in socket:
                assert isinstance(text, str)
                self.received.append(text)


async def play_for(players: list[Any], done: Any) -> None:
    """Run all players until ``done`` returns true."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        while not done():
            await asyncio.sleep(0.05)
            for task in tasks:
                if task.done():
                    task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
