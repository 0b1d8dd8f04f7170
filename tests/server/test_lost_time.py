"""A deadline that passes while nothing can be saved: players get their time again."""

import asyncio
from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.game import Bet
from queenhigh.server import presence
from queenhigh.store.batch import Request
from queenhigh.table.commands import Pace, PlaceWagers, Sit
from queenhigh.table.events import TimeGiven, decode
from tests.server.test_host import Line, connect, hosting, open_table, until

SHORT = Pace(pause=5, offer=20, bets=60_000, moves=300)


def test_time_that_was_lost_with_the_database_is_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "STOPS_CLOCK", False)  # though one person plays

    def fail(requests: list[Request]) -> list[Exception | None]:
        for request in requests:
            request.fail()
        return [qh.QueenhighError("store.failed", "the database does not answer")] * len(requests)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "ho", "house", pace=SHORT)
            connect(host, table, Line(), "ann")
            host.start()
            time_ms = host.clock.now()
            await table.submit_and_wait(Sit(id="1", by="ann", at=time_ms, place=1, cents=50_000))
            await until(lambda: table.state.phase == "betting")
            bet = PlaceWagers(
                id="2",
                by="ann",
                at=host.clock.now(),
                round=1,
                wagers=(Bet("ante", 400),),
                ready=True,
            )
            await table.submit_and_wait(bet)
            await until(lambda: table.state.phase == "deciding")
            deadline = table.state.deadline or 0
            with monkeypatch.context() as patch:
                patch.setattr(host.store, "_write", fail)
                await until(lambda: host.clock.now() > deadline + 200)
            await until(lambda: (table.state.deadline or 0) > deadline)
            assert table.state.phase == "deciding", "the hand was not folded"
            events = [decode(row.event) for row in host.store.read("table/ho")]
            (given,) = [event for event in events if isinstance(event, TimeGiven)]
            assert given.reason == "the database did not answer"

    asyncio.run(go())
