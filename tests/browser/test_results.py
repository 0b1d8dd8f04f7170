"""One true result: the same figure after the fee on the felt, beside it, in history and replay."""

import re
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe, poker
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.history_page import rows
from tests.browser.room import LINGERING, UNHURRIED, Room
from tests.server.player_client import PlayerClient

pytestmark = pytest.mark.full

#: The dealer seldom qualifies, and then everything is returned: three rounds in four are even.
MOSTLY_EVEN = {"qualifier": "pair", "short_ante": "push"}
DOWN = "You're down $1.00 – the cards were even, the fee was $1.00."


def verdict(page: Page) -> tuple[str, str]:
    """Wait for the plate on the felt; return its two lines."""
    lines = page.wait_for_function(
        """() => {
            const plate = document.querySelector("[data-verdict]");
            return plate && [".net", ".why"].map((line) => plate.querySelector(line).innerText);
        }"""
    )
    net, why = lines.json_value()
    return net, why


def play_until_even(page: Page) -> str:
    """Play until the cards are even; return why, as the felt says it."""
    for _ in range(15):
        poker.bet(page, "Ante")
        poker.button(page, "Play").click()
        net, why = verdict(page)
        if net == "−$1.00":
            return why
    raise AssertionError("the cards are never even")


def test_fee_of_an_even_round_is_one_figure_everywhere(guest: Guests, room: Room) -> None:
    table = room.open_table("california", MOSTLY_EVEN, bots=4, pace=UNHURRIED)
    page = guest("Ann", f"/#/table/{table}")
    poker.sit(page)
    why = play_until_even(page)
    assert why.endswith(DOWN)
    hears(page, DOWN)
    page.get_by_role("tab", name="Hand").click()
    mine = poker.settled(page)
    expect(mine.locator("strong.money")).to_have_text("−$1.00")
    expect(mine).to_contain_text("$1.00 fee included.")
    page.goto("/#/history")
    row = rows(page).first
    expect(row.locator(".outcome")).to_have_text("Result: −$1.00")
    expect(row).to_contain_text("fee $1")
    row.get_by_role("button", name=re.compile("^Replay")).click()
    replay = page.get_by_role("dialog")
    expect(replay.locator("header strong")).to_have_text("−$1.00")
    page.keyboard.press("End")
    assert verdict(page) == ("−$1.00", why)
    expect(replay.locator(".you strong.money")).to_have_text("−$1.00")
    expect(replay.get_by_role("status")).to_contain_text(DOWN)


def _is_offered_elsewhere(person: PlayerClient, place: int) -> bool:
    return bool(person.view.get("offered_to") != place)


def take_the_bank(
    page: Page, companions: Companions, people: list[PlayerClient], dollars: str
) -> None:
    """Take the bank on the page, although others may be offered it first."""
    takes, any_person = page.get_by_label("Put up"), people[0]
    for _ in range(len(people) + 1):
        companions.do(any_person.until_phase("offering"))
        offered, number = any_person.view["offered_to"], any_person.view["next_round"]
        others = [person for person in people if person.own["place"] == offered]
        if not others:
            break
        companions.do(others[0].do("decline_bank", round=number))
        passed_on = partial(_is_offered_elsewhere, any_person, offered)
        companions.do(any_person.until(passed_on))
    expect(page.locator("[data-bank-offer]")).to_contain_text("two players at $5 need about $40")
    takes.fill(dollars)
    most = f"You can lose at most ${dollars} and the fee."
    expect(page.locator("[data-bank-offer]")).to_contain_text(most)
    takes.press("Tab")
    poker.button(page, "Take the bank").click()


#: What the banker puts up while two players lose $5 each, and what is shown of it: a bank of $5
#: covers the first of them only.
BANKS = {
    "100": ("+$8.00", "Your bank won $8.00 after the $2.00 fee. Covered $10 of $100.", "$110.00",
            "Covered $10 of $100 · bank +$8.00"),
    "5": ("+$3.00", "Your bank won $3.00 after the $2.00 fee. The bank ran out.", "$10.00",
          "The bank ran out · bank +$3.00"),
}  # fmt: skip


@pytest.mark.parametrize("dollars", BANKS)
def test_banker_sees_the_bank_win_or_run_out(
    guest: Guests, companions: Companions, room: Room, dollars: str
) -> None:
    table = room.open_table("california", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    people = [companions.arrive(room, table, name) for name in ("Ben", "Cat")]
    for place, person in zip((3, 6), people, strict=True):
        companions.do(person.sit(place))
    poker.sit(page)
    take_the_bank(page, companions, people, dollars)
    for person in people:
        companions.do(person.until_phase("betting"))
        companions.do(person.bet({"ante": 500}))
    rack = page.get_by_role("region", name="Your bank")
    exposed = min(20, int(dollars))
    expect(rack).to_contain_text(f"Exposed ${exposed} of ${dollars}")
    expect(rack).to_contain_text(
        re.compile(r"This round: [+−]\$\d\.\d\d ± \$\d+ after the \$2 fee")
    )
    assert axe.violations(page) == []
    for person in people:
        companions.do(person.until_phase("deciding"))
        companions.do(person.do("choose", round=person.round, move="fold"))
    net, why, in_rack, line = BANKS[dollars]
    assert verdict(page) == (net, why)
    expect(rack).to_contain_text(f"{in_rack} in your rack")
    expect(page.get_by_text(line, exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile(r"\$[\d.]+ left"))).to_have_count(0)
    hears(page, why)
    page.get_by_role("tab", name="Hand").click()
    expect(poker.settled(page).locator("strong.money")).to_have_text(net)


def test_void_round_is_never_paid_out(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}", reduced_motion="no-preference")
    poker.sit(page)
    poker.bet(page, "Ante")
    expect(poker.button(page, "Play")).to_be_visible()
    page.evaluate(
        """() => {
            window.paid = false;
            new MutationObserver(() => {
                window.paid ||= document.body.innerText.includes("Paying out");
            }).observe(document.body, { subtree: true, childList: true, characterData: true });
        }"""
    )
    room.order(f"tables/{table}/void", reason="misdeal")
    assert verdict(page) == ("Round void", "Misdeal. All bets and fees are returned.")
    hears(page, "Round 1 is void: misdeal. All bets and fees are returned.")
    assert page.evaluate("window.paid") is False
