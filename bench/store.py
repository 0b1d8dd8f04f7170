"""How many appends a second a durable store acknowledges, beside bare commits on the same disk.

    python bench/store.py

Fifty streams have one append each under way at any time, as fifty busy tables would. The bare
commit is one row of the same size, SQLite in the same mode. Medians of some runs, and their ratio.
"""

import statistics
import tempfile
import time
from collections import deque
from functools import partial
from pathlib import Path

from queenhigh.store.sqlite import SqliteStore, _open
from queenhigh.store.streams import Append

STREAMS, SECONDS, TIMES = 50, 2.0, 3
EVENT = b"x" * 200


class Bare:
    """Commits of one row, one after another."""

    def __init__(self, file: Path) -> None:
        self.connection = _open(file)
        self.connection.execute("create table row (id integer primary key, event blob)")

    def rate(self, seconds: float, slower: float = 0) -> float:
        """Return commits a second; ``slower``: seconds that each one takes longer."""
        start, commits = time.perf_counter(), 0
        while (spent := time.perf_counter() - start) < seconds:
            if slower:
                time.sleep(slower)
            self.connection.execute("insert into row (event) values (?)", (EVENT,))
            commits += 1
        return commits / spent


def acknowledged(folder: Path) -> float:
    store = SqliteStore(folder / "store.db")
    idle, versions = deque(range(STREAMS)), [0] * STREAMS

    def done(stream: int, error: Exception | None) -> None:
        assert error is None
        versions[stream] += 1
        idle.append(stream)

    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        while idle:
            stream = idle.popleft()
            append = Append(f"table/{stream}", versions[stream], (EVENT,))
            store.submit(partial(done, stream), append)
        store.flush()
    store.close()
    return sum(versions) / spent


def main() -> None:
    rates = []
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            rates.append((Bare(Path(folder) / "bare.db").rate(SECONDS), acknowledged(Path(folder))))
    one, many = (statistics.median(column) for column in zip(*rates, strict=True))
    print(f"bare commits     {one:>10,.0f}/s")
    print(f"acknowledged     {many:>10,.0f}/s   {many / one:.1f}x, {STREAMS} streams")


if __name__ == "__main__":
    main()
