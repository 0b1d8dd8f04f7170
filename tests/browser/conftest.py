"""A browser, a room with the page in it, and guests who look at it."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

import queenhigh.server
from tests.browser import chromium
from tests.browser.guests import Guests
from tests.browser.others import Others
from tests.server.served import Served
from tests.sizes import FULL

PAGE = Path(queenhigh.server.__file__).parent / "static" / "index.html"
#: Bots take no time, people as much as they like.
UNHURRIED = {"pause": 1_000, "offer": 60_000, "bets": 60_000, "moves": 60_000}
#: The felt keeps a round for so long that one can look at it.
LINGERING = {**UNHURRIED, "pause": 60_000}
STANDING = [
    {"name": "california", "rulebook": "california", "bots": 4, "pace": "quick"},
    {"name": "house", "rulebook": "house", "bots": 2, "pace": "quick"},
    {"name": "roulette", "rulebook": "roulette", "bots": 2, "pace": "quick"},
]

OpenRoom = Callable[..., Served]
#: Long, and of what others test too: run at full size only.
LONG = {
    "test_a_bet_in_prison_is_shown_held",
    "test_a_lost_connection_stays_in_sight",
    "test_a_random_seed_is_added_to_every_round_by_choice",
    "test_the_last_rounds_stand_beside_a_table",
    "test_two_windows_may_both_add_a_seed",
    "test_what_does_not_fit_is_said_clearly",
    "test_what_is_kept_may_be_damaged",
    "test_where_the_bank_may_not_reach_it_says_so_and_counts_nothing",
    "test_who_asks_too_often_waits_and_goes_on",
}
#: The finer points of screens whose whole rounds are played elsewhere: at full size only.
FINER = (
    "test_amounts.py",
    "test_felt.py",
    "test_felt_chips.py",
    "test_felt_rules.py",
    "test_felt_words.py",
    "test_odds_wrong.py",
    "test_replay.py",
    "test_wheel_results.py",
    "test_wheel_seen.py",
)
#: What takes a moment here may take many on a busy machine.
expect.set_options(timeout=60_000)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where time is short, let one variant stand for all, but for whole rounds; leave out a few."""
    if FULL:
        return
    seen: set[str] = set()
    spare = []
    for item in items:
        test = item.nodeid.partition("[")[0]
        file, _, name = test.rpartition("::")
        if name in LONG or file.endswith(FINER):
            seen.add(test)
        if test in seen and "tests/browser/" in test and "_tables.py" not in test:
            spare.append(item)
        seen.add(test)
    config.hook.pytest_deselected(items=spare)
    items[:] = [item for item in items if item not in spare]


# A browser for each module, not for the session: while Playwright runs, no other loop can run in
# this thread, and other modules have loops.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; where there is none, tests are skipped, but never in CI."""
    found = chromium.find()
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(chromium.MISSING)
        pytest.skip(chromium.MISSING)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=chromium.OPTIONS)
        yield opened
        opened.close()


@pytest.fixture
def open_room(tmp_path: Path) -> Iterator[OpenRoom]:
    """Open a room: ``standing`` are its tables, ``paces`` what their paces mean.

    Everything else that ``Served`` takes may be given too, such as ``rooms``: tables with a pace of
    their own and no bots.
    """
    assert PAGE.is_file(), "the page is not built: run `make page`"
    with ExitStack() as rooms:

        def open_one(**wanted: Any) -> Served:
            usual = {"standing": STANDING, "paces": {"quick": UNHURRIED}}
            room = Served(tmp_path / f"room{len(opened)}.db", **{**usual, **wanted})
            opened.append(rooms.enter_context(room))
            return room

        opened: list[Served] = []
        yield open_one
    for room in opened:
        assert room.errors() == ""


@pytest.fixture
def room(open_room: OpenRoom) -> Served:
    """Return a room with California, the house's game and a wheel, bots at each of them."""
    return open_room()


@pytest.fixture
def guest(browser: Browser, room: Served) -> Iterator[Guests]:
    """Bring guests into the room; nothing may go wrong in their pages."""
    guests = Guests(browser, room)
    yield guests
    guests.leave()
    assert guests.wrong() == []


@pytest.fixture
def others() -> Iterator[Others]:
    """Bring people to the tables who have no browser."""
    company = Others()
    yield company
    company.leave()
