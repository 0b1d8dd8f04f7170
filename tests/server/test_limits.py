"""One budget for all requests and messages, by address and by session."""

import asyncio
import json
import time
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from queenhigh.server.limits import Bucket, Limiter, Limits, TooMany, cost_of
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, GENEROUS, RunningServer
from tests.server.staff_clients import first_owner

FEW = Limits(units=10, units_at_once=20, units_at_address=50, units_at_address_at_once=100)


def taken(limiter: Limiter, address: str, session: bytes | None, at: float = 0.0) -> int:
    """Return how many requests are let in at once."""
    for count in range(10_000):
        try:
            limiter.check(address, session, 1, at)
        except TooMany:
            return count
    return 10_000


def test_client_of_two_processes_gets_one_rate() -> None:
    """It takes steadily at one, and the burst of the other whenever that is full again."""
    rate, burst, hours = 0.5, 60.0, 8
    one, two, got = Bucket(rate, burst), Bucket(rate, burst), 0
    for second in range(hours * 3600):
        used = [one] if (second // (2 * int(burst / rate))) % 2 else [two]
        for bucket in used:
            while bucket.take(float(second)):
                got += 1
                (two if bucket is one else one).drain(float(second), 1)
    assert got <= rate * hours * 3600 + 2 * burst + 1


def test_a_session_has_less_than_the_address_it_shares() -> None:
    limiter = Limiter(FEW)
    assert taken(limiter, "203.0.113.7", b"ann") == 20
    assert taken(limiter, "203.0.113.7", b"bob") == 20, "what Ann may not was not taken from Bob"
    assert taken(limiter, "203.0.113.7", None) == 50, "half of what the address has"
    assert taken(limiter, "203.0.113.8", b"cleo") == 20
    assert taken(limiter, "203.0.113.7", b"ann", 1.0) == 10


def test_addresses_of_one_home_share_a_budget() -> None:
    limiter = Limiter(FEW)
    assert taken(limiter, "2001:db8::1", None) == 50
    assert taken(limiter, "2001:db8::2", None) == 0
    assert taken(limiter, "2001:db8:0:1::2", None) == 50


def test_clients_without_a_name_starve_no_session() -> None:
    limiter = Limiter(FEW)
    taken(limiter, "203.0.113.7", None)
    assert taken(limiter, "203.0.113.7", b"ann") == 20


def test_neighbours_starve_no_player_at_a_table() -> None:
    limiter = Limiter(FEW)
    for neighbour in range(10):
        taken(limiter, "203.0.113.7", b"%d" % neighbour)
    assert taken(limiter, "203.0.113.7", b"ann") == 0
    for _ in range(20):
        limiter.check_session(b"ann", 1, 0.0)
    with pytest.raises(TooMany):
        limiter.check_session(b"ann", 1, 0.0)


def test_a_refusal_says_when_to_come_back() -> None:
    limiter = Limiter(FEW)
    taken(limiter, "203.0.113.7", b"ann")
    with pytest.raises(TooMany) as refused:
        limiter.check("203.0.113.7", b"ann", 15, 0.0)
    assert refused.value.seconds == pytest.approx(1.5)
    assert refused.value.retry_after == "2"
    limiter.check("203.0.113.7", b"ann", 15, 1.5)


def test_cost_above_the_burst_can_still_be_paid() -> None:
    limiter = Limiter(FEW)
    limiter.check("203.0.113.7", b"ann", 30, 0.0)
    with pytest.raises(TooMany):
        limiter.check("203.0.113.7", b"ann", 1, 0.0)


def test_heavy_work_costs_most_and_page_files_least() -> None:
    assert cost_of("GET", "/assets/index.js") < cost_of("GET", "/api/room")
    assert cost_of("GET", "/api/room") < cost_of("POST", "/api/odds")
    assert cost_of("GET", "/api/room") < cost_of("GET", "/api/me/history")
    assert cost_of("GET", "/api/room") < cost_of("GET", "/api/tables/ho/sheets/felt.pdf")


def test_usual_limits_leave_a_classroom_alone() -> None:
    """Forty pages behind one address: they open within a second, then play for a minute."""
    limiter = Limiter(Limits())
    pupils = [b"%d" % n for n in range(40)]
    page = [cost_of("GET", "/assets/x.js")] * 40 + [cost_of("GET", "/api/room")] * 4
    page += [cost_of("POST", "/api/guests"), cost_of("GET", "/api/tables/house/socket")]
    for second in range(60):
        for pupil in pupils:
            acts = page if second == 0 else [1.0, 1.0, *([cost_of("GET", "/api/room")] * 2)]
            for cost in acts:
                limiter.check("203.0.113.7", pupil, cost, float(second))


def test_usual_limits_leave_five_busy_tabs_alone() -> None:
    """Three at tables where somebody clicks twice a second, the lobby, and odds as one types."""
    limiter = Limiter(Limits())
    for half in range(120):
        for cost in (
            1.0,
            1.0,
            1.0,
            cost_of("GET", "/api/room"),
            *[cost_of("POST", "/api/odds")] * 5,
        ):
            limiter.check("203.0.113.7", b"ann", cost, half / 2)


def test_only_heavy_users_wait_while_the_room_is_busy() -> None:
    limiter = Limiter(Limits(requests=10, requests_at_once=100, requests_at_address_at_once=30))

    def waits(address: str, session: bytes | None = None) -> bool:
        waits = limiter.must_wait(address, session, 0.0)
        limiter.count_request(address, session, 0.0)
        return waits

    assert not any(waits("203.0.113.7") for _ in range(100)), "nobody is busy"
    assert all(waits("203.0.113.7") for _ in range(100))
    assert not any(waits("203.0.113.8") for _ in range(30)), "an honest page"
    assert not any(waits("203.0.113.7", b"ann") for _ in range(30)), "nor a player next door"


def test_a_flood_waits_and_others_do_not(tmp_path: Path) -> None:
    busy = {"requests": 0.1, "requests_at_once": 20}
    busy |= {"requests_at_address": 0.1, "requests_at_address_at_once": 20}
    with RunningServer(tmp_path / "room.db", limits=GENEROUS | busy | {"held_back": 0.3}) as served:

        def seconds(client: httpx.Client) -> float:
            start = time.monotonic()
            assert client.get("/api/room").status_code == 200
            return time.monotonic() - start

        elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
        with (
            served.http() as flood,
            served.floor() as floor,
            httpx.Client(base_url=served.address, transport=elsewhere, timeout=300) as other,
        ):
            for _ in range(20):
                flood.get("/api/room")
            assert seconds(flood) >= 0.3
            assert min(seconds(other) for _ in range(5)) < 0.3
            assert min(seconds(floor) for _ in range(3)) < 0.3


def test_lobby_flood_is_refused_for_its_address_only(tmp_path: Path) -> None:
    few = GENEROUS | {"units_at_address": 10, "units_at_address_at_once": 60, "held_back": 0.05}
    with RunningServer(tmp_path / "room.db", limits=few) as served:
        owner = first_owner(served)
        with served.http() as client:
            answers = [client.get("/api/room") for _ in range(40)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert {answer.status_code for answer in answers} == {200, 429}
        assert refused[0].json()["code"] == "rate"
        assert int(refused[0].headers["retry-after"]) >= 1
        assert refused[0].headers["x-content-type-options"] == "nosniff"
        elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=served.address, transport=elsewhere, timeout=300) as other:
            assert other.get("/api/room").status_code == 200
        with served.floor() as floor, owner:
            assert floor.get("/metrics").status_code == 200, "the floor may always ask"
            statuses = {owner.get("/api/floor/glance").status_code for _ in range(40)}
            assert statuses == {200}, "so may its staff, by their sessions"
            owner.headers["Cookie"] += "x"
            statuses = {owner.get("/api/floor/glance").status_code for _ in range(40)}
            assert 429 in statuses, "strangers may not"

        async def come() -> None:
            for _ in range(40):
                await (await connect(f"{served.sockets}/api/tables/house/socket")).close()

        with pytest.raises(InvalidStatus) as refusal:
            asyncio.run(come())
        assert refusal.value.response.status_code == 429
        assert "retry-after" in refusal.value.response.headers


def test_sockets_of_one_session_share_what_it_has(tmp_path: Path) -> None:
    few = GENEROUS | {"units": 0.01, "units_at_once": 31}
    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}

    async def go(served: RunningServer) -> None:
        name, cookie = served.guest("Ann")
        async with (
            PlayerClient(served, "ho", name, cookie) as one,
            PlayerClient(served, "ho", name, cookie) as other,
        ):
            for _ in range(15):
                await one.send('{"type":"look"}')
                await other.send('{"type":"look"}')
            refusals = [person.ask("want_bank") for person in (one, other)]
            codes = [(await asked)["code"] for asked in refusals]
            assert codes == ["rate", "rate"]
            assert one.closed is None, "the socket stays open"
        async with PlayerClient(served, "ho", "Bob") as bob:
            await bob.sit(1)

    with RunningServer(tmp_path / "room.db", limits=few, rooms=rooms) as served:
        asyncio.run(go(served))


def test_every_refusal_for_rate_says_when_to_come_back(tmp_path: Path) -> None:
    limits = GENEROUS | {"entries": 0.1, "entries_at_once": 1, "works": 0.1, "works_at_once": 1}
    with RunningServer(tmp_path / "room.db", limits=limits) as served, served.http() as client:
        for path, body in (("/api/guests", {"name": "Tim"}), ("/api/rules", {"rulebook": "house"})):
            client.cookies.clear()
            client.post(path, json=body)
            refused = client.post(path, json=body)
            assert refused.status_code == 429
            assert 1 <= int(refused.headers["retry-after"]) <= 10
            assert json.loads(refused.text)["message"].endswith("s, then try again")
