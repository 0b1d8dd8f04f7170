"""One network cannot take all connections and sockets."""

import asyncio
import logging
import socket
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus

from queenhigh.server import serve as serving
from queenhigh.server.client_address import LOOPBACK, Proxies
from queenhigh.server.network_limits import OpenConnections
from tests.server.player_client import PlayerClient
from tests.server.running_server import GENEROUS, RunningServer
from tests.server.test_abuse import refusal


class Transport:
    """A connection from an address."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get_extra_info(self, name: str) -> tuple[str, int]:
        return self.address, 4711


def transports(*addresses: str) -> list[Any]:
    return [Transport(address) for address in addresses]


def test_connections_are_counted_by_network() -> None:
    connections = OpenConnections(2, Proxies().has)
    first, second, third = transports("2001:db8::1", "2001:db8::2", "2001:db8::3")
    assert [connections.count_opened(transport) for transport in (first, second, third)] == [
        True,
        True,
        False,
    ]
    (elsewhere,) = transports("203.0.113.7")
    assert connections.count_opened(elsewhere)
    connections.count_closed(third)
    assert not connections.count_opened(third), "one that was never counted frees no place"
    connections.count_closed(first)
    assert connections.count_opened(third)
    for transport in (second, third, elsewhere):
        connections.count_closed(transport)
    assert not connections._counts
    assert not connections._open


def test_connections_of_a_proxy_are_not_counted() -> None:
    connections = OpenConnections(1, Proxies(LOOPBACK).has)
    assert all(
        connections.count_opened(transport)
        for transport in transports("127.0.0.1", "127.0.0.1", "::1")
    )


def open_connection(served: RunningServer) -> socket.socket:
    name, port = served.address.removeprefix("http://").split(":")
    made = socket.create_connection((name, int(port)), timeout=20)
    made.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    return made


def received(made: socket.socket) -> bytes:
    try:
        return made.recv(12)
    except ConnectionResetError:
        return b""


def test_a_network_gets_no_more_than_its_connections(tmp_path: Path) -> None:
    limits = GENEROUS | {"connections": 3}

    async def count_opened(served: RunningServer) -> None:
        cookie = served.guest("Ann")[1]
        async with PlayerClient(served, "house", "Ann", cookie):
            held = [open_connection(served) for _ in range(2)]
            assert [received(connection) for connection in held] == [b"HTTP/1.1 200"] * 2
            late = open_connection(served)
            assert received(late) == b"", "the newest is closed"
            late.close()
        for _ in range(200):  # the socket is gone soon after its close
            late = open_connection(served)
            answer = received(late)
            late.close()
            if answer:
                break
            await asyncio.sleep(0.05)
        assert answer == b"HTTP/1.1 200", "a socket that closes frees its place"
        for connection in held:
            connection.close()

    with RunningServer(tmp_path / "room.db", limits=limits) as served:
        asyncio.run(count_opened(served))


def test_a_network_gets_no_more_than_its_sockets(tmp_path: Path) -> None:
    limits = GENEROUS | {"sockets_of_network": 2}

    async def count_opened(served: RunningServer) -> None:
        async with PlayerClient(served, "house", "Ann"), PlayerClient(served, "house", "Bob"):
            with pytest.raises(InvalidStatus) as refused:
                await PlayerClient(served, "house", "Cleo").arrive()
            assert refusal(refused.value) == (429, "sockets.many")

    with RunningServer(tmp_path / "room.db", limits=limits) as served:
        asyncio.run(count_opened(served))


def test_failed_accepts_are_logged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "monotonic", lambda: 1000.0)
    handler = serving._LibraryLog(logging.WARNING)
    text = "socket.accept() out of system resource\nsocket: <socket>"

    def log(message: str) -> None:
        handler.emit(logging.LogRecord("asyncio", logging.ERROR, "", 0, message, None, None))

    with capture_logs() as logged:
        for _ in range(300):
            log(text)
        log("something else")
        log("something else")
    assert [line["event"] for line in logged] == [text, "something else", "something else"]
