"""The processes that serve one room together, and which of them holds which table.

Every process says regularly that it is alive, and looks which tables changed hands. It takes its
share of those whose process is gone, and resumes them from the log. A process that stops gives its
tables to the others first. PostgreSQL notifies of changes; a notification that is lost only means
that the next look finds them.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeVar

import structlog

from queenhigh.errors import QueenhighError
from queenhigh.server.ports import LiveTables, StreamWriter
from queenhigh.server.shared_limits import SharedLimits
from queenhigh.server.table_shares import fair_share, gifts, in_turns
from queenhigh.store.postgres.leases import CLOSED, Lease, Leases, Member
from queenhigh.table.streams import table_stream

__all__ = ["Membership"]

#: Seconds between two looks; a process that was silent for ``LEASE`` seconds is gone.
_BETWEEN_LOOKS, LEASE = 0.5, 3.0
#: How many tables are given away at a time, so that a process has its share.
_MOST_GIVEN = 20
_log = structlog.get_logger()
_T = TypeVar("_T")


@dataclass(frozen=True)
class _Look:
    """What the database says of the processes and the leases."""

    alive: bool
    members: list[Member]
    changes: list[Lease]
    orphans: int


class Membership:
    """A process among the others. Its work runs in the event loop, its SQL in a thread."""

    def __init__(
        self, leases: Leases, writer: StreamWriter, address: str, epoch: Callable[[], int]
    ) -> None:
        """``epoch`` returns the epoch of the room, which rises when its database is replaced."""
        self._leases, self._writer, self._address = leases, writer, address
        self._read_epoch, self._epoch = epoch, epoch()
        self._tables: LiveTables | None = None
        self._limits: SharedLimits | None = None
        self.id = 0
        self.members: dict[int, Member] = {}
        self.holders: dict[str, Lease] = {}
        self._token = 0
        self._task: asyncio.Task[None] | None = None
        #: Its own thread: other work must not keep it from saying that it is alive.
        self._thread = ThreadPoolExecutor(1, "queenhigh-member")
        self._changed = asyncio.Event()
        #: Nothing is taken before this time, so that others can say that they are alive.
        self._quiet_until = 0.0
        #: Tables that this process holds and has to resume.
        self._due: set[str] = set()
        #: Those of them that could not be opened: perhaps they have no events.
        self._claimed: set[str] = set()
        #: ``is_newest``: no process of an older program serves the room, nor ever will.
        self._had_orphans = self._stops = self._has_begun = self.is_newest = False
        self._failure: str | None = None
        #: How many seconds ago the database was last looked at.
        self.looked_at = monotonic()
        self._on_turn: Callable[[], None] = lambda: None
        #: Called with a table that has changed hands.
        self.on_moved: Callable[[str], None] = lambda name: None
        #: Called after each look with whether the database does not answer.
        self.on_looked: Callable[[bool], None] = lambda is_lost: None

    # Questions

    def holder(self, name: str) -> Member | None:
        """Return the other process that holds a table; ``None`` if it is this one or nobody."""
        lease = self.holders.get(name)
        if lease is None or lease.process == self.id:
            return None
        return self.members.get(lease.process)

    def address_of(self, name: str) -> str | None:
        """Return where the other process is reached that holds a table, if there is one."""
        member = self.holder(name)
        return member.address if member else None

    def is_known(self, name: str) -> bool:
        """Return whether there is a table of this name that is not closed."""
        return name in self.holders

    def held(self) -> int:
        """Return how many tables this process holds."""
        return sum(lease.process == self.id for lease in self.holders.values())

    def names(self) -> list[str]:
        """Return the tables that are not live here, nor closed; one that moves is among them."""
        live = self._tables
        return [name for name in self.holders if live is None or not live.is_live(name)]

    def watching(self, name: str) -> int:
        """Return how many sockets watch a table that another process holds."""
        member = self.holder(name)
        return member.watching.get(name, 0) if member else 0

    @property
    def lag(self) -> float:
        """How many seconds ago this process last knew who holds what."""
        return monotonic() - self.looked_at

    @property
    def is_stale(self) -> bool:
        """Whether this process has not looked for so long that others may hold its tables."""
        return self.lag > LEASE

    @property
    def is_joined(self) -> bool:
        """Whether this process sees the others, and is not about to stop."""
        is_seen = self._has_begun and self._failure is None and not self.is_stale
        return is_seen and not self._stops

    # The life of a process

    def join(self) -> None:
        """Become one of the processes; call it before any table is opened."""
        self.id = self._leases.join(self._address, table_stream(""), is_ready=False)
        changes = self._leases.changes(self._token)
        self._note(changes)
        self._read_until(changes)
        self.members = {member.id: member for member in self._leases.members()}
        if self._leases.silent():
            self._quiet_until = monotonic() + LEASE

    def start(self, tables: LiveTables, on_turn: Callable[[], None], limits: SharedLimits) -> None:
        """Begin to hold tables and to share limits; ``on_turn`` is called after each look."""
        self._tables, self._on_turn, self._limits = tables, on_turn, limits
        loop = asyncio.get_running_loop()

        def on_news(text: str) -> None:
            loop.call_soon_threadsafe(lambda: limits.take(text, self.id, monotonic()))

        self._leases.listen(lambda: loop.call_soon_threadsafe(self._changed.set), on_news)
        self._task = asyncio.create_task(self._run(tables))

    def claim(self, name: str) -> None:
        """Hold a table that is about to be opened."""
        try:
            lease = self._leases.claim(self.id, table_stream(name))
        except QueenhighError as error:
            if error.code != "lease.taken":
                raise
            sentence = f"the table name {name} was already used: choose another"
            raise QueenhighError("table.exists", sentence) from None
        self.holders[name] = lease
        self._writer.hold(lease.stream, lease.token)

    def check_claim(self, name: str) -> None:
        """Read a table that was claimed and could not be opened: perhaps it was written."""
        self._due.add(name)
        self._claimed.add(name)
        self._changed.set()

    def close_table(self, name: str) -> None:
        """Note that a table is closed, so that no process takes it."""
        self._writer.release(table_stream(name))
        with suppress(QueenhighError):  # the process that takes it will find it closed
            self._leases.close_stream(self.id, table_stream(name))

    async def _run(self, tables: LiveTables) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), _BETWEEN_LOOKS)
            self._changed.clear()
            with suppress(Exception):  # an error of the log must not end this loop
                await self._turn_or_fail(tables)

    async def _in_thread(self, work: Callable[..., _T], *args: object) -> _T:
        """Do something that waits for the database."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *args))

    async def _turn_or_fail(self, tables: LiveTables) -> None:
        try:
            await self._turn(tables)
        except QueenhighError as error:
            self._fail(str(error.__cause__ or error))
        except Exception as error:  # the process goes on after any error
            self._fail(repr(error))
        else:
            if self._failure is not None:
                self._failure = None
                _log.info("the other processes can be seen again", process=self.id)
        self.on_looked(self._leases.missing() is not None)

    def _fail(self, error: str) -> None:
        """Take nothing for a while, since others could not renew their leases either."""
        self._quiet_until = monotonic() + LEASE
        if error != self._failure:  # the same error is logged once
            self._failure = error
            _log.warning("the other processes cannot be seen", error=error)

    async def _turn(self, tables: LiveTables) -> None:
        """Look once: renew, follow what changed hands, and take what nobody holds."""
        if self._read_epoch() != self._epoch:
            self._read_again(tables)
        news = self._limits.news(self.id) if self._limits is not None else []
        began = monotonic()
        look = await self._in_thread(self._look, tables.watching(), news)
        if self.is_stale:  # this process slept, or the database was gone
            self._quiet_until = monotonic() + LEASE
        self.looked_at = began
        if not look.alive and not self._stops:
            await self._join_again(tables)
            return
        self.members = {member.id: member for member in look.members}
        self._read_until(look.changes)
        await self._follow(tables, look.changes)
        if not self._stops:
            await self._take_share(tables, look)
            await self._give_share(tables)
        self._on_turn()

    def _look(self, watching: dict[str, int], news: list[str]) -> _Look:
        alive = self._leases.renew(self.id, self._address, watching)
        if not self._has_begun and not self._stops:  # it looks for tables that others give it
            self._leases.begin(self.id)
            self._has_begun = True
        changes = self._leases.changes(self._token)
        look = _Look(alive, self._leases.members(), changes, self._leases.orphans())
        with suppress(QueenhighError):  # the others hear of less, and everything else goes on
            self._leases.notify(news)
            self.is_newest = self.is_newest or self._leases.retire_older()
        return look

    def _read_again(self, tables: LiveTables) -> None:
        """Read everything again after another database has replaced the one before.

        If it does not answer yet, that is repeated at the next look.
        """
        _log.warning("the database was replaced: its tables are read again", process=self.id)
        epoch = self._read_epoch()
        self._drop_tables(tables)
        self.holders.clear()
        self._token = 0
        tables.forget_room()
        self._epoch = epoch

    def _drop_tables(self, tables: LiveTables) -> None:
        for name, lease in self.holders.items():
            if lease.process == self.id:
                self._writer.release(lease.stream)
                tables.give_up(name)
        self._due.clear()
        self._claimed.clear()

    async def _join_again(self, tables: LiveTables) -> None:
        """Begin again after the others have counted this process as gone."""
        _log.warning("this process was counted as gone, and begins again", process=self.id)
        self._drop_tables(tables)
        self.id = await self._in_thread(self._leases.join, self._address, table_stream(""))

    def _note(self, changes: list[Lease]) -> dict[str, Lease]:
        """Note who holds what, and forget what is closed; return the leases that are news."""
        news: dict[str, Lease] = {}
        for lease in changes:
            name = lease.stream.removeprefix(table_stream(""))
            known = self.holders.get(name)
            if known is not None and known.token >= lease.token:
                continue
            news[name] = lease
            if lease.process == CLOSED:
                self.holders.pop(name, None)
            else:
                self.holders[name] = lease
        return news

    def _read_until(self, changes: list[Lease]) -> None:
        """Read only later changes from now on: these are all there were when it looked."""
        self._token = max((lease.token for lease in changes), default=self._token)

    async def _follow(self, tables: LiveTables, changes: list[Lease]) -> None:
        """Resume tables that were given to this process, and end those that it lost.

        Resuming many takes long, and this process must say in between that it is alive: the rest
        is resumed in the next turns.
        """
        for name, lease in self._note(changes).items():
            self.on_moved(name)
            if lease.process == self.id:
                self._writer.hold(lease.stream, lease.token)
                if not tables.is_live(name):
                    self._due.add(name)
            elif tables.is_live(name):
                self._writer.release(lease.stream)
                tables.give_up(name)
        end = monotonic() + _BETWEEN_LOOKS
        for name in tuple(self._due):
            if monotonic() > end:
                self._changed.set()  # the next turn comes at once
                return
            await self._resume(tables, name)
            await asyncio.sleep(0)  # other work goes on between two of them

    async def _resume(self, tables: LiveTables, name: str) -> None:
        """Resume a table; one that cannot be read right now is tried again at the next look."""
        lease = self.holders.get(name)
        if lease is not None and lease.process == self.id and not tables.is_live(name):
            self._writer.hold(lease.stream, lease.token)
            if not tables.take_over(name) and not await self._end_table(name, lease):
                return
        self._due.discard(name)
        self._claimed.discard(name)

    async def _end_table(self, name: str, lease: Lease) -> bool:
        """Close a table that is over, or free the name of one that was never opened.

        Return False for one that was written a moment ago: it is read again.
        """
        if name not in self._claimed:
            self.close_table(name)
            return True
        is_free = await self._in_thread(self._leases.free, self.id, lease.stream)
        if is_free:
            self._writer.release(lease.stream)
            del self.holders[name]
        return is_free

    async def _take_share(self, tables: LiveTables, look: _Look) -> None:
        """Take a fair part of the tables that nobody holds; all of them at the second look."""
        orphans, before = look.orphans, self._had_orphans
        self._had_orphans = bool(orphans)
        if not orphans or self._due or monotonic() < self._quiet_until:
            return
        share = self._share() - self.held()
        most = orphans if before or len(self.members) <= 1 else max(0, share)
        if most > 0:
            taken = await self._in_thread(self._leases.take, self.id, most)
            await self._follow(tables, taken)
            if taken:
                _log.info("tables were taken over", tables=len(taken), process=self.id)

    def _share(self) -> int:
        return fair_share(len(self.holders), self.members.values())

    def _others(self) -> list[Member]:
        return [member for member in self.members.values() if member.id != self.id]

    async def _give_share(self, tables: LiveTables) -> None:
        """Give idle tables to processes that have less than their share."""
        share = self._share()
        surplus = self.held() - share
        if surplus > 0:
            idle = tables.idle_tables()[: min(surplus, _MOST_GIVEN)]
            to = gifts(idle, share, self._others())
            if to:
                await self._give(tables, to)

    async def _give(self, tables: LiveTables, to: dict[str, int]) -> None:
        """Give tables to other processes: what is queued for them is written first."""
        tables.commit()
        for name in to:
            tables.give_up(name)
        streams = {table_stream(name): other for name, other in to.items()}
        for stream in streams:
            self._writer.release(stream)
        try:
            await self._in_thread(self._leases.hand_over, self.id, streams)
        except QueenhighError:
            self._due.update(to)  # those that this process still holds go on here
            raise

    def wake_others(self) -> None:
        """Make the other processes look now; if that fails, they look by themselves soon."""
        self._thread.submit(self._leases.wake)

    async def stop(self) -> None:
        """Give all tables to the other processes, and be one no more."""
        self._stops = True
        with suppress(QueenhighError):
            await self._in_thread(self._leases.stop, self.id)
            members = await self._in_thread(self._leases.members)
            self.members = {member.id: member for member in members}
            held = [name for name, lease in self.holders.items() if lease.process == self.id]
            if self._tables is not None:
                await self._give(self._tables, in_turns(held, self._others()))
        if self._task is not None:
            self._task.cancel()
        with suppress(QueenhighError):
            await self._in_thread(self._leases.leave, self.id)
        self._leases.close()
        self._thread.shutdown(wait=False)
