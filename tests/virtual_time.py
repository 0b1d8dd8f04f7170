"""An event loop whose clock jumps to whatever is due next, so that waits cost nothing."""

import asyncio
from collections.abc import Coroutine
from selectors import DefaultSelector, SelectorKey
from typing import TypeVar

_T = TypeVar("_T")


class _Jumping(DefaultSelector):
    """Waits for nothing: notes how long it would have waited."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """Return what is ready at once; let the time pass that would have been waited."""
        self.now += timeout or 0.0
        return super().select(0)


class VirtualTime(asyncio.SelectorEventLoop):
    """An event loop with a clock of its own, which starts at 0."""

    def __init__(self) -> None:
        self._clock = _Jumping()
        super().__init__(self._clock)

    def time(self) -> float:
        """Return the time of the loop's own clock."""
        return self._clock.now


def run_virtually(main: Coroutine[object, object, _T]) -> _T:
    """Run a coroutine to its end in virtual time."""
    with asyncio.Runner(loop_factory=VirtualTime) as runner:
        return runner.run(main)
