"""The payout trainer in the browser; web/src/lib/trainer has the tests of its logic.

The trainee reads the page and answers by the oracle, so that a wrong mark fails a test.
"""

from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, axe
from tests.browser.guests import Guests
from tests.browser.trainer_page import Trainee

SECOND = {1}


def opened(guest: Guests, level: int, **context: Any) -> Page:
    """Open a level; its seed stands in the address."""
    page = guest("Ann", f"/#/trainer/{level}/seed", **context)
    expect(page.locator(".ask")).to_be_visible()
    return page


def is_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_round_by_keyboard_is_marked_and_kept(guest: Guests) -> None:
    page = opened(guest, 5)
    trainee = Trainee(page, "key")
    asked = trainee.round(5, wrong=SECOND.__contains__)
    expect(
        page.get_by_role("heading", name=f"Round 1: {asked - 1} of {asked} right")
    ).to_be_visible()
    expect(page.get_by_text("What to look at again")).to_be_visible()
    assert axe.violations(page) == []
    page.keyboard.press("Enter")
    assert trainee.round(5) > 0
    expect(page.get_by_text("Every answer was right.")).to_be_visible()

    page.goto("/#/trainer")
    page.reload()
    level = page.locator("[data-level='5']")
    expect(level).to_contain_text("2 rounds, ")
    expect(level).to_contain_text("Best round: 100% right")
    assert axe.violations(page) == []


@pytest.mark.full
def test_round_by_touch_on_a_phone(guest: Guests) -> None:
    page = opened(guest, 3, viewport=PHONE, has_touch=True)
    trainee = Trainee(page, "tap")
    assert not is_wide(page)
    page.locator(".ask button").last.tap()  # the dealer doesn't qualify, or that is wrong
    expect(page.locator("[data-right]")).to_be_visible()
    assert axe.violations(page) == []
    assert not is_wide(page)
    page.reload()
    asked = trainee.round(3)
    expect(page.get_by_role("heading", name=f"Round 1: {asked} of {asked} right")).to_be_visible()
    trainee.press("Next round", "Enter")
    expect(page.get_by_text("Round 2 of 10")).to_be_visible()


@pytest.mark.full
@pytest.mark.parametrize("size", [(844, 390), (667, 375)], ids=["844", "667"])
@pytest.mark.parametrize("level", [5, 8, 9])
def test_question_stands_beside_the_table_on_its_side(
    guest: Guests, level: int, size: tuple[int, int]
) -> None:
    """On a phone on its side the table and every key of the question are seen together."""
    viewport = {"width": size[0], "height": size[1]}
    page = opened(guest, level, viewport=viewport, has_touch=True)
    trainee = Trainee(page, "tap")
    if level == 5:
        trainee.press(page.locator(".outcome button").first.inner_text().strip()[:-1], "w")
        if page.get_by_role("button", name="Next").count():
            trainee.press("Next", "Enter")
    pad = page.get_by_role("group", name="Number pad")
    expect(pad.get_by_role("button", name="Enter")).to_be_in_viewport(ratio=1)
    seen = page.locator("[data-current] svg" if level > 7 else "[data-current]").first
    expect(seen).to_be_in_viewport(ratio=1)
    if level == 5:
        expect(page.locator(".dealer")).to_be_in_viewport(ratio=1)
    assert not is_wide(page)
    table, ask = seen.bounding_box(), page.locator(".ask").bounding_box()
    assert table
    assert ask
    assert table["x"] + table["width"] <= ask["x"]


@pytest.mark.full
@pytest.mark.parametrize("level", [8, 9])
def test_chips_are_counted_on_the_layout(guest: Guests, level: int) -> None:
    page = opened(guest, level, viewport=PHONE, has_touch=True)
    assert axe.violations(page) == []
    assert not is_wide(page)
    asked = Trainee(page, "tap").round(level, wrong={0}.__contains__)
    expect(page.get_by_role("heading", name=f"{asked - 1} of {asked} right")).to_be_visible()


@pytest.mark.full
@pytest.mark.parametrize("level", [1, 2, 4, 6, 7])
def test_every_level_takes_the_oracles_answers(guest: Guests, level: int) -> None:
    page = opened(guest, level)
    Trainee(page, "key").round(level)
    expect(page.get_by_text("Every answer was right.")).to_be_visible()


def test_round_that_cannot_be_stored_is_said_to_be_lost(guest: Guests) -> None:
    page = opened(guest, 1)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full') } }")
    Trainee(page, "key").round(1)
    expect(page.get_by_text("This browser can't store results.")).to_be_visible()


@pytest.mark.full
def test_other_seed_in_the_address_deals_other_rounds(guest: Guests) -> None:
    page = opened(guest, 1)
    table = page.get_by_role("region", name="The table")
    first = Trainee(page).line()
    cards = table.get_by_label("The dealer's cards").inner_text()
    page.evaluate("location.hash = '#/trainer/1/other'")
    expect(table.get_by_label("The dealer's cards")).not_to_have_text(cards)
    assert Trainee(page).line() != first
    page.go_back()
    expect(table.get_by_label("The dealer's cards")).to_have_text(cards)
    assert Trainee(page).line() == first


@pytest.mark.full
def test_seat_at_the_table_can_be_tapped(guest: Guests) -> None:
    page = opened(guest, 4)
    first = Trainee(page).line()["first"]
    page.locator(f"li[data-seat='{first}']").click()
    expect(page.get_by_text("1 of 1 right")).to_be_visible()
    expect(page.get_by_text(f"Seat {first}: how does the hand end?")).to_be_visible()


def test_what_cannot_be_an_amount_is_not_an_answer(guest: Guests) -> None:
    page = opened(guest, 9)
    for typed, says in (("", "Type a whole number of chips"), ("1.5", "Type a whole number")):
        page.locator(".ask input").fill(typed)
        page.keyboard.press("Enter")
        expect(page.get_by_role("main").get_by_text(says)).to_be_visible()
    expect(page.get_by_text("0 of 0 right")).to_be_visible()


def test_results_are_a_sheet_and_can_be_deleted(guest: Guests) -> None:
    page = opened(guest, 1)
    asked = Trainee(page, "key").round(1)
    page.goto("/#/trainer/results")
    page.get_by_label("Name").fill("Cleo, night shift")
    row = page.get_by_role("row", name="Level 1: One seat")
    expect(row).to_contain_text("100%")
    assert axe.violations(page) == []
    address = page.get_by_role("link", name="Download (CSV)").get_attribute("href") or ""
    _, line = unquote(address.split(",", 1)[1]).strip().split("\r\n")
    assert line.startswith(f'"Cleo, night shift",1,1,{asked},{asked},100,')
    page.emulate_media(media="print")
    expect(page.get_by_text("Name: Cleo, night shift")).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    page.emulate_media(media="screen")

    page.goto("/#/trainer")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete my results").click()
    expect(page.locator("[data-level='1']")).to_contain_text("Not practiced yet")
    page.goto("/#/trainer/results")
    expect(page.get_by_text("There are no results on this device yet.")).to_be_visible()
