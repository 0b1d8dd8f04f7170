"""The room at a glance, and its players, as those who run a shift see them."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server.glance import RoomGlance
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.staff_clients import first_owner
from tests.server.test_damaged_tables import damage, play

WHY = {"reason": "a slow night"}
ROOMS = {
    name: {"rulebook": book, "pace": AT_ONCE}
    for name, book in {"ca": "california", "ho": "house", "ro": "roulette"}.items()
}
NO_WAITING: dict[str, dict[str, float]] = {"glance": {"_WITHOUT_BANKER_MS": 0, "_COUNTS_FOR": 0.0}}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    file = tmp_path_factory.mktemp("room") / "room.db"
    play(file)  # at "bad" and "good"
    damage(file, 4)
    with RunningServer(file, rooms=ROOMS, standing=[], constants=NO_WAITING) as room:
        yield room


@pytest.fixture(scope="module")
def owner(served: RunningServer) -> Iterator[httpx.Client]:
    with first_owner(served) as client:
        yield client


def glance(owner: httpx.Client) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the room at a glance, and its lines by table."""
    room = owner.get("/api/floor/glance").json()
    return room, {line["table"]: line for line in room["tables"]}


def test_glance_says_where_the_house_banks(owner: httpx.Client) -> None:
    _, lines = glance(owner)
    banks = {name: lines[name]["house_banks"] for name in ROOMS}
    assert banks == {"ca": False, "ho": True, "ro": True}


def test_a_round_is_counted_once_it_is_over(served: RunningServer, owner: httpx.Client) -> None:
    async def sit_and_play() -> None:
        async with PlayerClient(served, "ho", "Ann") as ann:
            await ann.sit(1)
            await ann.until_phase("betting")
            await ann.bet({"ante": 400})
            await ann.until_phase("deciding")
            _, lines = glance(owner)
            line = lines["ho"]
            assert (line["phase"], line["round"], line["people"]) == ("deciding", 1, 1)
            assert (line["watching"], line["bots"], line["chips"]) == (1, 0, 100_000)
            assert line["rounds_an_hour"] == 0
            await ann.do("choose", round=1, move="fold")
            await ann.until_over(1)
            room, lines = glance(owner)
            assert lines["ho"]["rounds_an_hour"] == 1
            assert lines["ho"]["chips"] == 100_000 - 400
            assert room["people"] == sum(line["people"] for line in room["tables"])
            await ann.do("leave", when="now")

    asyncio.run(sit_and_play())


def test_alarms_come_and_go(served: RunningServer, owner: httpx.Client) -> None:
    def alarms(table: str) -> list[str]:
        return list(glance(owner)[1][table]["alarms"])

    assert alarms("ro") == []
    owner.post("/api/floor/tables/ro/disable", json=WHY)
    assert alarms("ro") == ["paused"]
    assert glance(owner)[1]["ro"]["disabled"] is True
    owner.post("/api/floor/tables/ro/enable", json=WHY)
    assert alarms("ro") == []
    change = {"least_bank": 700, **WHY}
    starts = owner.post("/api/floor/tables/ca/rules", json=change).json()["from"]
    assert alarms("ca") == ["change"]
    assert glance(owner)[1]["ca"]["change_from"] == starts
    owner.post("/api/floor/tables/ca/rules/withdraw", json=WHY)
    assert alarms("ca") == []


def test_a_damaged_table_is_an_alarm_of_the_room(owner: httpx.Client) -> None:
    room, lines = glance(owner)
    assert "damaged" in room["alarms"]
    assert (lines["bad"]["alarms"], lines["bad"]["phase"]) == (["damaged"], "closed")
    assert lines["good"]["alarms"] == []


def test_a_correction_that_waits_is_an_alarm(served: RunningServer, owner: httpx.Client) -> None:
    asked = {"round": 1, "facts": {"void": True}, **WHY}
    assert owner.post("/api/floor/tables/ho/corrections", json=asked).status_code == 201
    line = glance(owner)[1]["ho"]
    assert (line["corrections_waiting"], line["alarms"]) == (1, ["correction"])


def test_people_without_a_banker_are_an_alarm(served: RunningServer, owner: httpx.Client) -> None:
    async def wait() -> None:
        async with PlayerClient(served, "ca", "Cyd") as cyd:
            await cyd.sit(1)
            assert "no_banker" in glance(owner)[1]["ca"]["alarms"]
            await cyd.do("leave", when="now")
        assert "no_banker" not in glance(owner)[1]["ca"]["alarms"]

    asyncio.run(wait())


def test_players_are_found_by_a_part_of_their_name(
    served: RunningServer, owner: httpx.Client
) -> None:
    async def sit() -> None:
        async with PlayerClient(served, "ro", "Zoe 100") as zoe:
            await zoe.sit(2, 30_000)
            (line,) = owner.get("/api/floor/players", params={"search": "ZOE"}).json()
            assert line == {
                "player": "Zoe 100", "guest": True, "frozen": False, "wallet": 470_000,
                "seats": [{"table": "ro", "place": 2, "cents": 30_000}],
            }  # fmt: skip
            everyone = owner.get("/api/floor/players").json()
            assert everyone[0] == line, "those at tables come first"

    served.guest("Under_score")
    served.guest("Underxscore")
    asyncio.run(sit())
    names = owner.get("/api/floor/players", params={"search": "r_s"}).json()
    assert [row["player"] for row in names] == ["Under_score"], "no pattern, a text"
    assert owner.get("/api/floor/players", params={"search": "%"}).json() == []
    assert len(owner.get("/api/floor/players", params={"limit": 1}).json()) == 1


class Behind:
    """A history that is being built."""

    def __init__(self) -> None:
        self.asked = 0

    async def history(self, report: str, **query: object) -> bytes:
        self.asked += 1
        raise QueenhighError("books.behind", "the history is being built")


class EmptyRoom:
    """A host without tables."""

    def __init__(self) -> None:
        self.clock = self

    def now(self) -> int:
        return int(time.time() * 1000)

    def all_damaged(self) -> dict[str, str]:
        return {}

    def listed(self) -> dict[str, Any]:
        return {}


def test_a_glance_goes_without_the_history() -> None:
    workers: Any = Behind()
    host: Any = EmptyRoom()
    made = RoomGlance(host, workers)
    for is_slow, expected in ((False, ["books_behind"]), (True, ["slow", "books_behind"])):
        assert asyncio.run(made.look(is_slow=is_slow)).alarms == expected
    assert workers.asked == 1, "not at every look"
