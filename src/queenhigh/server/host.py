"""The host: all live tables of a room in one event loop.

Everything happens in the loop's thread. Tables queue what they decide; the commit loop writes it
for all of them together, and then each table that has changed is shown.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from queenhigh.errors import QueenhighError, Refused
from queenhigh.room import clock as room_clock
from queenhigh.room.bot_loop import refill, seat_bots
from queenhigh.room.durable_table import DurableTable
from queenhigh.room.room import Room
from queenhigh.room.salvage import Owed, find_owed, may_owe
from queenhigh.room.wallets import Wallets
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.abandonment import Abandonment, abandon
from queenhigh.server.admin_rows import NOTHING, AdminChange, joined
from queenhigh.server.admin_store import AdminStore, Opening
from queenhigh.server.commit_loop import CommitLoop
from queenhigh.server.followed_tables import NoOtherTables, OtherTables
from queenhigh.server.ids import fresh_id
from queenhigh.server.limits import Limits
from queenhigh.server.live_table import LiveTable
from queenhigh.server.metrics import Metrics
from queenhigh.server.notice_board import NoticeBoard
from queenhigh.server.open_sockets import OpenSockets
from queenhigh.server.peers import MOVING
from queenhigh.server.ports import ListedTable, TablePorts
from queenhigh.server.responses import SeatChips
from queenhigh.server.text import name_key
from queenhigh.store.durable_store import DurableStore
from queenhigh.store.streams import ArchivedStream, Conflict, DamagedStream, Lineage
from queenhigh.table.commands import FLOOR, Settings
from queenhigh.table.registry import FLOOR_LOG
from queenhigh.table.state import State

__all__ = ["Host"]

#: A room with this part of all its tables open is nearly full.
_CROWD = 0.75
#: How often tables are swept, in seconds.
_BETWEEN_SWEEPS = 15.0
#: How often the host checks whether somebody has set the clock or is gone, in seconds.
_BETWEEN_CHECKS = 1.0
_DAMAGED = "table {} is damaged and closed: the floor can return its chips"


class Host:
    """All live tables of a room."""

    def __init__(  # noqa: PLR0913 (each by its name)
        self,
        store: DurableStore,
        admin: AdminStore,
        metrics: Metrics,
        *,
        clock: room_clock.Clock | None = None,
        bots_think: tuple[float, float] = (0.4, 1.6),
        note: Callable[[str, Exception], None] = lambda table, error: None,
        others: OtherTables | None = None,
    ) -> None:
        self.store, self.room = store, Room(store)
        self.others = others or NoOtherTables()
        self.admin, self.metrics = admin, metrics
        self.commits = CommitLoop(store, metrics.observe_commit)
        self.notices = NoticeBoard(admin, self._refresh_all)
        self.clock = clock or room_clock.ROOM
        self.tables: dict[str, LiveTable] = {}
        self.sockets = OpenSockets(self.tables)
        #: Tables that cannot continue, and why.
        self.damaged: dict[str, str] = {}
        self._abandoning = asyncio.Lock()
        self.bots_think, self.note = bots_think, note
        self._sweeping: asyncio.TimerHandle | None = None
        self._next_check: asyncio.TimerHandle | None = None
        self.stopped = False
        #: Whether the room has nearly as many tables as it may.
        self.is_crowded = False
        #: Whether another process may hold the tables that are live here.
        self.is_stale: Callable[[], bool] = lambda: False
        #: Returns those of some players whose accounts are frozen.
        self.frozen_among: Callable[[Iterable[str]], list[str]] = lambda names: []
        #: How many tables there may be; only players' own are counted against it.
        self.most_tables = Limits().tables

    @property
    def is_open(self) -> bool:
        """Whether tables are live."""
        return self._sweeping is not None and not self.stopped

    def _go_live(self, durable: DurableTable) -> LiveTable:
        """Return a durable table as a live one, which is listed from now on."""
        ports = TablePorts(
            clock=self.clock,
            rows=self.admin,
            metrics=self.metrics,
            receipts=self.store,
            commits=self.commits,
            notices=self.notices.at_table,
            note=self.note,
            is_stopped=lambda: self.stopped,
            staleness=self.staleness,
            is_crowded=lambda: self.is_crowded,
            frozen_among=self.frozen_among,
            on_closed=self.forget,
            on_damaged=self.isolate,
            seat_bots=partial(seat_bots, self.room),
            refill_bot=lambda durable, name: refill(self.room, durable, [name]),
            bots_think=self.bots_think,
        )
        table = self.tables[durable.table] = LiveTable(durable, ports)
        return table

    def staleness(self) -> QueenhighError | None:
        """Return an error while other processes may hold the tables that are live here."""
        if not self.is_stale():
            return None
        return self.store.missing() or QueenhighError("lease.lost", MOVING)

    def has(self, name: str) -> bool:
        """Return whether this process has a table, be it damaged."""
        return name in self.tables or name in self.damaged

    def all_damaged(self) -> dict[str, str]:
        """Return the damaged tables of the room as far as this process knows, and why."""
        return self.others.damaged() | self.damaged

    def table(self, name: str) -> LiveTable:
        """Return a live table by its name."""
        if name in self.all_damaged():
            raise QueenhighError("table.damaged", _DAMAGED.format(name))
        if name not in self.tables:
            if name in self.others.names():
                raise QueenhighError("table.moving", MOVING)
            raise QueenhighError(
                "table.none", f"there is no table {name[:40]!r}: choose one from the lobby"
            )
        return self.tables[name]

    def state(self, name: str) -> State:
        """Return a table as it is on disk, whichever process holds it."""
        other = None if name in self.tables else self.others.table(name)
        return self.table(name).state if other is None else other.state

    def listed(self) -> dict[str, ListedTable]:
        """Return all tables of the room: those of other processes, and the live ones here."""
        others = self.others.listed()
        return dict(sorted((others | self.tables).items())) if others else dict(self.tables)

    def names(self) -> list[str]:
        """Return the names of all tables of the room."""
        others = self.others.names()
        return sorted({*others, *self.tables}) if others else list(self.tables)

    def open(
        self,
        name: str,
        book: Rulebook,
        settings: Settings,
        opening: Opening,
        note: AdminChange = NOTHING,
    ) -> None:
        """Open a table, with its row and a note in the same transaction, and seat its bots.

        The table is live as soon as it is in the store, even if its bots cannot sit down.
        """
        bots = opening.bots
        if name_key(name) in map(name_key, self.room.tables()):
            raise Refused("table.exists", f"the table name {name} was already used: choose another")
        if bots > settings.places:
            raise Refused("table.full", f"this table has {settings.places} places: seat fewer bots")
        self.others.claim(name)
        row = self.admin.open_table(name, opening)
        outcomes: list[Exception | None] = []

        def also(lineage: Lineage) -> None:
            self.admin.rows.submit(outcomes.append, joined(row, note), (lineage,))

        try:
            durable = self.room.open_table(name, book, settings, also)
            wrong = outcomes[-1] if outcomes else None
            if wrong is not None:  # the table is open: the log is damaged, or the staff changed
                renewed = self.admin.renewed(note) if isinstance(wrong, Conflict) else NOTHING
                self.admin.rows.write(row, renewed)
            table = self._go_live(durable)
        except BaseException:
            self.others.check_claim(name)
            raise
        table.bots.seat(bots)
        if self._sweeping is not None:
            table.schedule_refresh()
        if wrong is not None:
            raise wrong

    def resume(self) -> None:
        """Resume every table of the store that is not closed; isolate damaged ones."""
        closed = self.admin.closed()
        for name in self.room.tables():
            try:
                self.resume_table(name, is_said_closed=name in closed)
            except Exception as error:  # a damaged table must not stop the others
                self.isolate(name, error)
        for name, table in tuple(self.tables.items()):
            self.seat_bots_of(name, table)

    def seat_bots_of(self, name: str, table: LiveTable) -> None:
        """Seat the bots that a table was opened with."""
        try:
            table.bots.seat(self.admin.opened(name).bots)
        except QueenhighError as error:
            self.note(name, error)

    def resume_table(self, name: str, *, is_said_closed: bool) -> None:
        """Resume a table unless it is closed, which its events must prove, not its row."""
        if (is_said_closed or self.room.abandoned(name)) and self.room.is_over(name):
            return
        if is_said_closed and not self.room.endings.is_proved:  # it may have been abandoned
            raise DamagedStream(FLOOR_LOG, 0)
        try:
            durable = self.room.table(name)
        except ArchivedStream as error:
            if not self.room.is_over(name):
                raise DamagedStream(error.stream, 0) from None
            self.admin.close_table(name)
            return
        if durable.committed.phase != "closed":
            self._go_live(durable)

    def isolate(self, name: str, error: Exception) -> None:
        """Take a damaged table out of play; the floor can return its chips."""
        known = isinstance(error, QueenhighError)
        self.damaged[name] = str(error) if known else "it is damaged: run queenhigh verify"
        self.note(name, error)
        self.room.forget(name)
        table = self.tables.pop(name, None)
        if table is not None:
            table.end("table.damaged", _DAMAGED.format(name))

    async def abandon(self, name: str, reason: str, by: str = FLOOR) -> Owed:
        """Close a damaged table for good, and return the chips known to be there.

        It stays listed while there are players who could not be paid.
        """
        async with self._abandoning:
            if name not in self.damaged:
                self.table(name)
                raise Refused("table.sound", "this table is not damaged: close it instead")
            self.commit()
            owed = await asyncio.to_thread(find_owed, self.room.store, name)
            given_up = Abandonment(name, self.damaged[name], reason, by)
            returned = abandon(self.room, self.admin, given_up, owed, self.clock)
            if returned.unpaid:
                self.damaged[name] = str(self.room.abandoned(name))
            else:
                del self.damaged[name]
                self.others.close_table(name)
            return returned

    def forget(self, name: str) -> None:
        """Remove a table that is closed."""
        self.tables.pop(name, None)
        self.room.forget(name)
        self.admin.close_table(name)
        self.others.close_table(name)

    def start(self) -> None:
        """Start every table; players who have a decision to make get the whole time for it."""
        for name, table in tuple(self.tables.items()):
            try:
                table.give_time()
            except DamagedStream as error:
                self.isolate(name, error)
            else:
                table.schedule_refresh()
        self.sweep()
        self._check()

    def sweep(self) -> None:
        """Seat missing bots and remove absent players at every table, now and regularly."""
        self._sweeping = asyncio.get_running_loop().call_later(_BETWEEN_SWEEPS, self.sweep)
        self.is_crowded = len(self.names()) >= _CROWD * self.most_tables
        for table in tuple(self.tables.values()):
            self._seat_missing(table)
            table.remove_absent()

    def _seat_missing(self, table: LiveTable) -> None:
        """Seat bots that could not sit down when their table opened."""
        try:
            table.bots.seat_missing()
        except Exception as error:  # an error of one table must not stop the others
            self.note(table.durable.table, error)

    def _check(self) -> None:
        """Follow a clock that was set, and mark players who are gone, now and regularly."""
        loop = asyncio.get_running_loop()
        self._next_check = loop.call_later(_BETWEEN_CHECKS, self._check)
        self._follow_clock()
        for table in tuple(self.tables.values()):
            table.mark_absent()

    def _follow_clock(self) -> None:
        """Follow a clock that was set: rebase every table that waits or is ahead of it."""
        jumped = self.clock.has_jumped
        if jumped:
            self.clock.set_by_wall()
        for table in tuple(self.tables.values()):
            table.rebase(jumped=jumped)

    def commit(self) -> None:
        """Write now what all tables have queued, and publish it."""
        self.commits.commit()

    def _refresh_all(self) -> None:
        for table in self.tables.values():
            table.schedule_refresh()

    # Players

    def log_out(self, player: str, session: bytes) -> None:
        """Make a player whose session has ended leave every table."""
        for table in tuple(self.tables.values()):
            table.log_out(player, session)

    def rename(self, player: str, name: str, change: AdminChange) -> None:
        """Give a player another name: chips, own tables and rows, in one transaction."""
        self.commit()
        version = self.wallets.of(player).version
        self._check_not_seated(player)
        id, time_ms = fresh_id("rename"), self.clock.now()
        appends = self.wallets.hand_over(player, name, id=id, at=time_ms, version=version)
        outcomes: list[Exception | None] = []

        def finish(error: Exception | None) -> None:
            self.wallets.finish(*appends)
            outcomes.append(error)

        self.admin.rows.submit(finish, change, (self.wallets.lineage,), appends)
        self.commit()
        if outcomes[0] is not None:
            raise outcomes[0]
        for table in self.tables.values():
            if table.owner == player:
                table.owner = name
                table.schedule_refresh()
        self.sockets.end_player(player, "your name has changed: connect again")

    def _check_not_seated(self, player: str) -> None:
        """Refuse a new name to a player who sits somewhere, or may be owed chips."""
        seated = next(self._seats_of(player), None)
        if seated is not None and seated not in self.listed():
            message = f"{seated} is damaged and may owe you chips: ask the floor to return them"
            raise Refused("name.seated", f"{message}, then change your name")
        if seated is not None:
            raise Refused("name.seated", f"you sit at {seated}: leave it, then change your name")

    def _seats_of(self, player: str) -> Iterator[str]:
        """Yield the tables at which a player sits; of damaged ones, those that may owe chips."""
        listed = self.listed()
        for name, table in listed.items():
            if table.state.place_of(player) is not None:
                yield name
        for name in sorted({*self.damaged, *self.others.names()} - listed.keys()):
            if may_owe(self.room.store, player, name):
                yield name

    def chips(self, player: str) -> tuple[int, list[SeatChips]]:
        """Return a player's chips: in the wallet, and at which tables."""
        self.commit()  # else chips that are being moved would be in neither
        seats = []
        for name, table in self.listed().items():
            state = table.state
            place = state.place_of(player)
            if place is not None:
                seats.append(SeatChips(name, place, state.stack(place) + state.held(place)))
        return self.room.wallets.of(player).cents, seats

    @property
    def wallets(self) -> Wallets:
        """The wallets of all players."""
        return self.room.wallets

    def has_wallet(self, name: str) -> bool:
        """Return whether a player or a bot of this name has ever had chips."""
        return self.room.wallets.of(name).version > 0

    def stop(self) -> None:
        """Stop the timers of every table, write what is left, and close all sockets."""
        self.stopped = True
        self.notices.stop()
        for timer in (self._sweeping, self._next_check):
            if timer is not None:
                timer.cancel()
        for table in self.tables.values():
            table.stop()
        self.commit()
        for watcher in tuple(self.sockets.watchers()):
            watcher.end("stop", "the room is restarting: reconnect soon, nothing is lost")
