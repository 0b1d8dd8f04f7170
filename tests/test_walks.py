"""The walks in docs/internals/walks.md, traced: files and functions, in the order they come."""

import asyncio
import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import queenhigh as qh
import queenhigh.commands.price
from bench.caches import find_caches
from queenhigh.simulation.engines.scalar import sample
from queenhigh.simulation.terms import make_plan
from queenhigh.table.commands import AcceptBank, Sit
from tests.in_process import call
from tests.server.test_host import ENDLESS, Line, connect, hosting, open_table, until

SOURCE = Path(qh.__file__).parent
PAGE = (SOURCE.parents[1] / "docs" / "internals" / "walks.md").read_text()
BET = (
    b'{"type":"place_wagers","id":"b","round":1,'
    b'"wagers":[{"spot":"ante","cents":1000},{"spot":"bonus","cents":100}]}'
)
#: The most files that a bet may pass on its way, apart from plain values and cross-cutting ones.
MOST_FILES_OF_A_BET = 16

ODDS = "`queenhigh odds california`"

Trace = dict[str, list[str]]


def section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def walk(title: str) -> list[tuple[str, str]]:
    """Return the files and functions of a table in the document."""
    return re.findall(r"^\| `([\w/.]+\.py)` \| `([\w.]+)` \|", section(title), re.MULTILINE)


@contextmanager
def traced(trace: Trace) -> Iterator[None]:
    """Note the functions of the package that are called, by their files in order."""

    def note(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_flags & inspect.CO_OPTIMIZED:  # the body of a class
            return
        file, name = Path(code.co_filename), code.co_qualname
        if file.is_relative_to(SOURCE) and "<" not in name:
            trace.setdefault(str(file.relative_to(SOURCE)), []).append(name)

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


def is_true(title: str, trace: Trace) -> None:
    """Check that the files of a walk come in their order, and that their functions are called."""
    steps = walk(title)
    files = [file for file, _ in steps]
    assert [file for file in trace if file in files] == files
    for file, function in steps:
        assert function in trace[file]


async def place_a_bet(room: Path, trace: Trace) -> None:
    async with hosting(room) as host:
        table = open_table(host, "t", "california", pace=ENDLESS)
        lines = {name: Line() for name in ("ann", "bob", "cleo")}
        people = {name: connect(host, table, line, name) for name, line in lines.items()}
        host.start()
        for place, name in enumerate(people, start=1):
            sit = Sit(id="1", by=name, at=host.clock.now(), place=place, cents=50_000)
            await table.submit_and_wait(sit)
        await until(lambda: table.durable.committed.phase == "offering")
        banker = table.durable.committed.places[table.durable.committed.offer.place or 0].player
        bank = AcceptBank(id="2", by=banker, at=host.clock.now(), round=1, cents=20_000)
        await table.submit_and_wait(bank)
        player = next(name for name in people if name != banker)
        await asyncio.sleep(0.1)  # until the last view is out
        with traced(trace):
            people[player].on_message(BET)
            await until(lambda: b'"wagers":[{"spot":"ante"' in b"".join(lines[banker].sent))
            await asyncio.sleep(0.05)
        assert b'"type":"answer","id":"b"' in b"".join(lines[player].sent)


def test_walk_of_a_bet(tmp_path: Path) -> None:
    trace: Trace = {}
    asyncio.run(place_a_bet(tmp_path / "room.db", trace))
    is_true("A bet", trace)
    files = {file for file, _ in walk("A bet")}
    assert len(files) <= MOST_FILES_OF_A_BET
    on_the_way = section("A bet").split("On the way")[1].split("Before it")[0]
    assert set(trace) - files <= set(re.findall(r"`([\w/]+\.py)`", on_the_way))


def test_walk_of_odds() -> None:
    trace: Trace = {}
    on_the_way = {file.removesuffix(".py").replace("/", ".") for file, _ in walk(ODDS)}
    for cache in find_caches():
        if cache.module.removeprefix("queenhigh.") in on_the_way:
            cache.clear()
    with traced(trace):
        call("odds", "california")
    is_true(ODDS, trace)


def test_walk_of_a_simulated_round() -> None:
    trace: Trace = {}
    plan = make_plan(qh.load("california"), {"seats": 2, "bank": 5000, "seed": 7})
    sample(plan, 0, 1)
    with traced(trace):
        sample(plan, 1, 1)
    is_true("A simulated round", trace)
    files = {file for file, _ in walk("A simulated round")}
    assert set(trace) - files <= {"games/three_card_poker/values.py"}
