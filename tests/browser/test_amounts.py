"""Fields for amounts: what people write is read as they meant it, or refused in a sentence."""

import pytest
from playwright.sync_api import expect

from tests.browser.guests import Guests
from tests.browser.room import Room
from tests.browser.roulette_page import take_seat

NO_AMOUNT = "Enter an amount in dollars, such as 5 or 2.50."


@pytest.mark.full
def test_amount_field_shows_what_cannot_be_read(guest: Guests) -> None:
    """Which texts are amounts is tested in web/src/lib/text/format.test.ts."""
    page = guest("Ann", "/#/table/house")
    brought = page.get_by_label("Buy in for")
    message = page.get_by_role("alert").get_by_text(NO_AMOUNT)
    brought.fill("1e3")
    brought.blur()
    expect(message).to_be_visible()
    expect(brought).to_have_value("1e3")
    brought.fill("12,50")
    brought.blur()
    expect(message).to_have_count(0)
    expect(brought).to_have_value("12.5")


def test_bet_by_name_takes_the_amount_as_written(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette-european"))
    form = seat.page.get_by_role("form", name="Place a bet by name")

    def add(written: str) -> None:
        form.get_by_label("Amount in dollars").fill(written)
        form.get_by_role("button", name="Add").click()

    add("2,50")
    assert seat.bets() == {"Straight 0": "$2.50"}
    add("1,000")
    most = "Straight 0 would be $1,002.50: the most on one bet here"
    expect(seat.alert().filter(has_text=most)).to_be_visible()
    for written in ("1e3", "1,000,50", "2.505"):
        add(written)
        expect(seat.alert().filter(has_text=NO_AMOUNT)).to_be_visible()
    assert seat.bets() == {"Straight 0": "$2.50"}
