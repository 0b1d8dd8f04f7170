"""The time of sessions, which do not end because somebody sets the clock."""

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.rows import RowsDb

__all__ = ["SessionTime"]

_HOUR_MS = 3600 * 1000
#: The most that the time advances between two readings of the clock.
_MOST_MS = 24 * _HOUR_MS


class SessionTime:
    """A time that never goes back, and that a jump of the clock advances by a day at most.

    The clock is read at every request: a large step means a quiet night, a server that was
    stopped, or a clock that was set. Setting it weeks ahead and back costs a session one day.
    """

    def __init__(self, db: RowsDb) -> None:
        self._db = db
        saved = self._db.execute("select clock, time from session_time").fetchone()
        self._saved: tuple[int, int] | None = saved
        self._last: tuple[int, int] | None = saved

    def by(self, clock: int) -> int:
        """Return the time of sessions for a time of the room's clock, in milliseconds."""
        if self._last is None:
            self._last = (clock, clock)
        before, time = self._last
        time += min(max(0, clock - before), _MOST_MS)
        self._last = (clock, time)
        if self._saved is None or abs(clock - self._saved[0]) >= _HOUR_MS:
            self._save(clock, time)
        return time

    def _save(self, clock: int, time: int) -> None:
        query = (
            "insert into session_time values (1, ?, ?) on conflict (id) do update"
            " set clock = excluded.clock, time = excluded.time"
        )
        try:
            self._db.execute(query, (clock, time))
        except (apsw.Error, QueenhighError):
            return  # the next request saves it
        self._saved = (clock, time)
