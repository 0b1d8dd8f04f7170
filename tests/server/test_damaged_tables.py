"""A damaged table is isolated; the room opens, and its chips are returned."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.errors import QueenhighError, Refused
from queenhigh.room import salvage
from queenhigh.room.archive import archive
from queenhigh.room.room import Room, now, settings_for
from queenhigh.room.salvage import find_owed
from queenhigh.server.admin_rows import NOTHING
from queenhigh.server.admin_store import AdminStore, Opening
from queenhigh.server.host import Host
from queenhigh.server.metrics import Metrics
from queenhigh.store.checks import quick_damage
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append, DamagedStream
from queenhigh.table.commands import CLOCK, FLOOR, CloseTable, Leave, Pace, Sit, Tick, TopUp
from queenhigh.table.events import encode
from queenhigh.table.ledger import STACK
from queenhigh.table.streams import wallet_stream
from queenhigh.table.wallet import CashedOut, decode_wallet
from tests.in_process import call
from tests.server.running_server import AT_ONCE, RunningServer
from tests.sizes import sized
from tests.verify.verifiers import prove

CHIPS = 500_000
PLAYERS = ("ann", "bob", "cyd")


def play(file: Path) -> int:
    """Seat three players at a table without bets, and return how many events it has."""
    store = SqliteStore(file)
    room = Room(store)
    book = qh.load("house")
    for name in ("bad", "good"):
        room.open_table(name, book, settings_for(book, pace=Pace(**AT_ONCE)))
    for name in PLAYERS:
        room.wallets.issue(name, CHIPS, id="first", at=1, reason="to begin with")
    durable = room.table("bad")
    for command in (
        Sit(id="1", by="ann", at=2, place=1, cents=100_000),
        Sit(id="2", by="bob", at=3, place=2, cents=50_000),
        TopUp(id="3", by="ann", at=4, cents=20_000),
        Leave(id="4", by="bob", at=5),
        Sit(id="5", by="cyd", at=6, place=3, cents=70_000),
        Sit(id="6", by="bob", at=7, place=2, cents=30_000),
    ):
        durable.execute(command)
    version = durable.committed.version
    store.close()
    return version


@asynccontextmanager
async def hosting(file: Path) -> AsyncIterator[Host]:
    store = SqliteStore(file)
    host = Host(store, AdminStore(file, store), Metrics())
    host.resume()
    host.start()
    yield host
    host.stop()
    host.admin.close()
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


def test_no_name_changes_while_a_damaged_table_has_chips(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    damage(file, play(file))

    async def go() -> None:
        async with hosting(file) as host:
            for player in PLAYERS:
                with pytest.raises(Refused, match="bad is damaged and may owe you chips"):
                    host.rename(player, "Ada", NOTHING)
            await host.abandon("bad", "a bad disk")
            host.isolate("bad", QueenhighError("x", "again"))
            host.rename("ann", "Ada", NOTHING)
            assert (host.chips("ann"), host.chips("Ada")) == ((0, []), (CHIPS, []))

    asyncio.run(go())


def empty(file: Path, stream: str) -> None:
    with apsw.Connection(str(file)) as db:
        change = (
            "update event set event = x'' where stream = (select id from stream where name = ?)"
        )
        db.execute(change, (stream,))


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


def test_a_wallet_that_lost_all_its_bytes_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    play(file)
    empty(file, "wallet/ann")
    with closing(SqliteStore(file)) as store, pytest.raises(DamagedStream):
        Room(store).wallets.of("ann")


def test_a_table_opens_with_its_row_and_its_note_or_not(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    play(file)
    book = qh.load("house")

    async def go() -> None:
        async with hosting(file) as host:

            def open_table() -> None:
                change = (None, {"bots": 0})
                note = host.admin.acted(now(), FLOOR, "open table", "new", change=change, reason="")
                host.open("new", book, settings_for(book), Opening(owner="ann"), note)

            commits: list[int] = []
            vars(host.room.store)["_writes"].set_busy_timeout(1)
            with closing(apsw.Connection(str(file))) as other:
                other.execute("begin immediate")
                with pytest.raises(QueenhighError, match="could not be written"):
                    open_table()
                other.execute("rollback")
            assert "new" not in host.room.tables()
            assert host.admin.opened("new").owner is None
            assert host.admin.log_entries(None, 9) == []

            def count() -> bool:
                commits.append(1)
                return False  # which lets it be committed

            vars(host.room.store)["_writes"].set_commit_hook(count)
            open_table()
            assert len(commits) == 2  # the second is of the first chain of its seeds
            assert host.admin.opened("new").owner == "ann"
            (entry,) = host.admin.log_entries(None, 9)
            assert (entry.action, entry.subject) == ("open table", "new")
            assert "new" in host.tables

    asyncio.run(go())


def test_a_row_closes_no_table(tmp_path: Path) -> None:
    """Rows in the file prove nothing; only signed events close a table."""
    file = tmp_path / "room.db"
    play(file)

    async def tables() -> list[str]:
        async with hosting(file) as host:
            assert host.damaged == {}
            return sorted(host.tables)

    assert asyncio.run(tables()) == ["bad", "good"]
    with apsw.Connection(str(file)) as db:
        db.execute("insert or replace into opened (name, closed) values ('bad', 1)")
    assert asyncio.run(tables()) == ["bad", "good"]
    with closing(SqliteStore(file)) as store:
        close = CloseTable(id="c", by=FLOOR, at=now(), reason="late")
        Room(store).table("bad").execute(close)
    assert asyncio.run(tables()) == ["good"]


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
                assert host.admin.closed() == {"bad"}

    asyncio.run(go())


def test_damaged_wallet_keeps_nobody_else_out(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    play(file)
    with apsw.Connection(str(file)) as db:
        change = (
            "update event set event = x'7b' where stream = (select id from stream where name = ?)"
        )
        db.execute(change, ("wallet/ann",))
        db.execute("update event set event = x'7b' where id = 1")  # and a table

    async def go() -> None:
        async with hosting(file) as host:
            assert (list(host.tables), list(host.damaged)) == (["good"], ["bad"])
            with pytest.raises(QueenhighError, match="wallet/ann is damaged"):
                host.chips("ann")
            cents, unpaid = await host.abandon("bad", "a bad disk")
            assert (set(cents), unpaid) == ({"bob", "cyd"}, ("ann",))
            assert host.chips("bob") == (CHIPS, [])
            assert "not paid yet (damaged wallets): ann" in host.damaged["bad"]

    asyncio.run(go())


def test_table_damaged_in_its_last_round_lists_unpaid_players(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    damage(file, play(file))
    with apsw.Connection(str(file)) as db:
        change = "delete from tip where stream = (select id from stream where name = ?)"
        db.execute(change, ("wallet/ann",))

    async def go() -> None:
        async with hosting(file) as host:
            assert (await host.abandon("bad", "a bad disk")).unpaid == ("ann",)

    asyncio.run(go())


def lose_end(file: Path, *streams: str) -> None:
    """Damage what stands beside the events of some streams."""
    with apsw.Connection(str(file)) as db:
        for stream in streams:
            change = "delete from tip where stream = (select id from stream where name = ?)"
            db.execute(change, (stream,))


def copied(file: Path) -> Path:
    """Return a store made of a backup."""
    backup, new = file.with_name("backup.db"), file.with_name("new.db")
    assert call("backup", str(file), str(backup)).returncode in (0, 1)
    assert call("restore", str(backup), str(new)).returncode == 0
    return new


def test_a_player_whose_wallet_is_damaged_is_paid_later(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    play(file)
    lose_end(file, "table/bad", "wallet/ann")

    async def first() -> None:
        async with hosting(file) as host:
            returned = await host.abandon("bad", "a bad disk")
            assert returned == ({"bob": 30_000, "cyd": 70_000}, ("ann",))
        async with hosting(file) as host:
            assert (list(host.tables), list(host.damaged)) == (["good"], ["bad"])
            assert await host.abandon("bad", "once more") == ({}, ("ann",))

    async def then(restored: Path) -> None:
        async with hosting(restored) as host:
            assert (list(host.tables), list(host.damaged)) == (["good"], ["bad"])
            assert await host.abandon("bad", "her wallet is mended") == ({"ann": 120_000}, ())
            assert {name: host.chips(name) for name in PLAYERS} == dict.fromkeys(
                PLAYERS, (CHIPS, [])
            )
            assert host.damaged == {}
        async with hosting(restored) as host:
            assert (list(host.tables), host.damaged) == (["good"], {})

    asyncio.run(first())
    restored = copied(file)
    asyncio.run(then(restored))
    prove(restored)


def test_an_abandoned_table_is_never_opened_again(tmp_path: Path) -> None:
    """Its events are good again after a restore, and its chips are in the wallets."""
    file = tmp_path / "room.db"
    play(file)
    lose_end(file, "table/bad")

    async def abandoned() -> None:
        async with hosting(file) as host:
            assert (await host.abandon("bad", "a bad disk")).unpaid == ()

    asyncio.run(abandoned())
    new = copied(file)
    with apsw.Connection(str(new)) as db:
        db.execute("delete from opened")

    async def resumed() -> None:
        async with hosting(new) as host:
            assert (list(host.tables), host.damaged) == (["good"], {})

    asyncio.run(resumed())
    with closing(SqliteStore(new)) as store:
        book = qh.load("house")
        with pytest.raises(QueenhighError, match="was abandoned"):
            Room(store).table("bad")
        with pytest.raises(QueenhighError, match="was abandoned"):
            Room(store).open_table("bad", book, settings_for(book))
    words = ("table", "run", "house", "--table", "bad", "--rounds", "1", "--db", str(new))
    done = call(*words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "table bad was abandoned and cannot be opened again" in done.stderr


def test_a_lost_floor_log_opens_no_table_that_was_abandoned(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    play(file)
    lose_end(file, "table/bad")

    async def abandoned() -> None:
        async with hosting(file) as host:
            await host.abandon("bad", "a bad disk")

    asyncio.run(abandoned())
    new = copied(file)
    empty(new, "floor")

    async def resumed() -> None:
        async with hosting(new) as host:
            assert (list(host.tables), list(host.damaged)) == (["good"], ["bad"])
            assert "floor is damaged" in host.damaged["bad"]

    asyncio.run(resumed())


def test_a_failing_store_leaves_a_table_to_be_abandoned(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    damage(file, play(file))

    async def go() -> None:
        async with hosting(file) as host:
            events = host.room.store.last("wallet/bob")
            vars(host.room.store)["_writes"].set_busy_timeout(1)
            with closing(apsw.Connection(str(file))) as other:
                other.execute("begin immediate")
                with pytest.raises(QueenhighError) as refusal:
                    await host.abandon("bad", "a bad disk")
                assert refusal.value.code == "store.failed"
                other.execute("rollback")
            assert host.room.store.last("wallet/bob") == events
            assert (list(host.damaged), host.admin.closed()) == (["bad"], set())
            both = [host.abandon("bad", "a bad disk"), host.abandon("bad", "at the same time")]
            paid, refused = await asyncio.gather(*both, return_exceptions=True)
            assert isinstance(paid, tuple)
            assert paid[0] == {"ann": 120_000, "bob": 30_000, "cyd": 70_000}
            assert isinstance(refused, QueenhighError)
            assert {host.chips(name)[0] for name in PLAYERS} == {CHIPS}
            (entry, *_) = host.admin.log_entries(None, 9)
            assert (entry.action, entry.after) == (
                "abandon table", {"returned": paid[0], "unpaid": []},
            )  # fmt: skip

    asyncio.run(go())


def test_used_key_index_does_not_prove_a_payment(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    damage(file, play(file))
    key = "floor\nabandon.bad"
    with apsw.Connection(str(file)) as db:
        put = "insert into used select id, ? from stream where name = 'wallet/ann'"
        db.execute(put, (key,))

    async def go() -> None:
        async with hosting(file) as host:
            assert (await host.abandon("bad", "a bad disk")).unpaid == ("ann",)
            with apsw.Connection(str(file)) as db:
                db.execute("delete from used where key = ?", (key,))
                put = "insert into used select id, ? from stream where name = 'wallet/bob'"
                db.execute(put, (key,))
            assert await host.abandon("bad", "once more") == ({"ann": 120_000}, ())

    asyncio.run(go())


@pytest.mark.parametrize(("book", "owed"), [("california", 30_000), ("house", 100_000)])
def test_only_a_house_pays_more_than_came_in(book: str, owed: int, tmp_path: Path) -> None:
    """Bob won of Ann and left, after the last good event: only a house makes up for that."""
    file = tmp_path / "room.db"
    with closing(SqliteStore(file)) as store:
        room, rules = Room(store), qh.load(book)
        durable = room.open_table("bad", rules, settings_for(rules))
        for place, (name, cents) in enumerate((("ann", 100_000), ("bob", 50_000)), 1):
            room.wallets.issue(name, CHIPS, id="first", at=1, reason="to begin with")
            durable.execute(Sit(id="1", by=name, at=2, place=place, cents=cents))
        left = CashedOut(at=3, by="bob", id="2", cents=120_000, table="bad", version=999)
        store.append(Append("wallet/bob", 2, (encode(left),)))
        assert find_owed(store, "bad") == ({"ann": owed}, ())


def test_table_chips_stay_at_an_abandoned_table(tmp_path: Path) -> None:
    """Chips won under a player's own rules are worth nothing elsewhere, damaged or not."""
    rules = qh.load("house")
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        room = Room(store)
        settings = replace(settings_for(rules), table_chips=True)
        durable = room.open_table("bad", rules, settings)
        room.wallets.issue("ann", CHIPS, id="first", at=1, reason="to begin with")
        durable.execute(Sit(id="1", by="ann", at=2, place=1, cents=100_000))
        rich = replace(
            durable.committed,
            balances={**durable.committed.balances, STACK[1]: 340_000},
        )
        chips = vars(salvage)["_chips"]
        assert chips(rich) == {"ann": 100_000}
        assert chips(replace(rich, settings=settings_for(rules))) == {"ann": 340_000}


def test_a_cap_is_shared_in_proportion() -> None:
    capped = vars(salvage)["_capped"]
    assert capped({"ann": 60, "bob": 30}, 0, 90) == {"ann": 60, "bob": 30}
    assert capped({"bob": 30, "ann": 60}, 0, 10) == {"ann": 7, "bob": 3}
    assert capped({"ann": 60, "bob": 30}, 0, 0) == {}
    for most in range(130):
        shares = capped({"ann": 61, "bob": 31, "cyd": 1}, 40, most)
        assert sum(shares.values()) <= max(0, most - 40 * most // 133)


@pytest.mark.full
def test_floor_abandons_a_damaged_table_shown_in_the_lobby(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    damage(file, play(file) - 1)
    rooms = {"other": {"rulebook": "house", "pace": AT_ONCE}}
    with RunningServer(file, rooms=rooms, standing=[]) as room, room.floor() as floor:
        seen = floor.get("/api/room").json()
        assert {row["table"] for row in seen["tables"]} == {"good", "other"}
        ((bad, reason),) = [(row["table"], row["reason"]) for row in seen["damaged"]]
        assert (bad, "run queenhigh verify" in reason) == ("bad", True)
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


def test_table_damaged_while_open_ends_alone(tmp_path: Path) -> None:
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
                await table.submit_and_wait(close)
            table.submit(Tick(id="", by=CLOCK, at=now()))
            assert (list(host.tables), list(host.damaged)) == (["good"], ["bad"])
            await host.table("good").submit_and_wait(close)
            returned = await host.abandon("bad", "a bad disk")
            assert returned.cents == {"ann": 120_000, "bob": 30_000, "cyd": 70_000}

    asyncio.run(go())


def test_file_is_checked_briefly_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    play(file)
    assert quick_damage(file, 10) is None
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + bytes(4096) + whole[8192:])
    assert quick_damage(file, 10) is not None
