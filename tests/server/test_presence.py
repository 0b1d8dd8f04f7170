"""Players who are gone are away, come back, and leave when they log out."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from queenhigh.server.host import Host
from queenhigh.server.live_table import LiveTable
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import Bet, Choose, ClearWagers, Pace, PlaceWagers, Sit
from queenhigh.table.view import TableView, view
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.test_host import Spectator, hosting, open_table, until
from tests.verify.verifiers import prove

#: Bets and moves take a moment, so that a test can wait for them.
SHORT = Pace(pause=5, offer=300, bets=300, moves=300)
ROOMS = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
#: Players are away soon after their socket closes.
SOON = {"attendance": {"_ABSENT_MS": 0}}


class Sitter(Spectator):
    """A player with an open socket."""

    def __init__(self, player: str) -> None:
        super().__init__()
        self.player = player


class Party:
    """People at a table, each with a socket."""

    def __init__(self, host: Host, table: LiveTable) -> None:
        self.host, self.table, self.ids = host, table, 0

    @property
    def view(self) -> TableView:
        return view(self.table.durable.committed)

    @property
    def away(self) -> list[str]:
        return [place.player for place in self.view.places if place.away]

    async def do(self, kind: Any, by: str, **fields: Any) -> None:
        self.ids += 1
        time_ms = self.host.clock.now()
        await self.table.submit_and_wait(kind(id=f"c{self.ids}", by=by, at=time_ms, **fields))

    async def sit(self, *players: str, first: int = 1) -> None:
        for place, player in enumerate(players, first):
            self.host.room.wallets.issue(player, 50_000, id="chips", at=0, reason="to play")
            self.table.arrive(Sitter(player))
            await self.do(Sit, player, place=place, cents=50_000)

    async def bet(self, player: str, *, ready: bool = True) -> None:
        number = self.table.durable.committed.number
        wagers = (Bet("ante", 400),)
        await self.do(PlaceWagers, player, round=number, wagers=wagers, ready=ready)

    async def reach(self, phase: str, number: int) -> None:
        state = self.table.durable
        await until(lambda: (state.committed.phase, state.committed.number) == (phase, number))


def test_a_missed_clock_makes_a_player_away_until_they_act(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            party = Party(host, open_table(host, "t", "house", pace=SHORT))
            host.start()
            await party.sit("Ann", "Bob", "Cyd")
            await party.reach("betting", 1)
            await party.bet("Ann")
            await party.bet("Bob", ready=False)
            await party.reach("deciding", 1)  # by the clock: Cyd did not bet
            await until(lambda: party.away == ["Cyd"])
            await party.do(Choose, "Ann", round=1, move="play")
            await party.reach("betting", 2)  # by the clock: Bob did not decide
            assert party.away == ["Bob", "Cyd"]
            await party.bet("Cyd")
            assert party.away == ["Bob"], "a bet brings a player back"
            await party.bet("Ann")
            assert party.view.phase == "deciding", "nobody waits for Bob"
            assert party.view.awaited == (1, 3)

    asyncio.run(go())


def test_a_player_who_acts_before_the_deadline_is_not_away(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            pace = Pace(pause=5, offer=300, bets=1_500, moves=300)  # all below act in that time
            party = Party(host, open_table(host, "t", "house", pace=pace))
            host.start()
            await party.sit("Ann", "Bob", "Cyd")
            await party.reach("betting", 1)
            await asyncio.sleep(SHORT.bets / 1000)
            await party.bet("Ann")
            await party.bet("Bob", ready=False)
            await party.do(ClearWagers, "Bob", round=1)
            await party.sit("Dan", first=4)
            await party.reach("deciding", 1)  # by the clock: neither Bob nor Cyd nor Dan has a bet
            await until(lambda: party.away == ["Cyd"])
            await party.do(Choose, "Ann", round=1, move="play")
            await party.reach("betting", 2)
            assert party.away == ["Cyd"]

    asyncio.run(go())


def test_an_unanswered_offer_makes_a_player_away(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            party = Party(host, open_table(host, "t", "california", pace=SHORT))
            host.start()
            await party.sit("Ann", "Bob", "Cyd")
            await until(lambda: party.away == ["Ann", "Bob"])
            await until(lambda: party.view.untimed)
            assert (party.view.awaited, party.view.deadline) == ((3,), None), "Cyd is alone"

    asyncio.run(go())


def test_closed_socket_makes_a_player_away_until_a_new_one(tmp_path: Path) -> None:
    async def play(served: RunningServer) -> None:
        ann, bob = PlayerClient(served, "ho", "Ann"), PlayerClient(served, "ho", "Bob")
        for place, player in enumerate((ann, bob), 1):
            await player.arrive()
            await player.sit(place)
        await ann.until_phase("betting")
        await bob.depart()
        await ann.until(lambda: ann.is_away(2))
        await ann.until(lambda: ann.view.get("untimed", False))
        await ann.bet({"ante": 400})
        await ann.until_phase("deciding")
        again = PlayerClient(served, "ho", bob.name, bob.cookie)
        await again.arrive()
        await ann.until(lambda: not ann.is_away(2))
        assert "deadline" in ann.view, "with a second person the clock starts"
        await again.depart()
        await ann.depart()

    with RunningServer(tmp_path / "room.db", rooms=ROOMS, constants=SOON) as served:
        asyncio.run(play(served))
    prove(served.db)


def test_logging_out_leaves_every_table(tmp_path: Path) -> None:
    rooms = dict.fromkeys(("one", "two"), ROOMS["ho"])

    async def play(served: RunningServer) -> None:
        name, cookie = served.guest("Ann")
        clients = [PlayerClient(served, table, name, cookie) for table in rooms]
        for client in clients:
            await client.arrive()
            await client.sit(1, 50_000)
        await clients[0].until_phase("betting")
        await clients[0].bet({"ante": 400}, ready=False)
        with served.http(cookie) as http:
            assert len(http.get("/api/me").json()["seats"]) == 2
            assert http.delete("/api/sessions").status_code == 204
        for client in clients:
            assert await client.until_closed() == (1008, "logout")

    with RunningServer(tmp_path / "room.db", rooms=rooms) as served:
        asyncio.run(play(served))
    prove(served.db)
    assert last_of_wallet(served.db, "Ann") == "wallet.cashed_out/1"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    rooms = dict.fromkeys(("one", "two"), ROOMS["ho"])
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db", rooms=rooms) as served:
        yield served
    prove(served.db)


def test_logging_out_stays_where_another_session_is(served: RunningServer) -> None:
    async def play() -> None:
        with served.http() as http:
            login = {"name": "Ann", "password": "a long sentence is best"}
            first = http.post("/api/accounts", json=login).headers["set-cookie"].split(";")[0]
            second = http.post("/api/sessions", json=login).headers["set-cookie"].split(";")[0]
        async with PlayerClient(served, "one", "Ann", first) as ann:
            await ann.sit(1, 50_000)
            with served.http(second) as http:
                assert http.delete("/api/sessions").status_code == 204
            with served.http(first) as http:
                assert len(http.get("/api/me").json()["seats"]) == 1

    asyncio.run(play())


def test_logging_out_leaves_the_hand_on_the_table(served: RunningServer) -> None:
    async def play() -> None:
        login = {"name": "Eve", "password": "a long sentence is best"}
        with served.http() as http:
            first = http.post("/api/accounts", json=login).headers["set-cookie"].split(";")[0]
        eve, bob = PlayerClient(served, "two", "Eve", first), PlayerClient(served, "two", "Bob")
        for place, player in enumerate((eve, bob), 1):
            await player.arrive()
            await player.sit(place)
        for player in (eve, bob):
            await player.until_phase("betting")
            await player.bet({"ante": 400})
        await eve.until_phase("deciding")
        with served.http(first) as http:
            assert http.delete("/api/sessions").status_code == 204
        await eve.until_closed()
        with served.http() as http:
            again = http.post("/api/sessions", json=login).headers["set-cookie"].split(";")[0]
        async with PlayerClient(served, "two", "Eve", again) as eve:
            await eve.until_phase("deciding")
            for player in (eve, bob):
                await player.do("choose", round=player.round, move="play")
            await eve.until(lambda: "place" not in eve.own)
            hands = eve.view["last"]["round"]["hands"]
            assert [hand["move"] for hand in hands] == ["play", "play"]
        await bob.depart()

    asyncio.run(play())


def last_of_wallet(file: Path, player: str) -> str:
    store = SqliteStore(file)
    events = [json.loads(row.event) for row in store.read(f"wallet/{player}")]
    store.close()
    return str(events[-1]["type"])
