"""The cost of requests, and which of them wait."""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse

from queenhigh.server.guard import Guard, HostPolicy
from queenhigh.server.limits import Limiter, Limits, TooMany
from queenhigh.server.throttle import Throttle

FLOOD, HOME = "203.0.113.7", "2001:db8::1"
#: A room that is busy after four requests, and where one may wait.
BUSY = Limits(
    requests=0.001,
    requests_at_once=4,
    requests_at_address=0.001,
    requests_at_address_at_once=2,
    held_back=0.05,
    held_back_at_address=1,
)
#: Without a session there is enough for three requests.
POOR = Limits(units_at_address=0.002, units_at_address_at_once=6, held_back=0.01)


def make_rations(limits: Limits) -> Throttle:
    def session_of(headers: Mapping[str, str]) -> bytes | None:
        return headers["cookie"].encode() if "cookie" in headers else None

    return Throttle(limits, Limiter(limits), session_of, lambda headers: "floor" in headers)


async def ask(throttle: Throttle, address: str, times: int, **headers: str) -> int:
    """Ask so many times at once; return how many were let in."""
    asked = [throttle.admit(address, headers, 1) for _ in range(times)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert all(outcome is None or isinstance(outcome, TooMany) for outcome in outcomes)
    return outcomes.count(None)


def test_requests_refused_for_a_full_queue_are_not_charged() -> None:
    throttle = make_rations(BUSY)
    charged: list[float] = []
    check = throttle._limiter.check
    throttle._limiter.check = lambda *args: (charged.append(1), check(*args))[1]  # type: ignore

    async def go() -> None:
        assert await ask(throttle, FLOOD, 20) == 5, "four at once, and one that waited"

    asyncio.run(go())
    assert len(charged) == 5
    assert not throttle._held, "nobody is counted for good"


def test_a_refused_flood_leaves_the_rooms_budget_alone() -> None:
    throttle = make_rations(POOR)

    async def go() -> None:
        before = throttle._limiter._requests
        assert await ask(throttle, FLOOD, 50) == 3
        assert before._left >= before._burst - 3

    asyncio.run(go())


def test_ipv6_home_shares_one_queue() -> None:
    throttle = make_rations(BUSY)

    async def go() -> None:
        await ask(throttle, HOME, 4)
        waiting = asyncio.create_task(ask(throttle, HOME, 1))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert await ask(throttle, "2001:db8::2", 1) == 0, "the only place is taken"
        assert await waiting == 1

    asyncio.run(go())


def test_players_and_strangers_have_separate_queues() -> None:
    throttle = make_rations(BUSY)

    async def go() -> None:
        await ask(throttle, FLOOD, 4)
        flood = asyncio.create_task(ask(throttle, FLOOD, 5))
        await asyncio.sleep(0)
        assert await ask(throttle, FLOOD, 2, cookie="ann") == 2
        assert await flood == 1

    asyncio.run(go())


def test_the_floor_is_never_refused() -> None:
    async def go() -> None:
        assert await ask(make_rations(POOR), FLOOD, 20, floor="yes") == 20

    asyncio.run(go())


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [("POST", {"origin": "http://elsewhere"}, 403), ("GET", {"host": "elsewhere"}, 421)],
)
def test_a_foreign_origin_or_host_costs_units(
    method: str, headers: dict[str, str], status: int
) -> None:
    paid: list[float] = []

    async def pay(address: str, headers: Mapping[str, str], cost: float) -> None:
        paid.append(cost)

    async def go() -> int:
        app: Any = PlainTextResponse("")
        policy = HostPolicy(hosts=frozenset({"room"}))
        guard: Any = Guard(app, policy, Limits(), pay, lambda: None)
        transport = httpx.ASGITransport(app=guard)
        async with httpx.AsyncClient(transport=transport, base_url="http://room") as client:
            return (await client.request(method, "/api/room", headers=headers)).status_code

    assert asyncio.run(go()) == status
    assert len(paid) == 1
