"""The clock of a round stands while a person of the floor rules on it; bots wait too.

Once a round, for two minutes in all. The floor's log has when it stops and when it runs again, so a
process that takes the table over counts on from there. Meanwhile players get their time again
before each deadline. The page of the person renews the stop: without that it ends.
"""

from dataclasses import dataclass

from queenhigh.errors import QueenhighError
from queenhigh.room.rebase import time_command
from queenhigh.server.ids import fresh_id
from queenhigh.server.ports import TableControl, TablePorts
from queenhigh.server.stop_log import RULE, RUNS, STOPPED
from queenhigh.table.lone_player import whole_time
from queenhigh.table.rounds import refuse_round

__all__ = ["ClockStop", "RulingClock"]

#: How long a clock stands in all, how long without being renewed, and how long before a deadline
#: players get their time again, in milliseconds: pages send bets shortly before it.
_MOST, _HELD, _BEFORE = 120_000, 15_000, 2_000


@dataclass
class ClockStop:
    """A clock that stands: the round, the sender who stopped it, and how many rulings there were.

    Times count from some moment; ``held_until`` is when it runs again if nobody renews this.
    """

    round: int
    by: str
    rulings: int
    ends: int
    held_until: int


class RulingClock:
    """The stop of one table's clock."""

    def __init__(self, table: TableControl, ports: TablePorts) -> None:
        self._table, self._ports = table, ports
        self._stop: ClockStop | None = None
        self._resume()

    @property
    def is_on(self) -> bool:
        """Whether the clock stands: nothing may happen at the table by itself."""
        return self._stop is not None

    # The person

    def open(self, by: str, round: int) -> ClockStop | None:
        """Stop the clock, or renew a stop of the same sender; ``None``: it runs and goes on so.

        Return the stop, be it another sender's.
        """
        stale = self._ports.staleness()
        if stale is not None:
            raise stale
        state, stop = self._table.durable.pending, self._stop
        if state.round is None or state.number != round:
            refuse_round(state, round)
        if stop is not None and stop.round == round:
            if stop.by == by:
                stop.held_until = self._ports.clock.elapsed() + _HELD
            return stop
        last = self._ports.rows.last_stop(self._table.durable.table)
        if last is not None and last.round == round:
            return None
        self._log(by, round, STOPPED)
        self._stop = self._stopped(round, by, _MOST)
        self._give_time()
        self._table.schedule_refresh()
        return self._stop

    def close(self, by: str, round: int) -> None:
        """Start the clock again if this sender has stopped it."""
        if self._stop is not None and (self._stop.by, self._stop.round) == (by, round):
            self._end("the floor's dialog was closed")

    def until(self, stop: ClockStop) -> int:
        """Return when a stop ends at the latest, by the room's clock."""
        return self._ports.clock.now() + stop.ends - self._ports.clock.elapsed()

    # The table

    def _resume(self) -> None:
        """Go on with a stop that another process has not ended."""
        try:
            last = self._ports.rows.last_stop(self._table.durable.table)
        except QueenhighError as error:  # a damaged log of the floor stops no table
            self._ports.note(self._table.durable.table, error)
            return
        if last is not None and not last.is_over:
            left = min(_MOST, last.time_ms + _MOST - self._ports.clock.now())
            self._stop = self._stopped(last.round, last.by, max(0, left))

    def end_if_over(self) -> None:
        """End the stop of a round that is over, or that was ruled on."""
        stop, state = self._stop, self._table.durable.committed
        if stop is None:
            return
        live = state.round or (state.last.live if state.last else None)
        if live is not None and live.number == stop.round and len(live.incidents) > stop.rulings:
            self._end("a ruling was made")
        elif state.round is None or state.number != stop.round:
            self._end("the round was over")

    def wakes_at(self, due: int | None) -> int | None:
        """Return when the table wakes, by the room's clock; ``due``: when without a stop."""
        stop = self._stop
        if stop is None:
            return due
        ends = min(stop.ends, stop.held_until) - self._ports.clock.elapsed()
        ends += self._ports.clock.now()
        return ends if due is None else min(ends, due - self._before())

    def wake(self) -> None:
        """End a stop whose time is up; give players their time before it is over."""
        stop, elapsed = self._stop, self._ports.clock.elapsed()
        deadline = self._table.durable.pending.deadline
        if stop is None:
            return
        if stop.ends <= elapsed:
            self._end("two minutes were over")
        elif stop.held_until <= elapsed:
            self._end("the floor's page was gone")
        elif deadline is not None and deadline - self._before() <= self._ports.clock.now():
            self._give_time()

    def _before(self) -> int:
        """Return how long before a deadline the time starts again."""
        return min(_BEFORE, whole_time(self._table.durable.pending) // 2)

    def _stopped(self, round: int, by: str, left: int) -> ClockStop:
        live, elapsed = self._table.durable.pending.round, self._ports.clock.elapsed()
        rulings = len(live.incidents) if live is not None and live.number == round else 0
        return ClockStop(round, by, rulings, elapsed + left, elapsed + _HELD)

    def _end(self, why: str) -> None:
        """Start the clock again, with the whole time; keep in the log why."""
        stop, self._stop = self._stop, None
        assert stop is not None, "only a stop ends"
        state = self._table.durable.pending
        if state.round is not None and state.number == stop.round:
            self._give_time()
        self._table.schedule_refresh()
        try:
            self._log(stop.by, stop.round, RUNS, why)
        except QueenhighError as error:
            if error.code != "role.needed":  # who may not rule any more writes nothing
                self._ports.note(self._table.durable.table, error)

    def _give_time(self) -> None:
        state, time_ms = self._table.durable.pending, self._ports.clock.now()
        command = time_command(state, fresh_id("ruling"), time_ms, "the floor rules on the round")
        if command is not None:
            self._table.submit(command)

    def _log(self, by: str, round: int, clock: str, reason: str = "") -> None:
        rows, time_ms = self._ports.rows, self._ports.clock.now()
        change = (None, {"round": round, "clock": clock})
        table = self._table.durable.table
        rows.log(lambda: rows.acted(time_ms, by, RULE, table, change=change, reason=reason))
