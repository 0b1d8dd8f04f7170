"""The floor: it opens, closes, voids, changes, disables; all of it is logged; reports add up."""

import asyncio
import csv
import io
import json
import sqlite3
import tomllib
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Any, get_args

import pytest

from queenhigh.history.floor_reports.report import ReportName
from tests.server.bot_clients import BotClient, play_for
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.verify.verifiers import prove

WHY = {"reason": "a slow night"}
TABLES = {
    "ca": {"rulebook": "california", "pace": AT_ONCE},
    "ho": {"rulebook": "house", "pace": AT_ONCE},
    "ro": {"rulebook": "roulette", "pace": AT_ONCE},
    "two": {"rulebook": "house", "pace": AT_ONCE},
    "busy": {"rulebook": "california", "pace": AT_ONCE},
    "wheel": {"rulebook": "roulette", "pace": AT_ONCE},
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db", rooms=TABLES) as room:
        yield room
        assert room.errors() == ""
    prove(room.db)


def events(served: RunningServer, table: str) -> list[dict[str, Any]]:
    db = sqlite3.connect(served.db)
    query = (
        "select event from event join stream on stream.id = stream where name = ? order by version"
    )
    result = [json.loads(event) for (event,) in db.execute(query, (f"table/{table}",))]
    db.close()
    return result


def _tables(served: RunningServer) -> list[dict[str, Any]]:
    with served.http() as visitor:
        tables: list[dict[str, Any]] = visitor.get("/api/room").json()["tables"]
    return tables


def test_a_round_is_voided_and_everything_comes_back(served: RunningServer) -> None:
    async def play() -> None:
        async with PlayerClient(served, "ho", "Ann") as ann:
            await ann.sit(1)
            await ann.until_phase("betting")
            await ann.bet({"ante": 400})
            await ann.until_phase("deciding")
            with served.floor() as floor:
                assert floor.post("/api/floor/tables/ho/void", json={}).status_code == 422
                answer = floor.post("/api/floor/tables/ho/void", json={"reason": "a misdeal"})
                assert answer.json() == {"round": 1}
                await ann.until_over(1)
                assert ann.view["last"]["end"]["reason"] == "a misdeal"
                (place,) = [seat for seat in ann.view["places"] if seat["player"] == ann.name]
                assert place["stack"] == 100_000
                (entry,) = floor.get("/api/floor/log", params={"limit": 1}).json()
                assert (entry["action"], entry["subject"]) == ("void round", "ho")
                assert entry["before"] == {"round": 1, "held": 400}
                assert entry["after"] == {"round": 1, "held": 0}
                assert entry["who"].startswith("floor from ")
                assert entry["reason"] == "a misdeal"
                assert 'how="void"' in floor.get("/metrics").text
                await ann.do("leave", when="now")
                voids = floor.get("/api/floor/reports/voids.json").json()
                assert [row["reason"] for row in voids if row["table"] == "ho"] == ["a misdeal"]

    asyncio.run(play())


def test_rates_are_announced_and_pace_changes_after_the_round(served: RunningServer) -> None:
    async def play() -> None:
        async with PlayerClient(served, "ca", "Bea") as bea, PlayerClient(served, "ca", "Cy") as cy:
            await bea.sit(1)
            await cy.sit(2)
            await bea.until_phase("offering")
            banker, better = (bea, cy) if bea.view["offered_to"] == 1 else (cy, bea)
            await banker.do("accept_bank", round=1, cents=50_000)
            await better.until_phase("betting")
            await better.bet({"ante": 500})
            await better.until_phase("deciding")
            rates = [{"min": 500, "max": 100_000, "player": 50, "banker": 75, "clause": "CA-7"}]
            with served.floor() as floor:
                change: dict[str, Any] = {"set": {"fees.rates": rates}, **WHY}
                answer = floor.post("/api/floor/tables/ca/rules", json=change)
                assert answer.status_code == 202, answer.text
                await better.until(lambda: "pending" in better.view)
                pending = better.view["pending"]
                assert pending["from"] == answer.json()["from"] > time() * 1000 + 50_000
                assert [pending[key]["fees"][0]["player"] for key in ("old", "new")] == [100, 50]
                assert better.view["fees"][0]["player"] == 100, "not in this round"
                (line,) = [row for row in _tables(served) if row["table"] == "ca"]
                assert line["pending"] == pending
                withdraw = "/api/floor/tables/ca/rules/withdraw"
                assert floor.post(withdraw, json=WHY).json() == {"digest": better.view["digest"]}
                await better.until(lambda: "pending" not in better.view)
                assert floor.post(withdraw, json=WHY).json()["code"] == "change.none"
                answer = floor.post("/api/floor/tables/ca/rules", json={"pace": "quick", **WHY})
                assert answer.json()["from"] is None
                await better.do("choose", round=1, move="play")
                await better.until(lambda: better.view["settings"]["pace"]["moves"] == 10_000)
                assert better.view["digest"] == answer.json()["digest"]
                many = [
                    dict(rates[0], min=500 * n + 1 if n else 500, max=500 * (n + 1))
                    for n in range(4)
                ]
                change["set"] = {"fees.rates": many}
                refused = floor.post("/api/floor/tables/ca/rules", json=change)
                assert refused.json()["code"] == "rulebook.invalid"
                assert "three" in refused.json()["message"] or "3" in refused.json()["message"]
                change["set"] = {"seats": 5}
                refused = floor.post("/api/floor/tables/ca/rules", json=change)
                assert refused.json()["code"] == "change.game"
                (entry,) = floor.get("/api/floor/log", params={"limit": 1}).json()
                assert entry["action"] == "change rules"
                assert entry["before"]["settings"] != entry["after"]["settings"]
                actions = [row["action"] for row in floor.get("/api/floor/log").json()]
                assert actions[1:3] == ["withdraw change", "announce change"]

    asyncio.run(play())
    assert [event["type"] for event in events(served, "ca")].count("table.changed/1") == 1


def test_rule_changes_add_up_across_a_void_round(served: RunningServer) -> None:
    async def play() -> None:
        async with PlayerClient(served, "two", "Ned") as ned:
            await ned.sit(1)
            await ned.until_phase("betting")
            await ned.bet({"ante": 400})
            await ned.until_phase("deciding")
            with served.floor() as floor:
                for key, most in (("limits.ante.max", 300), ("limits.pair_plus.max", 200)):
                    change = {"set": {key: most}, **WHY}
                    answer = floor.post("/api/floor/tables/two/rules", json=change)
                    assert answer.status_code == 202, answer.text
                await ned.until(lambda: ned.news.get("change") == WHY["reason"])
                floor.post("/api/floor/tables/two/void", json=WHY)
                await ned.until(lambda: ned.view["digest"] == answer.json()["digest"])
                await ned.until(lambda: "change" not in ned.news)
                await ned.until_phase("betting")
                await ned.bet({"ante": 300, "pair_plus": 200})

    asyncio.run(play())


def test_a_disabled_table_finishes_its_round_and_begins_none(served: RunningServer) -> None:
    async def play() -> None:
        async with PlayerClient(served, "ho", "Dot") as dot:
            await dot.sit(2)
            await dot.until_phase("betting")
            round = dot.round
            await dot.bet({"ante": 100})
            with served.floor() as floor:
                floor.post("/api/floor/tables/ho/disable", json=WHY)
                await dot.until_phase("deciding")
                await dot.do("choose", round=round, move="play")
                await dot.until_over(round)
                await asyncio.sleep(0.3)
                assert dot.view["phase"] == "between"
                await dot.do("leave", when="now")
                await dot.refused("table.disabled", "sit", place=2, cents=1000)
                (line,) = [
                    row for row in floor.get("/api/room").json()["tables"] if row["table"] == "ho"
                ]
                assert line["disabled"] is True
                floor.post("/api/floor/tables/ho/enable", json=WHY)
                await dot.sit(2)
                await dot.until_phase("betting")
                await dot.do("leave", when="now")

    asyncio.run(play())


def test_tables_are_opened_and_closed(served: RunningServer) -> None:
    async def play() -> None:
        with served.floor() as floor:
            spec = {"name": "late", "rulebook": "house", "bots": 2, "set": {"limits.ante.max": 300}}
            assert floor.post("/api/floor/tables", json=spec).status_code == 201
            async with PlayerClient(served, "late", "Eva") as eva:
                await eva.sit(7)
                await eva.until_phase("betting")
                await eva.bet({"ante": 300})
                closed = floor.post("/api/floor/tables/late/close", json=WHY)
                assert closed.status_code == 202
                await eva.until(lambda: eva.view["phase"] == "deciding")
                await eva.do("choose", round=eva.round, move="fold")
                assert (await eva.until_closed())[1] == "table.closed"
            with served.http(eva.cookie) as client:
                me = client.get("/api/me").json()
                assert me["seats"] == []
                assert me["wallet"] == 500_000 - 300
            assert floor.get("/api/tables/late").status_code == 404

    asyncio.run(play())


def test_notices_are_posted_and_taken_down(served: RunningServer) -> None:
    with served.floor() as floor:
        number = floor.post("/api/floor/notices", json={"text": "The room closes at two."}).json()[
            "n"
        ]
        notice = floor.get("/api/room").json()["notices"][-1]
        assert (notice["n"], notice["table"]) == (number, None)
        assert notice["text"] == "The room closes at two."
        assert floor.delete(f"/api/floor/notices/{number}").status_code == 204
        assert floor.delete(f"/api/floor/notices/{number}").status_code == 404
        assert floor.get("/api/room").json()["notices"] == []
        answer = floor.post("/api/floor/notices", json={"text": "x", "table": "nowhere"})
        assert answer.status_code == 404


def test_the_floor_sees_accounts_and_no_hidden_card(served: RunningServer) -> None:
    async def sit_down() -> None:
        async with PlayerClient(served, "ho", "Flo") as flo:
            await flo.sit(5)

    asyncio.run(sit_down())
    with served.floor() as floor:
        seen = floor.get("/api/floor/tables/ho").json()
        assert "in_transit" in seen["accounts"]
        with served.http() as client:
            assert "accounts" not in client.get("/api/tables/ho").json()


def test_reports_add_up(served: RunningServer) -> None:
    robots = [BotClient(served, "busy", place, place) for place in (1, 2, 3)]
    robots += [BotClient(served, "wheel", place, place) for place in (1, 2)]

    def done() -> bool:
        return all(max(robot.rounds, default=0) >= 12 for robot in robots)

    async def play() -> None:
        async with asyncio.timeout(300):
            await play_for(robots, done)

    asyncio.run(play())
    with served.floor() as floor:
        collection = floor.get("/api/floor/reports/collection.json").json()
        collected = sum(row["cents"] for row in collection if row["table"] == "busy")
        log = events(served, "busy")
        fees = sum(
            fee["cents"]
            for event in log
            if event["type"] == "bets.closed/2"
            for fee in event["fees"]
        )
        assert collected == fees > 0
        offers = floor.get("/api/floor/reports/offers.json").json()
        posted = [row for row in offers if row["table"] == "busy" and row["what"] == "accepted"]
        assert len(posted) == sum(event["type"] == "bank.posted/1" for event in log)
        results = floor.get("/api/floor/reports/results.json").json()
        by_table = {row["table"]: row for row in results}
        settled = [event for event in events(served, "wheel") if event["type"] == "spin.settled/1"]
        assert by_table["wheel"]["net"] == sum(event["net"] for event in settled)
        assert by_table["wheel"]["rounds"] == len(settled)
        assert by_table["wheel"]["z"] is not None
        for report in get_args(ReportName):
            answer = floor.get(f"/api/floor/reports/{report}.csv")
            assert answer.headers["content-type"].startswith("text/csv")
            rows = list(csv.DictReader(io.StringIO(answer.text)))
            listed = floor.get(f"/api/floor/reports/{report}").json()
            assert len(rows) == len(listed["rows"])
            assert not rows or len(rows[0]) == len(listed["columns"])
            if report in ("offers", "voids", "results"):
                assert len(rows) == len(floor.get(f"/api/floor/reports/{report}.json").json())
        assert floor.get("/api/floor/reports/voids.xml").status_code == 422
    with served.http(robots[0].cookie) as client:
        histories = client.get("/api/me/rounds.phhs")
    assert histories.headers["content-type"] == "application/toml"
    hands = tomllib.loads(histories.text)
    assert list(hands) == [str(number) for number in range(1, len(hands) + 1)]
    assert len(hands) >= 10


def test_a_player_recalls_and_proves_their_rounds(served: RunningServer) -> None:
    robot = BotClient(served, "ro", 4, 4)

    async def play() -> None:
        async with asyncio.timeout(300):
            await play_for([robot], lambda: max(robot.rounds, default=0) >= 3)

    asyncio.run(play())
    with served.http(robot.cookie) as client:
        history = client.get("/api/me/history", params={"limit": 2}).json()
        assert len(history) == 2
        older = client.get("/api/me/history", params={"before": history[-1]["n"]}).json()
        assert older
        assert older[0]["n"] < history[-1]["n"]
        lines = client.get("/api/me/rounds.jsonl").text.splitlines()
        assert len(lines) >= 3
        assert json.loads(lines[0])["pocket"]
        points = client.get("/api/me/bankroll").json()
        assert points[-1]["total"] == sum(point["net"] for point in points)
        proof = client.get("/api/tables/ro/rounds/1").json()
        assert proof["seed"]
        assert proof["commitment"]
        assert client.get("/api/tables/ro/rounds/99999").status_code == 404


def test_health_and_metrics(served: RunningServer) -> None:
    with served.floor() as floor:
        assert floor.get("/healthz").json()["ok"] is True
        text = floor.get("/metrics").text
    for name in ("queenhigh_rounds_total", "queenhigh_command_seconds_bucket", "queenhigh_sockets",
                 "queenhigh_store_seconds_bucket", "queenhigh_tables"):  # fmt: skip
        assert name in text


def test_a_table_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'rulebook = "california"\nbots = 10\nbots_bank = false\npace = "quick"\n'
        '[set]\n"limits.bonus.max" = 5000\n'
    )
    with RunningServer(tmp_path / "room.db", tables=[str(tmp_path / "mine.toml")]) as served:
        with served.http() as client:
            names = {row["table"]: row for row in client.get("/api/room").json()["tables"]}
            assert set(names) == {"california", "house", "roulette", "mine"}
            assert names["mine"]["bots"] == 10
            assert names["mine"]["limits"]["bonus"]["max"] == 5000
        token = served.floor_token
        assert token
    with RunningServer(tmp_path / "room.db") as again, again.http() as client:
        assert again.floor_token is None, "it is shown once"
        names = {row["table"]: row for row in client.get("/api/room").json()["tables"]}
        assert names["mine"]["bots"] == 10, "a table that is in the store goes on"
        answer = client.get("/api/floor/log", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
