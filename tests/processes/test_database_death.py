"""The database of a room dies while players play: they see why, and their commands count once."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from queenhigh.store.location import PostgresUrl
from queenhigh.table.events import MoveMade
from tests.processes.running_room import RunningRoom
from tests.processes.test_processes import TABLES, decide_at
from tests.server.bot_clients import PASSING
from tests.server.player_client import Json, PlayerClient
from tests.verify.verifiers import prove

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

NOTICE = (
    "The room's database isn't answering. Your chips and bets are safe; we'll go on when it's back."
)


async def until_answered(player: PlayerClient, kind: str, id: str, **fields: object) -> Json:
    """Send a command with the same id until the refusals say something about it."""
    while True:
        answer = await player.ask(kind, id=id, **fields)
        if answer.get("code") not in PASSING:
            return answer
        await asyncio.sleep(0.1)


def is_warned(player: PlayerClient) -> bool:
    return NOTICE in player.news.get("notices", [])


def test_commands_wait_for_a_killed_database(
    own_postgres: "PostgresServer", tmp_path: Path
) -> None:
    """A refused command has one effect, however often it is sent; the socket stays open."""

    async def play(room: RunningRoom) -> None:
        room.settle()
        holder = room.holder("ho")
        ann = await decide_at(holder, "ho", "ann", 1)
        await ann.until_phase("deciding")
        cards = ann.own["cards"]
        own_postgres.kill()
        await ann.until(lambda: is_warned(ann))
        await ann.refused("store.failed", "choose", id="play", round=1, move="play")
        assert ann.own["cards"] == cards
        sent = asyncio.create_task(until_answered(ann, "choose", "play", round=1, move="play"))
        await asyncio.sleep(1)
        assert not sent.done()
        await asyncio.to_thread(own_postgres.start)
        answer = await sent
        assert answer["type"] == "answer", answer
        assert await until_answered(ann, "choose", "play", round=1, move="play") == answer
        await ann.until_over(1)
        await ann.until(lambda: not is_warned(ann))
        await ann.depart()

    url = own_postgres.create_database("room")
    with RunningRoom(url, tmp_path, processes=2, rooms=TABLES) as room:
        asyncio.run(play(room))
        assert sum(isinstance(event, MoveMade) for event in room.events("ho")) == 1
    prove(PostgresUrl(url))
