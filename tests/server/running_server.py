"""A server in its own process, on a free port.

A new Python would spend a second on imports, so servers are forked from a process that has done
them and nothing else. ``test_serve_command`` starts the real command.
"""

import json
import os
import signal
import ssl
import time
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from tests.server import server_process

_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload([server_process.__name__])
#: Loading the certificate authorities takes longer than a request, and no test needs them.
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
#: No pause between rounds, and a minute for every decision.
AT_ONCE = {"pause": 0, "offer": 60_000, "bets": 60_000, "moves": 60_000}
#: Limits that no test reaches.
GENEROUS = {
    "sockets_at_address": 10_000,
    "sockets_of_network": 10_000,
    "connections": 10_000,
    "messages": 10_000,
    "messages_at_once": 10_000,
    "entries": 10_000,
    "entries_at_once": 10_000,
    "deeds": 10_000,
    "deeds_at_once": 10_000,
    "works": 10_000,
    "works_at_once": 10_000,
    "tables_of_guest": 3,
    "tables_of_new": 3,
    "tables_at_address": 10_000,
    "requests": 100_000,
    "requests_at_once": 100_000,
    "units": 100_000,
    "units_at_once": 100_000,
    "units_at_address": 100_000,
    "units_at_address_at_once": 100_000,
}


class RunningServer:
    """A server that runs as long as the ``with`` block."""

    def __init__(self, db: Path, **wanted: Any) -> None:
        self.db = db
        self._wanted = {"bots_think": [0, 0], "limits": GENEROUS, "port": 0} | wanted
        self.floor_token: str | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def start(self) -> None:
        """Start the process; wait until the room is open."""
        opened = self._launch()
        if not opened and self._wanted["port"]:  # another test has the port for a moment
            time.sleep(5)
            opened = self._launch()
        assert opened, Path(f"{self.db}.stderr").read_text()
        self.address: str = opened["address"]
        self._wanted["port"] = int(self.address.rpartition(":")[2])
        self.floor_token = opened["floor_token"] or self.floor_token

    def _launch(self) -> dict[str, Any]:
        """Start the process; return what it reports when it is open, or nothing if it ended."""
        options = json.dumps({"db": str(self.db), **self._wanted})
        reading, opened = Pipe(duplex=False)
        self.process = _PROCESSES.Process(
            target=server_process.main, args=(options, f"{self.db}.stderr", opened)
        )
        self.process.start()
        opened.close()
        return _read_opened(reading)

    @property
    def sockets(self) -> str:
        """The address for WebSockets."""
        return self.address.replace("http", "ws", 1)

    def wait(self, hours: float) -> None:
        """Set the room's clock ahead by some hours; the server was started with ``clock``."""
        file = Path(str(self._wanted["clock"]))
        file.write_text(str(int(file.read_text()) + round(hours * 3_600_000)))

    def end(self, how: int) -> int:
        """End the process by a signal; return its exit status."""
        if self.process.is_alive():
            assert self.process.pid is not None
            with suppress(ProcessLookupError):  # it may have just ended on its own
                os.kill(self.process.pid, how)
        self.process.join(timeout=300)
        assert self.process.exitcode is not None, "the server does not end"
        return self.process.exitcode

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end(signal.SIGTERM)

    def http(self, cookie: str | None = None, **headers: str) -> httpx.Client:
        """Return a client, with a session's cookie or without."""
        return http_of(self.address, cookie, **headers)

    def floor(self) -> httpx.Client:
        """Return a client that has the floor's token."""
        return self.http(Authorization=f"Bearer {self.floor_token}")

    def guest(self, name: str) -> tuple[str, str]:
        """Enter as a guest; return the name and the cookie."""
        return guest_of(self.address, name)

    def errors(self) -> str:
        """Return the errors in the server's log."""
        lines = Path(f"{self.db}.stderr").read_text().splitlines()
        return "\n".join(line for line in lines if '"level": "error"' in line)


def http_of(address: str, cookie: str | None = None, **headers: str) -> httpx.Client:
    """Return a client of an address, with a session's cookie or without."""
    if cookie:
        headers["Cookie"] = cookie
    return httpx.Client(base_url=address, headers=headers, timeout=300, verify=_NO_TLS)


def guest_of(address: str, name: str) -> tuple[str, str]:
    """Enter as a guest at an address; return the name and the cookie."""
    with http_of(address) as client:
        answer = client.post("/api/guests", json={"name": name})
    assert answer.status_code == 201, answer.text
    return answer.json()["player"], answer.headers["set-cookie"].split(";")[0]


def _read_opened(opened: Connection) -> dict[str, Any]:
    with opened:
        try:
            room: dict[str, Any] = opened.recv()
        except EOFError:
            return {}
    return room
