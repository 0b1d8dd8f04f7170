"""Guessing passwords is slowed down, and strangers lock nobody out."""

import asyncio
import json
from pathlib import Path

import apsw
import pytest
from structlog.testing import capture_logs

from queenhigh.errors import QueenhighError
from queenhigh.server import passwords as passwords_module
from queenhigh.server.accounts import Accounts
from queenhigh.server.limits import TooMany
from queenhigh.server.login_delays import LoginDelays
from tests.server.running_server import RunningServer
from tests.server.server_process import QUICK_HASHER

HOME, AWAY, STRANGER = "203.0.113.7", "198.51.100.9", "192.0.2.1"


class Time:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def accounts(monkeypatch: pytest.MonkeyPatch, time: Time) -> Accounts:
    monkeypatch.setattr(passwords_module, "PasswordHasher", QUICK_HASHER)
    accounts = Accounts(apsw.Connection(":memory:"))
    accounts.logins = LoginDelays(time.sleep, lambda: time.now)
    return accounts


async def guess(accounts: Accounts, times: int, address: str, name: str = "Bea") -> None:
    for _ in range(times):
        with pytest.raises(QueenhighError, match="wrong"):
            await accounts.log_in(name, "a wrong one", 0, address)


def test_strangers_cannot_lock_an_account(accounts: Accounts, time: Time) -> None:
    async def go() -> None:
        await accounts.register("Bea", "correct horse", 0)
        await accounts.log_in("Bea", "correct horse", 0, HOME)
        await guess(accounts, 50, STRANGER)
        time.waits.clear()
        await accounts.log_in("Bea", "correct horse", 0, HOME)
        assert time.waits == [], "where she was before, nothing is slower"
        await accounts.log_in("Bea", "correct horse", 0, AWAY)
        assert time.waits == [8.0], "elsewhere she waits a little"
        time.waits.clear()
        await accounts.log_in("Bea", "correct horse", 0, AWAY)
        assert time.waits == []

    asyncio.run(go())


def test_each_wrong_password_makes_the_next_try_slower(accounts: Accounts, time: Time) -> None:
    async def go() -> None:
        await accounts.register("Bea", "correct horse", 0)
        await guess(accounts, 12, STRANGER)
        assert time.waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
        time.now += 16 * 60
        time.waits.clear()
        await guess(accounts, 1, STRANGER)
        assert time.waits == [], "failures are forgotten"

    asyncio.run(go())


def test_unknown_name_is_as_slow_as_a_known_one(accounts: Accounts, time: Time) -> None:
    async def go() -> None:
        await accounts.register("Bea", "correct horse", 0)
        await guess(accounts, 6, STRANGER, "Bea")
        known, time.waits = time.waits, []
        await guess(accounts, 6, STRANGER, "Nobody")
        assert time.waits == known

    asyncio.run(go())


def test_own_failures_count_where_the_name_is_known(accounts: Accounts, time: Time) -> None:
    async def go() -> None:
        await accounts.register("Bea", "correct horse", 0)
        accounts.used_from("BEA", HOME)
        await guess(accounts, 5, HOME)
        assert time.waits == [0.5, 1]

    asyncio.run(go())


def test_full_login_queue_does_not_block_known_addresses(accounts: Accounts, time: Time) -> None:
    async def go() -> None:
        await accounts.register("Bea", "correct horse", 0)
        accounts.used_from("Bea", HOME)
        crowd = [
            asyncio.create_task(accounts.log_in("Bea", "a wrong one", 0, f"192.0.2.{n // 3}"))
            for n in range(60)
        ]
        right = asyncio.create_task(accounts.log_in("Bea", "correct horse", 0, HOME))
        outcomes = await asyncio.gather(*crowd, return_exceptions=True)
        codes = [outcome.code for outcome in outcomes if isinstance(outcome, QueenhighError)]
        assert codes.count("login.wrong") == 8
        assert codes.count("login.busy") == 52
        assert all(
            outcome.retry_after == "60" for outcome in outcomes if isinstance(outcome, TooMany)
        )
        assert (await right)[0].name == "Bea"
        assert not accounts.logins._waiting, "nobody is counted for good"

    asyncio.run(go())


def test_a_failed_login_is_logged_without_the_password(accounts: Accounts) -> None:
    async def go() -> None:
        await guess(accounts, 1, STRANGER, "BEA")

    with capture_logs() as logged:
        asyncio.run(go())
    assert logged == [
        {"event": "login failed", "log_level": "warning", "name": "bea", "address": STRANGER}
    ]


def test_a_known_account_is_not_locked_over_http(tmp_path: Path) -> None:
    login = {"name": "Bea", "password": "correct horse"}
    with RunningServer(
        tmp_path / "room.db", constants={"login_delays": {"_FIRST": 0.01}}
    ) as served:
        with served.http() as client:
            assert client.post("/api/accounts", json=login).status_code == 201
            assert client.get("/api/me").status_code == 401
            assert client.post("/api/sessions", json=login).status_code == 201
        with served.http(**{"X-Forwarded-For": "1.1.1.1"}) as client:
            wrong = login | {"password": "a wrong one"}
            codes = [client.post("/api/sessions", json=wrong).status_code for _ in range(5)]
            assert codes == [401] * 5
            assert client.post("/api/sessions", json=login).status_code == 201
        lines = Path(f"{served.db}.stderr").read_text().splitlines()
        (last, *_) = [json.loads(line) for line in lines if "login failed" in line]
        assert (last["name"], last["address"]) == ("bea", "127.0.0.1")
        assert "a wrong one" not in "".join(lines)


async def wait_in_line(
    logins: LoginDelays, name: str, address: str, until: asyncio.Event | None = None
) -> str:
    """Wait for a turn, and take until something has happened; return what came of it."""
    try:
        async with logins.turn(name, address):
            await asyncio.sleep(0)
            if until is not None:
                await until.wait()
            logins.fail(name, address)
            return "tried"
    except TooMany as refused:
        return refused.code


def test_few_networks_cannot_fill_the_login_queue(time: Time) -> None:
    async def go() -> None:
        logins = LoginDelays(time.sleep, lambda: time.now)
        crowd = [
            asyncio.create_task(wait_in_line(logins, f"name {n}", f"192.0.2.{network}"))
            for network in range(4)
            for n in range(100 * network, 100 * network + 64)
        ]
        await asyncio.sleep(0)
        assert await wait_in_line(logins, "bea", AWAY) == "tried"
        outcomes = await asyncio.gather(*crowd)
        assert outcomes.count("tried") == 4 * 6
        assert not logins._waiting

    asyncio.run(go())


def test_known_names_need_no_place_in_the_shared_queue(time: Time) -> None:
    async def go() -> None:
        logins = LoginDelays(time.sleep, lambda: time.now)
        pupils = [f"pupil {n}" for n in range(30)]
        for pupil in pupils:
            logins.remember(pupil, HOME)
        end = asyncio.Event()
        crowd = [
            asyncio.create_task(wait_in_line(logins, f"name {n}", f"192.0.2.{n}", end))
            for n in range(64)
        ]
        await asyncio.sleep(0)
        assert await wait_in_line(logins, "bea", AWAY) == "login.busy", "all places are taken"
        known = [wait_in_line(logins, pupil, HOME) for pupil in pupils]
        assert await asyncio.gather(*known) == ["tried"] * 30
        end.set()
        assert set(await asyncio.gather(*crowd)) == {"tried"}

    asyncio.run(go())


def test_a_place_is_reserved_for_networks_without_failures(time: Time) -> None:
    async def go() -> None:
        logins = LoginDelays(time.sleep, lambda: time.now)
        guessing = [f"192.0.2.{n}" for n in range(20)]
        for address in guessing:
            logins.fail("bea", address)
        crowd = [asyncio.create_task(wait_in_line(logins, "bea", address)) for address in guessing]
        await asyncio.sleep(0)
        assert await wait_in_line(logins, "bea", AWAY) == "tried"
        assert (await asyncio.gather(*crowd)).count("tried") == 7

    asyncio.run(go())


def test_guessing_the_old_password_is_delayed(accounts: Accounts, time: Time) -> None:
    async def go() -> None:
        bea, token = await accounts.register("Bea", "correct horse", 0)

        async def change(old: str) -> None:
            await accounts.set_password(bea, old, "battery staple", token, 0, HOME)

        for _ in range(5):
            with pytest.raises(QueenhighError, match="not your current password"):
                await change("a wrong one")
        assert time.waits == [0.5, 1]
        await change("correct horse")
        await accounts.log_in("Bea", "battery staple", 0, HOME)

    with capture_logs() as logged:
        asyncio.run(go())
    failed = {"event": "change of password failed", "log_level": "warning"}
    assert logged == [failed | {"name": "bea", "address": HOME}] * 5
