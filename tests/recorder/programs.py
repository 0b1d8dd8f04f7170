"""The program that is recorded: its interpreter, its commands, and the room that it serves."""

import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from websockets.client import ClientProtocol
from websockets.frames import Close, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from tests.recorder.inside import sitecustomize as inside

__all__ = ["Answer", "Program", "Room", "Socket"]

_INSIDE = Path(__file__).parent / "inside"
_SECOND = 1_000_000_000
_PATIENCE = 300


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
        self.sockets: list[Socket] = []
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
        """Wait until the room has done all that it can do now, and its sockets have been read."""
        while True:
            self._clock[inside.ASKED] += 1
            end = time.monotonic() + _PATIENCE
            while self._clock[inside.ANSWERED] != self._clock[inside.ASKED]:
                assert self._process.poll() is None, "the room has ended"
                assert time.monotonic() < end, "the room does not come to rest"
                time.sleep(0.0005)
            received = [each.read() for each in self.sockets]
            if not any(received):
                return

    def advance(self, seconds: float) -> None:
        """Run the clock, a second at a time, after receiving all that was sent."""
        self.settle()
        end = self._clock[inside.NOW] + round(seconds * _SECOND)
        while self._clock[inside.NOW] < end:
            self._clock[inside.UNTIL] = min(self._clock[inside.NOW] + _SECOND, end)
            self.settle()

    def stop(self) -> int:
        """Stop the room by a signal; return its exit status."""
        self._process.send_signal(signal.SIGTERM)
        end = time.monotonic() + _PATIENCE
        while self._process.poll() is None:
            assert time.monotonic() < end, "the room does not end"
            self._clock[inside.UNTIL] = self._clock[inside.NOW] + _SECOND
            for each in self.sockets:
                each.read()
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
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request, on a connection of its own."""
        connection = http.client.HTTPConnection(
            self.address.removeprefix("http://"), timeout=_PATIENCE
        )
        sent = {"Connection": "close", **(headers or {})}
        if body is not None:
            sent["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        self.settle()
        while not select.select([connection.sock], [], [], 0)[0]:
            self.advance(0.25)  # some answers take their time
        response = connection.getresponse()
        answer = Answer(response.status, response.getheaders(), response.read())
        connection.close()
        self.advance(0.1)
        return answer

    def open_socket(self, path: str, cookie: str | None = None) -> "Socket":
        """Open a socket at a table."""
        opened = Socket(self.address, path, {"Cookie": cookie} if cookie else {})
        self.sockets.append(opened)
        self.settle()
        return opened


class Socket:
    """A socket at a table: every message of both sides, in order."""

    def __init__(self, address: str, path: str, headers: dict[str, str]) -> None:
        host, _, port = address.removeprefix("http://").partition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=_PATIENCE)
        self._socket.setblocking(False)
        self._protocol = ClientProtocol(parse_uri(f"ws://{host}:{port}{path}"), max_size=None)
        self.messages: list[tuple[str, str]] = []
        #: The newest message of each type that came.
        self.newest: dict[str, Any] = {}
        request = self._protocol.connect()
        request.headers.update(headers)
        self._protocol.send_request(request)
        self._write()

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.send_text(json.dumps(message))

    def send_text(self, *texts: str) -> None:
        """Send any texts, at once."""
        for text in texts:
            self.messages.append((">", text))
            self._protocol.send_text(text.encode())
        self._write()

    def close(self) -> None:
        """Close the socket."""
        self._protocol.send_close(1000)
        self._write()

    def read(self) -> bool:
        """Take what has come; return whether anything has."""
        received = False
        while True:
            try:
                data = self._socket.recv(1 << 20)
            except BlockingIOError:
                return received
            except OSError:
                data = b""
            if not data:
                self._socket.close()
                return False
            received = True
            self._protocol.receive_data(data)
            for event in self._protocol.events_received():
                self._take(event)
            self._write()

    def _take(self, event: Any) -> None:
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

    def _write(self) -> None:
        data = b"".join(self._protocol.data_to_send())
        with suppress(OSError):
            self._socket.sendall(data)
