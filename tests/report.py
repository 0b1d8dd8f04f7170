"""The report at the end of a run: the ten slowest tests and the seconds of each folder."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

SLOWEST = 10


class Timed(Protocol):
    """One phase of a test: set-up, call or teardown."""

    @property
    def nodeid(self) -> str: ...
    @property
    def duration(self) -> float: ...


def lines(reports: Iterable[Timed]) -> list[str]:
    """Return the report as lines of text."""
    tests: defaultdict[str, float] = defaultdict(float)
    for phase in reports:
        tests[phase.nodeid] += phase.duration
    folders: defaultdict[str, list[float]] = defaultdict(list)
    for test, seconds in tests.items():
        folders[test.partition("::")[0].rpartition("/")[0]].append(seconds)
    slowest = sorted(tests.items(), key=lambda item: -item[1])[:SLOWEST]
    by_folder = sorted(folders.items(), key=lambda item: -sum(item[1]))
    return [
        *(f"{seconds:8.2f} s  {test}" for test, seconds in slowest),
        "",
        *(f"{sum(each):8.1f} s  {folder} ({len(each):,} tests)" for folder, each in by_folder),
    ]
