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
