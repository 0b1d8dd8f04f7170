"""The lobby: what each visitor sees first, and how much has to be fetched for it."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import SMALL, axe, every_look
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.room import LINGERING, Room

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


@every_look
def test_page_is_accessible(guest: Guests, scheme: str, viewport: ViewportSize) -> None:
    page = guest(None, viewport=viewport, color_scheme=scheme)
    see_tables(page)
    assert axe.violations(page) == []


@every_look
def test_opening_a_table_is_accessible(
    guest: Guests, viewport: dict[str, int], scheme: str
) -> None:
    """The form and the menu too, which are there on request."""
    page = guest("Ann", viewport=viewport, color_scheme=scheme)
    see_tables(page)
    page.get_by_role("button", name="Open your own table").click()
    expect(page.get_by_role("button", name="Open the table")).to_be_visible()
    page.get_by_label("Settings").click()
    expect(page.get_by_role("combobox", name="Deck")).to_be_visible()
    assert axe.violations(page) == []
    page.get_by_role("combobox", name="Light").select_option("dark")
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
    expect(card).to_contain_text("The bank is being offered.")
    banker, better = people if ben.view["offered_to"] == 1 else (cat, ben)
    companions.do(banker.do("accept_bank", round=1, cents=50_000))
    companions.do(better.until_phase("betting"))
    expect(card).to_contain_text(f"{banker.name} banks.")
    companions.do(better.bet({"ante": 500}))
    companions.do(better.until_phase("deciding"))
    companions.do(better.do("choose", round=1, move="fold"))
    expect(card).to_contain_text(f"{banker.name} banked last.")


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
