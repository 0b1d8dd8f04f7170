"""A table whose events are damaged is left alone; the room opens, and its chips come back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import apsw
import pytest

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.room.archive import archive
from queenhigh.room.room import Room, now, settings_for
from queenhigh.room.wallets import wallet_stream
from queenhigh.server.host import Host
from queenhigh.server.metrics import Metrics
from queenhigh.server.office import Office
from queenhigh.store.checks import quick_damage
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import DamagedStream
from queenhigh.table.commands import CLOCK, FLOOR, CloseTable, Leave, Pace, Sit, Tick, TopUp
from queenhigh.table.wallet import decode_wallet
from tests.server.served import AT_ONCE, Served
from tests.sizes import sized

CHIPS = 500_000
PLAYERS = ("ann", "bob", "cyd")


def play(file: Path) -> int:
    """Let three come and go at a table where nobody bets; return how many events it has."""
    store = SqliteStore(file)
    room = Room(store)
    book = qh.load("house")
    for name in ("bad", "good"):
        room.open_table(name, book, settings_for(book, pace=Pace(**AT_ONCE)))
    for name in PLAYERS:
        room.wallets.issue(name, CHIPS, id="first", at=1, reason="to begin with")
    desk = room.table("bad")
    for command in (
        Sit(id="1", by="ann", at=2, place=1, cents=100_000),
        Sit(id="2", by="bob", at=3, place=2, cents=50_000),
        TopUp(id="3", by="ann", at=4, cents=20_000),
        Leave(id="4", by="bob", at=5),
        Sit(id="5", by="cyd", at=6, place=3, cents=70_000),
        Sit(id="6", by="bob", at=7, place=2, cents=30_000),
    ):
        desk.execute(command)
    version = desk.state.version
    store.close()
    return version


@asynccontextmanager
async def hosting(file: Path) -> AsyncIterator[Host]:
    store = SqliteStore(file)
    host = Host(store, Office(file), Metrics())
    host.resume()
    host.start()
    yield host
    host.stop()
    host.office.close()
    store.close()


def damage(file: Path, version: int) -> None:
    with apsw.Connection(str(file)) as db:
        db.execute(
            "update event set event = x'7b' where version = ? and stream ="
            " (select id from stream where name = 'table/bad')",
            (version,),
        )


async def _all_come_back(file: Path) -> None:
    async with hosting(file) as host:
        assert list(host.tables) == ["good"]
        assert list(host.damaged) == ["bad"]
        assert "table/bad is damaged after version" in host.damaged["bad"]
        with pytest.raises(QueenhighError, match="table bad is damaged"):
            host.table("bad")
        with pytest.raises(QueenhighError, match="not damaged"):
            await host.abandon("good", "no reason")
        returned = await host.abandon("bad", "a bad disk")
        assert (sum(returned.cents.values()), returned.unpaid) == (220_000, ())
        assert {name: host.chips(name) for name in PLAYERS} == dict.fromkeys(PLAYERS, (CHIPS, []))
        given = [decode_wallet(row.event) for row in host.room.store.read(wallet_stream("cyd"))]
        assert getattr(given[-1], "reason", "") == "table bad is damaged and closed: a bad disk"
        host.isolate("bad", QueenhighError("x", "again"))
        await host.abandon("bad", "once more")
        assert host.chips("ann") == (CHIPS, [])
    async with hosting(file) as host:
        assert (list(host.tables), host.damaged) == (["good"], {})


def test_chips_of_a_damaged_table_come_back_once(tmp_path: Path) -> None:
    versions = play(tmp_path / "0.db")
    for version in range(1, versions + 1, sized(3, 1)):
        file = tmp_path / f"{version}.db"
        play(file)
        damage(file, version)
        asyncio.run(_all_come_back(file))


def empty(file: Path, stream: str) -> None:
    with apsw.Connection(str(file)) as db:
        ask = "update event set event = x'' where stream = (select id from stream where name = ?)"
        db.execute(ask, (stream,))


def test_a_table_that_lost_all_its_bytes_is_damaged(tmp_path: Path) -> None:
    """Only the floor's signed word makes it an archived one, which is closed."""
    file = tmp_path / "room.db"
    play(file)
    empty(file, "table/bad")

    async def go() -> None:
        async with hosting(file) as host:
            assert (list(host.tables), list(host.damaged)) == (["good"], ["bad"])
            assert "table/bad is damaged" in host.damaged["bad"]
            returned = await host.abandon("bad", "a thief")
            assert sum(returned.cents.values()) == 220_000

    asyncio.run(go())


def test_an_archived_table_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    play(file)
    with closing(SqliteStore(file)) as store:
        close = CloseTable(id="c", by=FLOOR, at=now(), reason="late")
        Room(store).table("bad").execute(close)
    archive(file, tmp_path / "a.qha", remove=True, watch=lambda events: None)

    async def go() -> None:
        for _ in range(2):
            async with hosting(file) as host:
                assert (list(host.tables), host.damaged) == (["good"], {})
                assert host.office.closed() == {"bad"}

    asyncio.run(go())


def test_a_damaged_wallet_keeps_out_nobody_else(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    play(file)
    with apsw.Connection(str(file)) as db:
        ask = "update event set event = x'7b' where stream = (select id from stream where name = ?)"
        db.execute(ask, ("wallet/ann",))
        db.execute("update event set event = x'7b' where id = 1")  # and a table

    async def go() -> None:
        async with hosting(file) as host:
            assert (list(host.tables), list(host.damaged)) == (["good"], ["bad"])
            with pytest.raises(QueenhighError, match="wallet/ann is damaged"):
                host.chips("ann")
            cents, _ = await host.abandon("bad", "a bad disk")
            assert cents.keys() == {"bob", "cyd"}
            assert host.chips("bob") == (CHIPS, [])

    asyncio.run(go())


def test_a_table_damaged_in_its_last_round_says_whom_it_cannot_pay(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    damage(file, play(file))
    with apsw.Connection(str(file)) as db:
        ask = "delete from tip where stream = (select id from stream where name = ?)"
        db.execute(ask, ("wallet/ann",))

    async def go() -> None:
        async with hosting(file) as host:
            assert (await host.abandon("bad", "a bad disk")).unpaid == ("ann",)

    asyncio.run(go())


@pytest.mark.full
def test_the_lobby_shows_a_damaged_table_and_the_floor_abandons_it(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    damage(file, play(file) - 1)
    rooms = {"other": {"rulebook": "house", "pace": AT_ONCE}}
    with Served(file, rooms=rooms, standing=[]) as room, room.floor() as floor:
        seen = floor.get("/api/room").json()
        assert {one["table"] for one in seen["tables"]} == {"good", "other"}
        ((bad, reason),) = [(one["table"], one["reason"]) for one in seen["damaged"]]
        assert (bad, "see queenhigh verify" in reason) == ("bad", True)
        answer = floor.get("/api/tables/bad")
        assert (answer.status_code, answer.json()["code"]) == (503, "table.damaged")
        why = {"reason": "a bad disk"}
        answer = floor.post("/api/floor/tables/bad/abandon", json=why)
        assert answer.json()["returned"] == {"ann": 120_000, "bob": 30_000, "cyd": 70_000}
        assert floor.get("/api/room").json()["damaged"] == []
        assert floor.post("/api/floor/tables/bad/abandon", json=why).status_code == 404
        (entry,) = floor.get("/api/floor/log", params={"limit": 1}).json()
        assert (entry["action"], entry["subject"]) == ("abandon table", "bad")
        assert entry["after"]["returned"]["ann"] == 120_000


def test_a_table_that_is_damaged_while_it_is_open_ends_alone(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    version = play(file)

    async def go() -> None:
        async with hosting(file) as host:
            table = host.table("bad")
            with apsw.Connection(str(file)) as db:
                cut = "delete from event where version = ? and stream ="
                db.execute(f"{cut} (select id from stream where name = 'table/bad')", (version,))
            close = CloseTable(id="c", by=FLOOR, at=now(), reason="late")
            with pytest.raises(DamagedStream):
                await table.ask(close)
            table.do(Tick(id="", by=CLOCK, at=now()))
            assert (list(host.tables), list(host.damaged)) == (["good"], ["bad"])
            await host.table("good").ask(close)
            returned = await host.abandon("bad", "a bad disk")
            assert returned.cents == {"ann": 120_000, "bob": 30_000, "cyd": 70_000}

    asyncio.run(go())


def test_a_file_is_looked_at_for_a_moment(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    play(file)
    assert quick_damage(file, 10) is None
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + bytes(4096) + whole[8192:])
    assert quick_damage(file, 10) is not None
