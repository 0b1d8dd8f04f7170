"""Idle players are warned, then leave after the round."""

import asyncio
import json
from pathlib import Path

import pytest

from queenhigh.room import clock
from queenhigh.server.host import Host
from queenhigh.server.live_table import LiveTable
from queenhigh.table.commands import AddSeed, Sit, SitOut
from tests.server.test_host import ENDLESS, Spectator, hosting, open_table

MINUTE = 60_000


class Clock:
    """The time of live tables, from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.later = 0
        real = clock.ROOM.elapsed
        monkeypatch.setattr(clock.ROOM, "elapsed", lambda: real() + self.later)

    def pass_minutes(self, minutes: float, host: Host, table: LiveTable) -> None:
        self.later += int(minutes * MINUTE)
        table.remove_absent()
        host.commit()


class Sitter(Spectator):
    """A player with an open socket."""

    player: str | None = "Ann"

    def notices(self) -> list[str]:
        return json.loads(self.shown[-1])["news"].get("notices", [])  # type: ignore[no-any-return]


def test_an_idle_player_is_warned_and_then_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "t", "house", pace=ENDLESS)
            host.start()
            for name in ("Ann", "Bob"):
                host.room.wallets.issue(name, 5000, id="chips", at=0, reason="to begin with")
            ann = Sitter()
            table.arrive(ann)
            bob = Sitter()
            bob.player = "Bob"
            table.arrive(bob)
            for place, name in enumerate(("Ann", "Bob"), 1):
                await table.submit_and_wait(Sit(id="1", by=name, at=1, place=place, cents=5000))
            clock.pass_minutes(17, host, table)
            await table.submit_and_wait(SitOut(id="2", by="Bob", at=1, aside=True))
            clock.pass_minutes(2, host, table)
            assert table.people() == ["Ann", "Bob"]
            await asyncio.sleep(0.1)
            assert ["Ann" in notice for notice in ann.notices()] == [True]
            clock.pass_minutes(2, host, table)
            assert table.people() == ["Bob"]
            assert host.room.wallets.of("Ann").cents == 5000

    asyncio.run(go())


def test_only_real_actions_clear_an_idle_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "t", "house", pace=ENDLESS)
            host.start()
            host.room.wallets.issue("Ann", 5000, id="chips", at=0, reason="to begin with")
            ann = Sitter()
            table.arrive(ann)
            await table.submit_and_wait(Sit(id="1", by="Ann", at=1, place=1, cents=5000))
            while table.durable.committed.phase != "betting":
                await asyncio.sleep(0.01)
            clock.pass_minutes(19, host, table)
            await table.submit_and_wait(AddSeed(id="2", by="Ann", at=1, round=1, seed="mine"))
            await asyncio.sleep(0.1)
            assert len(ann.notices()) == 1
            await table.submit_and_wait(SitOut(id="3", by="Ann", at=1, aside=True))
            await asyncio.sleep(0.1)
            assert ann.notices() == []
            clock.pass_minutes(5, host, table)
            assert table.people() == ["Ann"]

    asyncio.run(go())
