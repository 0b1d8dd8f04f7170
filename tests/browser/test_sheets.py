"""Sheets to print: chosen by mouse and keyboard, seen, downloaded and printed."""

import pytest
from playwright.sync_api import Page, expect

import queenhigh as qh
from queenhigh.sheets.printed.as_pdf import as_pdf
from queenhigh.sheets.printed.sheets import make_sheet
from tests.browser import DESKTOP, PHONE, axe
from tests.browser.guests import Guests
from tests.browser.room import Room

KINDS = {"Rule card": "Rules of the table", "Fees": "Collection fees", "Pays": "Pays",
         "Strategy card": "Strategy card", "Felt": "Layout"}  # fmt: skip
ODD = {"fees.rates.0.player": 150}


def heading(page: Page, name: str) -> None:
    """Wait for the heading of a sheet."""
    expect(page.get_by_role("article").get_by_role("heading", level=1)).to_have_text(name)


@pytest.mark.full
def test_table_has_sheets_of_its_own_rules(guest: Guests, room: Room) -> None:
    table = room.open_table("california", ODD)
    page = guest("Ann", f"/#/table/{table}/card")
    page.get_by_role("link", name="Signs, strategy card and felt").click()
    kinds = page.get_by_role("navigation", name="Kinds of sheets")
    sheet = page.get_by_role("article")
    for kind, title in KINDS.items():
        kinds.get_by_role("link", name=kind).click()
        heading(page, title)
        expect(kinds.get_by_role("link", name=kind)).to_have_attribute("aria-current", "page")
        assert axe.violations(page) == []
    kinds.get_by_role("link", name="Fees").click()
    expect(sheet.get_by_role("row", name="$5 to $100 $1.50 $2")).to_be_visible()

    page.get_by_label("Paper").select_option("A4")
    with page.expect_download() as downloaded:
        page.get_by_role("link", name="Download PDF").click()
    own = make_sheet("fees", qh.load("california", ODD), "a4", table)
    assert downloaded.value.path().read_bytes() == as_pdf(own)
    assert downloaded.value.suggested_filename.endswith("-fees.pdf")

    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Print").click()
    expect(opened.value.get_by_role("heading", name="Collection fees")).to_be_visible()
    frame = opened.value.locator(".frame")
    assert frame.evaluate("each => getComputedStyle(each).borderStyle") == "double", "its style"
    opened.value.close()

    page.get_by_role("link", name="Back to the table").click()
    expect(page.get_by_role("link", name="Back to the table")).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_sheets_need_no_mouse_and_no_name(guest: Guests, size: dict[str, int]) -> None:
    """A visitor goes from sheet to sheet by keyboard; a senseless one is refused in a sentence."""
    page = guest(None, "/#/sheets", viewport=size)
    heading(page, KINDS["Rule card"])
    page.get_by_role("link", name="Rule card").focus()
    for kind in ("Fees", "Pays", "Strategy card", "Felt"):
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        heading(page, KINDS[kind])
        expect(page.get_by_role("link", name=kind)).to_be_focused()
    expect(page.get_by_role("img", name="11 places, each with Play, Ante, Bonus")).to_be_visible()
    page.get_by_label("Rules of").select_option("American roulette, full layout")
    expect(page.get_by_role("img", name="Five-number, 5 numbers, pays 6 to 1")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    guest.allow("404 (Not Found)")
    page.get_by_role("link", name="Strategy card").click()
    expect(page.get_by_role("alert")).to_contain_text("there is nothing to decide")
    expect(page.get_by_role("button", name="Print")).to_have_count(0)
    assert axe.violations(page) == []
