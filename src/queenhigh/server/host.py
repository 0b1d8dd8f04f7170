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
from queenhigh.room import clock
from queenhigh.room.registry import FLOOR_LOG
from queenhigh.room.room import Room
from queenhigh.room.salvage import Owed, find_owed
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.abandoning import Abandonment, abandon
from queenhigh.server.answers import SeatChips
from queenhigh.server.limits import Limits
from queenhigh.server.live import LiveTable
from queenhigh.server.metrics import Metrics
from queenhigh.server.office import Office, Opening
from queenhigh.server.papers import NOTHING, Change
from queenhigh.server.text import fold_name
from queenhigh.server.watching import Watcher
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import ArchivedStream, Belief, DamagedStream
from queenhigh.table.commands import FLOOR, Settings

__all__ = ["Host"]

#: In a rush commits lie so far apart, in seconds: each costs the same, whomever it serves.
_BETWEEN_FLUSHES = 0.003
#: A room with this part of all its tables open is nearly full.
_CROWD = 0.75
#: For how many seconds people read that the disk is slow.
_WARNED = 10.0
_SLOW_DISK = "The room's disk is slow just now: answers may take a few seconds."
#: How often the host looks round for who is gone, in seconds.
_ROUND = 15.0
#: How often it looks whether somebody has set the clock, in seconds.
_CLOCK = 1.0
_DAMAGED = "table {} is damaged and closed for now: the floor can return its chips"


class Host:
    """All live tables of a room."""

    def __init__(
        self,
        store: SqliteStore,
        office: Office,
        metrics: Metrics,
        *,
        bots_think: tuple[float, float] = (0.4, 1.6),
        note: Callable[[str, Exception], None] = lambda table, error: None,
    ) -> None:
        self.store, self.room = store, Room(store)
        self.office, self.metrics = office, metrics
        self.tables: dict[str, LiveTable] = {}
        #: Tables that cannot go on, and why.
        self.damaged: dict[str, str] = {}
        self._abandoning = asyncio.Lock()
        self.bots_think, self.note = bots_think, note
        self._flush_is_due = self._talk_is_due = False
        self._flushed = 0.0
        self._talkers: dict[Watcher, None] = {}
        self._notices: list[dict[str, Any]] | None = None
        self._rounds: asyncio.TimerHandle | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._warning: asyncio.TimerHandle | None = None
        self.stopped = False
        #: How many tables there may be; only players' own are counted against it.
        self.most_tables = Limits().tables

    @property
    def is_open(self) -> bool:
        """Whether tables are going."""
        return self._rounds is not None and not self.stopped

    def table(self, name: str) -> LiveTable:
        """Return a live table by its name."""
        if name in self.damaged:
            raise QueenhighError("table.damaged", _DAMAGED.format(name))
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
        opening: Opening,
        note: Change = NOTHING,
    ) -> None:
        """Open a table, with its row and a note in the same transaction, and seat its bots.

        From the moment that it is in the store the table is live, whatever becomes of its bots.
        """
        bots = opening.bots
        if fold_name(name) in map(fold_name, self.room.tables()):
            raise Refused("table.exists", f"there was a table {name} already: choose another name")
        if bots > settings.places:
            raise Refused("table.full", f"this table has {settings.places} places: seat fewer bots")
        row = self.office.open_table(name, opening)
        outcomes: list[Exception | None] = []

        def also(belief: Belief) -> None:
            change = Change(row.rows, note.events)
            self.office.papers.submit(outcomes.append, change, (belief,))

        desk = self.room.open_table(name, book, settings, also)
        wrong = outcomes[-1] if outcomes else None
        if wrong is not None:  # the floor's stream takes nothing, but the table is open
            self.office.papers.write(row)
        table = LiveTable(self, desk)
        self.tables[name] = table
        table.company.seat(bots)
        if self._rounds is not None:
            table.wake_soon()
        if wrong is not None:
            raise wrong

    def resume(self) -> None:
        """Go on with every table of the store that is not closed; leave out what is broken."""
        closed = self.office.closed()
        for name in self.room.tables():
            try:
                self._resume(name, is_said_closed=name in closed)
            except Exception as error:  # one table's trouble is not the room's
                self.isolate(name, error)
        for name, table in tuple(self.tables.items()):
            try:
                table.company.seat(self.office.opened(name)["bots"])
            except QueenhighError as error:
                self.note(name, error)

    def _resume(self, name: str, *, is_said_closed: bool) -> None:
        """Go on with a table unless it is closed; its row only says where to look for a proof."""
        if (is_said_closed or self.room.abandoned(name)) and self.room.is_over(name):
            return
        if is_said_closed and not self.room.endings.is_proved:  # it may have been abandoned
            raise DamagedStream(FLOOR_LOG, 0)
        try:
            desk = self.room.table(name)
        except ArchivedStream as error:
            if not self.room.is_over(name):
                raise DamagedStream(error.stream, 0) from None
            self.office.close_table(name)
            return
        if desk.state.phase != "closed":
            self.tables[name] = LiveTable(self, desk)

    def isolate(self, name: str, error: Exception) -> None:
        """Leave a table alone that cannot go on; the floor can return its chips."""
        known = isinstance(error, QueenhighError)
        self.damaged[name] = str(error) if known else "its events do not fit: see queenhigh verify"
        self.note(name, error)
        self.room.forget(name)
        table = self.tables.pop(name, None)
        if table is not None:
            table.end("table.damaged", _DAMAGED.format(name))

    async def abandon(self, name: str, reason: str, by: str = FLOOR) -> Owed:
        """Close a damaged table for good, and return the chips that are known to be there.

        It stays listed while there are players who could not be paid.
        """
        async with self._abandoning:
            if name not in self.damaged:
                self.table(name)
                raise Refused("table.sound", "this table is not damaged: close it instead")
            self.flush()
            owed = await asyncio.to_thread(find_owed, self.room.store, name)
            given_up = Abandonment(name, self.damaged[name], reason, by)
            returned = abandon(self.room, self.office, given_up, owed)
            if returned.unpaid:
                self.damaged[name] = str(self.room.abandoned(name))
            else:
                del self.damaged[name]
            return returned

    def forget(self, name: str) -> None:
        """Let go of a table that is closed."""
        self.tables.pop(name, None)
        self.room.forget(name)
        self.office.close_table(name)

    def start(self) -> None:
        """Set every table going; who has a decision to make gets the whole time for it."""
        for name, table in tuple(self.tables.items()):
            try:
                table.give_time()
            except DamagedStream as error:
                self.isolate(name, error)
            else:
                table.wake_soon()
        self._look_round()
        self._look_at_clock()

    def _look_round(self) -> None:
        self._rounds = asyncio.get_running_loop().call_later(_ROUND, self._look_round)
        for table in tuple(self.tables.values()):
            self._seat_missing(table)
            table.look_round()

    def _seat_missing(self, table: LiveTable) -> None:
        """Seat bots that could not sit down when their table opened."""
        try:
            table.company.seat_missing()
        except Exception as error:  # one table's trouble is not the others'
            self.note(table.desk.table, error)

    def _look_at_clock(self) -> None:
        """Follow a clock that was set: rebase every table that waits or is ahead of it."""
        self._clock = asyncio.get_running_loop().call_later(_CLOCK, self._look_at_clock)
        jumped = clock.ROOM.has_jumped
        if jumped:
            clock.ROOM.set_by_wall()
        for table in tuple(self.tables.values()):
            table.rebase(jumped=jumped)

    # One commit for all

    def flush_soon(self) -> None:
        """Write everything once this turn of the loop has been heard."""
        if not self._flush_is_due:
            self._flush_is_due = True
            loop = asyncio.get_running_loop()
            loop.call_at(self._flushed + _BETWEEN_FLUSHES, self.flush)

    def flush(self) -> None:
        """Write everything now, and let every table that has changed show it."""
        self._flush_is_due = False
        self._talk_is_due = True  # below: what is said meanwhile needs no flush of its own
        try:
            self._commit()
        finally:  # one listener's trouble is not the tables'
            self._wake()
            self._talk()

    def _commit(self) -> None:
        start = perf_counter()
        if self.room.store.flush():
            self.metrics.flush.observe(perf_counter() - start)
        self._flushed = asyncio.get_running_loop().time()

    def _wake(self) -> None:
        for table in tuple(self.tables.values()):
            try:
                table.wake()
            except Exception as error:  # one table's trouble is not the others'
                table.fail(error)

    def talk_soon(self, talker: Watcher) -> None:
        """Take note that a watcher has something to say; it may after the next commit, if any."""
        self._talkers[talker] = None
        if not self._flush_is_due and not self._talk_is_due:
            self._talk_is_due = True
            loop = asyncio.get_running_loop()
            loop.call_at(self._flushed + _BETWEEN_FLUSHES, self._talk_without_commit)

    def _talk_without_commit(self) -> None:
        """Talk, unless something waits to be written: what is said may rest on it."""
        self._talk_is_due = False
        if not self._flush_is_due:
            self._talk()

    def _talk(self) -> None:
        self._talk_is_due = False
        talkers, self._talkers = self._talkers, {}
        for talker in talkers:
            talker.write()

    # The room

    def warn_of_slow_disk(self) -> None:
        """Let everyone at a table read for a while that the disk is slow."""
        loop = asyncio.get_running_loop()
        if self._warning is not None:
            self._warning.cancel()
        self._warning = loop.call_later(_WARNED, self._end_warning)
        self._wake_all()

    def _end_warning(self) -> None:
        self._warning = None
        self._wake_all()

    def _wake_all(self) -> None:
        for table in self.tables.values():
            table.wake_soon()

    def posted(self) -> list[dict[str, Any]]:
        """Return all notices: the same list until one is posted or taken down."""
        if self._notices is None:
            self._notices = self.office.notices()
        return self._notices

    def notices(self, table: str) -> tuple[str, ...]:
        """Return what is to be read at a table."""
        texts = [one["text"] for one in self.posted() if one["table"] in (None, table)]
        return (*texts, _SLOW_DISK) if self._warning is not None else tuple(texts)

    def notices_changed(self) -> None:
        """Show new notices at every table."""
        self._notices = None
        self._wake_all()

    def end_visits(self, session: bytes, player: str | None = None) -> None:
        """End the sockets of a session; with a player, of all their other sessions instead."""
        for table in tuple(self.tables.values()):
            for watcher in tuple(table.watchers):
                same = watcher.session == session
                if same if player is None else watcher.player == player and not same:
                    watcher.end("logout", "this session has ended: enter again")

    # Players

    def chips(self, player: str) -> tuple[int, list[SeatChips]]:
        """Return a player's chips: in the wallet, and at which tables."""
        self.flush()  # else what is on its way would be in neither
        seats = []
        for name, table in self.tables.items():
            state = table.desk.state
            place = state.place_of(player)
            if place is not None:
                seats.append(SeatChips(name, place, state.stack(place) + state.held(place)))
        return self.room.wallets.of(player).cents, seats

    @property
    def is_crowded(self) -> bool:
        """Whether the room has nearly as many tables as it may."""
        return len(self.tables) >= _CROWD * self.most_tables

    def sockets(self) -> int:
        """Return how many sockets are open."""
        return sum(len(table.watchers) for table in self.tables.values())

    def sockets_of(self, player: str) -> int:
        """Return how many sockets a player has open."""
        return sum(
            watcher.player == player for table in self.tables.values() for watcher in table.watchers
        )

    def sockets_at(self, address: str) -> int:
        """Return how many sockets a network has open."""
        return sum(
            watcher.address == address
            for table in self.tables.values()
            for watcher in table.watchers
        )

    def nameless_at(self, address: str) -> int:
        """Return how many sockets without a session an address has open."""
        return sum(
            watcher.player is None and watcher.address == address
            for table in self.tables.values()
            for watcher in table.watchers
        )

    # The end

    def stop(self) -> None:
        """Let time stand still at every table, tell who watches, and write what is left."""
        self.stopped = True
        for timer in (self._rounds, self._clock, self._warning):
            if timer is not None:
                timer.cancel()
        for table in self.tables.values():
            table.stop()
        self.flush()
        for table in self.tables.values():
            for watcher in tuple(table.watchers):
                watcher.end("stop", "the room closes for a moment: come back, nothing is lost")
