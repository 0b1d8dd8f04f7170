"""Time jobs in turns, with proof that each repetition did its work.

A job has a counter that only real work advances: calls of the function that counts, rounds tallied,
events on disk, bytes of output. A repetition that does not advance it, or that advances it by less
than the first one did, was answered from a cache, and :class:`NotComputed` stops the bench.

Jobs that are compared take turns (A B A B), so that a busy moment slows all of them, and a ratio is
the median of the ratios of single turns.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from unittest.mock import patch

from bench.caches import clear_caches

__all__ = ["Counter", "Job", "NotComputed", "Timing", "counted", "output_of",
           "own_process", "tail", "take_turns"]  # fmt: skip

#: Where a process starts that has to find this package.
ROOT = Path(__file__).parent.parent


class NotComputed(Exception):
    """A repetition did less work than it was timed for."""


@dataclass
class Counter:
    """Counts work done; call it to read the count."""

    count: int = 0

    def __call__(self) -> int:
        """Return the count."""
        return self.count


@dataclass(frozen=True)
class Job:
    """Something to time.

    ``before`` runs before each repetition and is not timed; by default it clears every cache of the
    package. ``steady`` jobs do the same amount of work each time; others work for a given time.
    """

    name: str
    run: Callable[[], object]
    work: Callable[[], int]
    before: Callable[[], object] = clear_caches
    steady: bool = True


@dataclass(frozen=True)
class Timing:
    """The seconds and the work of each repetition of a job."""

    seconds: list[float] = field(default_factory=list)
    work: list[int] = field(default_factory=list)

    @property
    def median(self) -> float:
        """The median of the seconds."""
        return statistics.median(self.seconds)

    @property
    def milliseconds(self) -> float:
        """The median in milliseconds."""
        return 1000 * self.median

    @property
    def rates(self) -> list[float]:
        """Work a second, by repetition."""
        return [work / seconds for work, seconds in zip(self.work, self.seconds, strict=True)]

    @property
    def rate(self) -> float:
        """The median of work a second."""
        return statistics.median(self.rates)

    def times_as_long_as(self, other: "Timing") -> float:
        """Return how many times as long as another job this one took, turn by turn."""
        pairs = zip(self.seconds, other.seconds, strict=True)
        return statistics.median(one / two for one, two in pairs)

    def times_the_rate_of(self, other: "Timing") -> float:
        """Return how many times another job's work a second this one did, turn by turn."""
        pairs = zip(self.rates, other.rates, strict=True)
        return statistics.median(one / two for one, two in pairs)


def tail(values: Sequence[float]) -> float:
    """Return the 99th percentile; of fewer than 100 values that is the largest."""
    rank = -(-99 * len(values) // 100)
    return sorted(values)[rank - 1]


def take_turns(jobs: Sequence[Job], times: int) -> list[Timing]:
    """Time jobs one after another, ``times`` over; raise NotComputed if one did no work."""
    timings = [Timing() for _ in jobs]
    for _ in range(times):
        for job, timing in zip(jobs, timings, strict=True):
            job.before()
            before, start = job.work(), time.perf_counter()
            job.run()
            timing.seconds.append(time.perf_counter() - start)
            timing.work.append(job.work() - before)
            _check(job, timing.work)
    return timings


def _check(job: Job, work: list[int]) -> None:
    if work[-1] <= 0:
        message = (
            f"{job.name}: repetition {len(work)} did no work, so something remembered the answer"
        )
        raise NotComputed(message)
    if job.steady and work[-1] != work[0]:
        message = f"{job.name}: repetition {len(work)} did {work[-1]} of work, the first {work[0]}"
        raise NotComputed(message)


@contextmanager
def counted(owner: object, name: str) -> Iterator[Counter]:
    """Count the calls of a function, by its owner and name, for as long as the block lasts."""
    function, calls = getattr(owner, name), Counter()
    if hasattr(function, "cache_clear"):
        raise NotComputed(f"{name} is cached, so its calls prove nothing: count a function inside")

    @wraps(function)
    def counting(*arguments: object, **named: object) -> object:
        calls.count += 1
        return function(*arguments, **named)

    with patch.object(owner, name, counting):
        yield calls


def output_of(*words: str, env: Mapping[str, str] | None = None) -> bytes:
    """Run Python in a new process, which has no caches of this one; return what it prints."""
    command = [sys.executable, *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT, env=env).stdout


def own_process(name: str, words: Sequence[str]) -> Job:
    """Return a job that runs Python in a process of its own; its work is the bytes it prints."""
    printed = Counter()

    def run() -> None:
        printed.count += len(output_of(*words))

    return Job(name, run, printed, before=lambda: None)
