"""The staff of a room that two processes serve: a change counts at both at the next request."""

import asyncio
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.connection import connect
from tests.in_process import call
from tests.processes.running_room import RunningRoom
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.staff_clients import GIVEN, PASSWORD, cookie_of, log_in, staff_client
from tests.sizes import sized
from tests.verify.verifiers import BOTH

TABLES = {name: {"rulebook": "house", "pace": AT_ONCE} for name in ("t1", "t2")}
#: Three seconds for a move: less than another process needs to take a table.
SHORT = {"pause": 0, "offer": 60_000, "bets": 60_000, "moves": 3_000}
WHY = {"reason": "a change of shifts"}


@pytest.fixture
def clients() -> Iterator[ExitStack]:
    """Close the clients that a test opens."""
    with ExitStack() as stack:
        yield stack


def open_floor(room: RunningRoom, clients: ExitStack) -> list[httpx.Client]:
    """Make Olga the owner, at the first process; return her clients at each."""
    with staff_client(room.servers[0].address) as client:
        body = {"token": room.floor_token, "name": "Olga", "password": PASSWORD}
        cookie = cookie_of(client.post("/api/floor/owner", json=body))
    return at_each(room, cookie, clients)


def hire(owner: httpx.Client, room: RunningRoom, clients: ExitStack) -> list[httpx.Client]:
    """Add Fred to the staff; return his clients at each process, of one session."""
    body = {"name": "Fred", "role": "floor", "password": GIVEN}
    assert owner.post("/api/floor/staff", json=body).status_code == 201
    with log_in(room.servers[1].address, "Fred", GIVEN) as fred:
        cookie = fred.headers["Cookie"]
    return at_each(room, cookie, clients)


def at_each(room: RunningRoom, cookie: str, clients: ExitStack) -> list[httpx.Client]:
    made = [staff_client(server.address, cookie) for server in room.servers]
    return [clients.enter_context(client) for client in made]


def set_role(owner: httpx.Client, role: str) -> int:
    return owner.post("/api/floor/staff/Fred/role", json={"role": role, **WHY}).status_code


#: How a process of the program before joins: it does not say what it can do.
OLDER = "insert into process (address, until) values ('', now() + make_interval(hours => 1))"


def marks(owner: httpx.Client) -> list[str]:
    """Return the lines of the staff's log by which a room says that it needs two people."""
    lines = owner.get("/api/floor/staff/log").json()
    return [line["by"] for line in lines if line["type"] == "staff.two_people"]


@pytest.mark.full
def test_two_people_are_required_once_no_older_process_is_left(
    postgres_url: str, tmp_path: Path, clients: ExitStack
) -> None:
    """An older process would let one person with two names pass, and could not read the event."""
    room = RunningRoom(postgres_url, tmp_path, processes=2, rooms=TABLES, standing=[])
    room.store().close()
    with closing(connect(room.url)) as db, clients:
        db.execute(OLDER)
        clients.enter_context(room)
        owners = open_floor(room, clients)
        hire(owners[1], room, clients)
        time.sleep(1.5)  # each looks twice a second
        assert marks(owners[0]) == []
        db.execute("delete from process where edition = 0")
        end = time.monotonic() + 60
        while not marks(owners[0]) and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(1.5)  # the other one has looked too
        assert marks(owners[0]) == ["floor"], "by one of the two processes"
        with pytest.raises(psycopg.errors.NotNullViolation):
            db.execute(OLDER)
        assert room.errors() == ""
    for name, verifier in BOTH.items():
        assert verifier(PostgresUrl(postgres_url)).ok, name


def test_staff_is_the_same_at_both_processes(
    postgres_url: str, tmp_path: Path, clients: ExitStack
) -> None:
    with RunningRoom(postgres_url, tmp_path, processes=2, rooms=TABLES, standing=[]) as room:
        room.settle()
        owners = open_floor(room, clients)
        freds = hire(owners[1], room, clients)
        for fred in freds:
            for table in TABLES:  # each is held by one of the two
                path = f"/api/floor/tables/{table}"
                assert fred.post(f"{path}/disable", json=WHY).status_code == 200
                assert fred.post(f"{path}/enable", json=WHY).status_code == 200
        assert set_role(owners[0], "auditor") == 200
        for fred in freds:
            for table in TABLES:
                answer = fred.post(f"/api/floor/tables/{table}/disable", json=WHY)
                assert (answer.status_code, answer.json()["code"]) == (403, "role.needed")
        assert marks(owners[0]) == ["floor"], "by one of the two processes"
        token = owners[0].post("/api/floor/tokens", json={"name": "till", "role": "cashier", **WHY})
        program = {"Authorization": f"Bearer {token.json()['token']}"}
        programs = [clients.enter_context(each.http(**program)) for each in room.servers]
        assert programs[1].get("/api/floor/log").status_code == 200
        owners[1].post("/api/floor/tokens/revoke", json={"name": "till", **WHY})
        assert programs[0].get("/api/floor/log").status_code == 401
        assert owners[1].delete("/api/floor/sessions").status_code == 204
        assert owners[0].get("/api/floor/session").json()["member"] is None
        helped = call("staff", "password", "Olga", "--db", PostgresUrl(postgres_url).secret,
                      "--keys", str(room.keys), stdin="another password\n")  # fmt: skip
        assert helped.returncode == 0, helped.stderr
        with staff_client(room.servers[1].address) as client:
            body = {"name": "Olga", "password": "another password"}
            refused = client.post("/api/floor/sessions", json=body).json()
            assert refused["code"] == "password.given"
            body["new_password"] = PASSWORD
            assert client.post("/api/floor/sessions", json=body).status_code == 200
        assert "Fred: auditor" in call("staff", "list", "--db", str(postgres_url)).stdout
        assert room.errors() == ""
    for name, verifier in BOTH.items():
        assert verifier(PostgresUrl(postgres_url)).ok, name


def act_while_the_role_changes(room: RunningRoom, clients: ExitStack, times: int) -> Counter[int]:
    """Act at one process while the role changes at the other; return the statuses of the acts."""
    room.settle()
    owners = open_floor(room, clients)
    fred = hire(owners[0], room, clients)[1]
    answers: Counter[int] = Counter()
    is_over = threading.Event()

    def act() -> None:
        while not is_over.is_set():
            body = {"text": "Welcome.", **WHY}
            answers[fred.post("/api/floor/notices", json=body).status_code] += 1

    acting = threading.Thread(target=act)
    acting.start()
    for _ in range(times):
        assert set_role(owners[0], "auditor") == 200
        assert set_role(owners[0], "floor") == 200
    is_over.set()
    acting.join()
    return answers


def test_no_act_is_logged_of_a_role_that_is_gone(
    postgres_url: str, tmp_path: Path, clients: ExitStack
) -> None:
    with RunningRoom(postgres_url, tmp_path, processes=2, rooms=TABLES, standing=[]) as room:
        answers = act_while_the_role_changes(room, clients, sized(25, 60))
        assert answers[201], answers
        assert answers[403] + answers[409], answers
        assert set(answers) <= {201, 403, 409}
        assert room.errors() == ""
    for name, verifier in BOTH.items():
        verdict = verifier(PostgresUrl(postgres_url))
        assert verdict.ok, f"{name}: {verdict.reason}"


@pytest.mark.full
def test_acts_without_the_guard_are_detected(
    postgres_url: str, tmp_path: Path, clients: ExitStack
) -> None:
    """The control: the log names someone who may not do that any more."""
    wanted: dict[str, Any] = {"rooms": TABLES, "standing": [], "fault": "act_unguarded"}
    with RunningRoom(postgres_url, tmp_path, processes=2, **wanted) as room:
        act_while_the_role_changes(room, clients, 150)
    verdict = BOTH["package"](PostgresUrl(postgres_url))
    assert not verdict.ok
    assert "may not post notice" in str(verdict.reason)


@pytest.mark.full
def test_process_that_takes_the_table_keeps_the_clock_stopped(
    postgres_url: str, tmp_path: Path, clients: ExitStack
) -> None:
    rooms = {name: {"rulebook": "house", "pace": SHORT} for name in TABLES}
    with RunningRoom(postgres_url, tmp_path, processes=2, rooms=rooms, standing=[]) as room:
        room.settle()
        owners = open_floor(room, clients)
        holder = room.holder("t1")
        other = next(server for server in room.servers if server is not holder)
        asyncio.run(rule_across_a_kill(holder, other, owners[room.servers.index(other)]))
        assert room.errors() == ""
    for name, verifier in BOTH.items():
        verdict = verifier(PostgresUrl(postgres_url))
        assert verdict.ok, f"{name}: {verdict.reason}"


async def rule_across_a_kill(
    holder: RunningServer, other: RunningServer, olga: httpx.Client
) -> None:
    """Stop a clock by way of another process, kill the holder, and go on at that process."""
    async with PlayerClient(holder, "t1", "ann") as ann:
        await ann.sit(1)
        await ann.until_phase("betting")
        await ann.bet({"ante": 400})
        await ann.until_phase("deciding")
        opened = await stop_clock(olga)
        assert (opened["stopped"], opened["by"]) == (True, "Olga")
        holder.end(signal.SIGKILL)
    async with PlayerClient(other, "t1", "watcher") as watcher:
        for _ in range(8):  # longer than a move may take
            renewed = await stop_clock(olga)
            assert renewed["stopped"], renewed
            assert renewed["until"] <= opened["until"] + 1000, "two minutes in all"
            await asyncio.sleep(1)
        assert (watcher.view["phase"], watcher.view["round"]["round"]) == ("deciding", 1)
        assert olga.delete(f"{CLOCK}?round=1").status_code == 204
        assert not (await stop_clock(olga))["stopped"], "once a round"
        await watcher.until_over(1)
    acts = [act["reason"] for act in olga.get("/api/floor/log").json()]
    assert acts == ["the floor's dialog was closed", ""]


CLOCK = "/api/floor/tables/t1/incidents/clock"


async def stop_clock(olga: httpx.Client) -> dict[str, Any]:
    """Stop the clock of the first round, or renew that; wait while the table moves."""
    while True:
        answer = await asyncio.to_thread(olga.post, CLOCK, json={"round": 1})
        if answer.status_code != 503:
            result: dict[str, Any] = answer.json()
            return result
        await asyncio.sleep(0.1)
