"""Make each flush of a disk take longer, and measure by how much: sleeps are never exact."""

from time import perf_counter, sleep

__all__ = ["Delay"]


class Delay:
    """Waits so many seconds at each call of `wait`; ``times``: the milliseconds that each took."""

    def __init__(self, seconds: float = 0) -> None:
        self.seconds = seconds
        self.times: list[float] = []

    def wait(self) -> None:
        """Wait, if there is anything to wait for."""
        if self.seconds:
            start = perf_counter()
            sleep(self.seconds)
            self.times.append(1000 * (perf_counter() - start))
