"""Live tables in one event loop: commands in, one commit for all, then views out.

Everything happens in the loop's thread. Commands that come in the same turn of the loop are decided
one after another and written together; nobody is told anything before that. Then each table that
changed shows itself to who watches, sets its clock, and lets its bots think.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Any

from queenhigh.errors import QueenhighError, Refused
from queenhigh.room.room import Room
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.live import LiveTable, Watcher
from queenhigh.server.metrics import Metrics
from queenhigh.server.office import Office
from queenhigh.store.streams import Store
from queenhigh.table.commands import Settings

__all__ = ["Host"]

#: How often the host looks round for who is gone, in seconds.
_ROUND = 15.0


class Host:
    """All live tables of a room."""

    def __init__(
        self,
        store: Store,
        office: Office,
        metrics: Metrics,
        *,
        bots_think: tuple[float, float] = (0.4, 1.6),
        note: Callable[[str, Exception], None] = lambda table, error: None,
    ) -> None:
        self.room, self.office, self.metrics = Room(store), office, metrics
        self.tables: dict[str, LiveTable] = {}
        self.bots_think, self.note = bots_think, note
        self._flush_is_due = False
        self._talkers: dict[Watcher, None] = {}
        self._rounds: asyncio.TimerHandle | None = None
        self.stopped = False

    def table(self, name: str) -> LiveTable:
        """Return a live table by its name."""
        if name not in self.tables:
            raise QueenhighError(
                "table.none", f"there is no table {name[:40]!r} here: see the list"
            )
        return self.tables[name]

    def open(
        self,
        name: str,
        book: Rulebook,
        settings: Settings,
        *,
        bots: int,
        bots_bank: bool = True,
        owner: str | None = None,
    ) -> LiveTable:
        """Open a table and seat its bots."""
        if name in self.room.tables():
            raise Refused("table.exists", f"there was a table {name} already: choose another name")
        if bots > settings.places:
            raise Refused("table.full", f"this table has {settings.places} places: seat fewer bots")
        desk = self.room.open_table(name, book, settings)
        self.office.open_table(name, owner, bots_bank=bots_bank)
        table = self.tables[name] = LiveTable(self, desk, self.office.opened(name))
        table.seat_bots(bots)
        return table

    def resume(self) -> None:
        """Go on with every table of the store that is not closed."""
        for name in self.room.tables():
            if name in self.tables:
                continue
            desk = self.room.table(name)
            if desk.state.phase != "closed":
                self.tables[name] = LiveTable(self, desk, self.office.opened(name))

    def start(self) -> None:
        """Set every table going; who has a decision to make gets the whole time for it."""
        for table in self.tables.values():
            table.give_time()
            table.wake(anew=True)
        self._look_round()

    def _look_round(self) -> None:
        for table in tuple(self.tables.values()):
            table.look_round()
        self._rounds = asyncio.get_running_loop().call_later(_ROUND, self._look_round)

    # One commit for all

    def flush_soon(self) -> None:
        """Write everything once this turn of the loop has been heard."""
        if not self._flush_is_due:
            self._flush_is_due = True
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Write everything now, and let every table that has changed show it."""
        self._flush_is_due = False
        start = perf_counter()
        self.room.store.flush()
        self.metrics.flush.observe(perf_counter() - start)
        for table in tuple(self.tables.values()):
            table.wake()
        talkers, self._talkers = self._talkers, {}
        for talker in talkers:
            talker.write()

    def talk_soon(self, talker: Watcher) -> None:
        """Let somebody say something, after the next commit and all in one go."""
        self._talkers[talker] = None
        self.flush_soon()

    # Players

    def chips(self, player: str) -> dict[str, Any]:
        """Return a player's chips: in the wallet, and at which tables."""
        seats = []
        for name, table in self.tables.items():
            state = table.desk.state
            place = state.place_of(player)
            if place is not None:
                cents = state.stack(place) + state.held(place)
                seats.append({"table": name, "place": place, "cents": cents})
        return {"wallet": self.room.wallets.of(player).cents, "seats": seats}

    def sockets(self) -> int:
        """Return how many sockets are open."""
        return sum(len(table.watchers) for table in self.tables.values())

    def sockets_of(self, player: str) -> int:
        """Return how many sockets a player has open."""
        return sum(
            watcher.player == player for table in self.tables.values() for watcher in table.watchers
        )

    # The end

    def stop(self) -> None:
        """Let time stand still at every table, tell who watches, and write what is left."""
        self.stopped = True
        if self._rounds is not None:
            self._rounds.cancel()
        for table in self.tables.values():
            table.stop()
        self.flush()
        for table in self.tables.values():
            for watcher in tuple(table.watchers):
                watcher.end("stop", "the room closes for a moment: come back, nothing is lost")
