"""A table with rules of its own shows them, their edge and their chart on every screen."""

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.guests import Guests
from tests.browser.room import Room

ODD = {"tie": "lose", "short_ante": "push", "coverage": "net", "up": 0}


def test_changed_table_shows_its_own_rules(guest: Guests, room: Room) -> None:
    table = room.open_table("california", ODD)
    page = guest("Ann", f"/#/table/{table}")
    page.get_by_role("button", name="House rules differ in 4 points").click()
    panel = page.locator("#house-rules")
    expect(panel).to_contain_text("Dealer cards up")
    expect(panel.get_by_role("row", name="Ante")).to_contain_text("28.3244%4.2964%")
    page.get_by_text("Best strategy", exact=True).click()
    expect(page.locator("table.map")).to_contain_text("no card is up")

    panel.get_by_role("link", name="Odds and best play here").click()
    edge = page.locator('section[data-bet="ante"]')
    expect(edge.locator("[data-edge]")).to_have_text("28.3244%")
    expect(edge).to_contain_text("standard 4.2964%")
    expect(page.locator('[data-field="up"]')).to_contain_text("standard: one")
    expect(page.locator(".rule")).to_contain_text("Q-J-9 or better")
    expect(page.get_by_text("--set up=0")).to_be_visible()

    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Copy as your own rulebook").click()
    assert downloaded.value.suggested_filename == "my-california.toml"

    page.goto(f"/#/table/{table}/card")
    card = page.get_by_role("article")
    expect(card).to_contain_text("House rules differ in 4 points")
    expect(card).to_contain_text("Play money only")
    expect(card.get_by_role("row", name="Queen-high or better equal")).to_contain_text("loses")


@pytest.mark.full
@pytest.mark.parametrize("rulebook", ["california", "roulette-european"])
def test_question_mark_explains_the_table(guest: Guests, room: Room, rulebook: str) -> None:
    """By the table's own keys, by button and by key; the keyboard comes back to the button."""
    changes = {
        "california": {"qualifier": "king-high"},
        "roulette-european": {"zero.on_zero": "la_partage"},
    }[rulebook]
    table = room.open_table(rulebook, changes)
    page = guest("Ann", f"/#/table/{table}")
    opener = page.get_by_role("button", name="How this table works")
    opener.click()
    rules = page.get_by_role("dialog", name="How this table works")
    if rulebook == "california":
        expect(rules).to_contain_text("The dealer needs king-high or better to qualify")
        expect(rules.get_by_role("heading", name="Bonus pays")).to_be_visible()
        expect(rules).to_contain_text("A round costs you $1 to $3 in fees.")
    else:
        expect(rules).to_contain_text("La partage: on zero, even-money bets lose only half.")
    expect(rules).to_contain_text("Your seat is held for ten minutes.")
    assert axe.violations(page) == []
    page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    expect(opener).to_be_focused()
    expect(page.locator("#help-title")).to_have_count(0)  # the page has noticed that it is closed
    page.keyboard.press("?")
    expect(rules).to_be_visible()
    rules.get_by_role("link", name="Full rule card").click()
    expect(page.get_by_role("article")).to_contain_text("Play money only")
