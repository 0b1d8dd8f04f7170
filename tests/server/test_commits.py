"""One commit for all tables: no empty flush after it, and no refresh of tables without changes."""

import asyncio
from pathlib import Path

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server.commit_loop import CommitLoop
from queenhigh.server.host import Host
from queenhigh.server.live_table import LiveTable
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import Sit
from tests.server.test_host import ENDLESS, Reader, hosting, open_table, until

#: Seconds after which a scheduled commit has surely been made.
SOON = 0.03
SIT = Sit(id="1", by="ann", at=1, place=1, cents=10_000)


class Flushes:
    """Counts what a server does: whether each flush wrote something, and each refresh by table."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wrote: list[bool] = []
        self.refreshed: list[str] = []
        flush, refresh = SqliteStore.flush, LiveTable.refresh

        def count_flush(store: SqliteStore) -> bool:
            self.wrote.append(flush(store))
            return self.wrote[-1]

        def count_refresh(table: LiveTable) -> None:
            self.refreshed.append(table.durable.table)
            refresh(table)

        monkeypatch.setattr(SqliteStore, "flush", count_flush)
        monkeypatch.setattr(LiveTable, "refresh", count_refresh)

    def forget(self) -> None:
        self.wrote.clear()
        self.refreshed.clear()


async def open_two(host: Host) -> LiveTable:
    """Open two tables; return the first, where a round waits for bets and somebody watches."""
    table = open_table(host, "t", "house", pace=ENDLESS)
    open_table(host, "quiet", "house", pace=ENDLESS)
    for player in ("ann", "bob"):
        host.room.wallets.issue(player, 100_000, id="chips", at=0, reason="to begin with")
    host.start()
    table.arrive(Reader(host))
    await table.submit_and_wait(Sit(id="1", by="bob", at=1, place=2, cents=10_000))
    await until(lambda: table.durable.committed.phase == "betting")
    await asyncio.sleep(2 * SOON)
    return table


def test_a_commit_refreshes_only_tables_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushes = Flushes(monkeypatch)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_two(host)
            flushes.forget()
            await table.submit_and_wait(SIT)
            await asyncio.sleep(SOON)
            assert flushes.wrote == [True]
            assert flushes.refreshed == ["t"]

    asyncio.run(go())


def test_a_commit_made_early_is_not_followed_by_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request for a player's chips commits at once; the commit that was scheduled is done."""
    flushes = Flushes(monkeypatch)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_two(host)
            flushes.forget()
            table.submit(SIT)
            host.chips("ann")
            await asyncio.sleep(SOON)
            assert flushes.wrote == [True]

    asyncio.run(go())


def test_a_refresh_without_events_flushes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushes = Flushes(monkeypatch)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_two(host)
            flushes.forget()
            table.schedule_refresh()
            await asyncio.sleep(SOON)
            assert flushes.wrote == []
            assert flushes.refreshed == ["t"]

    asyncio.run(go())


def test_a_removed_table_is_not_refreshed(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_two(host)
            reader = next(iter(table.watchers))
            assert isinstance(reader, Reader)
            views = len(reader.shown)
            table.submit(SIT)
            host.isolate("t", QueenhighError("table.damaged", "a bad disk"))
            await asyncio.sleep(SOON)
            assert len(reader.shown) == views
            assert reader.ended == "table.damaged"
            host.damaged.clear()

    asyncio.run(go())


def test_bots_seated_late_are_shown(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_two(host)
            reader = next(iter(table.watchers))
            assert isinstance(reader, Reader)
            vars(table.bots).update(_wanted=1, _is_short=True)  # as after a disk that failed
            host.sweep()
            await asyncio.sleep(SOON + 0.04)
            assert b"(bot)" in reader.shown[-1]

    asyncio.run(go())


class Queue:
    """A store that only records when it is flushed."""

    def __init__(self, record: list[str]) -> None:
        self.record = record

    def flush(self) -> bool:
        self.record.append("commit")
        return True


class Table:
    """A table that only records when it is refreshed; ``again``: it wants that once more."""

    def __init__(self, record: list[str], loop: CommitLoop, *, again: bool = False) -> None:
        self.record, self.loop, self.again = record, loop, again

    def refresh(self) -> None:
        self.record.append("refresh")
        if self.again:
            self.again = False
            self.loop.schedule_refresh(self)
            self.loop.schedule_send(self)

    def fail(self, error: Exception) -> None:
        raise error

    def write(self) -> None:
        self.record.append("write")


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        (False, ["commit", "refresh", "write"]),
        (True, ["commit", "refresh", "write", "refresh"]),
    ],
)
def test_tables_are_refreshed_then_sockets_written_to(again: bool, expected: list[str]) -> None:
    """What a refresh sends goes out with it; a refresh that it schedules comes after."""
    record: list[str] = []

    async def go() -> None:
        loop = CommitLoop(Queue(record), observe=lambda seconds: None)
        table = Table(record, loop, again=again)
        loop.schedule_send(table)
        loop.schedule_refresh(table)
        loop.schedule_commit(table)
        loop.schedule_commit(table)
        await asyncio.sleep(SOON)

    asyncio.run(go())
    assert record == expected
