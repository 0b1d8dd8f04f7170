"""One Chromium and one room for all tests of a worker, and guests who look at it."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

import queenhigh.server
from tests.browser import chromium
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.room import Room, shared_room
from tests.browser.shift import Shift
from tests.server.running_server import RunningServer

PAGE = Path(queenhigh.server.__file__).parent / "static" / "index.html"

OpenRoom = Callable[..., Room]
OpenShift = Callable[..., Shift]
#: What takes a moment here may take many on a busy machine.
expect.set_options(timeout=60_000)


class OneBrowser:
    """Chromium, as long as tests of this folder follow each other.

    While Playwright runs, no other event loop can run in this thread, and other tests have loops.
    """

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None

    def get(self) -> Browser:
        """Return Chromium; where there is none, the test is skipped, but never in CI."""
        if self._browser is None:
            executable = chromium.find()
            if executable is None:
                if os.environ.get("CI") == "true":
                    pytest.fail(chromium.MISSING)
                pytest.skip(chromium.MISSING)
            launch = self._open.enter_context(sync_playwright()).chromium.launch
            self._browser = launch(executable_path=executable, args=chromium.OPTIONS)
            self._open.callback(self._browser.close)
        return self._browser

    def close(self) -> None:
        """Close Chromium and Playwright, if they are open."""
        self._browser = None
        self._open.close()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Close before a test of another folder."""
        if not item.path.is_relative_to(Path(__file__).parent):
            self.close()


@pytest.fixture(scope="session")
def one_browser(pytestconfig: pytest.Config) -> Iterator[OneBrowser]:
    """Return the Chromium of this worker, which sees all tests come by."""
    one = OneBrowser()
    pytestconfig.pluginmanager.register(one)
    yield one
    one.close()


@pytest.fixture
def browser(one_browser: OneBrowser) -> Browser:
    """Return Chromium, whose contexts belong to the tests."""
    return one_browser.get()


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """Make a folder in memory, where that can be had.

    A room whose disk stalls for half a second says so and answers less, and what a test wanted to
    see of the page is not there. Other programs may make the disk stall at any time.
    """
    memory = os.environ.get("PYTEST_DEBUG_TEMPROOT")  # where all tests write: see tests/conftest.py
    with TemporaryDirectory(dir=memory, prefix="queenhigh-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def served_room() -> Iterator[Room]:
    """Serve the room of this worker."""
    assert PAGE.is_file(), "the page is not built: run `make page`"
    with folder_in_memory() as folder, shared_room(folder) as room:
        yield room


@pytest.fixture
def room(served_room: Room) -> Iterator[Room]:
    """Return the room of this worker; nothing may go wrong in it during the test."""
    before = served_room.errors()
    yield served_room
    served_room.close_tables()
    assert served_room.errors().removeprefix(before) == ""


@pytest.fixture
def open_room() -> Iterator[OpenRoom]:
    """Open a room that can be ended or has limits of its own; it takes what a server takes."""
    with folder_in_memory() as folder, ExitStack() as rooms:

        def open_one(**wanted: Any) -> Room:
            room = Room(folder / f"room{len(opened)}.db", **{"standing": [], **wanted})
            opened.append(rooms.enter_context(room))
            return room

        opened: list[RunningServer] = []
        yield open_one
        rooms.close()
        for room in opened:
            assert room.errors() == ""


@pytest.fixture
def guest(browser: Browser, room: Room, open_room: OpenRoom) -> Iterator[Guests]:
    """Bring guests into the room; nothing may go wrong in their pages, which close before any room.

    They have asked their browsers for less motion, so that nothing has to be waited for. Where
    motion matters, ``guest(name, path, **MOTION)``.
    """
    guests = Guests(browser, room, reduced_motion="reduce")
    yield guests
    guests.leave()
    assert guests.wrong() == []


@pytest.fixture
def open_shift(open_room: OpenRoom, guest: Guests) -> Iterator[OpenShift]:
    """Open a room of its own with staff in every role, as ``open_room`` does."""
    with ExitStack() as shifts:

        def open_one(**wanted: Any) -> Shift:
            shift = Shift(open_room(**{"hired_ago": 48, **wanted}), guest)
            shifts.callback(shift.close)
            return shift

        yield open_one


@pytest.fixture
def companions() -> Iterator[Companions]:
    """Bring people to the tables who have no browser."""
    company = Companions()
    yield company
    company.leave()
