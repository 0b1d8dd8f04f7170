"""The clock of a live table: it wakes the table when something is due, and restarts lost time."""

import asyncio

from queenhigh.room.rebase import time_command
from queenhigh.server.ids import fresh_id
from queenhigh.server.ports import TableControl, TablePorts
from queenhigh.server.presence import Presence
from queenhigh.server.ruling_clock import RulingClock
from queenhigh.table.commands import CLOCK, Tick
from queenhigh.table.decide import wakes_at

__all__ = ["TableClock"]

#: After a failure the timer is set again for so many seconds later.
_RETRY = 1.0


class TableClock:
    """The timer of one table."""

    def __init__(
        self, table: TableControl, ports: TablePorts, presence: Presence, ruling: RulingClock
    ) -> None:
        self._table, self._ports, self._presence = table, ports, presence
        self._ruling = ruling
        self._timer: asyncio.TimerHandle | None = None
        self._due: int | None = None
        #: Whether a deadline passed while nothing could be saved.
        self._was_lost = False

    def set(self) -> None:
        """Set the timer to when the table wakes, unless it is set to that."""
        due = self._ruling.wakes_at(wakes_at(self._table.durable.committed))
        if due is None or self._table.is_paused:
            self.stop()
        elif self._timer is None or self._due != due:
            self._set(max(0.0, (due - self._ports.clock.now()) / 1000), due)

    def retry(self, *, was_lost: bool = False) -> None:
        """Wake the table soon, after an error; ``was_lost``: nothing could be saved."""
        self._was_lost = self._was_lost or was_lost
        self._set(_RETRY)

    def forget_due(self) -> None:
        """Set the timer again at the next chance: the room's clock may have been set."""
        self._due = None

    def stop(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set(self, seconds: float, due: int | None = None) -> None:
        """Set the timer; it is set again for another ``due``, the room's time in milliseconds."""
        self.stop()
        self._due = due
        self._timer = asyncio.get_running_loop().call_later(seconds, self._on_deadline)

    def _on_deadline(self) -> None:
        """Submit a tick; refresh the table if nothing is due any more."""
        self._timer = None
        if self._ruling.is_on:
            self._ruling.wake()
            self._table.schedule_refresh()
            return
        due = wakes_at(self._table.durable.committed)
        if due is None or self._table.is_paused:
            self._table.schedule_refresh()
            return
        time_ms = max(self._ports.clock.now(), due)
        if self._restart_time(time_ms):
            return
        late = self._presence.late(time_ms)
        self._table.submit(Tick(id="", by=CLOCK, at=time_ms))
        self._presence.mark_away(late)

    def _restart_time(self, time_ms: int) -> bool:
        """Give players their time again if nothing could be saved when it was over."""
        command, state = None, self._table.durable.pending
        if self._was_lost and state.phase != "between":
            reason = "the database did not answer"
            command = time_command(state, fresh_id("time"), time_ms, reason)
        self._was_lost = False
        if command is not None:
            self._table.submit(command)
        return command is not None
