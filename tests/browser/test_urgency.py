"""What calls a player whose turn it is: the tab's title and icon, and a clock that warns."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import poker
from tests.browser.announcements import hears
from tests.browser.guests import Guests
from tests.browser.room import UNHURRIED, Room
from tests.browser.ws_proxy import change_messages

pytestmark = pytest.mark.full


def hurry(text: str) -> str:
    """Give a player who decides four and a half seconds, as the page sees it."""
    message = json.loads(text)
    if message["type"] == "view" and message["view"]["phase"] == "deciding":
        message["view"].pop("untimed", None)
        message["view"]["deadline"] = message["now"] + 4_500
    return json.dumps(message)


def icon(page: Page) -> str:
    href: str = page.evaluate("document.querySelector('link[rel=icon]').href")
    return href.rpartition("/")[2]


def test_player_is_called_and_warned(guest: Guests, room: Room) -> None:
    page = guest("Ann", None)
    change_messages(page, room.open_table("house", pace=UNHURRIED), hurry)
    poker.sit(page)
    poker.bet(page, "Ante")
    fold = poker.button(page, "Fold")
    expect(fold).to_be_visible()
    expect(page).to_have_title(re.compile("^▶ Your turn – House"))
    assert icon(page) == "favicon-turn.svg"
    expect(page.locator(".clock.urgent")).to_be_visible()
    hears(page, re.compile(r"\b5 seconds left\."))
    fold.click()
    expect(page.locator("[data-verdict]")).to_be_visible()
    # The next round is open for bets: the player is called again for those, or not at all.
    expect(page.locator(".clock.urgent")).to_have_count(0)


def test_title_is_restored_when_the_table_is_left(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=UNHURRIED)}")
    poker.sit(page)
    poker.bet(page, "Ante")
    expect(page).to_have_title(re.compile("^▶ Your turn – "))
    page.get_by_role("link", name="Odds").click()
    expect(page).to_have_title(re.compile("^Queenhigh"))
    assert icon(page) == "favicon.svg"
