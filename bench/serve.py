"""A served room: commands over WebSockets, latency, spectators, memory, and a cold start.

    python -m bench.serve [--size tiny|usual|long] [--json]

The server is a process of its own, on SQLite that has every commit on disk before it answers; the
players are in this process. Every player is a socket that bets and decides as soon as it may.
Bare commits of one row take turns with the players; then everything once more as on a slower disk:
every flush is delayed, and how much that adds is measured and recorded. The events in the room's
file, counted when it is closed, must be as many as the answers at least.
"""

import asyncio
import gc
import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

import msgspec

from bench.measure import ROOT, NotComputed
from bench.results import Bench, Recorder, Size, main
from bench.sockets import Socket, connect
from bench.store import BareCommits, count_rows

SEATS = 10
#: The seconds that a flush sleeps on a slower disk; how long that really takes is measured.
SLOWER = 0.001
#: How long the last answers may take before something is wrong.
PATIENCE = 60.0
ROOM = """
import json, sys
from pathlib import Path
import queenhigh as qh
from queenhigh.room.play import AT_ONCE
from queenhigh.room.room import Room, settings_for
from queenhigh.server.limits import Limits
from queenhigh.server.serve import Asked, serve
from queenhigh.store.sqlite import SqliteStore
from bench.delay import Delay
file, tables, delay = Path(sys.argv[1]), int(sys.argv[2]), Delay(float(sys.argv[3]))
at_once = SqliteStore.flush
def later(store):
    if store._queue:
        delay.wait()
    at_once(store)
store = SqliteStore(file)
book = qh.load("california")
for number in range(tables):
    Room(store).open_table(f"t{number}", book, settings_for(book, pace=AT_ONCE))
store.close()
SqliteStore.flush = later
many = 10.0**6
limits = Limits(messages=many, messages_at_once=many, entries=many, entries_at_once=many,
                sockets_at_address=5000)
serve(
    Asked(db=file, port=0, limits=limits),
    lambda opened: print(opened.address.rpartition(":")[2], flush=True),
)
file.with_suffix(".delays").write_text(json.dumps(delay.times))
"""


class _Round(msgspec.Struct):
    round: int
    banker: int | None = None


class _View(msgspec.Struct):
    phase: str
    next_round: int = 1
    offered_to: int | None = None
    round: _Round | None = None


class _Own(msgspec.Struct):
    place: int | None = None
    cards: tuple[int, ...] | None = None


class _Message(msgspec.Struct):
    type: str
    id: str = ""
    first: int | None = None
    code: str = ""
    view: _View | None = None
    own: _Own | None = None


_decode = msgspec.json.Decoder(_Message).decode


@dataclass
class Play:
    """State that all players share: how long they wait on average, and how long answers took."""

    wait: float = 0.0
    paused: bool = True
    random: Random = field(default_factory=lambda: Random(1))
    answers: list[float] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    answered: int = 0
    pending: int = 0
    players: list["Player"] = field(default_factory=list)

    def resume(self) -> None:
        """Ask for a view at every seat, so that whoever is to act does."""
        self.paused = False
        for player in self.players:
            player.look()

    async def pause(self) -> None:
        """Send no more commands, and wait until all that were sent are answered."""
        self.paused = True
        end = time.perf_counter() + PATIENCE
        while self.pending:
            if time.perf_counter() > end:
                raise NotComputed(f"{self.pending} commands were never answered: {self.refused}")
            await asyncio.sleep(0.01)

    async def measure(self, seconds: float) -> tuple[float, list[float]]:
        """Return answers a second, and how long each took."""
        self.answers, start = [], time.perf_counter()
        await asyncio.sleep(seconds)
        taken, elapsed = self.answers, time.perf_counter() - start
        if not taken:
            raise NotComputed("no command was answered")
        return len(taken) / elapsed, taken


class Player:
    """Bets and decides as soon as it may, or after a wait."""

    def __init__(self, play: Play, place: int) -> None:
        self.play, self.place = play, place
        self.socket: Socket | None = None
        self.sent: dict[str, float] = {}
        self.done = ""
        play.players.append(self)

    def look(self) -> None:
        """Ask for a view."""
        assert self.socket is not None
        self.socket.send(b'{"type":"look"}')

    def hear(self, message: bytes) -> None:
        """Take a message; act if it is this player's turn."""
        heard = _decode(message)
        if heard.type == "answer":
            # A view may come, and be acted on, before the answer: each answer has its own id.
            taken = time.perf_counter() - self.sent.pop(heard.id)
            self.play.pending -= 1
            if heard.first is not None:  # it led to an event
                self.play.answers.append(taken)
                self.play.answered += 1
        elif heard.type == "view" and heard.view is not None:
            self._act(heard.view, heard.own or _Own())
        elif heard.type in ("refused", "bye"):
            self.play.pending -= heard.type == "refused"
            self.play.refused[heard.code] = self.play.refused.get(heard.code, 0) + 1

    def _act(self, view: _View, own: _Own) -> None:
        round = view.round.round if view.round else 0
        if view.phase == "offering" and view.offered_to == self.place:
            bank = f'{{"type":"accept_bank","round":{view.next_round},"cents":100000'
            self._send(f"{view.next_round}.bank", bank)
        elif view.phase == "betting" and view.round and view.round.banker != self.place:
            bets = '"wagers":[{"spot":"ante","cents":500}],"ready":true'
            self._send(f"{round}.bet", f'{{"type":"place_wagers","round":{round},{bets}')
        elif view.phase == "deciding" and own.cards:
            move = "fold" if self.place % 4 == 0 else "play"
            self._send(f"{round}.move", f'{{"type":"choose","round":{round},"move":"{move}"')

    def _send(self, id: str, message: str) -> None:
        if id == self.done or self.play.paused:
            return
        self.done = id
        text = f'{message},"id":"{id}"}}'.encode()
        self.play.pending += 1
        if self.play.wait:
            wait = self.play.random.uniform(0, 2 * self.play.wait)
            asyncio.get_running_loop().call_later(wait, self.send_now, id, text)
        else:
            self.send_now(id, text)

    def send_now(self, id: str, text: bytes) -> None:
        """Send a command, and note when."""
        assert self.socket is not None
        self.sent[id] = time.perf_counter()
        self.socket.send(text)


class Server:
    """The room as a process, for as long as the ``with`` lasts."""

    def __init__(self, folder: Path, tables: int, slower: float = 0) -> None:
        self.file = folder.resolve() / "room.db"
        command = [sys.executable, "-c", ROOM, str(self.file), str(tables), str(slower)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        end(self.process)

    def delays(self) -> list[float]:
        """Return the milliseconds that were added to each flush, once the server has ended."""
        delays: list[float] = json.loads(self.file.with_suffix(".delays").read_text())
        return delays

    def memory(self) -> float:
        """Return the process's resident memory in MiB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        (line,) = [line for line in lines if line.startswith("VmRSS")]
        return int(line.split()[1]) / 1024

    def seconds(self) -> float:
        """Return the processor time that the process has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def guest(self, name: str) -> str:
        """Enter as a guest; return the cookie."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        body = json.dumps({"name": name})
        connection.request("POST", "/api/guests", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        cookie = answer.headers["set-cookie"].split(";")[0]
        answer.read()
        connection.close()
        return cookie


def end(process: "subprocess.Popen[str]") -> None:
    """End a server and wait until it is gone."""
    if process.poll() is None:
        os.kill(process.pid, signal.SIGTERM)
    process.wait(timeout=60)
    if process.stdout:
        process.stdout.close()


async def seat_players(server: Server, play: Play, tables: int) -> None:
    """Seat ten players at every table; each sits when its answer has come."""
    for table in range(tables):
        for place in range(1, SEATS + 1):
            player = Player(play, place)
            cookie = server.guest(f"p{table}x{place}")
            path = f"/api/tables/t{table}/socket"
            player.socket = await connect(server.port, path, cookie, player.hear)
            play.pending += 1
            sit = f'{{"type":"sit","id":"sit","place":{place},"cents":450000}}'
            player.send_now("sit", sit.encode())
    await play.pause()


def part(play: Play) -> None:
    """Close every player's socket."""
    for player in play.players:
        if player.socket:
            player.socket.close()


@dataclass
class Busy:
    """What turns of full load gave, each of so many seconds."""

    seconds: float
    commits: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    async def turn(self, server: Server, play: Play, bare: BareCommits) -> None:
        """Measure bare commits while the players pause, then the players."""
        await play.pause()
        before, start = bare.commits, time.perf_counter()
        bare.run(self.seconds / 3)
        self.commits.append((bare.commits - before) / (time.perf_counter() - start))
        play.resume()
        await play.measure(0.5)
        used = server.seconds()
        rate, times = await play.measure(self.seconds)
        self.rates.append(rate)
        self.times += times
        self.processor.append(1e6 * (server.seconds() - used) / len(times))


async def measure_busy(size: Size, recorder: Recorder, folder: Path, slower: float = 0) -> None:
    """Measure all tables as fast as they can, in turns with bare commits, then at half the load."""
    tables, turns = size.pick(2, 50, 50), size.pick(1, 5, 15)
    disk = ", slower disk" if slower else ""
    recorder.note(f"  seating {SEATS * tables} players{disk}")
    bare, play = BareCommits(folder / "bare.db", slower), Play()
    busy = Busy(seconds=size.pick(0.2, 1.5, 3))
    with Server(folder, tables, slower) as server:
        await seat_players(server, play, tables)
        play.resume()
        await play.measure(size.pick(0.2, 2.0, 2.0))
        for _ in range(turns):
            await busy.turn(server, play, bare)
        rate = statistics.median(busy.rates)
        play.wait = 0.55 * len(play.players) / rate
        await play.measure(size.pick(0.2, 2.0, 2.0))
        half, half_times = await play.measure(size.pick(0.3, 6.0, 20.0))
        part(play)
    bare.close()
    check_stored(server, play)
    if slower:
        recorder.add_times(f"added to each bare commit{disk}", bare.delay.times)
        recorder.add_times(f"added to each flush of the server{disk}", server.delays())
    pairs = zip(busy.rates, busy.commits, strict=True)
    ratio = f"{statistics.median(one / two for one, two in pairs):.1f} x bare commits"
    how = f"median of {turns} turns of {busy.seconds} s"
    recorder.add(f"bare commits{disk}", statistics.median(busy.commits), "commits/s", how=how)
    label = f"commands, {tables} tables{disk}"
    recorder.add(label, rate, "commands/s", ratio, f"{how}; the answers are in the file as events")
    recorder.add(
        f"processor time of a command{disk}", statistics.median(busy.processor), "µs", how=how
    )
    recorder.add_times(
        f"answer{disk}", in_milliseconds(busy.times), f"{len(busy.times):,} answers at full load"
    )
    how = f"{len(half_times):,} answers, {half:,.0f} a second"
    label = f"answer at {half / rate:.0%} of that load{disk}"
    recorder.add_times(label, in_milliseconds(half_times), how)


def in_milliseconds(seconds: list[float]) -> list[float]:
    """Return times in milliseconds."""
    return [1000 * each for each in seconds]


def check_stored(server: Server, play: Play) -> None:
    """Check that what was answered is in the room's file, and that nothing was refused."""
    stored = count_rows(server.file, "event")
    if stored < play.answered:
        raise NotComputed(f"{play.answered} commands were answered, {stored} events are stored")
    if play.refused:
        raise NotComputed(f"commands were refused: {play.refused}")


async def measure_watched(size: Size, recorder: Recorder, folder: Path) -> None:
    """Measure tables that many look on at."""
    tables, spectators = size.pick(2, 20, 20), size.pick(10, 1000, 1000)
    play, heard, watchers = Play(wait=size.pick(0.1, 2.0, 2.0)), [0] * spectators, []

    def hear(number: int, message: bytes) -> None:
        heard[number] += 1

    recorder.note(f"  {spectators} spectators take their places")
    with Server(folder, tables) as server:
        for number in range(spectators):
            path = f"/api/tables/t{number % tables}/socket"
            watchers.append(await connect(server.port, path, None, partial(hear, number)))
        await seat_players(server, play, tables)
        play.resume()
        await play.measure(size.pick(0.3, 5.0, 5.0))
        heard[:] = [0] * spectators
        seconds = size.pick(0.5, 15.0, 60.0)
        rate, times = await play.measure(seconds)
        memory = server.memory()
        if any(watcher.closed for watcher in watchers) or not all(heard):
            raise NotComputed("some spectators saw nothing")
        for watcher in watchers:
            watcher.close()
        part(play)
    check_stored(server, play)
    many = f"{spectators:,} spectators and {len(play.players)} players"
    how = f"{seconds} s; {sum(heard):,} messages to spectators, who each got some"
    recorder.add(f"commands, {many}", rate, "commands/s", how=how)
    recorder.add_times(f"answer, {many}", in_milliseconds(times), f"{len(times):,} answers")
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
        for slower in size.pick((0.0,), (0.0, SLOWER), (0.0, SLOWER)):
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
    " has every event on disk before it answers; then the same players at about half that load;"
    " then tables with spectators. Server and players share this machine's processors.",
    "One processor core in the server, not the disk: decoding, deciding, and a view for everyone"
    " at the table after each commit.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
