"""What a bench finds, as rows for people and as JSON, and the command line that all benches share.

python -m bench.NAME [--size tiny|usual|long] [--json]
"""

import argparse
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import floor, log10
from typing import TextIO, TypeVar

import msgspec

from bench.machine import Busyness
from bench.measure import NotComputed, tail

__all__ = ["Bench", "Recorder", "Result", "Row", "Size", "figure", "main", "run"]

_T = TypeVar("_T")


class Size(StrEnum):
    """How much a bench measures: enough to see that it runs, the usual, or more than that."""

    TINY = "tiny"
    USUAL = "usual"
    LONG = "long"

    def pick(self, tiny: _T, usual: _T, long: _T) -> _T:
        """Return the value for this size."""
        return {Size.TINY: tiny, Size.USUAL: usual, Size.LONG: long}[self]


class Row(msgspec.Struct, frozen=True):
    """One figure: its ratio to others of the same run, and how it was measured and proved."""

    name: str
    value: float
    unit: str
    ratio: str = ""
    how: str = ""


class Result(msgspec.Struct, frozen=True):
    """All that one bench found."""

    name: str
    title: str
    measures: str
    limit: str
    rows: list[Row]
    #: Sentences on what could not be measured here.
    absent: list[str]
    busyness: str


@dataclass
class Recorder:
    """Takes the rows of a bench and shows each as soon as it is there."""

    stream: TextIO
    rows: list[Row] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    busyness: Busyness = field(default_factory=Busyness)
    _busy: str = ""

    def add(self, name: str, value: float, unit: str, ratio: str = "", how: str = "") -> None:
        """Record a figure."""
        row = Row(name, value, unit, ratio, how)
        self.rows.append(row)
        amount = f"{figure(value)} {unit}"
        self.note(f"  {name:<46}{amount:>24}{f'   {ratio}' if ratio else ''}")

    def add_times(self, name: str, milliseconds: Sequence[float], how: str = "") -> None:
        """Record the median and the 99th percentile of single times; baselines get the same."""
        if not milliseconds:
            raise NotComputed(f"{name}: nothing was timed")
        self.add(f"{name}, median", statistics.median(milliseconds), "ms", how=how)
        self.add(f"{name}, 99th percentile", tail(milliseconds), "ms", how=how)

    def lacks(self, sentence: str) -> None:
        """Record that something could not be measured here."""
        self.absent.append(sentence)
        self.note(f"  {sentence}")

    def note(self, text: str) -> None:
        """Show how far the bench is."""
        print(text, file=self.stream, flush=True)

    def stop_watching(self) -> None:
        """Take down how busy the machine was, while the processes of the bench still run."""
        self._busy = self._busy or self.busyness.sentence()

    @property
    def busy(self) -> str:
        """How busy the machine was."""
        self.stop_watching()
        return self._busy


@dataclass(frozen=True)
class Bench:
    """A bench: its name, what it measures and what limits it now, and how it is run."""

    name: str
    title: str
    measures: str
    limit: str
    measure: Callable[[Size, Recorder], None]


def figure(value: float) -> str:
    """Return a number with three significant digits, or all digits before the point."""
    if not value:
        return "0"
    places = max(0, 2 - floor(log10(abs(value))))
    return f"{value:,.{places}f}"


def run(bench: Bench, size: Size = Size.USUAL, stream: TextIO = sys.stderr) -> Result:
    """Run a bench; show its rows on the stream as they come."""
    recorder = Recorder(stream)
    bench.measure(size, recorder)
    texts = (bench.name, bench.title, bench.measures, bench.limit)
    return Result(*texts, recorder.rows, recorder.absent, recorder.busy)


def main(bench: Bench) -> None:
    """Run a bench as its command line says."""
    options = argparse.ArgumentParser(prog=f"python -m bench.{bench.name}", description=bench.title)
    options.add_argument("--size", type=Size, choices=list(Size), default=Size.USUAL)
    options.add_argument("--json", action="store_true", help="print the result as JSON at the end")
    asked = options.parse_args()
    try:
        result = run(bench, asked.size, sys.stderr if asked.json else sys.stdout)
    except KeyboardInterrupt:
        sys.exit(130)
    if asked.json:
        print(msgspec.json.encode(result).decode())
    else:
        print(f"  {result.busyness}")
