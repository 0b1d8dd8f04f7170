"""Every key at a table of Three Card Poker, on a real room."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import poker
from tests.browser.guests import Guests
from tests.browser.room import UNHURRIED, Room

pytestmark = pytest.mark.full


def stake(page: Page, text: str) -> Locator:
    """Return what lies on a spot, as the felt says it."""
    return page.locator(".spots").get_by_text(text, exact=True)


def test_every_key_plays(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=UNHURRIED)}")
    poker.sit(page)
    press = page.keyboard.press
    poker.until_bets(page)
    chips = page.get_by_role("radio").all()
    for number, chip in enumerate(chips[:5], start=1):
        press(str(number))
        expect(chip).to_be_checked()
    press("1")
    press("a")
    press("b")
    expect(stake(page, "Ante $1")).to_be_visible()
    expect(stake(page, "Pair Plus $1")).to_be_visible()
    press("c")
    expect(stake(page, "Ante $1")).to_have_count(0)
    press("a")
    press("Space")
    expect(poker.button(page, "Play")).to_be_visible()
    press("p")
    poker.until_bets(page)
    press("r")
    expect(stake(page, "Ante $1")).to_be_visible()
    press("Space")
    expect(poker.button(page, "Fold")).to_be_visible()
    press("f")
    expect(page.locator("[data-verdict]")).to_contain_text("−$1.00")
    press("?")
    rules = page.get_by_role("dialog")
    expect(rules).to_contain_text("Keyboard shortcuts")
    for text in ("Space", "Deal me in", "1–5", "Choose a chip", "Fold"):
        expect(rules).to_contain_text(text)
    press("Escape")
    expect(rules).to_be_hidden()


def test_keys_are_silent_where_they_write_or_are_off(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=UNHURRIED)}")
    poker.sit(page)
    poker.until_bets(page)
    ante = stake(page, "Ante $1")
    page.evaluate(
        "document.querySelector('main').prepend(Object.assign(document.createElement('input'),"
        " { id: 'note', ariaLabel: 'Note' }))"
    )
    note = page.locator("#note")
    note.press_sequentially("a b")
    expect(note).to_have_value("a b")
    page.keyboard.press("Control+a")
    expect(ante).to_have_count(0)
    note.evaluate("it => it.remove()")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(ante).to_have_count(0)
    page.get_by_label("Settings").click()
    page.get_by_label("Keyboard shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.get_by_label("Settings").click()
    page.get_by_label("Keyboard shortcuts").check()
    expect(ante).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(ante).to_be_visible()


def test_space_presses_the_button_that_has_the_focus(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=UNHURRIED)}")
    poker.sit(page)
    poker.until_bets(page)
    page.keyboard.press("a")
    expect(stake(page, "Ante $1")).to_be_visible()
    poker.button(page, "Clear").focus()
    page.keyboard.press("Space")
    expect(stake(page, "Ante $1")).to_have_count(0)
    expect(poker.button(page, "Deal me in")).to_be_visible()
