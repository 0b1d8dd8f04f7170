"""Only trusted proxies may report the address of a client."""

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from queenhigh.errors import QueenhighError
from queenhigh.server.client_address import LOOPBACK, Proxies, network_of
from tests.server.running_server import GENEROUS, RunningServer


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("127.0.0.1", None, "127.0.0.1"),
        ("127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "1.1.1.1, 203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "1.1.1.1, 203.0.113.7, 127.0.0.5", "203.0.113.7"),
        ("127.0.0.1", "203.0.113.7:4711", "203.0.113.7"),
        ("::1", "[2001:db8::9]:4711", "2001:db8::9"),
        ("::ffff:127.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", "unknown", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.7, unknown", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.7, ", "127.0.0.1"),
        ("127.0.0.1", "203.0.113.7, unknown, 127.0.0.5", "127.0.0.5"),
        ("203.0.113.9", "10.0.0.1", "203.0.113.9"),
        ("203.0.113.9", "127.0.0.1", "203.0.113.9"),
    ],
)
def test_only_a_trusted_proxy_names_the_client(
    peer: str, forwarded: str | None, client: str
) -> None:
    assert Proxies(LOOPBACK).client(peer, forwarded) == client
    assert Proxies().client("127.0.0.1", forwarded) == "127.0.0.1"


def test_a_home_with_ipv6_is_one_address() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1") == "2001:db8::/64"
    assert network_of("2001:db8:0:1::1") != network_of("2001:db8::1")
    assert network_of("::ffff:203.0.113.7") == network_of("203.0.113.7") == "203.0.113.7"
    assert network_of("nowhere") == "nowhere"


def test_a_proxy_that_is_no_address_is_refused() -> None:
    with pytest.raises(QueenhighError, match="proxy-address"):
        Proxies(("proxy.example",))


@pytest.mark.parametrize("proxies", [["127.0.0.9"], ["127.0.0.1"]])
def test_http_and_sockets_believe_the_same_proxies(tmp_path: Path, proxies: list[str]) -> None:
    """Two clients behind a trusted proxy count as two, behind any other peer as one."""
    limits = GENEROUS | {"entries": 0.001, "entries_at_once": 1, "sockets_at_address": 1}
    believed = proxies == ["127.0.0.1"]

    async def look_on(served: RunningServer, one: str, other: str) -> bool:
        address = f"{served.sockets}/api/tables/house/socket"
        async with connect(address, additional_headers={"X-Forwarded-For": one}):
            try:
                async with connect(address, additional_headers={"X-Forwarded-For": other}):
                    return True
            except InvalidStatus as refused:
                return refused.response.status_code != 429

    with RunningServer(tmp_path / "room.db", limits=limits, proxies=proxies) as served:
        with served.http() as client:
            codes = [
                client.post(
                    "/api/guests",
                    json={"name": "Ann"},
                    headers={"X-Forwarded-For": f"1.1.1.1, 198.51.100.{n}"},
                ).status_code
                for n in (1, 2)
            ]
        assert codes == [201, 201 if believed else 429]
        assert asyncio.run(look_on(served, "198.51.100.1", "198.51.100.2")) is believed
        if believed:
            assert not asyncio.run(look_on(served, "2001:db8::1", "2001:db8::2")), "one home"
