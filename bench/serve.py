"""How much a room takes: commands over WebSockets, latency, spectators, memory, and a cold start.

    python bench/serve.py [MINUTES]

The server is a process of its own, on SQLite that has every commit on disk before it answers; the
players are in this process. Every player is a socket that bets and decides as soon as it may.
Bare commits of one row are measured in the same run; then everything once more as on a disk that
needs a millisecond longer for every flush, as many do. MINUTES is how long the spectators watch.
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
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from bench.sockets import Socket, connect  # noqa: E402
from bench.store import Bare  # noqa: E402

TABLES, SEATS, SECONDS, SPECTATORS, SLOWER = 50, 10, 8.0, 1000, 0.001
ROOM = """
import sys
from pathlib import Path
import queenhigh as qh
from queenhigh.room.play import AT_ONCE
from queenhigh.room.room import Room, settings_for
from queenhigh.server.limits import Limits
from queenhigh.server.serve import Asked, serve
from queenhigh.store.sqlite import SqliteStore
file, tables, slower = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
if slower:
    import time
    at_once = SqliteStore.flush
    def later(store):
        if store._queue:
            time.sleep(slower)
        at_once(store)
store = SqliteStore(file)
book = qh.load("california")
for number in range(tables):
    Room(store).open_table(f"t{number}", book, settings_for(book, pace=AT_ONCE))
store.close()
if slower:
    SqliteStore.flush = later
many = 10.0**6
limits = Limits(messages=many, messages_at_once=many, entries=many, entries_at_once=many,
                sockets_at_address=5000)
serve(
    Asked(db=file, port=0, limits=limits),
    lambda opened: print(opened.address.rpartition(":")[2], flush=True),
)
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


class _Said(msgspec.Struct):
    type: str
    code: str = ""
    message: str = ""
    view: _View | None = None
    own: _Own | None = None


_read = msgspec.json.Decoder(_Said).decode


class Player:
    """Bets and decides as soon as it may, or after a wait of its own."""

    def __init__(self, clock: "Clock", place: int) -> None:
        self.clock, self.place = clock, place
        self.socket: Socket | None = None
        self.sent_at, self.done = 0.0, ""
        self.waiting: bytes | None = None

    def hear(self, message: bytes) -> None:
        """Take a message; if it is our turn, act."""
        said = _read(message)
        if said.type == "answer":
            self.clock.answers.append(time.perf_counter() - self.sent_at)
        elif said.type == "view" and said.view is not None:
            self._act(said.view, said.own or _Own())
        elif said.type in ("refused", "bye"):
            self.clock.refused[said.code] = self.clock.refused.get(said.code, 0) + 1

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
        if id == self.done or self.clock.paused:
            return
        self.done = id
        text = f'{message},"id":"{id}"}}'.encode()
        if self.clock.wait:
            wait = self.clock.random.uniform(0, 2 * self.clock.wait)
            asyncio.get_running_loop().call_later(wait, self._send_now, text)
        else:
            self._send_now(text)

    def _send_now(self, text: bytes) -> None:
        assert self.socket is not None
        self.sent_at = time.perf_counter()
        self.socket.send(text)


class Clock:
    """What all players share: how long they wait on average, and how long answers took."""

    def __init__(self) -> None:
        self.wait, self.paused = 0.0, False
        self.random = Random(1)
        self.answers: list[float] = []
        self.refused: dict[str, int] = {}

    async def measure(self, seconds: float) -> tuple[float, list[float]]:
        """Return answers a second, and how long each took."""
        self.answers, start = [], time.perf_counter()
        await asyncio.sleep(seconds)
        return len(self.answers) / (time.perf_counter() - start), sorted(self.answers)


class Server:
    """The room as a process."""

    def __init__(self, folder: Path, tables: int, slower: float = 0) -> None:
        command = [sys.executable, "-c", ROOM, str(folder / "room.db"), str(tables), str(slower)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def stop(self) -> None:
        """End the process."""
        os.kill(self.process.pid, signal.SIGTERM)
        self.process.wait(timeout=30)

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


async def seated(server: Server, clock: Clock, tables: int) -> list[Player]:
    """Seat ten players at every table."""
    players = []
    clock.paused = True
    for table in range(tables):
        for place in range(1, SEATS + 1):
            player = Player(clock, place)
            cookie = server.guest(f"p{table}x{place}")
            path = f"/api/tables/t{table}/socket"
            player.socket = await connect(server.port, path, cookie, player.hear)
            sit = f'{{"type":"sit","id":"sit","place":{place},"cents":450000}}'
            player.socket.send(sit.encode())
            players.append(player)
    await asyncio.sleep(1)
    clock.paused = False
    for player in players:
        assert player.socket is not None
        player.socket.send(b'{"type":"look"}')
    return players


def at(times: list[float], share: float) -> float:
    """Return a percentile in milliseconds."""
    return 1000 * times[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


async def busy(folder: Path, slower: float = 0) -> None:
    """Let fifty tables of ten play as fast as they can, then at half that load."""
    bare = Bare(folder / "bare.db")
    before = bare.rate(1, slower)
    server, clock = Server(folder, TABLES, slower), Clock()
    players = await seated(server, clock, TABLES)
    await clock.measure(2)
    used = server.seconds()
    rate, times = await clock.measure(SECONDS)
    each = 1e6 * (server.seconds() - used) / len(times)
    commits = statistics.median([before, bare.rate(1, slower)])
    print(f"flushes{f' {1000 * slower:.0f} ms slower' if slower else ''}")
    print(f"bare commits          {commits:>8,.0f}/s")
    print(f"commands, all at once {rate:>8,.0f}/s   {rate / commits:.1f}x bare commits"
          f"   p50 {at(times, 0.5):.0f} ms, p99 {at(times, 0.99):.0f} ms,"
          f" {each:.0f} us of processor time each")  # fmt: skip
    clock.wait = 0.55 * len(players) / rate
    await clock.measure(2)
    half, times = await clock.measure(SECONDS)
    print(f"at {half / rate:.0%} of that load  {half:>8,.0f}/s"
          f"   p50 {at(times, 0.5):.1f} ms, p99 {at(times, 0.99):.1f} ms")  # fmt: skip
    if clock.refused:
        print(f"refused: {clock.refused}")
    await part(players, server)


async def part(players: list[Player], server: Server) -> None:
    for player in players:
        if player.socket:
            player.socket.close()
    await asyncio.sleep(0.2)
    server.stop()


async def watched(folder: Path, minutes: float) -> None:
    """Let a thousand look on while two hundred play."""
    server, clock = Server(folder, 20), Clock()
    clock.wait = 2.0
    watchers = []
    for number in range(SPECTATORS):
        path = f"/api/tables/t{number % 20}/socket"
        watchers.append(await connect(server.port, path, None, lambda message: None))
    players = await seated(server, clock, 20)
    await clock.measure(5)
    for step in range(max(1, round(4 * minutes))):
        rate, times = await clock.measure(15)
        print(f"{SPECTATORS} spectators, {len(players)} seats, {15 * (step + 1):>4} s:"
              f" {rate:,.0f} commands/s, p50 {at(times, 0.5):.1f} ms, p99 {at(times, 0.99):.1f} ms,"
              f" {server.memory():.0f} MiB")  # fmt: skip
    assert not any(watcher.closed for watcher in watchers)
    for watcher in watchers:
        watcher.close()
    await part(players, server)


def cold(folder: Path) -> None:
    """Time `queenhigh serve` from the shell to its first answer."""
    for number in range(3):
        start = time.perf_counter()
        command = [sys.executable, "-m", "queenhigh", "serve", "--port", "0", "--json",
                   "--db", str(folder / f"cold{number}.db")]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        port = int(json.loads(process.stdout.readline())["address"].rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
        print(f"first answer after {time.perf_counter() - start:.2f} s")
        os.kill(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


def main() -> None:
    gc.disable()
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
    parts: list[Callable[[Path], Any]] = [
        cold,
        busy,
        lambda folder: busy(folder, SLOWER),
        lambda folder: watched(folder, minutes),
    ]
    for one in parts:
        with tempfile.TemporaryDirectory(dir=".") as folder:
            done = one(Path(folder))
            if isinstance(done, Awaitable):
                asyncio.run(done)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
