"""Exact odds beside a naive enumeration in C, and the command from the shell.

    python -m bench.odds [--size tiny|usual|long] [--json]

The enumeration, bench/naive.c, goes through every deal; it is compiled with gcc -O3 where gcc is
there, and both must give the same fraction. What proves that odds were counted is the number of
blocks of information sets that were counted in each repetition.
"""

import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path

import queenhigh as qh
from bench.caches import clear_caches
from bench.measure import Counter, Job, Timing, counted, output_of, take_turns
from bench.results import Bench, Recorder, Size, figure, main
from bench.shell import measure_commands
from queenhigh.price import covariance, poker
from queenhigh.price.odds import odds
from queenhigh.price.strategy import strategy
from queenhigh.price.tables import tables
from queenhigh.rulebook.book import PokerRulebook

NAIVE = Path(__file__).parent / "naive.c"
#: The modules whose caches stay when tables are warm: how hands rank, and the counting tables.
WARM = ("queenhigh.cards", "queenhigh.price.tables")
#: Prints the milliseconds that the first odds of a process take, imports and rulebook apart.
FIRST = (
    "import sys, time; import queenhigh as qh; from queenhigh.price.odds import odds;"
    " book = qh.load(sys.argv[1]); start = time.perf_counter(); found = odds(book);"
    " print(1000 * (time.perf_counter() - start), found.bets['ante'].ev)"
)


@dataclass
class Naive:
    """The enumeration of one game; its work is the deals it went through."""

    program: Path
    book: PokerRulebook
    expected: Fraction
    deals: Counter = field(default_factory=Counter)

    def run(self) -> None:
        """Enumerate; the expectation must be the exact one."""
        worth = poker.payoffs(self.book)
        command = [self.program, self.book.up, *worth.cases, *worth.played[:6]]
        done = subprocess.run(
            list(map(str, command)), check=True, capture_output=True, text=True
        ).stdout
        total, deals = map(int, done.split())
        assert Fraction(total, deals) == self.expected, "the two do not agree"
        self.deals.count += deals


def compile_naive(folder: Path) -> Path:
    """Compile the enumeration."""
    program = folder / "naive"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), str(NAIVE)], check=True)
    return program


def first_of_process(name: str, expected: str, times: int) -> Timing:
    """Time the first odds of new processes, as the processes themselves measure it."""
    timing = Timing()
    for _ in range(times):
        milliseconds, ev = output_of("-c", FIRST, name).decode().split()
        assert ev == expected
        timing.seconds.append(float(milliseconds) / 1000)
        timing.work.append(1)
    return timing


def keep_only_tables(book: PokerRulebook) -> None:
    """Clear every cache except the counting tables, and build those if they are not there."""
    clear_caches(keep=WARM)
    tables(book.ace_low)


def measure_game(name: str, program: Path | None, size: Size, recorder: Recorder) -> None:
    """Measure one game's odds, warm and cold in turns, then beside the enumeration."""
    book = qh.load(name)
    assert isinstance(book, PokerRulebook)
    times, ev = size.pick(2, 21, 51), odds(book).bets["ante"].ev
    with counted(poker, "_info_sets") as blocks:
        warm = partial(keep_only_tables, book)
        count_odds = partial(odds, book)
        warm_odds = Job(f"{name} odds, warm", count_odds, blocks, before=warm)
        cold_odds = Job(f"{name} odds, cold", count_odds, blocks)
        play = Job(f"{name} strategy", partial(strategy, book), blocks, before=warm)
        counts = take_turns([warm_odds, cold_odds, play], times)
        how = f"median of {times}; {counts[0].work[0]} block of information sets counted each time"
        for label, timing in zip(
            ("odds, counting tables warm", "odds, every cache cleared", "best play, tables warm"),
            counts,
            strict=True,
        ):
            recorder.add(f"{name}: {label}", timing.milliseconds, "ms", how=how)
        if program:
            turns = size.pick(1, 3, 9)
            naive = Naive(program, book, ev)
            slow = Job(f"{name} naive C", naive.run, naive.deals)
            one, other = take_turns([slow, warm_odds], turns)
            ratio = f"{one.times_as_long_as(other):,.0f} x odds with warm tables"
            how = (
                f"median of {turns} turns with odds, which took {figure(other.milliseconds)} ms;"
                f" {one.work[0]:,} deals each, same fraction"
            )
            recorder.add(f"{name}: naive C", one.milliseconds, "ms", ratio, how)
    starts = size.pick(1, 5, 15)
    first = first_of_process(name, str(ev), starts)
    how = f"median of {starts} processes, each measures itself; imports and loading apart"
    recorder.add(f"{name}: odds, first in a new process", first.milliseconds, "ms", how=how)


def measure_covariance(name: str, times: int, recorder: Recorder) -> None:
    """Measure the covariance of two seats."""
    book = qh.load(name)
    assert isinstance(book, PokerRulebook)
    with counted(covariance.SeatSums, "pairs") as pairs:
        mean = partial(covariance.product_mean, book, poker.payoffs(book))
        (timing,) = take_turns([Job(f"{name} covariance", mean, pairs)], times)
    how = f"median of {times}, every cache cleared; {timing.work[0]:,} dealer hands each time"
    recorder.add(f"{name}: covariance of two seats", timing.milliseconds, "ms", how=how)


def measure(size: Size, recorder: Recorder) -> None:
    """Measure both games, then the commands."""
    with tempfile.TemporaryDirectory() as folder:
        program = None
        if shutil.which("gcc"):
            program = compile_naive(Path(folder))
        else:
            recorder.lacks("gcc is not installed, so the naive enumeration was not measured.")
        if size is Size.TINY:
            measure_game("house", None, size, recorder)
            measure_covariance("house", 1, recorder)
            return
        for name in ("house", "california"):
            measure_game(name, program, size, recorder)
    for name in ("house", "california"):
        measure_covariance(name, size.pick(1, 3, 9), recorder)
    commands = ("odds california", "odds california --json")
    measure_commands(commands, size.pick(1, 7, 21), recorder)


BENCH = Bench(
    "odds",
    "Exact odds",
    "The exact odds of every bet by counting, beside a C program that goes through every deal. Warm"
    " means that the ranking of hands and the counting tables are there, as after the first odds"
    " of a process; the deals are counted and best play is chosen each time.",
    "NumPy on arrays of 1,755 kinds of hands by 52 up cards (California): most of the time goes"
    " into looking up strengths and counts. A command from the shell is mostly the start of"
    " Python.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
