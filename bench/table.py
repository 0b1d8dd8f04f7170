"""How fast live tables are: whole ten-seat California rounds, in memory, on disk, and read again.

    python bench/table.py [EVENTS]

Every round has eleven players: one is offered the bank and posts it, ten bet and decide, each with
a command of its own. Ratios are within this run. The durable part has fifty tables in one process,
on SQLite that has every commit on disk before it is acknowledged; bare commits of one row take
turns with it, since disks and neighbours change their minds. Then both once more as on a disk that
needs a millisecond longer for every flush, as many do.
EVENTS is how long the table is that is read again, a million by default.
"""

import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import queenhigh as qh  # noqa: E402
from bench.store import Bare  # noqa: E402
from queenhigh.room.desk import Desk, Outcome  # noqa: E402
from queenhigh.room.play import AT_ONCE  # noqa: E402
from queenhigh.room.room import Room, settings_for  # noqa: E402
from queenhigh.room.verify import verify  # noqa: E402
from queenhigh.store.memory import MemoryStore  # noqa: E402
from queenhigh.store.sqlite import SqliteStore  # noqa: E402
from queenhigh.table.commands import (  # noqa: E402
    CLOCK,
    AcceptBank,
    Bet,
    Choose,
    Command,
    PlaceWagers,
    Sit,
    Tick,
)

BOOK = qh.load("california")
PLAYERS = [f"player {number}" for number in range(1, 12)]
WAGERS = (Bet("ante", 1000), Bet("bonus", 100))
TABLES, SECONDS, TIMES, TURNS = 50, 3.0, 3, 20
SLOWER = 0.001


def seated(room: Room, name: str) -> Desk:
    desk = room.open_table(name, BOOK, settings_for(BOOK, pace=AT_ONCE))
    for place, player in enumerate(PLAYERS, 1):
        called = f"{player} of {name}"
        room.wallets.issue(called, 10**10, id="chips", at=0, reason="to play")
        desk.execute(Sit(id="sit", by=called, at=0, place=place, cents=10**9))
    return desk


def phases(desk: Desk) -> Iterator[list[Command]]:
    """Yield what the players do, phase after phase, without end."""
    names = [f"{player} of {desk.table}" for player in PLAYERS]
    while True:
        at, number = time.time_ns() // 1_000_000, desk.ahead.number + 1
        yield [Tick(id="", by=CLOCK, at=at)]
        banker = desk.ahead.offer.place
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
                move="fold" if at_seat % 4 == 0 else "play",
            )
            for at_seat, name in enumerate(others)
        ]


def in_memory() -> float:
    """Return rounds a second on one core."""
    desk = seated(Room(MemoryStore()), "one")
    todo = phases(desk)
    first, start = desk.state.number, time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        for _ in range(4 * 50):
            for command in next(todo):
                desk.execute(command)
    return (desk.state.number - first) / spent


class Durable:
    """Fifty tables on one store, each with all its players' commands under way."""

    def __init__(self, file: Path) -> None:
        self.store = SqliteStore(file)
        room = Room(self.store)
        self.desks = [seated(room, f"t{number}") for number in range(TABLES)]
        self.scripts = [phases(desk) for desk in self.desks]
        self.waiting, self.idle = [0] * TABLES, deque(range(TABLES))
        self.acknowledged = 0

    def done(self, table: int, outcome: Outcome) -> None:
        """Count an acknowledgement; a table that waits for no more goes on."""
        assert not isinstance(outcome, Exception)
        self.acknowledged += 1
        self.waiting[table] -= 1
        if not self.waiting[table]:
            self.idle.append(table)

    def rate(self, seconds: float, slower: float) -> float:
        """Return acknowledged commands a second, each on disk before it was."""
        before, start = self.acknowledged, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            while self.idle:
                table = self.idle.popleft()
                commands = next(self.scripts[table])
                self.waiting[table] = len(commands)
                for command in commands:
                    self.desks[table].submit(command, partial(self.done, table))
            if slower:
                time.sleep(slower)
            self.store.flush()
        return (self.acknowledged - before) / spent


def durable(folder: Path, slower: float = 0) -> tuple[float, float, float]:
    """Return bare commits a second, commands a second, and their ratio: medians of turns."""
    tables = Durable(folder / "room.db")
    commits, turns = Bare(folder / "bare.db"), []
    for _ in range(TURNS):
        turns.append((commits.rate(SECONDS / 10, slower), tables.rate(SECONDS / 10, slower)))
    tables.store.close()
    ratio = statistics.median(many / one for one, many in turns)
    one, many = (statistics.median(column) for column in zip(*turns, strict=True))
    return one, many, ratio


def read_again(folder: Path, events: int) -> dict[str, float]:
    """Return the seconds it takes to read a long table, with a snapshot and without."""
    file = folder / "long.db"
    store = SqliteStore(file)
    room = Room(store)
    desk = seated(room, "long")
    todo = phases(desk)
    start = time.perf_counter()
    while desk.ahead.version < events:
        for command in next(todo):
            desk.submit(command, lambda outcome: None)
        if not desk.ahead.number % 50:
            store.flush()
    store.close()
    spent = {"played": time.perf_counter() - start}
    for name, far in (("from a snapshot", False), ("from the first event", True)):
        again = SqliteStore(file)
        if far:
            again.snapshot = lambda stream: None  # type: ignore[method-assign]
        start = time.perf_counter()
        restored = Room(again).table("long").state
        spent[name] = time.perf_counter() - start
        assert restored.balances == desk.state.balances
        assert restored.version == desk.state.version
        again.close()
    start = time.perf_counter()
    assert verify(file).ok
    spent["verified"] = time.perf_counter() - start
    return spent


def main() -> None:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rounds = statistics.median(in_memory() for _ in range(TIMES))
    print(f"in memory        {rounds:>10,.0f} rounds/s")
    for slower in (0, SLOWER):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            one, many, ratio = durable(Path(folder), slower)
        print(f"flushes{f' {1000 * slower:.0f} ms slower' if slower else ''}")
        print(f"  bare commits   {one:>10,.0f}/s")
        print(f"  durable        {many:>10,.0f} commands/s   {ratio:.1f}x, {TABLES} tables")
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for name, seconds in read_again(Path(folder), events).items():
            print(f"{events:,} events {name:<22} {seconds:>9.3f} s")


if __name__ == "__main__":
    main()
