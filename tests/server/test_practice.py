"""Tables for practice: the player's own, with bots, not listed, and without a clock."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.verify.verifiers import prove

PACES = {"normal": AT_ONCE}
BETS = {
    "house": {"ante": 400},
    "california": {"ante": 500},
    "roulette-european": {"red": 100},
}


@pytest.mark.parametrize("rulebook", BETS)
def test_a_round_of_practice_has_no_clock(tmp_path: Path, rulebook: str) -> None:
    async def play(served: RunningServer) -> None:
        name, cookie = served.guest("Ann")
        with served.http(cookie) as client:
            body = None if rulebook == "house" else {"rulebook": rulebook}
            table = client.post("/api/practice", json=body).json()["table"]
            assert client.post("/api/practice", json=body).json() == {"table": table}
        async with PlayerClient(served, table, name, cookie) as ann:
            await ann.sit(7)
            await ann.until(lambda: ann.view.get("untimed", False))
            await ann.until(lambda: ann.view["phase"] == "betting" or ann.is_offered)
            if ann.is_offered:
                assert "deadline" not in ann.view
                await ann.do("decline_bank", round=ann.view["next_round"])
            await ann.until(lambda: ann.view["phase"] == "betting" and 7 in ann.awaited)
            assert "deadline" not in ann.view
            round = ann.round
            await ann.bet(BETS[rulebook])
            if rulebook != "roulette-european":
                await ann.until_phase("deciding")
                assert "deadline" not in ann.view
                await ann.do("choose", round=round, move="play")
            await ann.until_over(round)

    with RunningServer(tmp_path / "room.db", paces=PACES) as served:
        asyncio.run(play(served))
    prove(served.db)


def test_practice_tables_count_and_are_not_listed(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "room.db", limits={"tables_of_guest": 1}) as served:
        _, cookie = served.guest("Ann")
        _, other = served.guest("Bob")
        with served.http(cookie) as client, served.http(other) as bob:
            table = client.post("/api/practice").json()["table"]
            listed = [line["table"] for line in client.get("/api/room").json()["tables"]]
            assert table not in listed
            assert client.get(f"/api/tables/{table}").status_code == 200
            refused = client.post("/api/practice", json={"rulebook": "california"})
            assert refused.json()["code"] == "tables.many"
            unknown = client.post("/api/practice", json={"rulebook": "/etc/passwd"})
            assert unknown.json()["code"] == "rulebook.none"
            bobs = bob.post("/api/practice").json()["table"]
            assert re.fullmatch(r"practice \d{4,}", bobs)
            assert bobs != table
            assert client.delete(f"/api/tables/{table}").status_code == 204
            again = client.post("/api/practice").json()
            assert again["table"] not in (table, bobs), "a name is used once"
        served.end(15)
        served.start()
        with served.http(cookie) as client:
            assert client.post("/api/practice").json() == again, "a restart loses no table"


@pytest.mark.parametrize("reading", ["la_partage", "en_prison"])
def test_guests_open_wheels_with_either_rule_for_zero(tmp_path: Path, reading: str) -> None:
    wanted = {"name": "mine", "rulebook": "roulette-european", "set": {"zero.on_zero": reading}}
    with RunningServer(tmp_path / "room.db") as served:
        _, cookie = served.guest("Ann")
        with served.http(cookie) as client:
            assert client.post("/api/tables", json=wanted).status_code == 201
            view = client.get("/api/tables/mine").json()
            rules = client.get("/api/tables/mine/rules").json()
    assert "table_chips" not in view["settings"], "players keep what they win"
    assert rules["document"]["zero"]["on_zero"] == reading
