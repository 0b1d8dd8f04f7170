"""A table of Three Card Poker on every screen: what a decision needs is in one view."""

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser import PHONE, SMALL, axe, poker
from tests.browser.guests import Guests
from tests.browser.room import UNHURRIED, Room

pytestmark = pytest.mark.full

#: Phones both ways up, and two screens at 200 % zoom.
SCREENS: dict[str, ViewportSize] = {
    "sideways": {"width": 667, "height": 375},
    "wide sideways": {"width": 844, "height": 390},
    "small phone": SMALL,
    "phone": PHONE,
    "1280×800 at 200 %": {"width": 640, "height": 400},
    "1920×1080 at 200 %": {"width": 960, "height": 540},
    "1280×800": {"width": 1280, "height": 800},
}
#: The boxes of the dealer's cards, your own cards and both buttons.
BOXES = """() => [
    ...document.querySelectorAll('[aria-label="The dealer\\'s cards"] [role=img]'),
    ...document.querySelectorAll('[aria-label="Your cards"] [role=img]'),
    ...[...document.querySelectorAll(".controls button")]
        .filter((button) => ["Play", "Fold"].includes(button.textContent.trim())),
].map((element) => element.getBoundingClientRect().toJSON())"""
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_decision_is_in_one_view_on_every_screen(guest: Guests, room: Room) -> None:
    table = room.open_table("california", pace=UNHURRIED, bots=6)
    page = guest("Ann", f"/#/table/{table}", viewport=SCREENS["1280×800"])
    poker.sit(page)
    poker.bet(page, "Ante")
    expect(poker.button(page, "Play")).to_be_visible()
    expect(page.locator(".status-line")).to_contain_text("You have")
    for name, screen in SCREENS.items():
        page.set_viewport_size(screen)
        page.evaluate("scrollTo(0, 0)")
        boxes = page.evaluate(BOXES)
        assert len(boxes) == 8
        assert min(box["top"] for box in boxes) >= 0, name
        assert max(box["bottom"] for box in boxes) <= screen["height"], name
        assert max(box["right"] for box in boxes) <= screen["width"], name
        assert page.evaluate(WIDER) <= 0, name
    page.set_viewport_size(SCREENS["sideways"])
    assert axe.violations(page) == []


@pytest.mark.parametrize(("width", "height", "share"), [(1920, 1080, 0.65), (1280, 800, 0.5)])
def test_felt_takes_most_of_the_screen(
    guest: Guests, room: Room, width: int, height: int, share: float
) -> None:
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}", viewport={"width": width, "height": height})
    box = page.locator(".surface").bounding_box()
    assert box is not None
    assert box["width"] * box["height"] >= share * width * height
