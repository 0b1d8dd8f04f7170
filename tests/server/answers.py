"""The answers that robots got, compared with the log: each is there, once and as it was given."""

import asyncio

from queenhigh.store.streams import Store
from queenhigh.table.events import CardsDealt, RoundOpened, decode
from tests.server.bot_clients import BotClient

#: Refusals of commands that came too late, which robots may get.
TOO_LATE = {
    "offering.closed",
    "betting.closed",
    "deciding.closed",
    "move.made",
    "bank.in_turn",
}


def ranges_of(store: Store, table: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Return by sender and id the versions of their events; each id has one run of them."""
    result: dict[tuple[str, str], tuple[int, int]] = {}
    dealt: set[int] = set()
    opened: set[int] = set()
    for row in store.read(f"table/{table}"):
        event = decode(row.event)
        if event.id:
            first, last = result.get((event.by, event.id), (row.version, row.version - 1))
            assert last == row.version - 1, f"{event.id} of {event.by} was applied twice"
            result[event.by, event.id] = (first, row.version)
        for kind, seen in ((CardsDealt, dealt), (RoundOpened, opened)):
            if isinstance(event, kind):
                number = event.round
                assert number not in seen, "a round is opened and dealt once"
                seen.add(number)
    return result


def check_answers(store: Store, robots: list[BotClient]) -> int:
    """Compare the answers that robots got with the log; return how many they were."""
    answers = 0
    for table in sorted({robot.table for robot in robots}):
        result = ranges_of(store, table)
        for robot in [each for each in robots if each.table == table]:
            answers += len(robot.answered)
            for id, refusal in robot.answered.items():
                assert result.get((robot.name, id)) == refusal, (
                    f"{id} of {robot.name} got {refusal}"
                )
    return answers


async def until_answered(robots: list[BotClient], more: int) -> None:
    """Wait until robots got so many more answers."""
    before = sum(len(robot.answered) for robot in robots)
    async with asyncio.timeout(300):
        while sum(len(robot.answered) for robot in robots) < before + more:
            await asyncio.sleep(0.01)
