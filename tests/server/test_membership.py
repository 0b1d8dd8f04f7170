"""A process among others: what it notes, takes, resumes and gives, with leases in memory."""

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any, cast

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server.membership import LEASE, Membership
from queenhigh.server.shared_limits import SharedLimits
from queenhigh.store.postgres.leases import CLOSED, NOBODY, Lease, Leases, Member

OWN, OTHER = 1, 2


class LeasesInMemory:
    """Leases as a database keeps them, and when this process said that it is alive."""

    def __init__(self, **holders: int) -> None:
        self.token = 0
        self.rows: dict[str, Lease] = {}
        for name, process in holders.items():
            self.give(name, process)
        self.renewed: list[float] = []
        self.takes_part = {OWN}
        self.breaks_hand_over = False
        #: Tables that are written.
        self.written: set[str] = set()
        #: Called in the middle of ``take``, before it takes anything.
        self.before_take: Callable[[], object] = lambda: None

    def give(self, name: str, process: int) -> Lease:
        self.token += 1
        lease = self.rows[name] = Lease(f"table/{name}", process, self.token)
        return lease

    def join(self, address: str, prefix: str, *, is_ready: bool = True) -> int:
        return OWN

    def renew(self, process: int, address: str, watching: dict[str, int]) -> bool:
        self.renewed.append(time.monotonic())
        return True

    def members(self) -> list[Member]:
        held = [lease.process for lease in self.rows.values()]
        return [
            Member(id, "", id not in self.takes_part, {}, held.count(id)) for id in (OWN, OTHER)
        ]

    def changes(self, after: int) -> list[Lease]:
        rows = sorted(self.rows.values(), key=lambda lease: lease.token)
        return [lease for lease in rows if lease.token > after]

    def orphans(self) -> int:
        return sum(lease.process == NOBODY for lease in self.rows.values())

    def take(self, process: int, most: int) -> list[Lease]:
        self.before_take()
        free = [name for name, lease in self.rows.items() if lease.process == NOBODY]
        return [self.give(name, process) for name in free[:most]]

    def hand_over(self, process: int, to: dict[str, int]) -> None:
        if self.breaks_hand_over:
            self.breaks_hand_over = False
            raise QueenhighError("store.failed", "the database does not answer: try again")
        for stream, other in to.items():
            self.give(stream.removeprefix("table/"), other)

    def claim(self, process: int, stream: str) -> Lease:
        return self.give(stream.removeprefix("table/"), process)

    def free(self, process: int, stream: str) -> bool:
        name = stream.removeprefix("table/")
        return name not in self.written and bool(self.rows.pop(name))

    def silent(self) -> int:
        return 0

    def retire_older(self) -> bool:
        return True

    def wake(self) -> None: ...
    def begin(self, process: int) -> None: ...
    def notify(self, texts: list[str]) -> None: ...
    def listen(self, on_change: object, on_news: object) -> None: ...
    def missing(self) -> None: ...


class TablesInMemory:
    """Live tables that take some seconds to resume."""

    def __init__(self, seconds: float = 0) -> None:
        self.live: set[str] = set()
        self.resumed: list[str] = []
        self._seconds = seconds
        self.breaks_forgetting = False
        #: Tables of which nothing is written.
        self.empty: set[str] = set()

    def take_over(self, name: str) -> bool:
        time.sleep(self._seconds)
        if name in self.empty:
            return False
        self.live.add(name)
        self.resumed.append(name)
        return True

    def give_up(self, name: str) -> None:
        self.live.discard(name)

    def idle_tables(self) -> list[str]:
        return sorted(self.live)

    def is_live(self, name: str) -> bool:
        return name in self.live

    def watching(self) -> dict[str, int]:
        return {}

    def commit(self) -> None: ...

    def forget_room(self) -> None:
        if self.breaks_forgetting:
            self.breaks_forgetting = False
            raise QueenhighError("store.failed", "the database does not answer: try again")


class NoWriter:
    """Writes nothing, and notes the tokens that it would write with."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}

    def hold(self, stream: str, token: int) -> None:
        self.held[stream] = token

    def release(self, stream: str) -> None:
        self.held.pop(stream, None)


class NoLimits:
    """Has no news."""

    def news(self, process: int) -> list[str]:
        return []

    def take(self, text: str, process: int, time_s: float) -> None: ...


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("queenhigh.server.membership._BETWEEN_LOOKS", 0.05)


def run_until(
    leases: LeasesInMemory,
    tables: TablesInMemory,
    done: Callable[[Membership], bool],
    epoch: Callable[[], int] = lambda: 0,
    *,
    writer: "NoWriter | None" = None,
) -> Membership:
    """Run a process until something is so."""

    async def run() -> Membership:
        process = Membership(cast("Leases", leases), writer or NoWriter(), "here:1", epoch)
        process.join()
        process.start(tables, lambda: None, cast("SharedLimits", NoLimits()))
        async with asyncio.timeout(20):
            while not done(process):
                await asyncio.sleep(0.01)
        task: asyncio.Task[Any] = process.__dict__["_task"]
        task.cancel()
        return process

    return asyncio.run(run())


@pytest.mark.usefixtures("quick")
def test_process_says_that_it_is_alive_while_it_resumes_tables() -> None:
    """Others would take all its tables otherwise, and it theirs, for ever."""
    names = [f"t{number}" for number in range(20)]
    leases, tables = LeasesInMemory(**dict.fromkeys(names, NOBODY)), TablesInMemory(0.03)
    run_until(leases, tables, lambda process: len(tables.live) == len(names))
    assert sorted(tables.resumed) == sorted(names)
    renewed = leases.renewed
    gaps = [two - one for one, two in pairwise(renewed)]
    assert len(gaps) >= 4
    assert max(gaps) < 0.5, "resuming all of them takes 0.6 seconds"


@pytest.mark.usefixtures("quick")
def test_change_before_a_table_is_taken_is_not_missed() -> None:
    leases = LeasesInMemory(a=NOBODY, b=NOBODY, c=NOBODY)

    def others_act() -> None:
        leases.give("a", OTHER)
        leases.give("b", OWN)
        leases.before_take = lambda: None

    leases.before_take = others_act
    tables = TablesInMemory()
    process = run_until(leases, tables, lambda process: tables.live == {"b", "c"})
    assert process.holders["a"].process == OTHER


@pytest.mark.usefixtures("quick")
def test_table_that_cannot_be_given_goes_on_here() -> None:
    leases, tables = LeasesInMemory(a=NOBODY, b=NOBODY), TablesInMemory()
    leases.breaks_hand_over = True

    def is_shared(process: Membership) -> bool:
        if tables.live == {"a", "b"}:
            leases.takes_part = {OWN, OTHER}
        held = [lease.process for lease in leases.rows.values()]
        return not leases.breaks_hand_over and sorted(held) == [OWN, OTHER]

    run_until(leases, tables, is_shared)
    (own,) = [name for name, lease in leases.rows.items() if lease.process == OWN]
    assert tables.live == {own}
    assert tables.resumed.count("a") > 1, "the hand-over did not fail"


@pytest.mark.usefixtures("quick")
def test_process_that_has_not_looked_for_long_is_stale() -> None:
    process = run_until(LeasesInMemory(), TablesInMemory(), lambda process: process.is_joined)
    assert (process.is_stale, process.is_joined) == (False, True)
    process.looked_at -= LEASE
    assert (process.is_stale, process.is_joined) == (True, False)


@pytest.mark.usefixtures("quick")
def test_table_that_could_not_be_opened_is_read_or_free() -> None:
    """Its commit failed, or only the answer to the commit was lost."""
    leases, tables = LeasesInMemory(a=NOBODY), TablesInMemory()
    tables.empty = {"empty", "late"}

    def claim(process: Membership) -> bool:
        if tables.live == {"a"} and not leases.written:
            for name in ("written", "empty", "late"):
                process.claim(name)
                process.check_claim(name)
            leases.written = {"written", "late"}  # a late one can be read only afterwards
        if tables.live == {"a", "written"} and "empty" not in leases.rows:
            tables.empty = set()
        return tables.live == {"a", "written", "late"}

    process = run_until(leases, tables, claim)
    assert set(process.holders) == {"a", "written", "late"}


@pytest.mark.usefixtures("quick")
def test_closed_tables_are_forgotten() -> None:
    leases, tables = LeasesInMemory(a=NOBODY, b=OTHER, c=CLOSED), TablesInMemory()

    def close(process: Membership) -> bool:
        if tables.live == {"a"} and process.is_known("b"):
            leases.give("b", CLOSED)
        return tables.live == {"a"} and not process.is_known("b")

    process = run_until(leases, tables, close)
    assert set(process.holders) == {"a"}
    assert process.names() == []


@pytest.mark.usefixtures("quick")
def test_live_table_is_written_with_its_newest_token() -> None:
    leases, tables, writer = LeasesInMemory(a=NOBODY), TablesInMemory(), NoWriter()

    def give_again(process: Membership) -> bool:
        if tables.live == {"a"} and leases.token == writer.held.get("table/a"):
            leases.give("a", OWN)
        return writer.held.get("table/a", 0) >= 3

    run_until(leases, tables, give_again, writer=writer)
    assert tables.resumed == ["a"]


@pytest.mark.usefixtures("quick")
def test_new_process_waits_for_those_that_fell_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All processes are silent while the database is away, and may return a moment later."""
    monkeypatch.setattr(LeasesInMemory, "silent", lambda self: 1)
    leases, tables = LeasesInMemory(a=NOBODY), TablesInMemory()
    began = time.monotonic()
    run_until(leases, tables, lambda process: bool(tables.live))
    assert time.monotonic() - began >= LEASE


@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.usefixtures("quick")
def test_replaced_database_is_read_again(breaks: bool) -> None:
    """Also if it breaks once more while it is read."""
    leases, tables, epoch = LeasesInMemory(a=NOBODY, b=OTHER), TablesInMemory(), [1]
    tables.breaks_forgetting = breaks

    def replace(process: Membership) -> bool:
        if epoch == [1] and tables.live == {"a"}:
            leases.token = 0
            leases.give("a", OTHER)
            leases.give("b", OWN)
            epoch[0] = 2
        return tables.live == {"b"}

    process = run_until(leases, tables, replace, lambda: epoch[0])
    assert process.holders["a"].process == OTHER
