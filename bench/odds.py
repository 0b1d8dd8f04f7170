"""How fast the exact odds are, beside a naive enumeration in C. Prints ratios of one run.

    python bench/odds.py

The enumeration, bench/naive.c, goes through every deal; it is compiled with gcc -O3 when gcc is
there, and both must give the same fraction.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import queenhigh as qh
from queenhigh.price import poker
from queenhigh.price.odds import odds
from queenhigh.price.seats import product_mean
from queenhigh.price.strategy import strategy
from queenhigh.price.tables import tables
from queenhigh.rulebook.book import PokerRulebook

NAIVE = Path(__file__).parent / "naive.c"


def median(job: Callable[[], object], times: int = 21) -> float:
    took = []
    for _ in range(times):
        start = time.perf_counter()
        job()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def naive(program: Path, book: PokerRulebook) -> tuple[float, Fraction]:
    worth = poker.payoffs(book)
    words = [book.up, *worth.cases, *worth.played[:6]]
    start = time.perf_counter()
    command = [str(program), *map(str, words)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    total, deals = map(int, done.stdout.split())
    return time.perf_counter() - start, Fraction(total, deals)


def compiled(folder: Path) -> Path | None:
    if not shutil.which("gcc"):
        return None
    program = folder / "naive"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), str(NAIVE)], check=True)
    return program


def one_game(name: str, program: Path | None) -> None:
    book = qh.load(name)
    assert isinstance(book, PokerRulebook)

    def first() -> object:
        tables.cache_clear()
        return odds(book)

    cold, warm = median(first), median(lambda: odds(book))
    plays = median(lambda: strategy(book))
    print(f"{name}: odds {warm * 1e3:.1f} ms, first time in a process {cold * 1e3:.1f} ms;"
          f" strategy {plays * 1e3:.1f} ms")  # fmt: skip
    if program:
        slow, ev = naive(program, book)
        assert ev == odds(book).bets["ante"].ev, "the two do not agree"
        print(f"  naive C {slow * 1e3:,.0f} ms, the same fraction: {slow / warm:,.0f} x odds")
    took = median(lambda: product_mean(book, poker.payoffs(book)), times=3)
    print(f"  seat covariance {took * 1e3:,.0f} ms")


def run(words: list[str]) -> None:
    command = [sys.executable, "-m", "queenhigh", *words]
    subprocess.run(command, check=True, capture_output=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        if program is None:
            print("gcc is not here: without the naive enumeration")
        for name in ("house", "california"):
            one_game(name, program)
    for words in (["odds", "california"], ["odds", "california", "--json"]):
        took = median(partial(run, words), 7)
        print(f"queenhigh {' '.join(words)}: {took * 1e3:.0f} ms from a cold shell")


if __name__ == "__main__":
    main()
