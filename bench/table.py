"""Live tables: whole ten-seat California rounds in memory and on disk; a table and a wallet read.

    python -m bench.table [--size tiny|usual|long] [--json]

Every round has eleven players: one is offered the bank and posts it, ten bet and decide, each with
a command of its own. The durable part has fifty tables in one process, on SQLite that has every
commit on disk before it is acknowledged, in turns with bare commits of one row; then both once more
as on a slower disk: every flush is delayed, and how much that adds is measured and recorded.
"""

import tempfile
import time
from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import queenhigh as qh
from bench.delay import Delay
from bench.measure import Counter, Job, NotComputed, take_turns
from bench.results import Bench, Recorder, Size, main
from bench.store import BareCommits, count_rows
from bench.wallets import read_wallet, write_long_wallet
from queenhigh.room.bot_loop import AT_ONCE
from queenhigh.room.durable_table import DurableTable, Outcome
from queenhigh.room.room import Room, settings_for
from queenhigh.store.memory import MemoryStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import (
    CLOCK,
    AcceptBank,
    Bet,
    Choose,
    Command,
    PlaceWagers,
    Sit,
    Tick,
)
from queenhigh.verify.verifier import verify

BOOK = qh.load("california")
PLAYERS = [f"player {number}" for number in range(1, 12)]
WAGERS = (Bet("ante", 1000), Bet("bonus", 100))
TABLES = 50
#: The seconds that a flush sleeps on a slower disk; how long that really takes is measured.
SLOWER = 0.001


def open_seated(room: Room, name: str) -> DurableTable:
    """Open a table and seat eleven players."""
    durable = room.open_table(name, BOOK, settings_for(BOOK, pace=AT_ONCE))
    for place, player in enumerate(PLAYERS, 1):
        called = f"{player} of {name}"
        room.wallets.issue(called, 10**10, id="chips", at=0, reason="to play")
        durable.execute(Sit(id="sit", by=called, at=0, place=place, cents=10**9))
    return durable


def phases(durable: DurableTable) -> Iterator[list[Command]]:
    """Yield the players' commands, phase after phase, without end."""
    names = [f"{player} of {durable.table}" for player in PLAYERS]
    while True:
        at, number = time.time_ns() // 1_000_000, durable.pending.number + 1
        yield [Tick(id="", by=CLOCK, at=at)]
        banker = durable.pending.offer.place
        assert banker is not None
        bank = AcceptBank(
            id=f"{number}.bank", by=names[banker - 1], at=at, round=number, cents=10**5
        )
        yield [bank]
        others = [name for place, name in enumerate(names, 1) if place != banker]
        yield [
            PlaceWagers(id=f"{number}.bet", by=name, at=at, round=number, wagers=WAGERS, ready=True)
            for name in others
        ]
        yield [
            Choose(
                id=f"{number}.move",
                by=name,
                at=at,
                round=number,
                move="fold" if seat % 4 == 0 else "play",
            )
            for seat, name in enumerate(others)
        ]


def measure_in_memory(size: Size, recorder: Recorder) -> None:
    """Measure rounds a second on one core, without a disk."""
    durable = open_seated(Room(MemoryStore()), "one")
    script, rounds, turns = phases(durable), size.pick(5, 400, 1000), size.pick(2, 5, 15)

    def play() -> None:
        for _ in range(4 * rounds):
            for command in next(script):
                durable.execute(command)

    (timing,) = take_turns([Job("in memory", play, lambda: durable.committed.number)], turns)
    how = f"median of {turns}; {rounds} rounds each, numbered by the table, caches cleared before"
    recorder.add("in memory, one table", timing.rate, "rounds/s", how=how)


class Durable:
    """Fifty tables on one store, each with all its players' commands under way.

    ``slower``: seconds that are added to each flush.
    """

    def __init__(self, file: Path, slower: float = 0) -> None:
        self.file, self.store, self.delay = file, SqliteStore(file), Delay(slower)
        room = Room(self.store)
        self.desks = [open_seated(room, f"t{number}") for number in range(TABLES)]
        self.scripts = [phases(durable) for durable in self.desks]
        self.waiting, self.idle = [0] * TABLES, deque(range(TABLES))
        self.acknowledged, self.events_before = 0, count_rows(file, "event")

    def done(self, table: int, outcome: Outcome) -> None:
        """Count an acknowledgement; a table that waits for no more goes on."""
        assert not isinstance(outcome, Exception)
        self.acknowledged += 1
        self.waiting[table] -= 1
        if not self.waiting[table]:
            self.idle.append(table)

    def run(self, seconds: float) -> None:
        """Play for some seconds."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            while self.idle:
                table = self.idle.popleft()
                commands = next(self.scripts[table])
                self.waiting[table] = len(commands)
                for command in commands:
                    self.desks[table].submit(command, partial(self.done, table))
            self.delay.wait()
            self.store.flush()

    def close(self) -> None:
        """Close the file; it must hold an event at least for every command acknowledged."""
        self.store.close()
        stored = count_rows(self.file, "event") - self.events_before
        if stored < self.acknowledged:
            raise NotComputed(f"{self.acknowledged} were acknowledged, {stored} events are stored")


def measure_durable(size: Size, recorder: Recorder, slower: float) -> None:
    """Measure commands a second in turns with bare commits."""
    turns, seconds = size.pick(2, 16, 40), size.pick(0.05, 0.3, 1.0)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        tables = Durable(Path(folder) / "room.db", slower)
        bare = BareCommits(Path(folder) / "bare.db", slower)
        jobs = [
            Job("bare", partial(bare.run, seconds), lambda: bare.commits, steady=False),
            Job("durable", partial(tables.run, seconds), lambda: tables.acknowledged, steady=False),
        ]
        one, many = take_turns(jobs, turns)
        tables.close()
        bare.close()
    disk = ", slower disk" if slower else ""
    how = f"median of {turns} turns of {seconds} s; rows and events counted in the files"
    if slower:
        recorder.add_times(f"added to each bare commit{disk}", bare.delay.times)
        recorder.add_times(f"added to each flush of the tables{disk}", tables.delay.times)
    recorder.add(f"bare commits{disk}", one.rate, "commits/s", how=how)
    ratio = f"{many.times_the_rate_of(one):.1f} x bare commits"
    recorder.add(f"durable, {TABLES} tables{disk}", many.rate, "commands/s", ratio, how)


def write_long_table(file: Path, events: int) -> DurableTable:
    """Play a table until it has so many events."""
    store = SqliteStore(file)
    durable = open_seated(Room(store), "long")
    script = phases(durable)
    while durable.pending.version < events:
        for command in next(script):
            durable.submit(command, lambda outcome: None)
        if not durable.pending.number % 50:
            store.flush()
    store.close()
    return durable


def read_table(file: Path, durable: DurableTable, read: Counter, *, snapshot: bool) -> None:
    """Read a table from its file; count the events it must stand at."""
    store = SqliteStore(file)
    if not snapshot:
        store.snapshot = lambda stream: None  # type: ignore[method-assign]
    restored = Room(store).table("long").committed
    assert restored.balances == durable.committed.balances
    read.count += restored.version
    store.close()


def check_log(file: Path, proved: Counter) -> None:
    """Verify a file; count the events that were proved."""
    report = verify(file)
    assert report.ok, report.bad
    proved.count += report.events


def measure_reading(size: Size, recorder: Recorder) -> None:
    """Measure how long a long table takes to read, with a snapshot and without, and to verify."""
    events, turns = size.pick(300, 60_000, 1_000_000), size.pick(1, 3, 3)
    recorder.note(f"  playing a table of {events:,} events to read again")
    with tempfile.TemporaryDirectory(dir=".") as folder:
        file = Path(folder) / "long.db"
        durable, counters = write_long_table(file, events), [Counter() for _ in range(3)]
        near, far, proof = counters
        jobs = [
            Job("snapshot", lambda: read_table(file, durable, near, snapshot=True), near),
            Job("first event", lambda: read_table(file, durable, far, snapshot=False), far),
            Job("verify", lambda: check_log(file, proof), proof),
        ]
        timings = take_turns(jobs, turns)
    names = ("read from a snapshot", "read from the first event", "verified, byte for byte")
    for name, timing in zip(names, timings, strict=True):
        how = f"median of {turns} turns, caches cleared before; {timing.work[0]:,} events each"
        recorder.add(f"{events:,} events {name}", timing.milliseconds, "ms", how=how)
    recorder.add("verifying", timings[-1].rate, "events/s", how="the same turns")


def measure_wallet(size: Size, recorder: Recorder) -> None:
    """Measure the first read of a wallet that was in and out very often."""
    sits, turns = size.pick(300, 100_000, 100_000), size.pick(2, 5, 15)
    recorder.note(f"  writing a wallet of {sits:,} sits to read again")
    with tempfile.TemporaryDirectory(dir=".") as folder:
        file = Path(folder) / "wallet.db"
        wallet, near, far = write_long_wallet(file, sits), Counter(), Counter()
        jobs = [
            Job("snapshot", lambda: read_wallet(file, wallet, near, snapshot=True), near),
            Job("first event", lambda: read_wallet(file, wallet, far, snapshot=False), far),
        ]
        timings = take_turns(jobs, turns)
    for start, timing in zip(("a snapshot", "the first event"), timings, strict=True):
        how = f"median of {turns} turns, the store opened anew; {timing.work[0]:,} events each"
        name = f"wallet of {sits:,} sits and leaves read from {start}"
        recorder.add(name, timing.milliseconds, "ms", how=how)


def measure(size: Size, recorder: Recorder) -> None:
    """Measure tables in memory, on disk, on a slower disk, and read again."""
    measure_in_memory(size, recorder)
    for slower in (0, SLOWER):
        measure_durable(size, recorder, slower)
    measure_reading(size, recorder)
    measure_wallet(size, recorder)


BENCH = Bench(
    "table",
    "Live tables",
    "Whole California rounds, eleven players, each command for itself: in memory, at fifty tables"
    " on disk in turns with bare commits, both once more with a delay added to every flush, as on a"
    " slower disk, and a long table and a long wallet read again. Cards come from a new seed for"
    " every round.",
    "One core running Python: deciding a command and encoding its events, not the disk.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
