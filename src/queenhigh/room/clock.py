"""The room's clock: wall time when it was set, plus the time on a monotonic clock since then.

The machine's clock may be set while tables are played. The room's own clock does not follow until
it is set again, so that no player's time is cut short or drawn out.
"""

import time
from collections.abc import Callable

__all__ = ["ROOM", "Clock"]

#: How far the wall clock may be off before it counts as set, in milliseconds.
_JUMP_MS = 5_000
_NS_PER_MS = 1_000_000


class Clock:
    """A clock that advances evenly; both sources count nanoseconds."""

    def __init__(
        self,
        wall: Callable[[], int] = time.time_ns,
        monotonic: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self.set_by_wall()

    def now(self) -> int:
        """Return the room's time in milliseconds since 1970."""
        return (self._start + self._monotonic()) // _NS_PER_MS

    def elapsed(self) -> int:
        """Return milliseconds since some fixed moment, to measure how long things take."""
        return self._monotonic() // _NS_PER_MS

    @property
    def has_jumped(self) -> bool:
        """Whether the wall clock shows another time: it was set, or the machine slept."""
        return abs(self._wall() // _NS_PER_MS - self.now()) > _JUMP_MS

    def set_by_wall(self) -> None:
        """Set this clock to the wall clock."""
        self._start = self._wall() - self._monotonic()


#: The clock of this process.
ROOM = Clock()
