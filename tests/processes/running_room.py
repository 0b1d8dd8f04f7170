"""A room on PostgreSQL that several processes serve, behind one address."""

import signal
import time
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.store import PostgresStore
from queenhigh.table.events import TableEvent, decode
from queenhigh.table.streams import table_stream
from tests.processes.balancer import Balancer
from tests.server.running_server import RunningServer, guest_of, http_of


class RunningRoom:
    """Processes that serve one room; players reach any of them through a balancer."""

    def __init__(self, url: str, folder: Path, processes: int = 3, **wanted: Any) -> None:
        self.url, self.keys = PostgresUrl(url), folder / "keys"
        shared = wanted | {"room": url, "keys": str(self.keys)}
        self.servers = [
            RunningServer(folder / f"process{number}", **shared) for number in range(processes)
        ]
        self._balancer = Balancer()
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(self._balancer)
        self.address = f"http://127.0.0.1:{self._balancer.port}"
        for server in self.servers:
            self.start(server)
        return self

    def start(self, server: RunningServer) -> None:
        """Start one of the processes."""
        server.start()
        self._balancer.ports = [
            int(each.address.rpartition(":")[2])
            for each in self.servers
            if hasattr(each, "address")
        ]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for server in self.servers:
            server.end(signal.SIGTERM)
        self._stack.close()

    @property
    def sockets(self) -> str:
        """The address for WebSockets."""
        return self.address.replace("http", "ws", 1)

    @property
    def floor_token(self) -> str | None:
        """The floor's token, which the process has that made the room."""
        return next(filter(None, (server.floor_token for server in self.servers)), None)

    def http(self, cookie: str | None = None, **headers: str) -> httpx.Client:
        """Return a client of whichever process takes it."""
        return http_of(self.address, cookie, **headers)

    def guest(self, name: str) -> tuple[str, str]:
        """Enter as a guest; return the name and the cookie."""
        return guest_of(self.address, name)

    def store(self) -> PostgresStore:
        """Open the store of the room, beside the processes."""
        return PostgresStore(self.url, self.keys)

    def events(self, table: str) -> list[TableEvent]:
        """Return the events of a table, as the database has them."""
        with closing(self.store()) as store:
            return [decode(row.event) for row in store.read(table_stream(table))]

    def errors(self) -> str:
        """Return the errors in the logs of all processes."""
        return "\n".join(filter(None, (server.errors() for server in self.servers)))

    def settle(self) -> None:
        """Wait until every process holds its share of the tables."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            held = [len(held_by(server, self.floor_token or "")) for server in self.servers]
            if max(held) - min(held) <= 1 and sum(held) >= len(held):
                return
            time.sleep(0.05)
        raise AssertionError(f"the processes hold {held} tables")

    def holder(self, table: str) -> RunningServer:
        """Return the process that holds a table, once one does."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            for server in self.servers:
                if server.process.is_alive() and table in held_by(server, self.floor_token or ""):
                    return server
            time.sleep(0.05)
        raise AssertionError(f"nobody holds {table}")


def held_by(server: RunningServer, token: str) -> list[str]:
    """Return the tables that a process holds."""
    with server.http(Authorization=f"Bearer {token}") as client:
        held: list[str] = client.get("/api/floor/processes").json()["held"]
    return held
