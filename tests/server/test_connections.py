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
from queenhigh.server.connections import Connections
from queenhigh.server.peers import LOOPBACK, Proxies
from tests.server.people import Person
from tests.server.served import GENEROUS, Served
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
    connections = Connections(2, Proxies().has)
    first, second, third = transports("2001:db8::1", "2001:db8::2", "2001:db8::3")
    assert [connections.come(one) for one in (first, second, third)] == [True, True, False]
    (elsewhere,) = transports("203.0.113.7")
    assert connections.come(elsewhere)
    connections.go(third)
    assert not connections.come(third), "one that was never counted frees no place"
    connections.go(first)
    assert connections.come(third)
    for one in (second, third, elsewhere):
        connections.go(one)
    assert not connections._counts
    assert not connections._open


def test_connections_of_a_proxy_are_not_counted() -> None:
    connections = Connections(1, Proxies(LOOPBACK).has)
    assert all(connections.come(one) for one in transports("127.0.0.1", "127.0.0.1", "::1"))


def open_connection(served: Served) -> socket.socket:
    name, port = served.address.removeprefix("http://").split(":")
    made = socket.create_connection((name, int(port)), timeout=20)
    made.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    return made


def heard(made: socket.socket) -> bytes:
    try:
        return made.recv(12)
    except ConnectionResetError:
        return b""


def test_a_network_gets_no_more_than_its_connections(tmp_path: Path) -> None:
    limits = GENEROUS | {"connections": 3}

    async def come(served: Served) -> None:
        cookie = served.guest("Ann")[1]
        async with Person(served, "house", "Ann", cookie):
            held = [open_connection(served) for _ in range(2)]
            assert [heard(one) for one in held] == [b"HTTP/1.1 200"] * 2
            late = open_connection(served)
            assert heard(late) == b"", "the newest is closed"
            late.close()
        for _ in range(200):  # the socket is gone soon after its close
            late = open_connection(served)
            answer = heard(late)
            late.close()
            if answer:
                break
            await asyncio.sleep(0.05)
        assert answer == b"HTTP/1.1 200", "a socket that closes frees its place"
        for one in held:
            one.close()

    with Served(tmp_path / "room.db", limits=limits) as served:
        asyncio.run(come(served))


def test_a_network_gets_no_more_than_its_sockets(tmp_path: Path) -> None:
    limits = GENEROUS | {"sockets_of_network": 2}

    async def come(served: Served) -> None:
        async with Person(served, "house", "Ann"), Person(served, "house", "Bob"):
            with pytest.raises(InvalidStatus) as refused:
                await Person(served, "house", "Cleo").arrive()
            assert refusal(refused.value) == (429, "sockets.many")

    with Served(tmp_path / "room.db", limits=limits) as served:
        asyncio.run(come(served))


def test_that_nothing_can_be_accepted_is_logged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "monotonic", lambda: 1000.0)
    handler = serving._Forward(logging.WARNING)
    text = "socket.accept() out of system resource\nsocket: <socket>"

    def log(message: str) -> None:
        handler.emit(logging.LogRecord("asyncio", logging.ERROR, "", 0, message, None, None))

    with capture_logs() as logged:
        for _ in range(300):
            log(text)
        log("something else")
        log("something else")
    assert [one["event"] for one in logged] == [text, "something else", "something else"]
