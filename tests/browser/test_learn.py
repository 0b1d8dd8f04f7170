"""The guided first hands: by mouse, by keyboard and by touch, for visitors without a name."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import DESKTOP, PHONE, axe, poker
from tests.browser.announcements import hears
from tests.browser.guests import Guests

#: The steps by their headings; amounts follow some.
_STEPS = (
    "Three cards each",
    "Bet an Ante",
    "A side bet, if you like",
    "Play or fold?",
    "The dealer doesn't qualify: +$",
    "One more hand",
    "Play or fold this one?",
    "You folded: −$1.00",
    "That's the whole game",
)


def step(page: Page, title: str) -> Locator:
    """Wait for a step; return its region."""
    region = page.get_by_role("region", name=title)
    expect(region).to_be_visible()
    return region


def learn(guest: Guests, **context: Any) -> Page:
    page = guest(None, "/", **context)
    page.get_by_role("link", name="How to play in 60 seconds").click()
    step(page, _STEPS[0])
    return page


def play_both_hands(page: Page, press: str) -> None:
    """Do on the felt what the steps ask for, with ``click`` or ``tap``."""

    def do(name: str) -> None:
        getattr(poker.button(page, name), press)()

    do("Next")
    step(page, "Bet an Ante")
    do("Ante")
    step(page, "A side bet, if you like")
    do("Pair Plus")
    do("Deal me in")
    step(page, "Play or fold?")
    do("Fold")
    expect(page.get_by_text("a pair is a good hand").first).to_be_visible()
    do("Play")
    won = step(page, "The dealer doesn't qualify: +$2.00")
    expect(won).to_contain_text("The dealer needs queen-high or better to qualify")
    expect(won).to_contain_text("your Ante wins $1 and your Play bet is returned")
    expect(won).to_contain_text("Pair Plus pays $1 for your pair. You won $2.00.")
    do("Next")
    step(page, "One more hand")
    do("Ante")
    do("Deal me in")
    step(page, "Play or fold this one?")
    do("Play")
    lost = step(page, "The dealer qualifies and wins: −$2.00")
    expect(lost).to_contain_text("it beats your jack-high. You lose Ante and Play, $2.")
    do("Next")
    expect(step(page, "That's the whole game")).to_contain_text("queen-high or better to qualify")


@pytest.mark.full
@pytest.mark.parametrize(
    ("press", "context"),
    [
        pytest.param("click", {"viewport": DESKTOP}, id="mouse"),
        pytest.param("tap", {"viewport": PHONE, "has_touch": True}, id="touch"),
    ],
)
def test_guided_hands_are_played_on_the_felt(
    guest: Guests, press: str, context: dict[str, Any]
) -> None:
    page = learn(guest, **context)
    play_both_hands(page, press)
    poker.button(page, "Read the rules").click()
    rules = page.get_by_role("dialog", name="How this table works")
    expect(rules).to_contain_text("What “qualifies” means")
    page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    expect(poker.button(page, "Play now")).to_be_visible()


@pytest.mark.full
def test_guided_hands_go_by_keyboard(guest: Guests) -> None:
    """Next has the keyboard at every step, and each step is announced."""
    page = learn(guest)
    for number, title in enumerate(_STEPS, 1):
        step(page, title)
        hears(page, re.compile(rf"Step {number} of {len(_STEPS)}\. {re.escape(title)}"))
        if number < len(_STEPS):
            expect(poker.button(page, "Next")).to_be_focused()
            page.keyboard.press("Enter")
    expect(poker.button(page, "Play now")).to_be_focused()


@pytest.mark.full
def test_guided_hands_can_be_skipped(guest: Guests) -> None:
    page = learn(guest)
    poker.button(page, "Next").click()
    step(page, _STEPS[1])
    page.keyboard.press("Escape")
    expect(poker.button(page, "Play now")).to_be_visible()
    page.get_by_role("link", name="How to play in 60 seconds").click()
    step(page, _STEPS[0])
    page.get_by_role("link", name="Skip", exact=True).click()
    expect(page).to_have_url(re.compile("#/$"))


@pytest.mark.full
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_step_is_accessible(guest: Guests, viewport: Any) -> None:
    page = learn(guest, viewport=viewport)
    for title in _STEPS:
        step(page, title)
        if title in (_STEPS[0], _STEPS[3], _STEPS[4], _STEPS[8]):
            assert axe.violations(page) == []
        if title != _STEPS[8]:
            poker.button(page, "Next").press("Enter")
    poker.button(page, "Read the rules").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert axe.violations(page) == []
