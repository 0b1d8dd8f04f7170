"""An owner closes a table only when nothing on it waits to be decided."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.room import clock
from queenhigh.room.room import now, settings_for
from queenhigh.server import presence
from queenhigh.server.admin_store import Opening
from queenhigh.server.host import Host
from queenhigh.server.live_table import LiveTable
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR, Bet, Pace, PlaceWagers, RejectCorrection, Sit
from queenhigh.table.correction_events import Facts
from queenhigh.table.events import decode
from tests.server.test_host import Spectator, hosting
from tests.table.staff_log import hire
from tests.table.table_driver import Table
from tests.verify.ruled_rooms import ask, last_round

AT_ONCE = Pace(pause=0, offer=0, bets=200, moves=200)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.002)


async def open_wheel(host: Host) -> LiveTable:
    book = qh.load("roulette-european", {"on_zero": "en_prison"})
    host.open("w", book, settings_for(book, pace=AT_ONCE), Opening(owner="Ann"))
    table = host.tables["w"]
    table.arrive(Spectator())
    host.room.wallets.issue("Ann", 500_000, id="chips", at=0, reason="to begin with")
    host.start()
    await table.submit_and_wait(Sit(id="sit", by="Ann", at=1, place=1, cents=500_000))
    return table


async def bet(table: LiveTable, *, ready: bool = True) -> int:
    """Put a bet on red in the next round; return its number."""
    await until(lambda: table.durable.committed.phase == "betting")
    number = table.durable.committed.number
    wagers = (Bet("red", 100),)
    command = PlaceWagers(id=f"b{number}", by="Ann", at=1, round=number, wagers=wagers, ready=ready)
    await table.submit_and_wait(command)
    return number


def kinds(host: Host) -> list[str]:
    return [type(decode(row.event)).__name__ for row in host.room.store.read("table/w")]


@pytest.fixture
def clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the clock although one person plays, who would be away only after ten seconds."""
    monkeypatch.setattr(presence, "STOPS_CLOCK", False)


@pytest.mark.usefixtures("clock_runs")
def test_closing_does_not_save_a_bet_in_prison(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_wheel(host)
            while not table.durable.committed.prison and not any(
                bet.in_prison for bet in wagers_of(table)
            ):
                number = await bet(table)
                await until(lambda number=number: table._last_round() == number)  # type: ignore[misc]
            await table.closing.request()
            await until(lambda: "w" not in host.tables)
            assert "WagersCleared" not in kinds(host), "the next spin has decided it"
            assert kinds(host)[-1] == "TableClosed"

    asyncio.run(go())


def wagers_of(table: LiveTable) -> list[Bet]:
    live = table.durable.committed.round
    return [bet for bets in live.wagers.values() for bet in bets] if live else []


@pytest.mark.usefixtures("clock_runs")
def test_a_wheel_with_a_bet_on_it_closes_after_the_spin(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_wheel(host)
            await bet(table, ready=False)
            await table.closing.request()
            assert "w" in host.tables
            assert table.closing.notices()
            await until(lambda: "w" not in host.tables)
            assert "SpinSettled" in kinds(host)

    asyncio.run(go())


@pytest.mark.usefixtures("clock_runs")
def test_request_to_close_survives_a_restart(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_wheel(host)
            await bet(table, ready=False)
            await table.closing.request()
        async with hosting(tmp_path / "room.db") as host:
            assert host.tables["w"].closing.notices()
            host.start()
            await until(lambda: "w" not in host.tables)
            assert "SpinSettled" in kinds(host)
            assert kinds(host)[-1] == "TableClosed"

    asyncio.run(go())


@pytest.mark.parametrize("people", [True, False])
def test_a_wheel_with_nothing_on_it_closes_at_once(tmp_path: Path, people: bool) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_wheel(host)
            if people:
                await until(lambda: table.durable.committed.phase == "betting")
            await table.closing.request()
            assert table.durable.committed.phase == "closed"

    asyncio.run(go())


@pytest.mark.parametrize("waits", [True, False])
def test_a_table_closes_after_its_corrections(tmp_path: Path, waits: bool) -> None:
    """Neither its owner nor an empty room closes a table where a correction waits."""
    file = tmp_path / "room.db"
    store = SqliteStore(file)
    hire(store)
    table = Table("house", {"ann": 1}, store=store)
    table.tick()
    table.bet("ann", ante=400)
    table.do("Choose", "ann", move="play")
    if waits:
        ask(table, last_round(table), Facts(void=True))
    table.do("Leave", "ann", when="now")
    store.close()

    async def go() -> None:
        async with hosting(file) as host:
            live = host.tables["t"]
            live.owner = "ann"
            live.attendance.deserted_since = clock.ROOM.elapsed() - 31 * 60 * 1000
            live.remove_absent()
            host.commit()
            assert live.durable.committed.phase == ("between" if waits else "closed")
            if not waits:
                return
            host.start()
            await live.closing.request()
            (notice,) = live.closing.notices()
            assert "correction" in notice
            await live.submit_and_wait(
                RejectCorrection(
                    id="no", by=FLOOR, at=now(), correction=1, staff="Noor", reason="it was right"
                )
            )
            await until(lambda: "t" not in host.tables)

    asyncio.run(go())
