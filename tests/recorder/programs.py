"""The program that is recorded: its interpreter, its commands, and the room that it serves."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from websockets.client import ClientProtocol
from websockets.frames import Close, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from tests.recorder.inside import sitecustomize as inside

__all__ = ["Answer", "Program", "Room", "Socket"]

_INSIDE = Path(__file__).parent / "inside"
_SECOND = 1_000_000_000
#: Seconds until the recorder gives up on a room, or on bytes that nobody reads any more.
_PATIENCE, _LOST = 300, 0.5


class Program:
    """A checkout: what runs there has its time and chance from us."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        own = tree / ".venv" / "bin" / "python"
        self.python = str(own if own.exists() else sys.executable)

    def environment(self, clock: Path, chance: str) -> dict[str, str]:
        """Return the environment of a process."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        return kept | {
            "PYTHONPATH": f"{_INSIDE}{os.pathsep}{self.tree / 'src'}",
            "PYTHONHASHSEED": "0",
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "100",
            "TZ": "UTC",
            inside.CLOCK: str(clock),
            inside.CHANCE: chance,
        }

    def run(
        self, folder: Path, jobs: Sequence[tuple[list[str], str]], now: int
    ) -> tuple[dict[str, dict[str, bool]], list[dict[str, Any]]]:
        """Run commands in a folder; return every command that there is, and the results."""
        desk = folder.with_name(f"{folder.name}.jobs")
        desk.mkdir(exist_ok=True)
        inside.make_clock(desk / "clock", now)
        given = [{"words": words, "stdin": stdin} for words, stdin in jobs]
        (desk / "jobs").write_text(json.dumps(given))
        script = [self.python, str(_INSIDE / "run_commands.py")]
        subprocess.run(
            [*script, str(desk / "jobs"), str(desk / "results")],
            cwd=folder, env=self.environment(desk / "clock", ""), check=True,
        )  # fmt: skip
        known, *results = map(json.loads, (desk / "results").read_text().splitlines())
        return known, results


class Answer(NamedTuple):
    """An answer over HTTP."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """Return a header, or nothing."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def json(self) -> Any:
        """The body."""
        return json.loads(self.body)


class Room:
    """A room that is served, and its time."""

    def __init__(self, program: Program, folder: Path, options: Sequence[str], now: int) -> None:
        clock, self._folder = folder.with_name("clock"), folder
        self._clock = inside.make_clock(clock, now)
        self._errors = folder.with_name("errors").open("w")
        self._wires: list[_Wire] = []
        #: How many bytes we have sent to the room, and received.
        self.counts = [0, 0]
        self._rested = 0
        self._process = subprocess.Popen(
            [program.python, "-m", "queenhigh", "serve", "--port", "0", *options],
            cwd=folder, env=program.environment(clock, "room"), text=True,
            stdout=subprocess.PIPE, stderr=self._errors,
        )  # fmt: skip
        #: What the program has printed, and where the room is.
        self.printed = self.address = ""

    def __enter__(self) -> Self:
        assert self._process.stdout is not None
        while not self.address:
            line = self._process.stdout.readline()
            assert line, "the room did not open"
            self.printed += line
            self.address = "".join(re.findall(r"http://127[\d.]+:\d+", line))
        self.settle()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._errors.close()
        assert self._process.stdout is not None
        self._process.stdout.close()

    # Time

    @property
    def now(self) -> int:
        """The room's time, in milliseconds since 1970."""
        return int(self._clock[inside.NOW] // 1_000_000)

    def settle(self) -> None:
        """Wait until the room has done all that it can do now, and everything sent has come."""
        end = time.monotonic() + _PATIENCE
        lost = time.monotonic() + _LOST
        while True:
            self._clock[inside.ASKED] += 1
            while self._clock[inside.ANSWERED] != self._clock[inside.ASKED]:
                assert self._process.poll() is None, "the room has ended"
                assert time.monotonic() < end, "the room does not come to rest"
                time.sleep(0.0005)
            if any([wire.read() for wire in self._wires]):  # noqa: C419 (all are to be read)
                continue
            on_the_way = self.counts != [self._clock[inside.RECEIVED], self._clock[inside.SENT]]
            if not on_the_way or time.monotonic() > lost:  # lost: with a connection that was closed
                self.counts[:] = self._clock[inside.RECEIVED], self._clock[inside.SENT]
                return

    def advance(self, seconds: float, *, step: float = 1) -> None:
        """Run the clock, a second or another step at a time, after receiving all that was sent."""
        self.settle()
        end = self._clock[inside.NOW] + round(seconds * _SECOND)
        while self._clock[inside.NOW] < end:
            self._clock[inside.UNTIL] = min(self._clock[inside.NOW] + round(step * _SECOND), end)
            self.settle()

    def stop(self) -> int:
        """Stop the room by a signal; return its exit status."""
        self._process.send_signal(signal.SIGTERM)
        end = time.monotonic() + _PATIENCE
        while self._process.poll() is None:
            assert time.monotonic() < end, "the room does not end"
            self._clock[inside.UNTIL] = self._clock[inside.NOW] + _SECOND
            for wire in self._wires:
                wire.read()
            time.sleep(0.01)
        assert self._process.stdout is not None
        self.printed += self._process.stdout.read()
        return self._process.returncode

    def let_threads_run(self) -> None:
        """Give the machine's time to threads that look at the disk every two seconds of it."""
        if self.now - self._rested > 5_000:
            time.sleep(2.5)
            self._rested = self.now

    # Requests and sockets

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Answer:
        """Send a request, on a connection of its own."""
        given = {"Host": self.address.removeprefix("http://"), "Connection": "close", **headers}
        data = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            given |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
        lines = [f"{method} {path} HTTP/1.1", *[f"{key}: {value}" for key, value in given.items()]]
        exchange = _Exchange(self, "\r\n".join([*lines, "", ""]).encode() + data)
        self._wires.append(exchange)
        self.settle()
        while not exchange.closed:
            self.advance(0.25)  # some answers take their time
        self._wires.remove(exchange)
        self.advance(0.1)
        return exchange.answer()

    def open_socket(self, path: str, cookie: str | None = None) -> "Socket":
        """Open a socket at a table."""
        opened = Socket(self, path, {"Cookie": cookie} if cookie else {})
        self._wires.append(opened)
        self.settle()
        return opened


class _Wire:
    """A connection to a room, whose bytes are counted."""

    def __init__(self, room: Room) -> None:
        host, _, port = room.address.removeprefix("http://").partition(":")
        self._counts = room.counts
        self._socket = socket.create_connection((host, int(port)))
        self._socket.setblocking(False)
        self.closed = False

    def read(self) -> bool:
        """Take what has come; return whether anything has."""
        if self.closed:
            return False
        try:
            data = self._socket.recv(1 << 20)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        self.closed = not data
        if self.closed:
            self._socket.close()
        self._counts[1] += len(data)
        self._take(data)
        return True

    def _take(self, data: bytes) -> None:
        raise NotImplementedError

    def _write(self, data: bytes) -> None:
        with suppress(OSError):  # it is closed
            self._socket.sendall(data)
            self._counts[0] += len(data)


class _Exchange(_Wire):
    """A request and its answer."""

    def __init__(self, room: Room, request: bytes) -> None:
        super().__init__(room)
        self._received = b""
        self._write(request)

    def _take(self, data: bytes) -> None:
        self._received += data

    def answer(self) -> Answer:
        """Return the answer, once it is whole."""
        start, _, rest = self._received.partition(b"\r\n")
        head, _, body = rest.partition(b"\r\n\r\n")
        lines = [line.partition(": ") for line in head.decode("latin-1").split("\r\n")]
        headers = [(name, value) for name, _, value in lines]
        return Answer(int(start.split()[1]), headers, body)


class Socket(_Wire):
    """A socket at a table: every message of both sides, in order."""

    def __init__(self, room: Room, path: str, headers: dict[str, str]) -> None:
        super().__init__(room)
        uri = parse_uri(f"{room.address.replace('http', 'ws', 1)}{path}")
        self._protocol = ClientProtocol(uri, max_size=None)
        self.messages: list[tuple[str, str]] = []
        #: The newest message of each type that came.
        self.newest: dict[str, Any] = {}
        request = self._protocol.connect()
        request.headers.update(headers)
        self._protocol.send_request(request)
        self._send_all()

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.send_text(json.dumps(message))

    def send_text(self, *texts: str) -> None:
        """Send any texts, at once."""
        for text in texts:
            self.messages.append((">", text))
            self._protocol.send_text(text.encode())
        self._write(b"".join(self._protocol.data_to_send()))

    def close(self) -> None:
        """Close the socket."""
        self._protocol.send_close(1000)
        self._send_all()

    def _take(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            self._note(event)
        self._send_all()

    def _note(self, event: Any) -> None:
        if isinstance(event, Response):
            body = (event.body or b"").decode()
            self.messages.append(("<", f"{event.status_code} {body}".rstrip()))
        elif event.opcode is Opcode.TEXT:
            text = bytes(event.data).decode()
            message = json.loads(text)
            self.newest[message["type"]] = message
            self.messages.append(("<", text))
        elif event.opcode is Opcode.CLOSE:
            self.messages.append(("<", f"closed: {Close.parse(bytes(event.data))}"))

    def _send_all(self) -> None:
        for data in self._protocol.data_to_send():
            self._write(data)
