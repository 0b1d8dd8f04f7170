"""One commit for all tables: no empty flush after it, and no refresh of tables without changes."""

import asyncio
from collections.abc import Callable
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


Act = Callable[[Host, LiveTable], object]


def count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Act
) -> tuple[list[bool], list[str]]:
    """Return the flushes and the refreshes that follow from an act at a table."""
    flushes = Flushes(monkeypatch)

    async def go() -> tuple[list[bool], list[str]]:
        async with hosting(tmp_path / "room.db") as host:
            table = await open_two(host)
            flushes.forget()
            act(host, table)
            await asyncio.sleep(SOON)
            return list(flushes.wrote), list(flushes.refreshed)

    return asyncio.run(go())


def test_a_commit_refreshes_only_tables_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = count(tmp_path, monkeypatch, lambda host, table: table.submit(SIT))
    assert counts == ([True], ["t"])


def test_a_commit_made_early_is_not_followed_by_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request for a player's chips commits at once; the commit that was scheduled is done."""

    def sit_and_ask_for_chips(host: Host, table: LiveTable) -> None:
        table.submit(SIT)
        host.chips("ann")

    wrote, _ = count(tmp_path, monkeypatch, sit_and_ask_for_chips)
    assert wrote == [True]


def test_a_refresh_without_events_flushes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = count(tmp_path, monkeypatch, lambda host, table: table.schedule_refresh())
    assert counts == ([], ["t"])


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


class BusySocket:
    """A socket that queues another message while it is written to for the first time."""

    def __init__(self, loop: CommitLoop) -> None:
        self.loop, self.written = loop, 0

    def write(self) -> None:
        self.written += 1
        if self.written == 1:
            self.loop.schedule_send(self)


def test_socket_that_queues_while_written_to_is_written_to_again() -> None:
    async def go() -> int:
        loop = CommitLoop(Queue([]), observe=lambda seconds: None)
        socket = BusySocket(loop)
        loop.schedule_send(socket)
        await asyncio.sleep(SOON)
        return socket.written

    assert asyncio.run(go()) == 2
