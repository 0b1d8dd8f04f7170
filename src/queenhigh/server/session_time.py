"""Time as sessions count it, so that no clock that somebody sets can end them."""

import apsw

__all__ = ["SessionTime"]

_HOUR_MS = 3600 * 1000
#: A clock that shows more than this since it was read last counts for so much only.
_MOST_MS = 24 * _HOUR_MS


class SessionTime:
    """A time that never runs back, and in which a leap of the clock is a day at most.

    The clock is read at every request: between two readings lies a night, a room that was closed,
    or a clock that somebody set. Weeks forward and back again cost a session one day.
    """

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        saved = self._db.execute("select clock, time from session_time").fetchone()
        self._saved: tuple[int, int] | None = saved
        self._last: tuple[int, int] | None = saved

    def by(self, clock: int) -> int:
        """Return the time of sessions when the room's clock shows this, in milliseconds."""
        if self._last is None:
            self._last = (clock, clock)
        before, time = self._last
        time += min(max(0, clock - before), _MOST_MS)
        self._last = (clock, time)
        if self._saved is None or abs(clock - self._saved[0]) >= _HOUR_MS:
            self._save(clock, time)
        return time

    def _save(self, clock: int, time: int) -> None:
        ask = "insert or replace into session_time values (1, ?, ?)"
        try:
            self._db.execute(ask, (clock, time))
        except apsw.Error:
            return  # at the next request, then: nobody is kept waiting for this
        self._saved = (clock, time)
