"""Processes and PostgreSQL are killed again and again while robots play three games.

Every answer that a robot got must be in the log, once and with the same result, and both verifiers
must accept the log.
"""

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from tests.postgres import PostgresServer
from tests.processes.running_room import RunningRoom
from tests.server.answers import TOO_LATE, check_answers, until_answered
from tests.server.bot_clients import BotClient
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE
from tests.sizes import sized
from tests.verify.verifiers import BOTH

#: How often a process is killed, and how often PostgreSQL.
KILLS = sized(5, 5, 100)
DATABASE_KILLS = sized(2, 2, 20)
TABLES = {
    "ca": {"rulebook": "california", "pace": AT_ONCE},
    "ho": {"rulebook": "house", "pace": AT_ONCE},
    "ro": {"rulebook": "roulette", "pace": AT_ONCE},
}
PLACES = {"ca": (1, 4, 9), "ho": (1, 2), "ro": (3, 8)}
Kill = Callable[[Random], None]


async def play_and_kill(robots: list[BotClient], kills: list[Kill], seed: int) -> None:
    """Play with robots, and kill something whenever they got some answers."""
    draw = Random(seed)
    tasks = [asyncio.create_task(robot.play()) for robot in robots]
    try:
        for kill in kills:
            await until_answered(robots, draw.choice((10, 30, 60)))
            await asyncio.sleep(draw.uniform(0, 0.05))  # so that it may be anywhere in a round
            await asyncio.to_thread(kill, draw)
        await until_answered(robots, 30)
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


@pytest.mark.full
def test_nothing_is_lost_or_doubled_by_kills(own_postgres: PostgresServer, tmp_path: Path) -> None:
    url = own_postgres.create_database("room")

    def kill_process(draw: Random) -> None:
        server = draw.choice(room.servers)
        server.end(signal.SIGKILL)
        room.start(server)

    def kill_database(draw: Random) -> None:
        own_postgres.kill()
        own_postgres.start()

    kills: list[Kill] = [*[kill_process] * KILLS, *[kill_database] * DATABASE_KILLS]
    Random(1).shuffle(kills)
    with RunningRoom(url, tmp_path, rooms=TABLES) as room:
        robots = [
            BotClient(room, table, place, seed=place)
            for table, places in PLACES.items()
            for place in places
        ]
        asyncio.run(play_and_kill(robots, kills, seed=1))
        with closing(room.store()) as store:
            answers = check_answers(store, robots)
    assert answers > 10 * len(kills)
    for robot in robots:
        assert robot.answered, f"{robot.name} never got anywhere"
        assert {message["code"] for message in robot.refused} <= TOO_LATE, robot.refused[-3:]
    for name, verify in BOTH.items():
        verdict = verify(room.url)
        assert verdict.ok, f"{name}: event {verdict.n}: {verdict.reason}"


@pytest.mark.parametrize(
    "fault", ["never_stale", pytest.param("write_unchecked", marks=pytest.mark.full)]
)
def test_paused_process_writes_nothing_stale(postgres_url: str, tmp_path: Path, fault: str) -> None:
    """The checks in the commit are enough, though the process should take no command at all.

    With those off too, the same steps write a decision twice, which is noticed.
    """
    with RunningRoom(postgres_url, tmp_path, processes=2, rooms=TABLES, fault=fault) as room:
        asyncio.run(pause_and_resume(room))
    verdicts = [verify(room.url).ok for verify in BOTH.values()]
    assert verdicts == [fault != "write_unchecked"] * 2


async def pause_and_resume(room: RunningRoom) -> None:
    """Pause the process that holds a table, decide at another one, and wake the first one up."""
    room.settle()
    holder = room.holder("ho")
    other = next(server for server in room.servers if server is not holder)
    ann, watcher = PlayerClient(holder, "ho", "ann"), PlayerClient(other, "ho", "watcher")
    await watcher.arrive()
    await ann.arrive()
    await ann.sit(1)
    await ann.until_phase("betting")
    await ann.bet({"ante": 400})
    await ann.until_phase("deciding")
    pid = holder.process.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    try:
        again = PlayerClient(other, "ho", ann.name, ann.cookie)
        await again.arrive()
        await again.until_phase("deciding")
        await watcher.until(lambda: watcher.closed is not None)
        await ann.send('{"type":"choose","id":"stale","round":1,"move":"play"}')
        await again.do("choose", round=1, move="fold")
    finally:
        os.kill(pid, signal.SIGCONT)
    await ann.until(lambda: ann.closed is not None)
    await again.until_over(1)
    await again.depart()
