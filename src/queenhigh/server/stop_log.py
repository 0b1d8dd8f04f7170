"""When the floor stopped the clock of a table last, by the floor's log.

Two entries of a ruling (``rule incident``) have it: in ``after``, the ``round`` and whether its
``clock`` is ``stopped`` or ``runs`` again.
"""

from dataclasses import dataclass

from queenhigh.store.durable_store import DurableStore
from queenhigh.table.registry import FLOOR_LOG, decode_floor

__all__ = ["RULE", "RUNS", "STOPPED", "LoggedStop", "StopLog"]

#: The permission to rule, which is also the action in the log, and what is so of a clock.
RULE, STOPPED, RUNS = "rule incident", "stopped", "runs"
#: Every entry that stops a clock, or starts it again, contains this.
_MARK = b'"clock":"'


@dataclass(frozen=True)
class LoggedStop:
    """The last stop of a table's clock, as the log has it."""

    round: int
    by: str
    time_ms: int
    is_over: bool = False


class StopLog:
    """The last stop of each table's clock: every question reads the entries that are new."""

    def __init__(self, store: DurableStore) -> None:
        self._store = store
        self._epoch, self._version = store.epoch, 0
        self._last: dict[str, LoggedStop] = {}

    def last(self, table: str) -> LoggedStop | None:
        """Return the last stop of a table's clock."""
        version = self._store.version(FLOOR_LOG)
        if version < self._version or self._store.epoch != self._epoch:
            self._epoch, self._version, self._last = self._store.epoch, 0, {}
        if version > self._version:
            for row in self._store.read(FLOOR_LOG, self._version):
                if _MARK in row.event:
                    self._take(row.event)
                self._version = row.version
        return self._last.get(table)

    def _take(self, raw: bytes) -> None:
        act = decode_floor(raw)
        if act.action == RULE and isinstance(act.after, dict) and "clock" in act.after:
            is_over = act.after["clock"] != STOPPED
            self._last[act.subject] = LoggedStop(act.after["round"], act.by, act.at, is_over)
