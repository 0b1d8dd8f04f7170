"""The clock is set forwards and backwards during play, with kills in between."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.room import clock
from queenhigh.room.bot_loop import play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.clock import Clock
from queenhigh.room.rebase import rebase_at_start
from queenhigh.room.room import Room, now, settings_for
from queenhigh.server import presence
from queenhigh.server.admin_store import AdminStore, Opening
from queenhigh.server.host import Host
from queenhigh.server.live_table import LiveTable
from queenhigh.server.metrics import Metrics
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import Bet, Pace, PlaceWagers, Sit
from queenhigh.table.decide import wakes_at
from queenhigh.table.events import TimeRebased, decode
from tests.verify.verifiers import prove
from tests.virtual_time import run_virtually

HOUR = 3600 * 1000
DAY = 24 * HOUR
JUMPS = [-40 * DAY, -2 * HOUR, 2 * HOUR, 40 * DAY]
PACE = Pace()
#: No phase takes longer.
LONGEST = max(PACE.pause, PACE.offer, PACE.bets, PACE.moves)


class Machine:
    """A machine with a clock to set, on which rooms open one after another."""

    def __init__(self, file: Path) -> None:
        self.file = file
        #: How much the wall clock is off, and when this machine's current room opened; both in ms.
        self.off, self.opened = 0, 1_700_000_000_000

    def live(self, main: Callable[[Host], Awaitable[None]]) -> None:
        """Open a room for some virtual time; it ends as by a kill."""
        run_virtually(self._live(main))

    async def _live(self, main: Callable[[Host], Awaitable[None]]) -> None:
        loop = asyncio.get_running_loop()

        def monotonic() -> int:
            return round(loop.time() * 1e9)

        def wall() -> int:
            return monotonic() + (self.opened + self.off) * 1_000_000

        with (
            pytest.MonkeyPatch.context() as patch,
            closing(SqliteStore(self.file)) as store,
            closing(AdminStore(self.file, store)) as admin,
        ):
            patch.setattr(clock, "ROOM", Clock(wall, monotonic))
            patch.setattr(presence, "MARKS_AWAY", False)  # nobody is connected
            patch.setattr(presence, "STOPS_CLOCK", False)  # nor is anybody alone
            host = Host(store, admin, Metrics())
            host.resume()
            host.start()
            await main(host)
        self.opened += monotonic() // 1_000_000 + 1000


async def sit(host: Host, table: LiveTable, player: str, place: int) -> None:
    host.room.wallets.issue(player, 100_000, id="chips", at=now(), reason="to play")
    await table.submit_and_wait(Sit(id="sit", by=player, at=now(), place=place, cents=50_000))


async def bet(table: LiveTable, player: str, spot: str) -> None:
    round = table.durable.committed.number
    wagers = (Bet(spot, 400),)
    await table.submit_and_wait(
        PlaceWagers(id=f"bet.{round}", by=player, at=now(), round=round, wagers=wagers, ready=True)
    )


async def open_three(host: Host) -> None:
    """Open a table that waits for a move, one in its pause, and one that offers the bank."""
    for name, rulebook in (("ho", "house"), ("ro", "roulette"), ("ca", "california")):
        book = qh.load(rulebook)
        host.open(name, book, settings_for(book, pace=PACE), Opening())
    ho, ro, ca = (host.tables[name] for name in ("ho", "ro", "ca"))
    await sit(host, ho, "ann", 1)
    await sit(host, ro, "bob", 1)
    await sit(host, ca, "cyd", 1)
    await sit(host, ca, "dan", 2)
    await asyncio.sleep(0.1)
    await bet(ho, "ann", "ante")
    await bet(ro, "bob", "red")
    assert phases(host) == {"ho": "deciding", "ro": "between", "ca": "offering"}


def phases(host: Host) -> dict[str, str]:
    return {name: table.durable.committed.phase for name, table in host.tables.items()}


def check_waits(host: Host) -> None:
    """Fail unless every table waits no longer than some phase takes, on the room's clock."""
    for name, table in host.tables.items():
        due = wakes_at(table.durable.committed)
        assert due is None or due <= now() + LONGEST + 1000, f"{name} waits {due - now()} ms"


def check_played(host: Host) -> None:
    """Fail unless every table went on by itself: a fold, a pause, an offer that nobody took."""
    assert host.tables["ho"].durable.committed.number > 1
    assert host.tables["ro"].durable.committed.number > 1
    assert host.tables["ca"].durable.committed.offer.declined_by_all
    people = {name: table.people() for name, table in host.tables.items()}
    assert people == {"ho": ["ann"], "ro": ["bob"], "ca": ["cyd", "dan"]}


@pytest.mark.parametrize("jump", JUMPS)
def test_setting_the_clock_stops_nothing(tmp_path: Path, jump: int) -> None:
    """Twelve seconds at another time, put right, and started again."""
    machine = Machine(tmp_path / "room.db")

    async def jumping(host: Host) -> None:
        await open_three(host)
        before = now()
        machine.off = jump
        await asyncio.sleep(3)
        assert abs(now() - before - 3000 - jump) < 100, "the room follows the clock"
        assert phases(host) == {"ho": "deciding", "ro": "between", "ca": "offering"}
        ho = host.tables["ho"].durable.committed
        assert ho.deadline is not None
        assert ho.deadline >= now() + PACE.moves - 3000, "the whole time once more"
        check_waits(host)
        await asyncio.sleep(9)

    async def put_right(host: Host) -> None:
        check_waits(host)
        await asyncio.sleep(50)
        check_played(host)

    machine.live(jumping)
    machine.off = 0
    machine.live(put_right)
    prove(machine.file)


@pytest.mark.parametrize("jump", JUMPS)
def test_clock_put_right_while_the_room_is_open(tmp_path: Path, jump: int) -> None:
    machine = Machine(tmp_path / "room.db")
    machine.off = jump

    async def main(host: Host) -> None:
        await open_three(host)
        machine.off = 0
        await asyncio.sleep(3)
        check_waits(host)
        await asyncio.sleep(50)
        check_played(host)

    machine.live(main)
    prove(machine.file)


def test_room_killed_repeatedly_with_a_wild_clock(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "room.db")
    machine.live(open_three)

    async def a_while(host: Host) -> None:
        check_waits(host)
        await asyncio.sleep(1.5)
        machine.off -= 3 * HOUR
        await asyncio.sleep(1.5)
        check_waits(host)

    for jump in JUMPS:
        machine.off = jump
        machine.live(a_while)
    machine.off = 0

    async def main(host: Host) -> None:
        await asyncio.sleep(60)
        check_played(host)

    machine.live(main)
    prove(machine.file)


def test_steady_clock_rebases_nothing(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "room.db")

    async def main(host: Host) -> None:
        await open_three(host)
        machine.off = 900  # as by a time server
        await asyncio.sleep(60)
        check_played(host)

    machine.live(main)
    machine.live(lambda host: asyncio.sleep(20))
    with closing(SqliteStore(machine.file)) as store:
        for name in ("ho", "ro", "ca"):
            for row in store.read(f"table/{name}"):
                assert not isinstance(decode(row.event), TimeRebased), name
    prove(machine.file)


def test_bots_play_on_at_a_table_of_the_future(tmp_path: Path) -> None:
    book, file = qh.load("house"), tmp_path / "room.db"
    bots = make_bots(book, 2, 1, ("best",))
    with pytest.MonkeyPatch.context() as patch, closing(SqliteStore(file)) as store:
        room = Room(store)
        durable = room.open_table("t", book, settings_for(book, pace=PACE))
        ahead = Clock(wall=lambda: 10**9 * (now() // 1000 + 40 * DAY // 1000))
        patch.setattr(clock, "ROOM", ahead)
        seat_bots(room, durable, [bot.name for bot in bots])
    with closing(SqliteStore(file)) as store:
        room = Room(store)
        durable = room.table("t")
        assert rebase_at_start(durable)
        assert not rebase_at_start(durable)
        assert play(room, durable, bots, 3).rounds == 3
        assert durable.committed.at < now() + DAY
    prove(file)


def test_clock_advances_with_the_monotonic_one_only() -> None:
    wall, monotonic = [5_000_000_000_000], [77_000_000]
    made = Clock(lambda: wall[0], lambda: monotonic[0])
    assert made.now() == 5_000_000
    wall[0] += 4_000_000_000
    assert (made.now(), made.has_jumped) == (5_000_000, False)
    wall[0] -= 40_000_000_000
    monotonic[0] += 1_000_000
    assert (made.now(), made.has_jumped) == (5_000_001, True)
    made.set_by_wall()
    assert (made.now(), made.has_jumped) == (4_964_000, False)
