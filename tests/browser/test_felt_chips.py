"""Chips on the felt of Three Card Poker: on their way to the room, too many, and back again."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser import poker
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.guests import MOTION, Guests
from tests.browser.room import LINGERING, UNHURRIED, Room
from tests.browser.round_endings import Json
from tests.browser.ws_proxy import change_messages, hold, rewrite

pytestmark = pytest.mark.full


def test_chips_being_sent_cannot_be_changed(guest: Guests, room: Room) -> None:
    page = guest("Ann", None, **MOTION)
    release = hold(page, room.open_table("house", bots=2, pace=UNHURRIED), "place_wagers")
    poker.sit(page)
    poker.bet(page, "Ante")
    way = page.locator(".hints").get_by_text("Sending your bet…")
    expect(way).to_be_visible()
    for name in ("Clear", "Ante", "Pair Plus"):
        poker.button(page, name).click()
    expect(page.get_by_text("Ante $1", exact=True)).to_be_visible()
    expect(page.get_by_text("Pair Plus $1", exact=True)).to_have_count(0)
    assert not page.evaluate("window.heard.some((said) => said.includes('back in your hand'))")
    release()
    expect(poker.button(page, "Play")).to_be_visible()
    expect(page.get_by_text("Ante $1", exact=True)).to_be_visible()
    expect(way).to_have_count(0)


def test_chips_come_back_with_the_reason(guest: Guests, companions: Companions, room: Room) -> None:
    """The page sees bets closed while somebody sits down, and open again with the next one."""
    closed = False
    page, table = guest("Ann", None), room.open_table("house", pace=LINGERING)
    change_messages(
        page, table, lambda text: text.replace('"betting"', '"between"') if closed else text
    )
    page.get_by_label("Buy in for").fill("1")
    poker.sit(page)
    poker.until_bets(page)
    poker.button(page, "Ante").click()
    short = "You have $1 here. These bets with Play need $2: bet less or add chips."
    expect(page.get_by_role("alert").get_by_text(short, exact=True)).to_be_visible()
    closed = True
    companions.do(companions.arrive(room, table, "Ben").sit(2))
    came = page.get_by_text("Your chips were returned.")
    expect(came).to_have_text(f"Your chips were returned. {short}")
    closed = False
    companions.do(companions.arrive(room, table, "Cat").sit(3))
    expect(poker.button(page, "Deal me in")).to_be_visible()
    expect(came).to_have_count(0)


def test_chips_come_back_when_already_in_the_round(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=LINGERING)}")
    poker.sit(page)
    poker.until_bets(page)
    poker.button(page, "Pair Plus").click()
    other = page.context.new_page()
    other.goto(page.url)
    poker.bet(other, "Ante")
    came = page.get_by_role("alert").get_by_text("Your chips were returned.")
    expect(came).to_have_text("Your chips were returned. You're already in this round.")
    expect(poker.button(page, "Play")).to_be_visible()
    poker.button(other, "Fold").click()
    expect(poker.settled(page)).to_contain_text("You folded")
    expect(came).to_have_count(0)


def test_play_chips_are_announced_and_focus_stays(guest: Guests, room: Room) -> None:
    """The page believes that a dollar is all one has, and that an Ante is needed."""
    has: Json = {"wallet": 100, "seats": []}
    page, table = guest("Ann", None), room.open_table("house", pace=LINGERING)
    page.route("**/api/me", lambda route: answer_with(route, has))
    page.route(
        "**/api/me/chips", lambda route: answer_with(route, {"wallet": 499_900, "seats": []})
    )

    def need_ante(rules: Json) -> None:
        rules["betting"]["least_stack"] = 200
        rules["betting"]["wagers"]["ante"]["required"] = True

    rewrite(page, need_ante)
    page.goto(f"/#/table/{table}")
    expect(page.get_by_text("$1 to $1", exact=True)).to_be_visible()
    has |= {"wallet": 0, "seats": [{"table": table, "place": 4, "cents": 100}]}
    poker.sit(page)
    expect(poker.button(page, "Get play chips")).to_be_visible()
    poker.until_bets(page)
    poker.button(page, "Ante").click()
    expect(page.get_by_text("These bets with Play need $2.", exact=False)).to_be_visible()
    for name, said in (
        ("Get play chips", "Balance $4,999"),
        ("Add", "You have $501 at the table now."),
    ):
        poker.button(page, name).press("Enter")
        hears(page, said)
        expect(poker.button(page, name)).to_have_count(0)
        expect(page.get_by_role("group", name="What you can do")).to_be_focused()


def answer_with(route: Route, more: Json) -> None:
    """Answer a request for the balance."""
    route.fulfill(json={"player": "Ann", **more})
