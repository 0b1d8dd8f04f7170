"""Time of tables: rebased when it no longer fits the room's clock, restarted after a pause."""

from queenhigh.room.durable_table import DurableTable
from queenhigh.room.room import now
from queenhigh.table.commands import FLOOR, GiveTime, RebaseTime
from queenhigh.table.decide import wakes_at
from queenhigh.table.state import State

__all__ = ["rebase_at_start", "rebase_command", "time_command"]

#: How far a table may be ahead of the clock, in milliseconds.
_AHEAD_MS = 1_000


def rebase_command(state: State, at: int, *, jumped: bool) -> RebaseTime | None:
    """Return the command that rebases a table to a time, or ``None`` if it needs none.

    A table that is ahead of the clock always needs it. After the clock ``jumped`` forward only a
    table that waits for a deadline, or has announced a change, does: the time would pass at once.
    """
    ahead = state.at > at + _AHEAD_MS
    has_time = wakes_at(state) is not None or state.announced is not None
    waits = jumped and has_time and state.at != at
    if state.phase == "closed" or not (ahead or waits):
        return None
    reason = "the table was ahead of the clock" if ahead else "the clock was set"
    id = f"rebase.{state.version}"
    return RebaseTime(id=id, by=FLOOR, at=at, before=state.at, reason=reason)


def time_command(state: State, id: str, at: int, reason: str) -> GiveTime | None:
    """Return the command that restarts the time of a decision; ``None`` if none is under way.

    A pause that is over need not begin again.
    """
    if state.deadline is None or (state.phase == "between" and state.deadline <= at):
        return None
    return GiveTime(id=id, by=FLOOR, at=at, reason=reason)


def rebase_at_start(durable: DurableTable) -> bool:
    """Rebase a table that is ahead of the clock; return whether it was."""
    command = rebase_command(durable.committed, now(), jumped=False)
    if command is not None:
        durable.execute(command)
    return command is not None
