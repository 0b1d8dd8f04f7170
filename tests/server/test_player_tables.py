"""How many tables players open, and by which rules."""

import asyncio
from pathlib import Path

import httpx
import pytest

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.room import clock
from queenhigh.room.room import now
from queenhigh.server.accounts import Player
from queenhigh.server.attendance import Attendance
from queenhigh.server.host import Host
from queenhigh.server.limits import Limits
from queenhigh.server.player_tables import check_may_open, check_own_rules, has_other_odds
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, GENEROUS, RunningServer
from tests.server.test_host import ENDLESS, Spectator, hosting, open_table
from tests.verify.verifiers import BOTH

FEW = {"tables": 12, "tables_of_floor": 3, "tables_of_guest": 1, "tables_at_address": 4}


def test_guests_cannot_fill_the_room(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "room.db", limits=GENEROUS | FEW) as served:

        def try_all(address: str) -> list[int]:
            """Try to open two tables for each of five guests at an address."""
            codes = []
            for guest in range(5):
                transport = httpx.HTTPTransport(local_address=address)
                with httpx.Client(base_url=served.address, transport=transport) as client:
                    entered = client.post("/api/guests", json={"name": "Eve"})
                    client.headers["Cookie"] = entered.headers["set-cookie"].split(";")[0]
                    for turn in range(2):
                        spec = {"name": f"{address} {guest} {turn}", "rulebook": "house"}
                        codes.append(client.post("/api/tables", json=spec).status_code)
            return codes

        assert try_all("127.0.0.1").count(201) == 4
        assert try_all("127.0.0.2").count(201) == 2, "three tables stand, three are the floor's"
        with served.floor() as floor:
            spec = {"name": "late", "rulebook": "house"}
            assert floor.post("/api/floor/tables", json=spec).status_code == 201


def test_an_account_may_open_more_as_it_grows_older(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def may(host: Host, player: Player) -> int:
        for count in range(9):
            try:
                check_may_open(host, Limits(), player, "203.0.113.7")
            except QueenhighError:
                return count
            open_table(host, f"{player.name}{count}", "house", pace=ENDLESS).owner = player.name
        return 9

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            host.start()
            issue = host.room.wallets.issue
            for name in ("Guest", "New", "Old"):
                issue(name, 1, id="chips", at=now(), reason="to begin with")
            assert may(host, Player("Guest", guest=True)) == 1
            assert may(host, Player("New", guest=False)) == 2
            in_two_days = now() + 48 * 3600 * 1000
            monkeypatch.setattr(host.clock, "now", lambda: in_two_days)
            assert may(host, Player("Old", guest=False)) == 3

    asyncio.run(go())


def test_a_deserted_table_closes_sooner_in_a_crowd(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "mine", "house", pace=ENDLESS)
            table.owner = "Ann"
            host.start()
            five_minutes_ago = clock.ROOM.elapsed() - 5 * 60 * 1000
            table.attendance.deserted_since = five_minutes_ago
            table.remove_absent()
            host.commit()
            assert "mine" in host.tables
            host.most_tables = 1
            host.sweep()
            host.commit()
            assert "mine" not in host.tables

    asyncio.run(go())


@pytest.mark.parametrize(
    ("name", "tables", "stays"), [(None, 200, False), ("Bob", 200, True), ("Bob", 1, False)]
)
def test_named_watchers_keep_an_empty_table_open(
    tmp_path: Path, name: str | None, tables: int, stays: bool
) -> None:
    """Spectators without a name do not; in a crowd only seated players do."""

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "mine", "house", pace=ENDLESS)
            table.owner, host.most_tables = "Ann", tables
            host.start()
            spectator = Spectator()
            spectator.player = name
            table.arrive(spectator)
            table.attendance.deserted_since = clock.ROOM.elapsed() - 31 * 60 * 1000
            table.remove_absent()
            host.commit()
            assert ("mine" in host.tables) is stays

    asyncio.run(go())


def test_players_without_a_seat_are_forgotten() -> None:
    attendance, minute = Attendance(0), 60_000
    for player in ("Ann", "Bob", "Cleo"):
        attendance.depart(player, 5 * minute)
    both = {"Ann": False, "Bob": True}
    assert attendance.gone(both, [None], 14 * minute) == []
    assert attendance._last_here.keys() == {"Ann", "Bob"}
    assert attendance.gone(both, ["Ann", None], 16 * minute) == ["Bob"]


def test_place_of_an_idle_player_is_held_ten_minutes() -> None:
    attendance, minute = Attendance(0), 60_000
    for is_away, minutes, gone in (
        (True, 20, []),
        (True, 29, []),
        (False, 31, []),
        (True, 32, []),
        (True, 41, []),
        (True, 43, ["Ann"]),
    ):
        assert attendance.gone({"Ann": is_away}, ["Ann"], minutes * minute) == gone
    attendance.come_back("Ann")  # and is away again before anybody looks
    assert attendance.gone({"Ann": True}, ["Ann"], 44 * minute) == []


@pytest.mark.parametrize(
    ("rulebook", "changes"),
    [
        ("roulette", {"bets.0.pays": "1000000 to 1"}),
        ("house", {"pair_plus.pays.pair": "101 to 1"}),
        ("roulette", {"limits.max": 10**8}),
    ],
)
def test_players_own_rules_are_bounded(rulebook: str, changes: dict[str, object]) -> None:
    check_own_rules(qh.load(rulebook))
    with pytest.raises(QueenhighError) as refused:
        check_own_rules(qh.load(rulebook, changes))
    assert refused.value.code == "rulebook.generous"


def test_every_shipped_rulebook_may_be_changed_a_little() -> None:
    for name in ("california", "house"):
        check_own_rules(qh.load(name, {"seats": 3}))


def test_a_pay_that_mints_chips_is_refused_for_players_only(tmp_path: Path) -> None:
    mint = {"name": "mint", "rulebook": "roulette", "set": {"bets.0.pays": "1000 to 1"}}
    with RunningServer(tmp_path / "room.db") as served:
        with served.http(served.guest("Max")[1]) as client:
            answer = client.post("/api/tables", json=mint)
            assert (answer.status_code, answer.json()["code"]) == (400, "rulebook.generous")
        with served.floor() as floor:
            assert floor.post("/api/floor/tables", json=mint).status_code == 201


@pytest.mark.parametrize(
    ("changes", "otherwise"),
    [
        ({}, False),
        ({"seats": 3}, False),
        ({"limits.ante.max": 300}, False),
        ({"pair_plus.on_fold": "forfeit"}, True),
        ({"seats": 3, "pair_plus.pays.pair": "2 to 1"}, True),
    ],
)
def test_only_changed_odds_keep_chips_at_their_table(
    changes: dict[str, object], otherwise: bool
) -> None:
    assert has_other_odds(qh.load("house", changes)) is otherwise


def test_chips_won_by_own_rules_stay_at_that_table(tmp_path: Path) -> None:
    mint = {"name": "mint", "rulebook": "roulette-european", "set": {"bets.8.pays": "100 to 1"}}

    async def go(served: RunningServer) -> None:
        name, cookie = served.guest("Max")
        with served.http(cookie) as client:
            assert client.post("/api/tables", json=mint).status_code == 201
            async with PlayerClient(served, "mint", name, cookie) as max_:
                await max_.sit(1, 100_000)
                assert "at most what you bought in for" in max_.news["notices"][0]
                stack = 100_000
                while stack <= 100_000:
                    await max_.until_phase("betting")
                    round = max_.round
                    await max_.bet({"red": 1000})
                    await max_.until_over(round)
                    stack = max_.view["places"][0]["stack"]
                await max_.do("leave")
                await max_.until(lambda: "place" not in max_.own)
            assert client.get("/api/me").json()["wallet"] == 500_000

    with RunningServer(tmp_path / "room.db", paces={"normal": AT_ONCE}) as served:
        asyncio.run(go(served))
    assert all(verify(served.db).ok for verify in BOTH.values())


def test_bots_of_a_new_table_cost_units(tmp_path: Path) -> None:
    limits = GENEROUS | {"units": 0.01, "units_at_once": 20}
    with (
        RunningServer(tmp_path / "room.db", limits=limits) as served,
        served.http(served.guest("Ann")[1]) as client,
    ):
        spec = {"rulebook": "roulette", "places": 20}
        assert client.post("/api/tables", json=spec | {"name": "a", "bots": 4}).status_code == 201
        refused = client.post("/api/tables", json=spec | {"name": "b", "bots": 20})
        assert (refused.status_code, refused.json()["code"]) == (429, "rate")
