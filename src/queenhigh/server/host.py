"""Live tables in one event loop: commands in, one commit for all, then views out.

Everything happens in the loop's thread. Commands that come in the same turn of the loop are decided
one after another and written together; nobody is told anything before that. Then each table that
changed shows itself to who watches, sets its clock, and lets its bots think.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from queenhigh.errors import QueenhighError
from queenhigh.room.bots import Bot, make_bots
from queenhigh.room.desk import Desk, Outcome
from queenhigh.room.play import seat_bots
from queenhigh.room.room import Room, now
from queenhigh.rulebook.book import Rulebook
from queenhigh.store.streams import Store
from queenhigh.table.commands import CLOCK, Command, Settings, Tick
from queenhigh.table.decide import wakes_at
from queenhigh.table.state import Answer
from queenhigh.table.view import TableView, view

__all__ = ["Host", "LiveTable", "Watcher"]


class Watcher(Protocol):
    """Who is shown a table whenever it has changed."""

    player: str | None

    def show(self, seen: TableView) -> None:
        """Take a view; do not wait."""


class LiveTable:
    """A table with its clock, its bots, and those who watch."""

    def __init__(self, host: "Host", desk: Desk, bots: list[Bot]) -> None:
        self.host, self.desk, self.bots = host, desk, bots
        self.watchers: set[Watcher] = set()
        self._shown = desk.state.version
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: set[str] = set()
        self._random = Random()

    async def ask(self, command: Command) -> Answer | None:
        """Follow a command; its events are on disk when this returns."""
        answered: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()

        def then(outcome: Outcome) -> None:
            if answered.done():
                return
            if isinstance(outcome, Exception):
                answered.set_exception(outcome)
            else:
                answered.set_result(outcome)

        self.desk.submit(command, then)
        self.host.flush_soon()
        return await answered

    def wake(self) -> None:
        """Show what has changed, set the clock, and let bots think."""
        state = self.desk.state
        if state.version != self._shown:
            self._shown = state.version
            self._show()
        self._set_clock()
        self._let_bots_think()

    def _show(self) -> None:
        everyone: TableView | None = None
        for watcher in tuple(self.watchers):
            if watcher.player is not None and self.desk.state.place_of(watcher.player):
                watcher.show(view(self.desk.state, watcher.player))
            else:
                everyone = everyone or view(self.desk.state)
                watcher.show(everyone)

    # Time

    def _set_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = wakes_at(self.desk.state)
        if due is not None:
            wait = max(0.0, (due - now()) / 1000)
            self._timer = asyncio.get_running_loop().call_later(wait, self._tick)

    def _tick(self) -> None:
        self.do(Tick(id="", by=CLOCK, at=max(now(), wakes_at(self.desk.state) or 0)))

    def do(self, command: Command) -> None:
        """Follow a command that nobody waits for."""
        try:
            self.desk.submit(command, self.host.note)
        except QueenhighError as refused:
            self.host.note(refused)
        self.host.flush_soon()

    def stop(self) -> None:
        """Let time stand still."""
        if self._timer is not None:
            self._timer.cancel()

    # Bots

    def _let_bots_think(self) -> None:
        loop, state = asyncio.get_running_loop(), self.desk.state
        for bot in self.bots:
            if bot.name in self._thinking or bot.act(view(state, bot.name), 0) is None:
                continue
            self._thinking.add(bot.name)
            slow, quick = self.host.bots_think
            loop.call_later(self._random.uniform(quick, slow), self._bot_acts, bot)

    def _bot_acts(self, bot: Bot) -> None:
        self._thinking.discard(bot.name)
        command = bot.act(view(self.desk.state, bot.name), now())
        if command is not None:
            self.do(command)


class Host:
    """All live tables of a room."""

    def __init__(
        self,
        store: Store,
        *,
        bots_think: tuple[float, float] = (2.0, 0.4),
        note: Callable[[Outcome], None] = lambda outcome: None,
    ) -> None:
        self.room = Room(store)
        self.tables: dict[str, LiveTable] = {}
        self.bots_think, self.note = bots_think, note
        self._flush_is_due = False

    def open(self, name: str, book: Rulebook, settings: Settings, bots: int = 0) -> LiveTable:
        """Open a table, or go on with one that is in the store."""
        desk = self.room.open_table(name, book, settings)
        made = make_bots(book, bots, seed=hash(name))
        seat_bots(self.room, desk, made)
        table = self.tables[name] = LiveTable(self, desk, made)
        return table

    def start(self) -> None:
        """Set every table going."""
        for table in self.tables.values():
            table.wake()

    def flush_soon(self) -> None:
        """Write everything once this turn of the loop has been heard."""
        if not self._flush_is_due:
            self._flush_is_due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flush_is_due = False
        self.room.store.flush()
        for table in self.tables.values():
            table.wake()

    def stop(self) -> Any:
        """Let time stand still at every table, and write what is left."""
        for table in self.tables.values():
            table.stop()
        self.room.store.flush()
