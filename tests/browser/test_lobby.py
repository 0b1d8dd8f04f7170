"""The lobby: what each visitor sees first, and how much has to be fetched for it."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import SMALL, axe, every_width, poker
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.conftest import OpenRoom
from tests.browser.guests import Guests
from tests.browser.room import LINGERING, STANDING, Room

#: All that is fetched before the lobby is there, compressed: bytes.
_MOST = 150_000


def see_tables(page: Page) -> None:
    for name in ("california", "house", "roulette"):
        link = page.get_by_role("link", name=re.compile(name, re.IGNORECASE))
        expect(link.first).to_be_visible()


@pytest.mark.parametrize("name", ["Ann", pytest.param(None, marks=pytest.mark.full)])
def test_lobby_lists_the_tables(guest: Guests, name: str | None) -> None:
    page = guest(name)
    see_tables(page)
    expect(page).to_have_title(re.compile("Queenhigh"))


@every_width
def test_page_is_accessible(guest: Guests, viewport: ViewportSize) -> None:
    page = guest(None, viewport=viewport)
    see_tables(page)
    assert axe.violations(page) == []


@every_width
def test_opening_a_table_is_accessible(guest: Guests, viewport: dict[str, int]) -> None:
    """The form and the menu too, which are there on request."""
    page = guest("Ann", viewport=viewport)
    see_tables(page)
    page.get_by_role("button", name="Open your own table").click()
    expect(page.get_by_role("button", name="Open the table")).to_be_visible()
    page.get_by_label("Settings").click()
    expect(page.get_by_role("combobox", name="Deck")).to_be_visible()
    assert axe.violations(page) == []
    page.get_by_role("combobox", name="Theme").select_option("dark")
    page.get_by_role("combobox", name="Deck").select_option("four")
    page.reload()
    see_tables(page)
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-deck", "four")


def test_longest_rulebook_title_is_readable(guest: Guests) -> None:
    """On a desk in the field, on a small phone below it."""
    page = guest("Ann")
    page.get_by_role("button", name="Open your own table").click()
    field, below = page.get_by_role("combobox", name="Rulebook"), page.locator("form .title")
    expect(below).to_have_text("California Three Card Poker, player-banked")
    expect(below).to_be_hidden()
    has, needs = field.evaluate(
        """(field) => {
            const has = field.offsetWidth;
            field.style.width = "max-content";
            return [has, field.offsetWidth];
        }"""
    )
    assert needs <= has
    page.set_viewport_size(SMALL)
    expect(below).to_be_visible()
    field.evaluate("(field) => (field.style.width = '')")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.full
def test_lobby_shows_who_banks(guest: Guests, companions: Companions, room: Room) -> None:
    table, page = room.open_table("california", pace=LINGERING), guest("Ann")
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=table))
    people = [companions.arrive(room, table, name) for name in ("Ben", "Cat")]
    for place, person in enumerate(people, 1):
        companions.do(person.sit(place))
    ben, cat = people
    companions.do(ben.until_phase("offering"))
    expect(card).to_contain_text("Choosing a banker")
    banker, better = people if ben.view["offered_to"] == 1 else (cat, ben)
    companions.do(banker.do("accept_bank", round=1, cents=50_000))
    companions.do(better.until_phase("betting"))
    expect(card).to_contain_text(f"{banker.name} is banking")
    companions.do(better.bet({"ante": 500}))
    companions.do(better.until_phase("deciding"))
    companions.do(better.do("choose", round=1, move="fold"))
    expect(card).to_contain_text(f"{banker.name} banked last")


def test_play_now_leads_to_a_first_decision(guest: Guests) -> None:
    """From a clean browser in three clicks, with a name and a seat."""
    page = guest(None)
    poker.button(page, "Play now").click()
    expect(poker.button(page, "Ante")).to_be_enabled()
    expect(page.get_by_role("banner")).to_contain_text(re.compile(r"Guest \d{4}"))
    poker.button(page, "Ante").click()
    poker.button(page, "Deal me in").click()
    expect(poker.button(page, "Play")).to_be_visible()


@pytest.mark.full
def test_play_now_goes_back_to_the_same_table(guest: Guests, open_room: OpenRoom) -> None:
    """It has no clock, and the lobby does not list it."""
    page = guest(None, room=open_room(standing=STANDING, constants={}))
    poker.button(page, "Play now").click()
    expect(poker.button(page, "Ante")).to_be_enabled()
    expect(page.get_by_text("Take your time.")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)
    table = page.url
    page.get_by_role("link", name="Tables", exact=True).click()
    expect(page.get_by_role("heading", name="Yours")).to_be_visible()
    expect(page.get_by_text("You're seated at Practice")).to_contain_text("with $1,000")
    expect(page.get_by_role("article")).to_have_count(len(STANDING))
    poker.button(page, "Play now").click()
    expect(page).to_have_url(table)
    page.get_by_role("link", name="Tables", exact=True).click()
    page.get_by_role("link", name="Go back").click()
    expect(page).to_have_url(table)


@pytest.mark.full
def test_guest_changes_the_name(guest: Guests) -> None:
    page = guest("Guest 4821")
    changes = poker.button(page, "Change name")
    changes.click()
    field = page.get_by_label("New name")
    expect(field).to_be_focused()
    guest.allow("400 (Bad Request)")
    field.fill("?!")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    field.press("Escape")
    expect(changes).to_be_focused()
    changes.click()
    field.fill("Nora Quill")
    field.press("Enter")
    expect(page.get_by_role("main").get_by_text("You're playing as Nora Quill.")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Nora Quill")
    hears(page, "You're Nora Quill now.")


@pytest.mark.full
def test_roulette_with_la_partage_opens_from_the_page(guest: Guests) -> None:
    page = guest("Ann")
    page.get_by_role("button", name="Open your own table").click()
    page.get_by_role("combobox", name="Rulebook").select_option("roulette-european")
    page.get_by_label("When zero comes up").select_option("la_partage")
    page.get_by_role("spinbutton", name="Bots").fill("0")
    poker.button(page, "Open the table").click()
    page.get_by_role("button", name="How this table works").click()
    expect(page.get_by_role("dialog")).to_contain_text("La partage: on zero")


def test_first_load_is_small(guest: Guests) -> None:
    page = guest("Ann", "/")
    fetched: list[int] = []
    debugger = page.context.new_cdp_session(page)
    debugger.send("Network.enable")
    debugger.send("Network.setCacheDisabled", {"cacheDisabled": True})
    debugger.on("Network.loadingFinished", lambda e: fetched.append(e["encodedDataLength"]))
    page.reload()
    see_tables(page)
    page.wait_for_load_state("networkidle")
    assert len(fetched) >= 4, "the page, a script, a style, the tables"
    assert sum(fetched) < _MOST
