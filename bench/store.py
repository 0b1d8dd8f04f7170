"""Appends a second that a durable store acknowledges, beside bare commits on the same disk.

    python -m bench.store [--size tiny|usual|long] [--json]

Fifty streams have one append each under way at any time, as fifty busy tables would. The bare
commit is one row of the same size, SQLite in the same mode. Both take turns, and what each says it
wrote is counted in its file afterwards.
"""

import tempfile
import time
from collections import deque
from functools import partial
from pathlib import Path

import apsw

from bench.delay import Delay
from bench.measure import Job, NotComputed, take_turns
from bench.results import Bench, Recorder, Size, main
from queenhigh.store.sqlite import SqliteStore, _open
from queenhigh.store.streams import Append

STREAMS = 50
EVENT = b"x" * 200


class BareCommits:
    """Commits of one row, one after another; ``slower``: seconds that are added to each."""

    def __init__(self, file: Path, slower: float = 0) -> None:
        self.file, self.delay = file, Delay(slower)
        #: The milliseconds of each commit.
        self.times: list[float] = []
        self.connection = _open(file)
        self.connection.execute("create table row (id integer primary key, event blob)")

    def run(self, seconds: float) -> None:
        """Commit for some seconds."""
        end = time.perf_counter() + seconds
        while (start := time.perf_counter()) < end:
            self.delay.wait()
            self.connection.execute("insert into row (event) values (?)", (EVENT,))
            self.times.append(1000 * (time.perf_counter() - start))

    @property
    def commits(self) -> int:
        """How many rows were committed."""
        return len(self.times)

    def close(self) -> None:
        """Close the file; it must hold all that was committed."""
        self.connection.close()
        if (stored := count_rows(self.file, "row")) != self.commits:
            raise NotComputed(f"{self.commits} rows were committed and {stored} are in the file")


class Appends:
    """Fifty streams with one append each under way."""

    def __init__(self, file: Path) -> None:
        self.file, self.store = file, SqliteStore(file)
        self.idle, self.versions = deque(range(STREAMS)), [0] * STREAMS

    def run(self, seconds: float) -> None:
        """Append for some seconds."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            while self.idle:
                stream = self.idle.popleft()
                append = Append(f"table/{stream}", self.versions[stream], (EVENT,))
                self.store.submit(partial(self._done, stream), append)
            self.store.flush()

    def _done(self, stream: int, error: Exception | None) -> None:
        assert error is None
        self.versions[stream] += 1
        self.idle.append(stream)

    def acknowledged(self) -> int:
        """Return how many appends were acknowledged."""
        return sum(self.versions)

    def close(self) -> None:
        """Close the file; it must hold all that was acknowledged."""
        self.store.close()
        if (stored := count_rows(self.file, "event")) != self.acknowledged():
            raise NotComputed(f"{self.acknowledged()} were acknowledged, {stored} are in the file")


def count_rows(file: Path, table: str) -> int:
    """Return how many rows a table of a file has, by a connection of its own."""
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    ((count,),) = connection.execute(f"select count(*) from {table}")
    connection.close()
    return int(count)


def measure(size: Size, recorder: Recorder) -> None:
    """Measure bare commits and appends in turns."""
    turns, seconds = size.pick(2, 10, 30), size.pick(0.05, 0.5, 2.0)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        bare, store = BareCommits(Path(folder) / "bare.db"), Appends(Path(folder) / "store.db")
        jobs = [
            Job("bare", partial(bare.run, seconds), lambda: bare.commits, steady=False),
            Job("store", partial(store.run, seconds), store.acknowledged, steady=False),
        ]
        one, many = take_turns(jobs, turns)
        bare.close()
        store.close()
    how = f"median of {turns} turns of {seconds} s; all rows counted in the file afterwards"
    recorder.add("bare commits of one row", one.rate, "commits/s", how=how)
    ratio = f"{many.times_the_rate_of(one):.1f} x bare commits"
    recorder.add(f"appends acknowledged, {STREAMS} streams", many.rate, "appends/s", ratio, how)


BENCH = Bench(
    "store",
    "The store",
    "Appends to fifty streams, each on disk before it is acknowledged, in turns with bare SQLite"
    " commits of one row of 200 bytes on the same disk.",
    "The commit: SQLite and the disk's flush take most of the time, once for all streams that"
    " wait.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
