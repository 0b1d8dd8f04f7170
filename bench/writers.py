"""Processes that write one room on PostgreSQL at once: every commit locks the row of the head.

    python -m bench.writers URL KEYS NAME

For each line of its input, a number of seconds, it commits as fast as it can and prints how many
milliseconds each commit took, and its processor time. Each commit has three events for each of
fifty streams that the process has for itself.
"""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from bench.databases import Database
from bench.measure import ROOT, NotComputed
from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.leases import Leases
from queenhigh.store.postgres.store import PostgresStore
from queenhigh.store.streams import AT_END, Append

__all__ = ["EVENTS", "STREAMS", "Commits", "Writers", "commit_once", "hold_streams"]

STREAMS, EVENTS = 50, 3
_EVENT = b"x" * 200


@dataclass
class Commits:
    """The commits of some writers in one turn; seconds are processor time."""

    rate: float
    milliseconds: list[float]
    seconds: float

    @property
    def count(self) -> int:
        """How many commits there were."""
        return len(self.milliseconds)


def hold_streams(store: PostgresStore, name: str) -> None:
    """Hold the streams that are written, as a process holds its tables."""
    leases = Leases(store.url)
    process = leases.join("127.0.0.1:1", f"{name}/")
    for number in range(STREAMS):
        store.writer.hold(*leases.claim(process, f"{name}/{number}")[::2])
    leases.close()


def commit_once(store: PostgresStore, name: str) -> float:
    """Commit three events to each of fifty streams; return the milliseconds."""
    outcomes: list[Exception | None] = []
    for number in range(STREAMS):
        store.submit(outcomes.append, Append(f"{name}/{number}", AT_END, (_EVENT,) * EVENTS))
    start = time.perf_counter()
    store.flush()
    taken = 1000 * (time.perf_counter() - start)
    if outcomes != [None] * STREAMS:
        raise NotComputed(f"an append failed: {outcomes}")
    return taken


class Writers:
    """Some processes that write the room of a database."""

    def __init__(self, database: Database, count: int) -> None:
        command = [sys.executable, "-m", "bench.writers", database.url, str(database.keys)]
        self._processes = [
            subprocess.Popen(
                [*command, f"w{number}"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
            )
            for number in range(count)
        ]  # fmt: skip
        for process in self._processes:
            assert process.stdout is not None
            process.stdout.readline()  # it is ready

    def run(self, count: int, seconds: float) -> Commits:
        """Make so many of them commit at once for some seconds."""
        for process in self._processes[:count]:
            assert process.stdin is not None
            process.stdin.write(f"{seconds}\n")
            process.stdin.flush()
        times: list[float] = []
        used = 0.0
        for process in self._processes[:count]:
            assert process.stdout is not None
            taken, own = json.loads(process.stdout.readline())
            times, used = times + taken, used + own
        return Commits(len(times) / seconds, times, used)

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.communicate(timeout=60)


def main() -> None:
    """Commit for as many seconds as each line says."""
    url, keys, name = sys.argv[1:]
    store = PostgresStore(PostgresUrl(url), Path(keys))
    hold_streams(store, name)
    commit_once(store, name)
    print("ready", flush=True)
    for line in sys.stdin:
        end, used = time.perf_counter() + float(line), time.process_time()
        times = []
        while time.perf_counter() < end:
            times.append(commit_once(store, name))
        print(json.dumps([times, time.process_time() - used]), flush=True)
    store.close()


if __name__ == "__main__":
    main()
