"""The floor's page for everybody: auditors, keyboards, screen readers, phones."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, SMALL, axe, poker
from tests.browser.conftest import OpenShift
from tests.browser.guests import Guests
from tests.browser.shift import Shift

pytestmark = pytest.mark.full

#: The screens of the floor, and what is there once they are loaded.
SCREENS = {
    "": "Tables",
    "open": "Open a table",
    "tables/two": "Round 2",
    "tables/two/rulings": "Rulings at this table",
    "tables/two/rules": "How it runs",
    "tables/two/rotation": "Turns at the bank",
    "tables/two/log": "Two",
    "rounds": "Rounds",
    "rounds/two/1": "What was played",
    "corrections": "Waiting",
    "players": "Players",
    "reports/bankers": "Bankers",
    "staff": "Staff",
    "staff/sessions": "Staff",
    "staff/log": "Staff",
    "log": "What the floor did",
    "me": "Your sessions",
}
#: Buttons that only show something, or change the reader's own view.
HARMLESS = {
    "OK", "Show more", "Find rounds", "Find", "Show", "Download CSV", "Check every signature",
    "See what would move", "Hide what would move",
}  # fmt: skip
#: Cells of tables whose text reaches into the next cell.
_OVERFLOWING = """() => [...document.querySelectorAll(".screen tbody :is(th, td)")]
    .filter((cell) => getComputedStyle(cell).overflow === "visible")
    .filter((cell) => cell.clientWidth && cell.scrollWidth > cell.clientWidth + 1)
    .map((cell) => cell.textContent.trim())"""
_WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def busy(open_shift: OpenShift, guest: Guests) -> Shift:
    """Open a shift with a table where a player decides, and a correction that waits."""
    shift = open_shift()
    shift.do("Frank", "tables", name="two", rulebook="house", pace="quick", reason="a test")
    shift.do("Frank", "notices", text="Dinner at nine", table="")
    ann = guest("Ann", "/#/table/two", room=shift.room)
    poker.sit(ann)
    poker.bet(ann, "Ante")
    poker.button(ann, "Play").click()
    poker.bet(ann, "Ante")
    expect(poker.button(ann, "Play")).to_be_visible()
    for _ in range(100):
        if shift.get("Ada", "rounds?table=two"):
            break
        time.sleep(0.05)
    shift.do("Carl", "tables/two/corrections", round=1, facts={"void": True}, reason="A dispute")
    return shift


def go(page: Page, path: str) -> None:
    """Open a screen, and wait until it is there."""
    page.goto(f"/#/floor/{path}")
    screen = page.locator(".screen")
    expect(screen.get_by_role("heading", name=SCREENS[path]).first).to_be_visible()
    expect(screen.get_by_text("Loading…", exact=True)).to_have_count(0)


def buttons(page: Page) -> set[str]:
    """Return what the buttons of the screen say."""
    names = page.locator(".screen").get_by_role("button").all_inner_texts()
    return {name.strip() for name in names}


def test_auditor_sees_everything_and_changes_nothing(open_shift: OpenShift, guest: Guests) -> None:
    shift = busy(open_shift, guest)
    auditor, floor = shift.page("Ada"), shift.page("Frank")
    offered = set[str]()
    for path in SCREENS:
        if path in ("me", "staff/sessions", "open"):  # the reader's own account; and one form
            continue
        go(auditor, path)
        assert buttons(auditor) - HARMLESS == set(), path
        fields = auditor.locator(".screen").get_by_role("textbox")
        assert (
            path in ("rounds", "players", "reports/bankers")
            or fields.count() == 0
            or not (fields.first.is_enabled())
        ), path
        go(floor, path)
        offered |= buttons(floor) - HARMLESS
    go(auditor, "open")
    assert auditor.locator(".screen").get_by_role("button").count() == 0
    # The same search finds the buttons of someone who may act.
    assert {"Pause…", "Close…", "Void the round…", "Approve…", "Reject…", "Freeze…"} <= offered


def test_every_screen_reads_well_and_fits_phones(open_shift: OpenShift, guest: Guests) -> None:
    shift = busy(open_shift, guest)
    page = shift.page("Olga", viewport=PHONE)
    for path in SCREENS:
        go(page, path)
        for size in (SMALL, PHONE):
            page.set_viewport_size(size)
            assert page.evaluate(_WIDER) <= 0, f"{path} at {size['width']}"
            assert page.evaluate(_OVERFLOWING) == [], f"{path} at {size['width']}"
        assert axe.violations(page) == [], path


def test_table_is_paused_by_keyboard_alone(open_shift: OpenShift, guest: Guests) -> None:
    shift = busy(open_shift, guest)
    page = shift.page("Frank", "tables/two")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").strip() == "Pause…":
            break
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("Dinner")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("status").filter(has_text="Two is paused.")).to_be_visible()
    expect(page.get_by_role("button", name="OK")).to_be_focused()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    assert axe.violations(page) == []
