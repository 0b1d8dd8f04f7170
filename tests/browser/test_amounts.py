"""Amounts as people write them: what is read is what they meant, or nothing."""

from playwright.sync_api import expect

from tests.browser.at_the_wheel import open_table, take_seat
from tests.browser.guests import Guests
from tests.server.served import Served

READ = {"12,50": "12.5", "$1,000": "1000", "1,00": "1", "1,234.5": "1234.5", " 5. ": "5"}
UNREAD = ("0x10", "1e3", "1,000,50", "1.000,50", "1,0000", "0,500", "-5", "five", "")
NO_AMOUNT = "Write the amount in dollars, such as 5 or 2.50."


def test_what_one_brings_is_what_one_wrote(guest: Guests) -> None:
    page = guest("Ann", "/#/table/house")
    brought = page.get_by_label("Bring")
    for written, read in READ.items():
        brought.fill(written)
        brought.blur()
        expect(brought).to_have_value(read)
        expect(page.get_by_role("alert").get_by_text(NO_AMOUNT)).to_have_count(0)
    for written in UNREAD:
        brought.fill(written)
        brought.blur()
        expect(page.get_by_role("alert").get_by_text(NO_AMOUNT)).to_be_visible()
        expect(brought).to_have_value(written)
        brought.fill("5")
        brought.blur()
        expect(page.get_by_role("alert").get_by_text(NO_AMOUNT)).to_have_count(0)


def test_a_bet_by_name_is_what_one_wrote(guest: Guests, room: Served) -> None:
    seat = take_seat(guest, open_table(room, "roulette-european"))
    form = seat.page.get_by_role("form", name="Place a bet by name")

    def add(written: str) -> None:
        form.get_by_label("Amount in dollars").fill(written)
        form.get_by_role("button", name="Add").click()

    add("2,50")
    assert seat.bets() == {"Straight 0": "$2.50"}
    add("1,000")
    most = "Straight 0 would have $1,002.50: the most on one bet here"
    expect(seat.alert().filter(has_text=most)).to_be_visible()
    for written in ("1e3", "1,000,50", "2.505"):
        add(written)
        expect(seat.alert().filter(has_text=NO_AMOUNT)).to_be_visible()
    assert seat.bets() == {"Straight 0": "$2.50"}
