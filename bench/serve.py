"""A served room: commands over WebSockets, latency, spectators, memory, and a cold start.

    python -m bench.serve [--size tiny|usual|long] [--json]

The server is a process of its own, on SQLite that has every commit on disk before it answers; the
players are in this process. First every player acts as soon as it may, in turns with bare commits
of one row: so much the room can take. Then commands come by a timetable at a share of that load,
and answers count from when their commands were due (see bench/load.py). Then everything once more
as on a slower disk: every flush is delayed, and how much that adds is measured and recorded. Last,
spectators look on, and every change must reach each of them. The events in the room's file, counted
when it is closed, must be as many as the answers at least.
"""

import asyncio
import gc
import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.load import Answer, Play, Player, make_timetables
from bench.measure import NotComputed, tail
from bench.results import Bench, Recorder, Size, figure, main
from bench.served import Served, end
from bench.sockets import connect
from bench.spectators import Spectator, ages_of_changes
from bench.store import BareCommits, count_rows

SEATS = 10
#: The seconds that a flush sleeps on a slower disk; how long that really takes is measured.
SLOWER = 0.001
#: The loads at which answers are timed, as shares of what the room can take.
SHARES = (0.5, 0.8)
#: Commands a second at all tables with spectators.
WATCHED_RATE = 40.0
#: So many seconds after all players have asked for a view, the first command is due.
LEAD = 0.5


class Server(Served):
    """The room as a process, for as long as the ``with`` lasts."""

    def __init__(self, folder: Path, tables: int, slower: float = 0, *more: str) -> None:
        self.file = folder.resolve() / "room.db"
        module = [sys.executable, "-m", "bench.room"]
        super().__init__([*module, str(self.file), str(tables), str(slower), *more])

    def delays(self) -> list[float]:
        """Return the milliseconds that were added to each flush, once the server has ended."""
        delays: list[float] = json.loads(self.file.with_suffix(".delays").read_text())
        return delays


async def seat_players(servers: Sequence[Served], play: Play, tables: int) -> None:
    """Seat ten players at every table, each at the next server; return when all are answered."""
    for table in range(tables):
        for place in range(1, SEATS + 1):
            player, server = Player(play, table, place), servers[(table + place) % len(servers)]
            cookie = server.guest(f"p{table}x{place}")
            path = f"/api/tables/t{table}/socket"
            player.socket = await connect(server.port, path, cookie, player.hear)
            play.pending += 1
            sit = f'{{"type":"sit","id":"sit","place":{place},"cents":450000}}'
            player.send("sit", sit.encode(), asyncio.get_running_loop().time())
    await play.pause()


def part(play: Play) -> None:
    """Close every player's socket."""
    for player in play.players:
        if player.socket:
            player.socket.close()


async def follow_timetable(play: Play, tables: int, rate: float, seconds: float) -> list[Answer]:
    """Send commands at a rate for some seconds, by a timetable that is made beforehand."""
    start = asyncio.get_running_loop().time() + LEAD
    return await play.follow(make_timetables(tables, rate, seconds, start=start))


def add_answers(name: str, answers: list[Answer], play: Play, recorder: Recorder) -> None:
    """Record how long answers took from when their commands were due."""
    dues = [answer.due for answer in answers]
    rate = len(dues) / (max(dues) - min(dues))
    how = f"from when it was due; {len(answers):,} commands, {rate:,.0f} a second"
    if play.late:  # says how much of it is this process
        how += f"; those that nothing held up left at most {figure(tail(play.late))} ms late (99 %)"
    recorder.add_times(name, [answer.milliseconds for answer in answers], how)


@dataclass
class Busy:
    """Figures of turns of full load, each of so many seconds."""

    seconds: float
    commits: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    async def turn(self, server: Server, play: Play, bare: BareCommits) -> None:
        """Measure bare commits while the players pause, then the players."""
        await play.pause()
        before, start = bare.commits, time.perf_counter()
        bare.run(self.seconds / 3)
        self.commits.append((bare.commits - before) / (time.perf_counter() - start))
        play.resume()
        await play.measure_rate(0.5)
        used = server.seconds()
        self.rates.append(await play.measure_rate(self.seconds))
        self.processor.append(1e6 * (server.seconds() - used) / len(play.answers))

    def record(self, tables: int, disk: str, recorder: Recorder) -> None:
        """Record the medians of all turns."""
        how = f"median of {len(self.rates)} turns of {self.seconds} s"
        recorder.add(f"bare commits{disk}", statistics.median(self.commits), "commits/s", how=how)
        pairs = zip(self.rates, self.commits, strict=True)
        ratio = f"{statistics.median(one / two for one, two in pairs):.1f} x bare commits"
        label, rate = f"commands, {tables} tables{disk}", statistics.median(self.rates)
        stored = f"{how}; the answers are in the file as events"
        recorder.add(label, rate, "commands/s", ratio, stored)
        label, used = f"processor time of a command{disk}", statistics.median(self.processor)
        recorder.add(label, used, "µs", how=how)


async def measure_busy(size: Size, recorder: Recorder, folder: Path, slower: float = 0) -> None:
    """Measure what all tables can take, in turns with bare commits, then answers at less load."""
    tables, turns = size.pick(2, 50, 50), size.pick(1, 5, 15)
    disk = ", slower disk" if slower else ""
    recorder.note(f"  seating {SEATS * tables} players{disk}")
    bare, play = BareCommits(folder / "bare.db", slower), Play()
    busy = Busy(seconds=size.pick(0.2, 1.5, 3))
    with Server(folder, tables, slower) as server:
        await seat_players([server], play, tables)
        play.resume()
        await play.measure_rate(size.pick(0.2, 2.0, 2.0))
        for _ in range(turns):
            await busy.turn(server, play, bare)
        await play.pause()
        busy.record(tables, disk, recorder)
        recorder.add_times(f"bare commit{disk}", bare.times, f"{bare.commits:,} commits")
        rate = statistics.median(busy.rates)
        for share in SHARES:
            seconds = size.pick(0.3, 6.0, 20.0)
            answers = await follow_timetable(play, tables, share * rate, seconds)
            add_answers(f"answer at {share:.0%} of that load{disk}", answers, play, recorder)
        part(play)
    bare.close()
    check_stored(server, play)
    if slower:
        recorder.add_times(f"added to each bare commit{disk}", bare.delay.times)
        recorder.add_times(f"added to each flush of the server{disk}", server.delays())


def check_stored(server: Server, play: Play) -> None:
    """Check that what was answered is in the room's file, and that nothing was refused."""
    stored = count_rows(server.file, "event")
    if stored < play.answered:
        raise NotComputed(f"{play.answered} commands were answered, {stored} events are stored")
    if play.refused:
        raise NotComputed(f"commands were refused: {play.refused}")


async def seat_spectators(server: Server, tables: int, count: int) -> list[Spectator]:
    """Bring spectators, as many to each table."""
    spectators = [Spectator(number % tables) for number in range(count)]
    for spectator in spectators:
        path = f"/api/tables/t{spectator.table}/socket"
        spectator.socket = await connect(server.port, path, None, spectator.hear)
    return spectators


async def measure_watched(size: Size, recorder: Recorder, folder: Path) -> None:
    """Measure tables with many spectators, and how old changes are when these have them."""
    tables, count, seconds = size.pick(2, 20, 20), size.pick(10, 1000, 1000), size.pick(0.5, 15, 60)
    play = Play()
    recorder.note(f"  {count} spectators take their places")
    with Server(folder, tables) as server:
        spectators = await seat_spectators(server, tables, count)
        await seat_players([server], play, tables)
        await follow_timetable(play, tables, WATCHED_RATE, size.pick(0.3, 5.0, 5.0))
        answers = await follow_timetable(play, tables, WATCHED_RATE, seconds)
        ages = await ages_of_changes(answers, spectators)
        memory = server.memory()
        for spectator in spectators:
            if spectator.socket is not None:
                spectator.socket.close()
        part(play)
    check_stored(server, play)
    many = f"{count:,} spectators and {len(play.players)} players"
    add_answers(f"answer, {many}", answers, play, recorder)
    how = (
        f"from when its command was due; {len(answers):,} changes in {seconds} s,"
        " all of which reached all spectators of their table"
    )
    recorder.add_times(f"change seen by a spectator, {many}", ages, how)
    recorder.add(f"memory of the server, {many}", memory, "MiB", how="resident, at the end")


def measure_cold_start(size: Size, recorder: Recorder, folder: Path) -> None:
    """Measure `queenhigh serve` from the shell to its first answer, each on a new file."""
    taken = []
    for number in range(size.pick(1, 3, 9)):
        start = time.perf_counter()
        command = [sys.executable, "-m", "queenhigh", "serve", "--port", "0", "--json",
                   "--db", str(folder / f"cold{number}.db")]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            port = int(json.loads(process.stdout.readline())["address"].rpartition(":")[2])
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200
            taken.append(time.perf_counter() - start)
            connection.close()
        finally:
            end(process)
    how = f"median of {len(taken)} new processes, each on a new file"
    name = "`queenhigh serve`, from the shell to the first answer"
    recorder.add(name, 1000 * statistics.median(taken), "ms", how=how)


def measure(size: Size, recorder: Recorder) -> None:
    """Measure a cold start, a busy room on this disk and on a slower one, and spectators."""
    if not Path("/proc/self/stat").exists():
        recorder.lacks("Memory and processor time of a server are read from /proc: not here.")
        return
    gc.disable()
    try:
        with tempfile.TemporaryDirectory(dir=".") as folder:
            measure_cold_start(size, recorder, Path(folder))
        for slower in (0.0, SLOWER):
            with tempfile.TemporaryDirectory(dir=".") as folder:
                asyncio.run(measure_busy(size, recorder, Path(folder), slower))
        with tempfile.TemporaryDirectory(dir=".") as folder:
            asyncio.run(measure_watched(size, recorder, Path(folder)))
    finally:
        gc.enable()


BENCH = Bench(
    "serve",
    "A served room",
    "Players on WebSockets who act as soon as they may, against a server in another process that"
    " has every event on disk before it answers; then commands by a timetable at a share of that"
    " load, whose answers count from when their commands were due, so that a stall of the server"
    " shows in all commands that it held up; both once more with a delay added to every flush, as"
    " on a slower disk; then tables with spectators, who must all see every change. Server and"
    " players share this machine's processors.",
    "One processor core in the server, not the disk: decoding, deciding, and a view for everyone"
    " at the table after each commit.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
