"""Chips on the felt of Three Card Poker: on their way to the room, too many, and back again."""

from playwright.sync_api import expect

from tests.browser import poker
from tests.browser.guests import Guests
from tests.browser.meddling import hold


def test_chips_on_their_way_are_not_in_hand(guest: Guests) -> None:
    page = guest("Ann", "/")
    release = hold(page, "house", "place_wagers")
    poker.sit(page)
    poker.bet(page, "Ante")
    way = page.get_by_text("Your bet is on its way to the room.").and_(page.locator(":visible"))
    expect(way.first).to_be_visible()
    for name in ("Clear", "Ante", "Pair Plus"):
        poker.button(page, name).click()
    expect(page.get_by_text("Ante $1", exact=True)).to_be_visible()
    expect(page.get_by_text("Pair Plus $1", exact=True)).to_have_count(0)
    assert not page.evaluate("window.heard.some((said) => said.includes('back in your hand'))")
    release()
    expect(poker.button(page, "Play")).to_be_visible()
    expect(page.get_by_text("Ante $1", exact=True)).to_be_visible()
    expect(way).to_have_count(0)
