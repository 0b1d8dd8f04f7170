"""Several processes serve one room: players of one table may be connected to different ones."""

import asyncio
import json
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.processes.running_room import RunningRoom
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, GENEROUS, RunningServer
from tests.verify.verifiers import BOTH

TABLES = {
    "ca": {"rulebook": "california", "pace": AT_ONCE},
    "ho": {"rulebook": "house", "pace": AT_ONCE},
    "ro": {"rulebook": "roulette", "pace": AT_ONCE},
}
#: So many seconds are far too long for a table to be taken over, even on a busy machine.
PATIENCE = 30
Constants = dict[str, dict[str, bool]]
CLOCK_RUNS: Constants = {"presence": {"STOPS_CLOCK": False}}
#: Connections are given to the holder of their table; on other machines their messages are sent.
EITHER_WAY = pytest.mark.parametrize(
    "gives", [{}, {"handover": {"GIVES": False}}], ids=["given", "passed-on"]
)


async def decide_at(served: RunningServer, table: str, name: str, place: int) -> PlayerClient:
    """Return a player who is connected to a process and has to decide."""
    player = PlayerClient(served, table, name)
    await player.arrive()
    await player.sit(place)
    await player.until_phase("betting")
    await player.bet({"ante": 400})
    return player


@EITHER_WAY
def test_players_of_one_table_at_three_processes(
    postgres_url: str, tmp_path: Path, gives: Constants
) -> None:
    async def play(room: RunningRoom) -> None:
        players = [
            PlayerClient(server, "ho", f"player {place}")
            for place, server in enumerate(room.servers, 1)
        ]
        for place, player in enumerate(players, 1):
            await player.arrive()
            await player.sit(place)
        for player in players:
            await player.until_phase("betting")
            await player.bet({"ante": 400})
        for player in players:
            await player.until_phase("deciding")
            await player.do("choose", round=1, move="play")
        for player in players:
            await player.until_over(1)
            versions = [view["view"]["version"] for view in views(player)]
            assert versions == sorted(versions), "a view went back"
        for server, player in zip(room.servers, players, strict=True):
            with server.http(player.cookie) as client:
                me = client.get("/api/me").json()
                assert [seat["table"] for seat in me["seats"]] == ["ho"]
                tables = client.get("/api/room").json()["tables"]
                assert [line["players"] for line in tables if line["table"] == "ho"] == [3]
        for player in players:
            await player.depart()

    with RunningRoom(postgres_url, tmp_path, rooms=TABLES, constants=gives) as room:
        asyncio.run(play(room))
        assert room.errors() == ""


def views(player: PlayerClient) -> list[dict[str, dict[str, int]]]:
    """Return the views that a player has received."""
    messages = [json.loads(text) for text in player.received]
    return [message for message in messages if message["type"] == "view"]


@pytest.mark.full
@EITHER_WAY
def test_killed_process_loses_its_tables_to_others(
    postgres_url: str, tmp_path: Path, gives: Constants
) -> None:
    async def play(room: RunningRoom) -> None:
        room.settle()
        holder = room.holder("ho")
        other = next(server for server in room.servers if server is not holder)
        ann = await decide_at(other, "ho", "ann", 1)
        await ann.until_phase("deciding")
        cards = ann.own["cards"]
        start = time.monotonic()
        await asyncio.to_thread(holder.end, signal.SIGKILL)
        await ann.until_closed()
        again = PlayerClient(other, "ho", ann.name, ann.cookie)
        await again.arrive()  # the handshake waits until another process has the table
        await again.until_phase("deciding")
        taken = time.monotonic() - start
        assert again.own["cards"] == cards
        assert again.view["deadline"] >= 1000 * time.time() + AT_ONCE["moves"] - 10_000
        await again.do("choose", round=1, move="play")
        await again.until_over(1)
        assert taken < PATIENCE
        await again.depart()

    with RunningRoom(postgres_url, tmp_path, rooms=TABLES, constants=CLOCK_RUNS | gives) as room:
        asyncio.run(play(room))
        assert room.errors() == ""


@pytest.mark.full
@EITHER_WAY
def test_rolling_restart_voids_no_round(
    postgres_url: str, tmp_path: Path, gives: Constants
) -> None:
    async def play(room: RunningRoom) -> None:
        room.settle()
        players = [
            PlayerClient(room, table, f"at {table}", room.guest(f"at {table}")[1])
            for table in ("ho", "ro")
        ]
        house, wheel = players
        for player in players:
            await player.arrive()
            await player.sit(1)
            await player.until_phase("betting")
        await house.bet({"ante": 400})
        await house.until_phase("deciding")
        await wheel.bet({"red": 500}, ready=False)
        cards = house.own["cards"]
        for server in room.servers:
            assert await asyncio.to_thread(server.end, signal.SIGTERM) == 0
            await asyncio.to_thread(room.start, server)
        house = await return_to(room, house)
        await house.until_phase("deciding")
        assert house.own["cards"] == cards
        await house.do("choose", round=1, move="play")
        await house.until_over(1)
        wheel = await return_to(room, wheel)
        await wheel.do("place_wagers", round=1, wagers=[], ready=True)
        await wheel.until_over(1)
        for player in (house, wheel):
            assert ".settled/" in json.dumps(player.view["last"]), "the round was voided"
            await player.depart()

    with RunningRoom(postgres_url, tmp_path, rooms=TABLES, constants=CLOCK_RUNS | gives) as room:
        asyncio.run(play(room))
        assert room.errors() == ""
    for verify in BOTH.values():
        assert verify(room.url).ok


@pytest.mark.full
def test_moving_table_is_never_missing(postgres_url: str, tmp_path: Path) -> None:
    """The page gives up a table that the room says does not exist."""
    with RunningRoom(postgres_url, tmp_path, processes=2, rooms=TABLES) as room:
        room.settle()
        moves = threading.Event()
        with ThreadPoolExecutor() as pool:
            looks = [pool.submit(look_until, moves, server) for server in room.servers]
            for server in room.servers:
                assert server.end(signal.SIGTERM) == 0
                room.start(server)
            moves.set()
            statuses: Counter[int] = sum((look.result() for look in looks), Counter())
    assert set(statuses) <= {200, 503}, statuses
    assert statuses[200] > 100


def look_until(end: threading.Event, server: RunningServer) -> Counter[int]:
    """Look at all tables through one process; return how often each status came."""
    statuses: Counter[int] = Counter()
    while not end.is_set():
        with suppress(httpx.TransportError), server.http() as client:
            while not end.is_set():
                statuses.update(client.get(f"/api/tables/{table}").status_code for table in TABLES)
    return statuses


async def return_to(room: RunningRoom, player: PlayerClient) -> PlayerClient:
    """Return a player with a new connection."""
    await player.depart()
    again = PlayerClient(room, player.table, player.name, player.cookie)
    await again.arrive()
    await again.until(lambda: bool(again.view))
    return again


@pytest.mark.full
def test_limits_hold_across_processes(postgres_url: str, tmp_path: Path) -> None:
    """A client that enters through all processes in turn gets hardly more than at one of them."""
    limits = GENEROUS | {"entries": 0.01, "entries_at_once": 6}
    with RunningRoom(postgres_url, tmp_path, limits=limits) as room:
        entered = 0
        for number in range(18):
            with room.servers[number % 3].http() as client:
                entered += client.post("/api/guests", json={"name": "Ada"}).status_code == 201
            time.sleep(0.3)
        assert 6 <= entered <= 9


@pytest.mark.full
def test_session_ends_at_all_processes(postgres_url: str, tmp_path: Path) -> None:
    async def play(room: RunningRoom) -> None:
        room.settle()
        holder = room.holder("ho")
        ann = PlayerClient(holder, "ho", "ann")
        await ann.arrive()
        await ann.sit(1)
        other = next(server for server in room.servers if server is not holder)
        with other.http(ann.cookie) as client:
            assert client.delete("/api/sessions").status_code == 204
        await ann.until_closed()
        assert ann.bye is not None
        assert ann.bye["code"] == "logout"
        bob = PlayerClient(other, "ho", "bob")
        await bob.arrive()
        await bob.until(lambda: bool(bob.view) and not bob.view["places"])
        cyd = PlayerClient(holder, "ho", "cyd")
        await cyd.arrive()
        await cyd.sit(2)
        await bob.until(lambda: bool(bob.view["places"]))
        await cyd.depart()
        why = {"reason": "a dispute"}
        with other.http(Authorization=f"Bearer {room.floor_token}") as client:
            answer = client.post(f"/api/floor/accounts/{cyd.name}/freeze", json=why)
            assert answer.status_code == 200, answer.text
        await bob.until(lambda: not bob.view["places"])
        await bob.sit(1)
        await bob.until_phase("betting")
        await bob.bet({"ante": 400})
        await bob.until_phase("deciding")
        with holder.http(bob.cookie) as client:
            client.put("/api/me/password", json={"password": "a long sentence"})
        with other.http() as client:
            login = {"name": bob.name, "password": "a long sentence"}
            again = client.post("/api/sessions", json=login).headers["set-cookie"].split(";")[0]
        with other.http(again) as client:
            new = {"old": "a long sentence", "password": "a longer sentence"}
            assert client.put("/api/me/password", json=new).status_code == 204
        await bob.until_closed()
        await asyncio.sleep(2.5)
        bob = PlayerClient(other, "ho", bob.name, again)
        await bob.arrive()
        await bob.until_phase("deciding")
        await bob.do("choose", round=bob.round, move="play")
        await bob.depart()

    with RunningRoom(postgres_url, tmp_path, rooms=TABLES) as room:
        asyncio.run(play(room))


@pytest.mark.full
def test_player_logs_out_and_owner_is_renamed_at_another_process(
    postgres_url: str, tmp_path: Path
) -> None:
    """The process that holds the table has no connection of either."""

    async def play(room: RunningRoom) -> None:
        room.settle()
        holder = room.holder("ho")
        other = next(server for server in room.servers if server is not holder)
        ann = PlayerClient(holder, "ho", "ann")
        await ann.arrive()
        await ann.sit(1)
        await ann.depart()
        with other.http(ann.cookie) as client:
            assert client.delete("/api/sessions").status_code == 204
        bob = PlayerClient(holder, "ho", "bob")
        await bob.arrive()
        await bob.until(lambda: bool(bob.view) and not bob.view["places"])
        await bob.depart()
        _, cookie = holder.guest("Cyd")
        with holder.http(cookie) as client:
            opened = client.post("/api/tables", json={"name": "mine", "rulebook": "house"})
            assert opened.status_code == 201, opened.text
        with other.http(cookie) as client:
            assert client.post("/api/me/name", json={"name": "Dee"}).status_code == 200
        with holder.http(cookie) as client:
            await until_true(lambda: owner_of(client, "mine") == "Dee")
            assert client.delete("/api/tables/mine").is_success

    with RunningRoom(postgres_url, tmp_path, rooms=TABLES) as room:
        asyncio.run(play(room))
        assert room.errors() == ""


def owner_of(client: httpx.Client, table: str) -> str | None:
    """Return whose table it is, as the lobby says."""
    lines = client.get("/api/room").json()["tables"]
    return next((line["owner"] for line in lines if line["table"] == table), None)


async def until_true(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.1)


@pytest.mark.full
def test_floor_acts_at_any_process(postgres_url: str, tmp_path: Path) -> None:
    with RunningRoom(postgres_url, tmp_path, rooms=TABLES) as room:
        room.settle()
        reason = {"reason": "a pause"}
        for server in room.servers:
            with server.http(Authorization=f"Bearer {room.floor_token}") as client:
                for deed in ("disable", "enable"):
                    answer = client.post(f"/api/floor/tables/ho/{deed}", json=reason)
                    assert answer.status_code == 200, answer.text
                assert client.post("/api/floor/notices", json={"text": "Hello"}).status_code == 201
                log = client.get("/api/floor/log").json()
        assert [entry["action"] for entry in log].count("disable table") == 3
        time.sleep(1.5)
        for server in room.servers:
            with server.http() as client:
                assert len(client.get("/api/room").json()["notices"]) == 3


@pytest.mark.full
def test_player_frozen_at_another_process_finishes_the_hand(
    postgres_url: str, tmp_path: Path
) -> None:
    async def play(room: RunningRoom) -> None:
        room.settle()
        holder = room.holder("ho")
        other = next(server for server in room.servers if server is not holder)
        ann, bob, cyd = [PlayerClient(holder, "ho", name) for name in ("ann", "bob", "cyd")]
        for player in (ann, bob, cyd):
            await player.arrive()
        for place, player in enumerate((ann, bob), 1):
            await player.sit(place)
        for player in (ann, bob):
            await player.until_phase("betting")
            await player.bet({"ante": 400})
        await ann.until_phase("deciding")
        why = {"reason": "a dispute"}
        with other.http(Authorization=f"Bearer {room.floor_token}") as client:
            for player in (ann, cyd):
                answer = client.post(f"/api/floor/accounts/{player.name}/freeze", json=why)
                assert answer.status_code == 200, answer.text
            line = client.get(f"/api/floor/players?search={ann.name}").json()[0]
            assert (line["seats"][0]["table"], line["seats"][0]["holds"]) == ("ho", "hand")
            for player in (ann, cyd):
                await player.until(lambda player=player: player.frozen)  # type: ignore[misc]
            await ann.refused("account.frozen", "top_up", cents=100)
            await cyd.refused("account.frozen", "sit", place=3, cents=1000)
            ann = await return_to(room, ann)
            await ann.do("choose", round=ann.round, move="play")
            await bob.do("choose", round=bob.round, move="play")
            await ann.until(lambda: "place" not in ann.own)
            (row,) = [row for row in ann.view["last"]["end"]["places"] if row["place"] == 1]
            wallet = client.get(f"/api/floor/players?search={ann.name}").json()[0]["wallet"]
            assert wallet == 500_000 + row["net"]
        for player in (ann, bob, cyd):
            await player.depart()

    with RunningRoom(postgres_url, tmp_path, rooms=TABLES) as room:
        asyncio.run(play(room))
        assert room.errors() == ""
