"""The harness itself: guests, others, and what goes wrong."""

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.conftest import OpenRoom
from tests.browser.guests import NO_CONNECTION, Guests
from tests.browser.others import Others
from tests.server.served import AT_ONCE


def test_axe_finds_what_is_wrong(guest: Guests) -> None:
    """The control: a planted picture without a text, and a button without a name."""
    page = guest("Ann")
    expect(page.get_by_role("main")).to_be_visible()
    page.evaluate(
        """() => document.querySelector("main").append(
            document.createElement("img"), document.createElement("button"))"""
    )
    found = "\n".join(axe.violations(page))
    assert "image-alt" in found
    assert "button-name" in found


def test_errors_in_a_page_are_kept(guest: Guests) -> None:
    """The control: an error that nobody allowed would fail a test."""
    page = guest("Ann")
    page.evaluate("() => { setTimeout(() => { throw new Error('planted') }) }")
    page.evaluate("() => console.error('also planted')")
    page.evaluate("() => fetch('/api/planted')")
    page.wait_for_timeout(200)
    told = "\n".join(guest.wrong())
    for one in ("planted", "also planted", "/api/planted"):
        assert one in told
    guest.allow("planted")
    assert guest.wrong() == []


def test_a_room_may_go_and_come_back(guest: Guests, open_room: OpenRoom) -> None:
    room = open_room()
    guest.allow(*NO_CONNECTION)
    page = guest("Ann", "/#/table/california", room=room)
    expect(page.get_by_role("main")).to_contain_text("Sit")
    assert room.end(15) == 0
    page.wait_for_timeout(100)
    room.start()
    expect(page.get_by_role("main")).to_contain_text("Sit")


@pytest.mark.parametrize("table", ["ho", "ca"])
def test_others_sit_down_beside_a_guest(
    guest: Guests, others: Others, open_room: OpenRoom, table: str
) -> None:
    books = {"ho": "house", "ca": "california"}
    room = open_room(rooms={table: {"rulebook": books[table], "pace": AT_ONCE}})
    page = guest("Ann", f"/#/table/{table}", room=room)
    ben = others.arrive(room, table, "Ben")
    others.do(ben.sit(2))
    expect(page.get_by_text("Ben").first).to_be_visible()
