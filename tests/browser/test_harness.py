"""The harness itself: guests, companions, and what goes wrong."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.companions import Companions
from tests.browser.conftest import OneBrowser, OpenRoom
from tests.browser.guests import NO_CONNECTION, Guests
from tests.browser.room import Room

#: A heading is hard to read where the device is dark. By the page's own sheets: it allows no other.
_PALE = """() => document.styleSheets[0].insertRule(
    "@media (prefers-color-scheme: dark) { h1 { color: #222 !important } }")"""


def test_axe_finds_violations(guest: Guests) -> None:
    """The control: a planted picture without a text, a button without a name, and pale text.

    The text is pale only in the theme that the page does not have.
    """
    page = guest("Ann")
    expect(page.get_by_role("main")).to_be_visible()
    page.evaluate(
        """() => document.querySelector("main").append(
            document.createElement("img"), document.createElement("button"))"""
    )
    page.evaluate(_PALE)
    violations = "\n".join(axe.violations(page))
    assert "image-alt" in violations
    assert "button-name" in violations
    assert "dark: color-contrast" in violations


def test_errors_in_a_page_are_kept(guest: Guests) -> None:
    """The control: an error that nobody allowed would fail a test."""
    page = guest("Ann")
    with page.expect_event("pageerror"):
        page.evaluate("() => { setTimeout(() => { throw new Error('planted') }) }")
    with page.expect_console_message():
        page.evaluate("() => console.error('also planted')")
    with page.expect_console_message():
        page.evaluate("() => fetch('/api/planted')")
    errors = "\n".join(guest.wrong())
    for text in ("planted", "also planted", "/api/planted"):
        assert text in errors
    guest.allow("planted")
    assert guest.wrong() == []


@pytest.mark.full
def test_a_room_may_go_and_come_back(guest: Guests, open_room: OpenRoom) -> None:
    room = open_room()
    guest.allow(*NO_CONNECTION)
    page = guest("Ann", f"/#/table/{room.open_table('house')}", room=room)
    expect(page.get_by_role("main")).to_contain_text("Sit")
    assert room.end(15) == 0
    expect(page.get_by_text("Connection lost.").last).to_be_visible()
    room.start()
    expect(page.get_by_text("Connection lost.")).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text("Sit")


@pytest.mark.parametrize("game", ["house", pytest.param("california", marks=pytest.mark.full)])
def test_companions_sit_beside_a_guest(
    guest: Guests, companions: Companions, room: Room, game: str
) -> None:
    table = room.open_table(game)
    page = guest("Ann", f"/#/table/{table}")
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(2))
    assert ben.name
    expect(page.get_by_text(ben.name).first).to_be_visible()


def test_a_name_that_is_taken_gets_a_number(guest: Guests) -> None:
    """All tests share a room, and call their guests alike."""
    names = [guest.name_of(guest("Ann", None)) for _ in range(2)]
    assert all(name.startswith("Ann") for name in names)
    assert len(set(names)) == 2


def test_tables_are_closed_after_a_test(open_room: OpenRoom) -> None:
    room = open_room()
    table = room.open_table("house", bots=2)
    with room.http() as client:
        assert [row["table"] for row in client.get("/api/room").json()["tables"]] == [table]
        room.close_tables()
        assert client.get("/api/room").json()["tables"] == []


def test_errors_of_a_room_are_found(tmp_path: Path) -> None:
    """The control: after each test the room's log is looked through."""
    room = Room(tmp_path / "room.db")
    log = Path(f"{room.db}.stderr")
    log.write_text('{"event": "harmless", "level": "info"}\n')
    assert room.errors() == ""
    log.write_text('{"event": "planted", "level": "error"}\n')
    assert "planted" in room.errors()


def test_chromium_is_closed_before_tests_elsewhere(
    one_browser: OneBrowser, request: pytest.FixtureRequest
) -> None:
    """Companions run event loops, which cannot be where Playwright's is."""
    opened = one_browser.get()
    one_browser.pytest_runtest_setup(request.node)
    assert opened.is_connected()
    elsewhere = SimpleNamespace(path=Path(__file__).parents[1] / "test_bank.py")
    one_browser.pytest_runtest_setup(cast("pytest.Item", elsewhere))
    asyncio.run(asyncio.sleep(0))
    assert one_browser.get().is_connected()
