"""A cashier freezes a player in the middle of a hand: what both of them read, and where."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import DESKTOP, PHONE, poker
from tests.browser.announcements import hears
from tests.browser.axe import violations
from tests.browser.conftest import OpenShift
from tests.browser.guests import Guests
from tests.browser.shift import confirm

pytestmark = pytest.mark.full

IN_A_HAND = "The floor has frozen your account. Finish this hand; then you leave with your chips."
ASK = "Your account is frozen. Ask the floor why."
#: What a notice covers, or what is out of sight: cards, seats and buttons of the felt.
_COVERED = """(notice) => {
    const box = notice.getBoundingClientRect();
    const parts = [...notice.closest("[data-felt]").querySelectorAll("button, [role=img]")];
    return parts.filter((part) => part.checkVisibility() && part.getClientRects().length)
        .filter((part) => !notice.contains(part))
        .filter((part) => {
            const { left, right, top, bottom } = part.getBoundingClientRect();
            return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
        })
        .map((part) => part.ariaLabel || part.textContent);
}"""


def take_picture(page: Page, name: str) -> None:
    """Save what a page shows, where somebody wants to look at it."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [
        pytest.param(PHONE, "light", id="phone"),
        pytest.param(DESKTOP, "dark", id="desktop", marks=pytest.mark.night),
    ],
)
def test_frozen_player_reads_how_the_hand_ends(
    open_shift: OpenShift, guest: Guests, viewport: ViewportSize, scheme: str
) -> None:
    shift = open_shift()
    shift.do("Frank", "tables", name="two", rulebook="house", pace="normal", reason="a test")
    looks = {"viewport": viewport, "color_scheme": scheme}
    ann, ben = (guest(name, "/#/table/two", room=shift.room, **looks) for name in ("Ann", "Ben"))
    for page in (ann, ben):
        poker.sit(page)
    for page in (ann, ben):
        poker.bet(page, "Ante")
    expect(poker.button(ann, "Play")).to_be_visible()

    carl = shift.page("Carl", "players/Ann", **looks)
    poker.button(carl, "Freeze Ann").click()
    dialog = carl.get_by_role("dialog")
    expect(dialog).to_contain_text("A hand that is dealt is theirs to finish.")
    take_picture(carl, f"dialog-{viewport['width']}-{scheme}")
    confirm(carl, "Freeze the account", "a dispute")
    held = carl.locator("[data-holds]")
    expect(held).to_have_text(
        "In a hand at Two: they may finish it, then they leave with their chips."
    )
    take_picture(carl, f"staff-{viewport['width']}-{scheme}")

    notice = ann.locator("[data-frozen]")
    expect(notice).to_have_text(IN_A_HAND)
    hears(ann, IN_A_HAND)
    assert notice.evaluate(_COVERED) == []
    expect(poker.button(ann, "Play")).to_be_in_viewport(ratio=1)
    expect(ann.get_by_role("group", name="The dealer's cards")).to_be_in_viewport(ratio=1)
    expect(ben.locator("[data-frozen]")).to_have_count(0)
    assert violations(ann) == []
    take_picture(ann, f"player-{viewport['width']}-{scheme}")
    poker.button(ann, "Play").click()
    expect(notice).to_have_text(
        "The floor has frozen your account. When this round is over, you leave with your chips."
    )
    poker.button(ben, "Fold").click()
    expect(notice).to_have_text(ASK)
    expect(held).to_have_count(0)
    take_picture(ann, f"after-{viewport['width']}-{scheme}")
    ann.goto("/#/")
    lobby = ann.locator("#main").get_by_text(ASK)
    expect(lobby).to_be_visible()
    poker.button(carl, "Unfreeze Ann").click()
    confirm(carl, "Unfreeze the account", "settled")
    expect(lobby).to_have_count(0)
