"""People at the tables who have no browser, beside a test that has one."""

import asyncio
from collections.abc import Coroutine
from threading import Thread
from typing import Any, TypeVar

from tests.server.player_client import PlayerClient
from tests.server.running_server import RunningServer

_T = TypeVar("_T")
_PATIENCE = 90


class Companions:
    """A loop in a thread of its own: Playwright's is the one that runs in the test's thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._people: list[PlayerClient] = []

    def do(self, what: Coroutine[Any, Any, _T]) -> _T:
        """Do something to its end: ``companions.do(ben.sit(3))``."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(_PATIENCE)

    def arrive(
        self, room: RunningServer, table: str, name: str | None, cookie: str = ""
    ) -> PlayerClient:
        """Bring a person to a table; with a cookie, the guest of a page once more."""

        async def come() -> PlayerClient:
            person = PlayerClient(room, table, name, cookie)
            await person.arrive()
            return person

        person = self.do(come())
        self._people.append(person)
        return person

    def leave(self) -> None:
        """Close everybody's connection."""
        for person in self._people:
            self.do(person.depart())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
