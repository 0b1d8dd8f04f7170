"""Live tables in this process: errors and clients that must not stop them."""

import asyncio
import json
import re
import sqlite3
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.room import bot_loop
from queenhigh.room.archive import archive
from queenhigh.room.bots import make_bots
from queenhigh.room.room import settings_for
from queenhigh.server import connection as connection_module
from queenhigh.server import presence
from queenhigh.server import table_bots as bots_module
from queenhigh.server.accounts import Player
from queenhigh.server.admin_store import AdminStore, Opening
from queenhigh.server.connection import Connection, ConnectionPorts, Renew
from queenhigh.server.host import Host
from queenhigh.server.limits import Limiter, Limits
from queenhigh.server.live_table import LiveTable
from queenhigh.server.metrics import Metrics
from queenhigh.store.batch import Request
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import (
    FLOOR,
    Bet,
    ChangeTable,
    Choose,
    CloseTable,
    Pace,
    PlaceWagers,
    Sit,
)
from tests.verify.verifiers import BOTH

QUICK = Pace(pause=5, offer=20, bets=5_000, moves=5_000)
#: No time limit runs out during a test.
ENDLESS = Pace(pause=5, offer=3_600_000, bets=3_600_000, moves=3_600_000)


class Spectator:
    """A watcher in this process."""

    player: str | None = None
    session = b""
    address = ""
    frozen = False

    def __init__(self) -> None:
        self.shown: list[bytes] = []
        self.ended: str | None = None

    def show(self, message: bytes) -> None:
        self.shown.append(message)

    def write(self) -> None:
        pass

    def end(self, code: str, message: str) -> None:
        self.ended = code


class Deserter(Spectator):
    """A watcher that leaves in some phase: at once, or when bots have begun to think."""

    def __init__(self, table: LiveTable, phase: str, round: int, *, lingers: bool = False) -> None:
        super().__init__()
        self.table, self.moment, self.lingers = table, (phase, round), lingers
        table.arrive(self)

    def show(self, message: bytes) -> None:
        state = self.table.durable.committed
        if (state.phase, state.number) != self.moment or self not in self.table.watchers:
            return
        if self.lingers:  # bots that take no time act in the next turn of the loop, after this
            asyncio.get_running_loop().call_soon(self.table.depart, self)
        else:
            self.table.depart(self)


@asynccontextmanager
async def hosting(file: Path) -> AsyncIterator[Host]:
    noted: list[tuple[str, Exception]] = []
    store = SqliteStore(file)
    host = Host(
        store,
        AdminStore(file),
        Metrics(),
        bots_think=(0, 0),
        note=lambda table, error: noted.append((table, error)),
    )
    host.noted = noted  # type: ignore[attr-defined]
    host.resume()
    yield host
    host.stop()
    host.admin.close()
    store.close()
    for name, verify in BOTH.items():
        assert verify(file).ok, name


def open_table(
    host: Host, name: str, book: str, bots: int = 0, pace: Pace = QUICK, *, bots_bank: bool = True
) -> LiveTable:
    rules = qh.load(book)
    host.open(name, rules, settings_for(rules, pace=pace), Opening(bots, bots_bank))
    return host.tables[name]


async def until(holds: Callable[[], bool], seconds: float = 40) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.005)


def test_unwatched_table_resumes_when_someone_arrives(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "ca", "california", bots=4)
            host.start()
            await until(lambda: table.durable.committed.offer.declined_by_all)
            version = table.durable.committed.version
            await asyncio.sleep(0.2)
            assert table.durable.committed.version == version, (
                "nothing is written while nobody looks on"
            )
            table.arrive(Spectator())
            await until(lambda: table.durable.committed.number >= 2)

    asyncio.run(go())


class Reader(Spectator):
    """A watcher like a socket: writes each view once it may."""

    def __init__(self, host: Host) -> None:
        super().__init__()
        self.host, self.written = host, 0

    def show(self, message: bytes) -> None:
        super().show(message)
        self.host.commits.schedule_send(self)

    def write(self) -> None:
        self.written = len(self.shown)


def commits_timed(host: Host) -> float:
    text = host.metrics.text().decode()
    return float(re.findall(r"^queenhigh_store_seconds_count (.*)$", text, re.MULTILINE)[0])


def test_one_flush_for_one_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views are written with the commit, or later without another."""
    commits: list[float] = []

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            commit = host.commits.commit

            def count_and_commit() -> None:
                commits.append(0)
                commit()

            monkeypatch.setattr(host.commits, "commit", count_and_commit)
            table = open_table(host, "t", "house", pace=ENDLESS)
            for name in ("ann", "bob"):
                host.room.wallets.issue(name, 100_000, id="chips", at=0, reason="to begin with")
            host.start()
            reader = Reader(host)
            table.arrive(reader)
            await asyncio.sleep(0.06)
            before, timed = len(commits), commits_timed(host)
            await table.submit_and_wait(Sit(id="1", by="ann", at=1, place=1, cents=10_000))
            await table.submit_and_wait(Sit(id="2", by="bob", at=2, place=2, cents=10_000))
            await until(lambda: len(reader.shown) == reader.written >= 2)
            await asyncio.sleep(0.02)
            host.commit()
            assert len(commits) - before - 1 == commits_timed(host) - timed
            assert reader.written == len(reader.shown)

    asyncio.run(go())


def test_nothing_is_sent_before_its_commit(tmp_path: Path) -> None:
    """Messages that are queued while a command waits for its commit are sent after it."""
    sat: list[bool] = []

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "t", "house", pace=ENDLESS)
            host.room.wallets.issue("ann", 100_000, id="chips", at=0, reason="to begin with")
            host.start()
            reader = Reader(host)
            reader.write = lambda: sat.append(  # type: ignore[method-assign]
                table.durable.committed.place_of("ann") == 1
            )
            await asyncio.sleep(0.06)
            host.commits.schedule_send(reader)
            table.submit_with_reply(
                Sit(id="1", by="ann", at=1, place=1, cents=10_000), lambda outcome: None
            )
            await until(lambda: bool(sat))

    asyncio.run(go())
    assert sat == [True]


def test_tables_refresh_although_a_reply_callback_fails(tmp_path: Path) -> None:
    def fail(outcome: object) -> None:
        raise RuntimeError("cannot be told")

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "t", "house", pace=ENDLESS)
            host.room.wallets.issue("ann", 100_000, id="chips", at=0, reason="to begin with")
            host.start()
            failures: list[Any] = []
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(lambda _, context: failures.append(context["exception"]))
            reader = Reader(host)
            table.arrive(reader)
            await asyncio.sleep(0.06)
            table.submit_with_reply(Sit(id="1", by="ann", at=1, place=1, cents=10_000), fail)
            await until(lambda: bool(failures))
            await until(lambda: b'"player":"ann"' in reader.shown[-1], seconds=5)
            await until(lambda: reader.written == len(reader.shown), seconds=5)

    asyncio.run(go())


def test_chips_that_bots_are_given_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refilled(table: LiveTable) -> set[int]:
        return {place for place in (1, 2) if table.durable.committed.stack(place) > bot_loop._CHIPS}

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            slow = Pace(pause=3_600_000, offer=3_600_000, bets=3_600_000, moves=3_600_000)
            table = open_table(host, "t", "house", bots=2, pace=slow)
            host.start()
            await asyncio.sleep(0.06)
            monkeypatch.setattr(bot_loop, "_CHIPS", 20 * bot_loop._CHIPS)
            monkeypatch.setattr(bot_loop, "_WALLET", 100 * bot_loop._WALLET)
            reader = Reader(host)
            table.arrive(reader)
            await until(
                lambda: refilled(table) == {1, 2} and table.durable.committed.phase == "between"
            )
            now = b'"version":%d' % table.durable.committed.version
            await until(lambda: now in reader.shown[-1], seconds=5)
            await until(lambda: reader.written == len(reader.shown), seconds=5)

    asyncio.run(go())


class Line:
    """A socket that records what a connection sends."""

    address, has_room = "", True

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, messages: list[bytes]) -> None:
        self.sent += messages

    def close(self, code: int, reason: str) -> None:
        pass


def nothing_to_renew(session: bytes, time_ms: int, *, after: int) -> None:
    pass


def connect(
    host: Host, table: LiveTable, line: Line, player: str, renew: Renew = nothing_to_renew
) -> Connection:
    """Connect a player with chips to a table."""
    host.room.wallets.issue(player, 100_000, id="chips", at=0, reason="to begin with")
    limits = Limits(patience=0.01)
    socket: Any = line
    ports = ConnectionPorts(
        clock=host.clock,
        limits=limits,
        limiter=Limiter(limits),
        metrics=host.metrics,
        renew=renew,
        schedule_send=host.commits.schedule_send,
        key=host.store.key.hex(),
    )
    connection = Connection(socket, table, Player(player, guest=True), b"", ports)
    connection.begin(None)
    return connection


SIT = b'{"type":"sit","id":"%d","place":%d,"cents":10000}'


BET = b'{"type":"place_wagers","id":"b","round":1,"wagers":[{"spot":"ante","cents":100}]}'


def test_refused_command_shows_what_it_queued_first(tmp_path: Path) -> None:
    """A room that lost its dealing key voids the open round, although the bet for it is refused."""
    file = tmp_path / "room.db"

    async def leave_a_round_open() -> None:
        async with hosting(file) as host:
            table = open_table(host, "t", "house", pace=ENDLESS)
            host.start()
            connect(host, table, Line(), "ann").on_message(SIT % (1, 1))
            await until(lambda: table.durable.committed.phase == "betting")

    async def bet_without_the_key() -> None:
        async with hosting(file) as host:
            host.start()
            table, line = host.tables["t"], Line()
            ann = connect(host, table, line, "ann")
            await asyncio.sleep(0.05)
            ann.on_message(BET)
            await until(lambda: table.durable.committed.number == 2)
            await until(lambda: b'"phase":"betting"' in line.sent[-1])
            assert any(b"betting.closed" in message for message in line.sent)

    asyncio.run(leave_a_round_open())
    Path(f"{file}.dealing").unlink()
    asyncio.run(bet_without_the_key())


def test_playing_renews_the_session_every_few_hours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed: list[bytes] = []
    monkeypatch.setattr(connection_module, "_RENEW_MS", 50)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "t", "house", pace=ENDLESS)
            host.start()

            def renew(session: bytes, time_ms: int, *, after: int) -> None:
                renewed.append(session)

            ann = connect(host, table, Line(), "ann", renew)
            ann.on_message(SIT % (1, 1))
            assert not renewed
            await asyncio.sleep(0.06)
            ann.on_message(SIT % (2, 1))
            ann.on_message(SIT % (3, 1))
            assert renewed == [b""]
            ann.on_close()

    asyncio.run(go())


def test_closed_socket_is_released_and_not_counted_slow(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "t", "house", pace=ENDLESS)
            host.start()
            lines = Line(), Line()
            hurried = connect(host, table, lines[0], "Ann")
            stalled = connect(host, table, lines[1], "Bob")
            hurried.on_message(SIT % (1, 1))
            stalled.on_message(SIT % (2, 2))
            lines[0].has_room = lines[1].has_room = False
            hurried.on_close()
            released = weakref.ref(hurried)
            del hurried
            await until(lambda: len(table.people()) == 2)
            assert released() is None
            await until(lambda: closed_as_slow(host) > 0)
            await asyncio.sleep(0.02)
            assert closed_as_slow(host) == 1, "only the one that did not read"

    asyncio.run(go())


def closed_as_slow(host: Host) -> float:
    counted: float = host.metrics.closed.labels("slow")._value.get()
    return counted


@pytest.mark.parametrize("book", ["california", "house"])
def test_bots_finish_an_unwatched_round_and_begin_no_other(tmp_path: Path, book: str) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "t", book, bots=3, pace=ENDLESS)
            host.start()
            Deserter(table, "deciding", 1)
            await until(lambda: table.durable.committed.last is not None)
            await until(lambda: table.durable.committed.phase in ("offering", "betting"))
            await asyncio.sleep(0.2)
            assert not table.watchers
            assert table.durable.committed.round is None or not table.durable.committed.round.wagers

    asyncio.run(go())


@pytest.mark.parametrize(
    ("book", "phase", "number"), [("california", "offering", 1), ("house", "betting", 2)]
)
def test_bots_begin_nothing_after_the_last_watcher_left(
    tmp_path: Path, book: str, phase: str, number: int
) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "t", book, bots=3, pace=ENDLESS)
            host.start()
            Deserter(table, phase, number, lingers=True)
            await until(lambda: not table.watchers)
            await asyncio.sleep(0.2)
            assert (table.durable.committed.phase, table.durable.committed.number) == (
                phase,
                number,
            )
            table.arrive(Spectator())
            await until(lambda: table.durable.committed.number > number)

    asyncio.run(go())


async def seat_ann(host: Host, table: LiveTable, place: int) -> None:
    host.room.wallets.issue("ann", 100_000, id="c", at=0, reason="to play")
    await table.submit_and_wait(Sit(id="s", by="ann", at=1, place=place, cents=100_000))


@pytest.mark.parametrize("dealt", [False, True])
def test_bots_finish_a_round_after_a_restart(tmp_path: Path, dealt: bool) -> None:
    """Nobody watches any more; a player bets before the restart or after it, and then is silent."""
    file = tmp_path / "room.db"

    async def bet(host: Host) -> None:
        bets = (Bet("pair_plus", 100),)
        command = PlaceWagers(id="b", by="ann", at=2, round=1, wagers=bets, ready=True)
        await host.tables["ho"].submit_and_wait(command)

    async def begin(host: Host) -> None:
        table = open_table(host, "ho", "house", pace=ENDLESS)
        await seat_ann(host, table, 7)
        table.bots.seat(3)
        host.start()
        spectator = Spectator()
        table.arrive(spectator)
        await until(
            lambda: (
                table.durable.committed.round is not None
                and len(table.durable.committed.round.wagers) == 3
            )
        )
        table.depart(spectator)
        if dealt:
            table.bots.keep_going = lambda: None  # type: ignore[method-assign]
            await bet(host)
            assert table.durable.committed.phase == "deciding"

    async def go() -> None:
        async with hosting(file) as host:
            await begin(host)
        async with hosting(file) as host:
            host.start()
            if not dealt:
                await bet(host)
            await until(lambda: host.tables["ho"].durable.committed.last is not None)

    asyncio.run(go())


def test_bots_that_do_not_bank_decline_without_thinking(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            host.bots_think = (3600, 3600)
            table = open_table(host, "ca", "california", 10, ENDLESS, bots_bank=False)
            await seat_ann(host, table, 11)
            host.start()
            await until(lambda: table.durable.committed.offer.place == 11)
            assert len(table.durable.committed.offer.declined) == 10

    asyncio.run(go())


def test_an_error_of_one_table_does_not_stop_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            bad, good = (open_table(host, name, "house", bots=2) for name in ("bad", "good"))
            host.start()
            right = bad.bots.keep_going

            def wrong() -> None:
                raise RuntimeError("trouble")

            bad.bots.keep_going = wrong  # type: ignore[method-assign]
            for table in (bad, good):
                table.arrive(Spectator())
            await until(lambda: good.durable.committed.number >= 2)
            assert {table for table, _ in host.noted} == {"bad"}  # type: ignore[attr-defined]
            bad.bots.keep_going = right  # type: ignore[method-assign]
            await until(lambda: bad.durable.committed.number >= 2)

    asyncio.run(go())


def test_bots_that_failed_to_learn_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, tries = make_bots, []

    def once(*args: Any) -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise MemoryError
        return right(*args)

    monkeypatch.setattr(bots_module, "make_bots", once)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "ho", "house", bots=2)
            host.start()
            table.arrive(Spectator())
            await until(lambda: bool(tries))
            table.schedule_refresh()
            await until(lambda: table.durable.committed.number >= 2)

    asyncio.run(go())


def test_bots_of_many_tables_never_run_out_of_chips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_loop, "_WALLET", 2 * bot_loop._CHIPS)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            for number in range(5):
                table = open_table(host, f"t{number}", "house", bots=1)
                assert table.bots.names() == ["Ada (bot)"]

    asyncio.run(go())


def test_a_table_that_is_opened_later_starts_by_itself(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            host.start()
            table = open_table(host, "ho", "house", bots=2)
            await until(lambda: table.durable.committed.phase == "betting")

    asyncio.run(go())


def stored_version(file: Path, table: str) -> int:
    """Return how many events of a table another reader of the file finds."""
    with closing(apsw.Connection(str(file))) as db:
        query = "select count(*) from event join stream on stream.id = stream where name = ?"
        return int(str(db.execute(query, (f"table/{table}",)).get))


def test_nothing_is_shown_or_answered_before_it_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "STOPS_CLOCK", False)  # though one person plays
    file = tmp_path / "room.db"
    ahead: list[str] = []

    def note(what: str, version: int) -> None:
        if version > stored_version(file, "ho"):
            ahead.append(f"{what} of version {version}")

    class Reader(Spectator):
        def show(self, message: bytes) -> None:
            super().show(message)
            note("a view", json.loads(message)["version"])

    async def go() -> None:
        async with hosting(file) as host:
            pace = replace(QUICK, bets=300)  # ann sits down and does not bet
            table, reader = open_table(host, "ho", "house", bots=2, pace=pace), Reader()
            host.room.wallets.issue("ann", 10_000, id="c", at=0, reason="to play")
            host.start()
            table.arrive(reader)
            answers: list[Any] = []

            def then(outcome: Any) -> None:
                answers.append(outcome)
                note("an answer", outcome.last)

            table.submit_with_reply(Sit(id="s", by="ann", at=1, place=7, cents=10_000), then)
            assert not answers
            await until(lambda: bool(answers) and len(reader.shown) > 5)

    asyncio.run(go())
    assert not ahead


def change_of(table: LiveTable, reason: str, **changes: Any) -> ChangeTable:
    waiting = table.change
    book = qh.load("house", {**changes})
    settings = waiting.settings if waiting else table.durable.committed.settings
    document = dict(book.document)
    return ChangeTable(
        id=reason, by=FLOOR, at=0, rulebook=document, settings=settings, reason=reason
    )


def test_a_change_waits_for_the_round_and_survives_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "room.db"

    async def ask(host: Host) -> None:
        table = open_table(host, "ho", "house")
        host.room.wallets.issue("ann", 10_000, id="c", at=0, reason="to play")
        host.start()
        await table.submit_and_wait(Sit(id="s", by="ann", at=1, place=1, cents=10_000))
        await until(lambda: table.durable.committed.phase == "betting")
        bets = (Bet("ante", 100),)
        await table.submit_and_wait(
            PlaceWagers(id="b", by="ann", at=2, round=1, wagers=bets, ready=True)
        )
        table.change_soon(change_of(table, "more", **{"limits.ante.max": 300}))
        await asyncio.sleep(0.1)
        assert table.change is not None
        assert table.durable.committed.round is not None

    async def go() -> None:
        async with hosting(file) as host:
            await ask(host)
        async with hosting(file) as host:
            table = host.tables["ho"]
            assert table.change is not None, "it is kept"
            host.start()
            await table.submit_and_wait(Choose(id="m", by="ann", at=3, round=1, move="fold"))
            await until(lambda: table.change is None)
            assert table.durable.committed.document["limits"]["ante"]["max"] == 300
        async with hosting(file) as host:
            assert host.tables["ho"].change is None

    asyncio.run(go())


def test_a_table_that_was_half_opened_is_completed(tmp_path: Path) -> None:
    file = tmp_path / "room.db"

    async def go() -> None:
        async with hosting(file) as host:
            rules = qh.load("house")
            host.admin.rows.write(host.admin.open_table("ho", Opening(3, owner="ann")))
            host.room.open_table("ho", rules, settings_for(rules, pace=QUICK))
        async with hosting(file) as host:
            table = host.tables["ho"]
            assert (table.owner, len(table.bots.names())) == ("ann", 3)

    asyncio.run(go())


def test_a_broken_table_does_not_keep_the_room_closed(tmp_path: Path) -> None:
    file = tmp_path / "room.db"

    async def go() -> None:
        async with hosting(file) as host:
            open_table(host, "ho", "house")
            open_table(host, "ro", "roulette")
        saved = sqlite3.connect(file)
        rows = saved.execute("select id, event from event").fetchall()
        saved.execute("update event set event = x'7b' where stream = 1")
        saved.commit()
        async with _broken(file) as host:
            assert list(host.tables) == ["ro"]
        for id, event in rows:
            saved.execute("update event set event = ? where id = ?", (event, id))
        saved.commit()
        saved.close()

    @asynccontextmanager
    async def _broken(file: Path) -> AsyncIterator[Host]:
        store = SqliteStore(file)
        host = Host(store, AdminStore(file), Metrics())
        host.resume()
        yield host
        host.admin.close()
        store.close()

    asyncio.run(go())


def test_closed_table_is_removed_and_closes_its_sockets(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "ho", "house", bots=2)
            host.start()
            spectator = Spectator()
            table.arrive(spectator)
            await table.submit_and_wait(CloseTable(id="x", by=FLOOR, at=1, reason="late"))
            await until(lambda: spectator.ended == "table.closed")
            assert "ho" not in host.tables

    asyncio.run(go())


def test_a_room_opens_without_its_archived_tables(tmp_path: Path) -> None:
    """Also where nobody remembers that they are closed."""
    file = tmp_path / "room.db"

    async def go() -> None:
        async with hosting(file) as host:
            open_table(host, "ro", "roulette")
            table = open_table(host, "ho", "house", bots=2)
            host.start()
            await table.submit_and_wait(CloseTable(id="x", by=FLOOR, at=1, reason="late"))
            await until(lambda: "ho" not in host.tables)
        archive(file, tmp_path / "a.qha", remove=True, watch=lambda events: None)
        with closing(sqlite3.connect(file)) as saved:
            saved.execute("update opened set closed = 0")
            saved.commit()
        async with hosting(file) as host:
            assert list(host.tables) == ["ro"]
            assert host.noted == []  # type: ignore[attr-defined]
            assert host.admin.closed() == {"ho"}
            with pytest.raises(qh.QueenhighError, match="the table name ho was already used"):
                open_table(host, "ho", "house")

    asyncio.run(go())


def test_bots_of_a_new_table_sit_down_in_one_commit(tmp_path: Path) -> None:
    commits: list[int] = []

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            write = host.store._write

            def count(requests: Any) -> Any:
                commits.append(len(requests))
                return write(requests)

            host.store._write = count  # type: ignore[method-assign]
            rules = qh.load("roulette")
            settings = replace(settings_for(rules, pace=QUICK), places=20)
            host.open("wheel", rules, settings, Opening(20))
            assert len(host.tables["wheel"].bots.names()) == 20

    asyncio.run(go())
    assert len(commits) <= 4
    assert max(commits) >= 40, "chips and seats of all of them"


@pytest.mark.parametrize("failing", [1, 2, 3, 4, 5])
def test_disk_failure_while_a_table_opens(tmp_path: Path, failing: int) -> None:
    """The table is refused and not in the store, or it is there and its bots sit down later."""

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            host.start()
            write, commits = host.store._write, []

            def fail_once(requests: list[Request]) -> list[Exception | None]:
                commits.append(len(requests))
                if len(commits) != failing:
                    return write(requests)
                for request in requests:
                    request.fail()
                return [qh.QueenhighError("store.failed", "the disk is full")] * len(requests)

            host.store._write = fail_once  # type: ignore[method-assign]
            try:
                table = open_table(host, "ho", "house", bots=3)
            except qh.QueenhighError:
                assert "ho" not in host.room.tables()
                table = open_table(host, "ho", "house", bots=3)
            assert host.tables["ho"] is table
            host.sweep()
            assert len(table.bots.names()) == 3

    asyncio.run(go())


def test_table_that_another_process_may_hold_takes_no_commands(tmp_path: Path) -> None:
    """A process that was paused knows only after its next look whether it still holds it."""

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table, line = open_table(host, "t", "house", pace=ENDLESS), Line()
            host.start()
            ann = connect(host, table, line, "ann")
            host.is_stale = lambda: True
            ann.on_message(SIT % (1, 1))
            ann.write()
            assert json.loads(line.sent[-1])["code"] == "lease.lost"
            assert table.state.place_of("ann") is None
            host.is_stale = lambda: False
            ann.on_message(SIT % (1, 1))
            await until(lambda: table.state.place_of("ann") == 1)
            ann.on_close()

    asyncio.run(go())


def test_a_message_that_cannot_be_read_costs_units(tmp_path: Path) -> None:
    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table, line = open_table(host, "t", "house", pace=ENDLESS), Line()
            host.start()
            ann = connect(host, table, line, "ann")
            ann._limiter = Limiter(Limits(units=0.001, units_at_once=3))
            for _ in range(5):
                ann.on_message(b"nonsense")
            ann.write()
            sent = [json.loads(text) for text in line.sent]
            codes = [message["code"] for message in sent if message["type"] == "refused"]
            assert codes == ["message.malformed"] * 3 + ["rate"] * 2
            ann.on_close()

    asyncio.run(go())
