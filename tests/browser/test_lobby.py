"""The lobby: what is seen first, by whom, and how much has to be fetched for it."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import axe, every_look
from tests.browser.guests import Guests

#: All that is fetched before the lobby is there, compressed: bytes.
_MOST = 150_000


def see_tables(page: Page) -> None:
    for name in ("california", "house", "roulette"):
        link = page.get_by_role("link", name=re.compile(name, re.IGNORECASE))
        expect(link.first).to_be_visible()


@pytest.mark.parametrize("name", ["Ann", None])
def test_it_lists_the_tables(guest: Guests, name: str | None) -> None:
    page = guest(name)
    see_tables(page)
    expect(page).to_have_title(re.compile("Queenhigh"))


@every_look
def test_everybody_can_read_it(guest: Guests, scheme: str, viewport: ViewportSize) -> None:
    page = guest(None, viewport=viewport, color_scheme=scheme)
    see_tables(page)
    assert axe.violations(page) == []


@every_look
def test_everybody_can_open_a_table(guest: Guests, viewport: dict[str, int], scheme: str) -> None:
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


def test_the_first_load_is_small(guest: Guests) -> None:
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
