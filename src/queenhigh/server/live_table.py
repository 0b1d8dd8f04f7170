"""A live table: commands in, views out, a clock, and the people at it.

It submits commands to its durable table and schedules a commit; after the commit ``refresh`` shows
the table, sets its timer and lets its bots act. All it needs of the server are its ports.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from random import uniform
from time import perf_counter
from typing import Literal

from queenhigh.errors import BrokenLog, QueenhighError, Refused
from queenhigh.room.durable_table import DurableTable, OnOutcome, Outcome
from queenhigh.room.rebase import rebase_at_start, rebase_command, time_command
from queenhigh.server.admin_rows import NOTHING, AdminChange
from queenhigh.server.attendance import Attendance
from queenhigh.server.closing import Closing
from queenhigh.server.frozen_players import FrozenPlayers
from queenhigh.server.idle_players import IdlePlayers
from queenhigh.server.ids import fresh_id
from queenhigh.server.pending_change import PendingChange
from queenhigh.server.ports import TablePorts, Watcher
from queenhigh.server.presence import Presence
from queenhigh.server.protocol import News
from queenhigh.server.publisher import TableViews
from queenhigh.server.ruling_clock import RulingClock
from queenhigh.server.table_bots import TableBots
from queenhigh.server.table_clock import TableClock
from queenhigh.store.streams import Conflict, DamagedStream
from queenhigh.table.command_log import EventSpan
from queenhigh.table.commands import (
    FLOOR,
    AcceptBank,
    ChangeTable,
    CloseTable,
    Command,
    GiveTime,
    Leave,
    MarkAway,
    RuleIncident,
    Sit,
    Tick,
    WantBank,
)
from queenhigh.table.events import RoundVoided
from queenhigh.table.incidents import is_redeal
from queenhigh.table.state import State
from queenhigh.table.waiting import own_bets

__all__ = ["LiveTable"]

#: How often a command is decided again after another process has written first, and the most
#: seconds that it waits for that, times the tries so far.
_TRIES, _WAIT = 12, 0.005
_TABLE_CHIPS = "This table has its own rules: you can take away at most what you bought in for."
#: Commands that a disabled table refuses, since a round could begin with them.
_BEGINS = frozenset({Sit, AcceptBank, WantBank})


class LiveTable:
    """One table of a server."""

    def __init__(self, durable: DurableTable, ports: TablePorts) -> None:
        self.durable, self._ports = durable, ports
        opened = ports.rows.opened(durable.table)
        self.owner, self.disabled = opened.owner, opened.disabled
        #: Whether the table is its owner's for practice: then the lobby does not list it.
        self.practice = opened.practice
        #: The network that its owner opened it from, until the server stops.
        self.opened_from: str | None = None
        self.watchers: set[Watcher] = set()
        #: The stop of the clock while the floor rules on the round; bots wait too.
        self.ruling = RulingClock(self, ports)
        self.bots = TableBots(self, ports, self.ruling, banks=opened.bots_bank)
        since = ports.clock.elapsed()
        self.attendance, self._idle = Attendance(since), IdlePlayers(since)
        self._presence = Presence(self, ports, self.attendance, self._idle)
        self._change = PendingChange(self, ports, opened.change)
        self.frozen = FrozenPlayers(self, ports)
        self.closing = Closing(self, ports, is_requested=opened.closing)
        self._views = TableViews(durable, self.watchers, ports.clock, ports.receipts, self._news)
        #: The version at the last refresh; none: refresh, whatever the version is.
        self._version: int | None = None
        self._last_counted = self._last_round()
        self._clock = TableClock(self, ports, self._presence, self.ruling)
        self._is_ended = False

    # As the lobby lists it

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.durable.table

    @property
    def state(self) -> State:
        """The table as it is on disk."""
        return self.durable.committed

    @property
    def watching(self) -> int:
        """How many sockets watch the table."""
        return len(self.watchers)

    # Commands

    def submit_with_reply(self, command: Command, then: OnOutcome) -> None:
        """Submit a command; ``then`` gets its outcome once its events are on disk."""
        if self.disabled and type(command) in _BEGINS:
            raise Refused("table.disabled", "the floor has paused this table: wait a while")
        if isinstance(command, RuleIncident):
            self.check_redeal(command)
        if self._ports.is_stopped():
            raise Refused("room.stops", "the room is restarting: reconnect soon")
        stale = self._ports.staleness()
        if stale is not None:
            raise stale
        self._presence.note_command(command)
        self._decide(command, partial(self._on_outcome, command, then, perf_counter(), _TRIES))
        if self._idle.note_command(command, self._ports.clock.elapsed()):
            self.schedule_refresh()

    def check_redeal(self, command: RuleIncident) -> None:
        """Refuse a ruling by which another round would begin, where none may."""
        self.durable.check_redeal(command)
        if self.disabled and is_redeal(self.durable.pending, command):
            sentence = "this table is paused: resume it to deal again, or void the round"
            raise Refused("table.disabled", sentence)

    def _decide(self, command: Command, then: OnOutcome) -> None:
        """Decide a command. One that is refused may have queued a new chain, or a void, first."""
        try:
            self.durable.submit(command, then)
        except BrokenLog as broken:  # our fault, not the sender's
            self._ports.note(self.durable.table, broken)
            raise
        finally:
            self._ports.commits.schedule_commit(self)

    def _on_outcome(
        self, command: Command, then: OnOutcome, start: float, tries: int, outcome: Outcome
    ) -> None:
        if isinstance(outcome, Conflict) and tries:
            again = partial(self._on_outcome, command, then, start, tries - 1)
            wait = uniform(0, _WAIT * (_TRIES - tries))
            asyncio.get_running_loop().call_later(wait, self._decide_again, command, again)
            return
        self._ports.metrics.observe_command(perf_counter() - start)
        then(outcome)

    def _decide_again(self, command: Command, then: OnOutcome) -> None:
        """Decide a command on the newest events, since another process has written first."""
        try:
            self._decide(command, then)
        except QueenhighError as refused:
            then(refused)

    async def submit_and_wait(
        self, command: Command, also: Callable[[], None] = lambda: None
    ) -> EventSpan | None:
        """Submit a command, and wait until its events are on disk.

        What ``also`` queues is written in the same commit.
        """
        answered: asyncio.Future[EventSpan | None] = asyncio.get_running_loop().create_future()

        def then(outcome: Outcome) -> None:
            if isinstance(outcome, Exception):
                answered.set_exception(outcome)
            else:
                answered.set_result(outcome)

        self.submit_with_reply(command, then)
        also()
        return await asyncio.shield(answered)

    def submit(self, command: Command) -> None:
        """Submit a command that nobody waits for."""
        try:
            self.durable.submit(command, partial(self._log_failure, command))
        except QueenhighError as refused:
            self._log_failure(command, refused)
        self._ports.commits.schedule_commit(self)

    def _log_failure(self, command: Command, outcome: Outcome) -> None:
        """Log an error and retry a failed tick; ignore refusals of late commands."""
        is_late = isinstance(outcome, Refused) or self._is_ended
        if not isinstance(outcome, Exception) or is_late:
            return
        if isinstance(command, Tick | MarkAway) and isinstance(outcome, DamagedStream):
            self._ports.on_damaged(self.durable.table, outcome)  # no later one could be written
            return
        self._ports.note(self.name, outcome)
        if isinstance(command, Tick | GiveTime):
            self._clock.retry(was_lost=getattr(outcome, "code", "") == "store.failed")

    # After a commit

    def schedule_refresh(self) -> None:
        """Refresh the table soon, although no event has changed it."""
        self._version = None
        self._ports.commits.schedule_refresh(self)

    def refresh(self) -> None:
        """If the table has changed, show it, set its timer, and let its bots act."""
        version = self.durable.committed.version
        if self._is_ended or version == self._version:
            return
        self._version = version
        self._count_round()
        is_stopped = self._ports.is_stopped()
        if not is_stopped:
            self._change.change_if_due()
            self.closing.close_if_due()
            self._presence.stop_clock()
            self.frozen.release()
            self.ruling.end_if_over()
        self._views.show_if_changed(at_once=is_stopped)
        if is_stopped:
            return
        if self.durable.committed.phase == "closed":
            self._close()
            return
        self._clock.set()
        self.bots.keep_going()
        if self.durable.committed.version != version:  # bots got chips: show that too
            self.schedule_refresh()

    def fail(self, error: Exception) -> None:
        """Log an error of ``refresh``, and try again after a while."""
        self._ports.note(self.name, error)
        self._version = None
        self._clock.retry()

    def _news(self) -> News:
        change = self.change.reason if self.change else None
        notices = (*self._ports.notices(self.durable.table), *self._idle.notices())
        notices += self.closing.notices()
        if self.durable.committed.settings.table_chips:
            notices = (_TABLE_CHIPS, *notices)
        return News(self.owner, self.disabled, change, notices, self.ruling.is_on)

    def seen_by(self, watcher: Watcher) -> bytes:
        """Return the table as a message to a player, or to a spectator."""
        return self._views.seen_by(watcher)

    def has_own(self, player: str | None) -> bool:
        """Return whether a player sees more than everyone does."""
        return self._views.has_own(player)

    def _last_round(self) -> int:
        """Return the number of the round that ended last."""
        last = self.durable.committed.last
        return last.live.number if last else 0

    def _count_round(self) -> None:
        number, last = self._last_round(), self.durable.committed.last
        if number != self._last_counted and last is not None:
            self._last_counted = number
            how = "void" if isinstance(last.end, RoundVoided) else "settled"
            self._ports.metrics.count_round(self.state.document["game"], how)

    def _close(self) -> None:
        self.end("table.closed", "this table is closed: choose another in the lobby")
        self._ports.on_closed(self.durable.table)

    def end(self, code: str, message: str) -> None:
        """End the table: stop its timer, and close the connections of everyone who watches."""
        self._is_ended = True
        self.stop()
        for watcher in tuple(self.watchers):
            watcher.end(code, message)

    # Time

    @property
    def is_paused(self) -> bool:
        """Whether the floor has disabled the table and no round is under way."""
        return self.disabled and self.durable.committed.phase in ("between", "offering")

    def stop(self) -> None:
        """Stop the timer."""
        self._clock.stop()

    def give_time(self) -> None:
        """Restart the time of a decision that was under way when the server stopped."""
        if rebase_at_start(self.durable):
            return
        time_ms, reason = self._ports.clock.now(), "the room was restarted"
        command = time_command(self.state, fresh_id("time"), time_ms, reason)
        if command is not None:
            self.durable.execute(command)

    def rebase(self, *, jumped: bool) -> None:
        """Bring the table to the time of the room's clock, if it needs that."""
        self._clock.forget_due()
        command = rebase_command(self.durable.pending, self._ports.clock.now(), jumped=jumped)
        if command is not None:
            self.submit(command)

    # The floor

    def enable(self, *, enabled: bool, note: AdminChange = NOTHING) -> None:
        """Enable the table, or disable it: then no new round begins."""
        self._ports.rows.disable(self.durable.table, disabled=not enabled, note=note)
        self.disabled = not enabled
        self.schedule_refresh()

    @property
    def change(self) -> ChangeTable | None:
        """The floor's change of the rules that waits for the round to end."""
        return self._change.waiting

    def change_soon(self, change: ChangeTable, note: AdminChange = NOTHING) -> None:
        """Change the rules when no round is under way; refuse a change that would fail then."""
        self._change.request(change, note)

    def drop_change(self) -> None:
        """Drop a change that waits for the round to end: an announced one has taken its place."""
        self._change.drop()

    # People

    def arrive(self, watcher: Watcher) -> None:
        """Add a watcher."""
        self.watchers.add(watcher)
        if watcher.player is not None:
            self._presence.bring_back(watcher.player)
        if len(self.watchers) == 1:
            self.schedule_refresh()

    def depart(self, watcher: Watcher) -> None:
        """Remove a watcher; a player's seat is kept for a while."""
        self.watchers.discard(watcher)
        if watcher.player is not None:
            self.attendance.depart(watcher.player, self._ports.clock.elapsed())

    def people(self) -> list[str]:
        """Return the players who sit here and are no bots."""
        return self.durable.committed.people()

    def mark_absent(self) -> None:
        """Mark players without a connection as away; release frozen players where that failed."""
        self._presence.mark_absent()
        self.frozen.release()

    def remove_absent(self) -> None:
        """Remove players who are away or idle for long; close a player's table that is deserted."""
        time_ms = self._ports.clock.elapsed()
        present = {watcher.player for watcher in self.watchers}
        seats = self.durable.committed.places.values()
        people = {seat.player: seat.away for seat in seats if not seat.bot}
        for player in self.attendance.gone(people, present, time_ms):
            self.leave(player, "away")
        self._remove_idle(time_ms)
        state = self.durable.committed
        if self.owner is None or state.closing is not None or state.corrections.asked:
            return
        minutes = self.attendance.minutes_deserted(
            self.people(), present, time_ms, crowded=self._ports.is_crowded()
        )
        if minutes is not None:
            time_ms, reason = self._ports.clock.now(), f"nobody was here for {minutes} minutes"
            self.submit(CloseTable(id=fresh_id("empty"), by=FLOOR, at=time_ms, reason=reason))

    def _remove_idle(self, time_ms: int) -> None:
        warned = self._idle.warned
        for player in self._idle.update(self.people(), time_ms):
            self.leave(player, "idle")
        if self._idle.warned != warned:
            self.schedule_refresh()

    def leave(self, player: str, why: str) -> None:
        """Make a player leave after the round."""
        place = self.durable.committed.place_of(player)
        if place is not None and not self.durable.committed.places[place].leaving:
            self._leave(player, why, "after_round")

    def log_out(self, player: str, session: bytes) -> None:
        """Make a player leave, unless another session of theirs is connected.

        Bets that can be withdrawn are returned; a hand keeps its time, in which they may come back.
        """
        state = self.durable.pending
        place = state.place_of(player)
        sessions = {watcher.session for watcher in self.watchers if watcher.player == player}
        if place is None or sessions - {session}:
            return
        if state.phase == "betting" and own_bets(state, place):
            self._leave(player, "logout", "now")
        elif not state.places[place].leaving:
            self._leave(player, "logout", "after_round")

    def _leave(self, player: str, why: str, when: Literal["now", "after_round"]) -> None:
        time_ms = self._ports.clock.now()
        self.submit(Leave(id=fresh_id(why), by=player, at=time_ms, when=when))
