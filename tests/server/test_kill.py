"""The server is killed again and again while robots play over sockets.

Every answer that a robot got must be in the log, once and with the same result; rounds under way
go on with the same cards, and players who have to decide get the whole time again.
"""

import asyncio
import signal
import time
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import TimeGiven, decode
from tests.in_process import call
from tests.server.answers import TOO_LATE, check_answers, until_answered
from tests.server.bot_clients import BotClient
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.sizes import sized
from tests.verify.verifiers import BOTH

#: In each part robots make other choices, and the server is killed at other moments.
PARTS = sized(1, 3, 20)
KILLS = sized(6, 10)
TABLES = {
    "ca": {"rulebook": "california", "pace": AT_ONCE},
    "ho": {"rulebook": "house", "pace": AT_ONCE},
    "ro": {"rulebook": "roulette", "pace": AT_ONCE},
}


async def play_and_kill(
    served: RunningServer, robots: list[BotClient], kills: int, seed: int
) -> None:
    draw = Random(seed)
    tasks = [asyncio.create_task(robot.play()) for robot in robots]
    try:
        for _ in range(kills):
            await until_answered(robots, draw.choice((10, 30, 60)))
            await asyncio.sleep(draw.uniform(0, 0.05))  # so that it may be anywhere in a round
            await asyncio.to_thread(served.end, signal.SIGKILL)
            await asyncio.to_thread(served.start)
        await until_answered(robots, 30)
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_lost_or_doubled_by_killing_the_server(tmp_path: Path, part: int) -> None:
    file = tmp_path / "room.db"
    with RunningServer(file, rooms=TABLES) as served:
        places = {"ca": (1, 4, 9), "ho": (1, 2), "ro": (3, 8)}
        robots = [
            BotClient(served, table, place, seed=10 * place + part)
            for table, seats in places.items()
            for place in seats
        ]
        asyncio.run(play_and_kill(served, robots, KILLS, part))
        assert served.errors() == ""
    with closing(SqliteStore(file)) as store:
        answers = check_answers(store, robots)
    assert answers > 20 * KILLS
    for robot in robots:
        assert robot.answered, f"{robot.name} never got anywhere"
        assert {message["code"] for message in robot.refused} <= TOO_LATE, robot.refused[-3:]
    for name, verify in BOTH.items():
        verdict = verify(file)
        assert verdict.ok, f"{name}: event {verdict.n}: {verdict.reason}"
        assert verdict.rounds > KILLS


def test_a_lost_reply_is_detected(tmp_path: Path) -> None:
    """The control: an answer that is not in the log, and one that is there otherwise."""
    file = tmp_path / "room.db"
    with RunningServer(file, rooms=TABLES) as served:
        robot = BotClient(served, "ho", 1, seed=1)
        asyncio.run(play_and_kill(served, [robot], 0, 0))
    with closing(SqliteStore(file)) as store:
        check_answers(store, [robot])
        robot.answered["no such id"] = (7, 7)
        with pytest.raises(AssertionError, match=r" of .+ got "):
            check_answers(store, [robot])
        del robot.answered["no such id"]
        first, last = robot.answered["sit"]
        robot.answered["sit"] = (first, last + 1)
        with pytest.raises(AssertionError, match=r" of .+ got "):
            check_answers(store, [robot])


async def about_to_decide(served: RunningServer) -> PlayerClient:
    """Return a player with cards at the house's table who has not moved."""
    ann = PlayerClient(served, "ho", "ann")
    await ann.arrive()
    await ann.sit(1)
    await ann.until_phase("betting")
    await ann.bet({"ante": 400})
    await ann.until_phase("deciding")
    return ann


def test_round_resumes_after_a_kill_with_cards_and_full_time(tmp_path: Path) -> None:
    tables = {"ho": {"rulebook": "house", "pace": AT_ONCE}}

    async def play(served: RunningServer) -> None:
        ann = await about_to_decide(served)
        cards = ann.own["cards"]
        await asyncio.to_thread(served.end, signal.SIGKILL)
        await ann.until_closed()
        back = 1000 * time.time()
        await asyncio.to_thread(served.start)
        again = PlayerClient(served, "ho", ann.name, ann.cookie)
        await again.arrive()
        await again.until_phase("deciding")
        assert again.own["cards"] == cards
        assert again.view["deadline"] >= back + AT_ONCE["moves"], "the whole time once more"
        await again.do("choose", round=again.round, move="play")
        await again.until_over(1)
        await again.depart()

    clock_runs = {"presence": {"STOPS_CLOCK": False}}  # though one person plays
    with RunningServer(tmp_path / "room.db", rooms=tables, constants=clock_runs) as served:
        asyncio.run(play(served))
    store = SqliteStore(served.db)
    events = [decode(row.event) for row in store.read("table/ho")]
    store.close()
    assert sum(isinstance(event, TimeGiven) for event in events) == 1
    for verify in BOTH.values():
        assert verify(served.db).ok


def test_graceful_stop_closes_sockets_and_parks_the_round(tmp_path: Path) -> None:
    async def play(served: RunningServer) -> None:
        ann = await about_to_decide(served)
        cards = ann.own["cards"]
        status = await asyncio.to_thread(served.end, signal.SIGTERM)
        assert status == 0
        assert (await ann.until_closed()) == (1012, "stop")
        assert ann.bye is not None
        assert ann.bye["code"] == "stop"
        await asyncio.to_thread(served.start)
        again = PlayerClient(served, "ho", ann.name, ann.cookie)
        await again.arrive()
        await again.until_phase("deciding")
        assert again.own["cards"] == cards
        await again.depart()

    with RunningServer(tmp_path / "room.db", rooms=TABLES) as served:
        asyncio.run(play(served))
        assert served.errors() == ""


def test_two_servers_do_not_run_on_one_file(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "room.db"):
        second = RunningServer(tmp_path / "room.db")
        with pytest.raises(AssertionError, match="another program is using"):
            second.start()
        second.end(signal.SIGTERM)


def test_no_bots_play_on_the_file_of_a_server(tmp_path: Path) -> None:
    room = tmp_path / "room.db"
    words = ("table", "run", "house", "--table", "beside", "--rounds", "1", "--db", str(room))
    with RunningServer(room):
        refused = call(*words)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "another program is using" in refused.stderr
    assert call(*words).returncode == 0
