"""Honest players beside stalled and abusive clients: how long commands take with and without.

    python -m bench.abuse [--tables 50] [--rate 250] [--seconds 10] [--stalled 200] [--abusive 50]

The room has its usual limits. Every table's players have an address of their own, and so have
every five of the abusive clients, who are in another process: two in five ask for the lobby, three
in ten for odds that nobody asked for before, three in ten sit and leave, all as fast as they are
answered. Commands come by a timetable, and answers count from when they were due (bench/load.py).
"""

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path

from bench.load import Play, Player
from bench.measure import ROOT, tail
from bench.serve import LEAD, SEATS, Server, follow_timetable, part
from bench.sockets import connect

_FIVE = 5


async def seat_honest(server: Server, play: Play, tables: int) -> None:
    """Seat ten players at every table, each table's from one address."""
    for table in range(tables):
        local = f"127.1.0.{table + 1}"
        for place in range(1, SEATS + 1):
            player = Player(play, table, place)
            cookie = server.guest(f"p{table}x{place}", local)
            path = f"/api/tables/t{table}/socket"
            player.socket = await connect(server.port, path, cookie, player.hear, local)
            play.pending += 1
            sit = f'{{"type":"sit","id":"sit","place":{place},"cents":450000}}'
            player.send("sit", sit.encode(), asyncio.get_running_loop().time())
    await play.pause()


# The abusive clients, in a process of their own


class Abuse:
    """Clients that ask for as much as they can, and what they were answered."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.answers: dict[str, int] = {}
        self._numbers = count(1)

    def count(self, what: str) -> None:
        """Count an answer."""
        self.answers[what] = self.answers.get(what, 0) + 1

    async def stall(self, number: int, tables: int) -> None:
        """Open a socket and read nothing from it."""
        local = f"127.3.0.{1 + number // 100}"
        path = f"/api/tables/t{number % tables}/socket"
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        request += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        request += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(local, 0), limit=1024
        )
        writer.write(request.encode())
        self.count((await reader.readline()).split()[1].decode() + " stalled")
        await asyncio.sleep(3600)
        writer.close()

    async def flood(self, number: int, method: str, path: str) -> None:
        """Send one request after another."""
        local = f"127.2.0.{1 + number // _FIVE}"
        while True:
            try:
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(local, 0)
                )
                while True:
                    writer.write(self._request(method, path))
                    head = await reader.readuntil(b"\r\n\r\n")
                    (length,) = [
                        int(line.split()[1])
                        for line in head.splitlines()
                        if line.lower().startswith(b"content-length")
                    ]
                    await reader.readexactly(length)
                    self.count(f"{head.split()[1].decode()} {path}")
            except (OSError, asyncio.IncompleteReadError):
                self.count(f"cut off {path}")
                await asyncio.sleep(0.05)

    def _request(self, method: str, path: str) -> bytes:
        """Return a request; every one for odds has other pays."""
        body = ""
        if method == "POST":
            odd = {
                "rulebook": "house",
                "set": {"limits.ante.max": 100_000 + 100 * next(self._numbers)},
            }
            body = json.dumps(odd)
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        return (head + body).encode()

    async def in_and_out(self, number: int, cookie: str) -> None:
        """Sit and leave, over and over; come back after every end."""
        heard = asyncio.Event()
        local = f"127.2.0.{1 + number // _FIVE}"
        while True:
            try:
                socket = await connect(
                    self.port, "/api/tables/roulette/socket", cookie, lambda _: heard.set(), local
                )
                while not socket.closed:
                    for kind in (f'"sit","place":{1 + number % 8},"cents":1000', '"leave"'):
                        socket.send(f'{{"type":{kind},"id":"{next(self._numbers)}"}}'.encode())
                    await asyncio.wait_for(heard.wait(), 5)
                    heard.clear()
                    self.count("in and out")
            except (OSError, TimeoutError):
                self.count("cut off in and out")
                await asyncio.sleep(0.05)


async def abuse(numbers: list[int], cookies: list[str]) -> None:
    """Abuse a room until standard input ends; then write what was answered."""
    port, tables, stalled, abusive = numbers
    room = Abuse(port)
    tasks = [asyncio.create_task(room.stall(number, tables)) for number in range(stalled)]
    for number in range(abusive):
        kind = number % 10
        if kind < 4:
            work = room.flood(number, "GET", "/api/room")
        elif kind < 7:
            work = room.flood(number, "POST", "/api/odds")
        else:
            work = room.in_and_out(number, cookies[number])
        tasks.append(asyncio.create_task(work))
    await asyncio.sleep(1)
    print("going", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(room.answers), flush=True)


def start_abuse(server: Server, asked: argparse.Namespace) -> "subprocess.Popen[str]":
    """Start the process of the abusive clients; return when they are at work."""
    cookies = [server.guest(f"a{n}", f"127.2.0.{1 + n // _FIVE}") for n in range(asked.abusive)]
    numbers = [str(number) for number in (server.port, asked.tables, asked.stalled, asked.abusive)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.abuse", "--client", *numbers, json.dumps(cookies)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "going\n"
    return process


def report(name: str, play: Play, times: list[float], used: float, seconds: float) -> None:
    """Print how long commands took."""
    ordered = sorted(times)
    print(
        f"{name}: {len(times)} commands, median {ordered[len(ordered) // 2]:.1f} ms,"
        f" p99 {tail(times):.1f} ms, longest {ordered[-1]:.1f} ms;"
        f" sent at most {tail(play.late):.1f} ms late (p99); server {used / seconds:.0%} of a core",
        flush=True,
    )


async def measure(asked: argparse.Namespace, folder: Path) -> None:
    """Measure commands without abuse, then with it."""
    play = Play()
    with Server(folder, asked.tables, 0.0, "limited") as server:
        await seat_honest(server, play, asked.tables)
        process = None
        for name in ("alone", "with stalled and abusive clients"):
            if name != "alone":
                process = start_abuse(server, asked)
            await follow_timetable(play, asked.tables, asked.rate, 2 * LEAD)
            used = server.seconds()
            answers = await follow_timetable(play, asked.tables, asked.rate, asked.seconds)
            times = [answer.milliseconds for answer in answers]
            report(name, play, times, server.seconds() - used, asked.seconds)
        assert process is not None
        output, _ = process.communicate("", timeout=60)
        for what, times_ in sorted(json.loads(output).items()):
            print(f"  {what}: {times_}")
        part(play)


def main() -> None:
    """Measure, or run the abusive clients."""
    parser = argparse.ArgumentParser()
    for name, usual in (
        ("tables", 50),
        ("rate", 250),
        ("seconds", 10),
        ("stalled", 200),
        ("abusive", 50),
    ):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--client", nargs=5)
    asked = parser.parse_args()
    if asked.client:
        *numbers, cookies = asked.client
        asyncio.run(abuse([*map(int, numbers)], json.loads(cookies)))
        return
    gc.disable()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        asyncio.run(measure(asked, Path(folder)))


if __name__ == "__main__":
    main()
