"""The room's clock: wall time when it was set, and what a monotonic clock has counted since.

Somebody may set the machine's clock while tables are played. The room's own clock does not notice
until it is set again, so that nobody's time is cut short or drawn out by it.
"""

import time
from collections.abc import Callable

__all__ = ["ROOM", "Clock"]

#: How far the wall clock may be off before it counts as set by somebody, in milliseconds.
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
        """Return milliseconds since some moment: for how long something has lasted."""
        return self._monotonic() // _NS_PER_MS

    @property
    def has_jumped(self) -> bool:
        """Whether the wall clock shows another time: somebody set it, or the machine slept."""
        return abs(self._wall() // _NS_PER_MS - self.now()) > _JUMP_MS

    def set_by_wall(self) -> None:
        """Set this clock to what the wall clock shows."""
        self._start = self._wall() - self._monotonic()


#: The clock of this process.
ROOM = Clock()
