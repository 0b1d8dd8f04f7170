"""What the felt of Three Card Poker says, on the screen and to a screen reader."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import SMALL, poker
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.room import AT_ONCE, LINGERING, UNHURRIED, Pace, Room
from tests.browser.round_endings import Json, outcome, play, with_ends
from tests.browser.ws_proxy import hold

pytestmark = pytest.mark.full
BETS = [{"spot": "ante", "cents": 100}, {"spot": "pair_plus", "cents": 200}]


@pytest.mark.parametrize("ante", [100, -100])
def test_amounts_on_the_spots_add_up(guest: Guests, room: Room, ante: int) -> None:
    def earn_a_bonus(last: Json, _: Json) -> None:
        clause = "HO-9" if ante > 0 else "HO-11"
        game = [outcome(wager, ante, clause) for wager in ("ante", "play")]
        for end in last["end"]["places"]:
            end |= {"net": 2 * ante + 400, "wagers": [*game, outcome("ante_bonus", 400, "HO-12")]}

    page, table = guest("Ann", None), room.open_table("house", pace=LINGERING)
    with_ends(page, table, earn_a_bonus)
    play(page)
    total = poker.net(page)
    assert total == 2 * ante + 400
    lies = page.locator(".spots strong")
    expect(lies).to_have_count(2)
    assert sum(poker.cents(text) for text in lies.all_inner_texts()) == total


def test_placing_chips_is_announced(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=UNHURRIED)}")
    expect(poker.button(page, "Sit")).to_be_visible()
    page.evaluate("window.heard.length = 0")
    poker.sit(page)
    hears(page, "Bets are open.")
    for spot, said in (
        ("Ante", "Ante $1.00. $1.00 in total."),
        ("Ante", "Ante $2.00. $2.00 in total."),
        ("Pair Plus", "Pair Plus $1.00. $3.00 in total."),
        ("Clear", "Your chips are back in your hand."),
    ):
        poker.button(page, spot).press("Enter")
        hears(page, said)
    poker.bet(page, "Ante", "Pair Plus")
    poker.button(page, "Fold").click()
    poker.until_bets(page)
    poker.button(page, "Rebet").press("Enter")
    hears(page, "Ante $1.00, Pair Plus $1.00. $2.00 in total.")


def test_slow_commands_are_shown_as_on_their_way(guest: Guests, room: Room) -> None:
    page = guest("Ann", None)
    release = hold(page, room.open_table("house", pace=LINGERING), "choose")
    play(page)
    way = page.locator(".hints").get_by_text("Sending your Play…")
    expect(way).to_be_visible()
    hears(page, "Sending your Play…")
    release()
    expect(poker.settled(page)).to_contain_text(re.compile("Ante (wins|loses|is|and)"))
    expect(way).to_have_count(0)


def around(page: Page) -> float:
    """Return twice the area that the places enclose: positive if they go clockwise."""
    lie = page.locator(".arc li").evaluate_all(
        """(all) => all.map((one) => one.getBoundingClientRect())
            .map((box) => [box.x + box.width / 2, box.y + box.height / 2])"""
    )
    assert len(lie) >= 6
    after = [*lie[1:], lie[0]]
    return float(sum(x * v - u * y for (x, y), (u, v) in zip(lie, after, strict=True)))


def test_places_go_clockwise_for_watchers_and_players(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('california')}")
    expect(poker.button(page, "Sit")).to_be_visible()
    assert around(page) > 0
    poker.sit(page)
    assert around(page) > 0


@pytest.mark.parametrize("pace", [LINGERING, AT_ONCE], ids=["pause", "no pause"])
def test_leaving_after_the_round_shows_its_result(guest: Guests, room: Room, pace: Pace) -> None:
    pause = pace["pause"]
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=pace)}")
    poker.sit(page)
    poker.bet(page, "Ante")
    expect(poker.button(page, "Play")).to_be_visible()
    poker.button(page, "Leave").click()
    said = "You'll leave after this hand. Your chips return to your balance."
    expect(page.get_by_text(said).and_(page.locator(":visible")).first).to_be_visible()
    hears(page, said)
    poker.button(page, "Play").click()
    expect(poker.button(page, "Sit")).to_be_visible()
    ended = page.get_by_text(re.compile(r"^You (won|lost) \$\d+.00.$|^You broke even."))
    expect(ended if pause else page.get_by_text("Take a seat to start.")).to_be_visible()
    lie = page.get_by_role("group", name="Your cards").get_by_role("img")
    expect(lie).to_have_count(3 if pause else 0)
    expect(page.get_by_text("Ante $1", exact=True)).to_have_count(0)


def test_bets_of_others_are_readable_on_a_phone(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("house", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}", viewport=SMALL)
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(2))
    companions.do(ben.until_phase("betting"))
    companions.do(ben.do("place_wagers", round=ben.round, wagers=BETS, ready=False))
    seat = page.get_by_role("list", name="Seats").get_by_role("listitem").filter(has_text=ben.name)
    expect(seat.get_by_text("$3", exact=True)).to_be_visible()
    heard = seat.aria_snapshot()
    assert "Ante $1.00" in heard
    assert "Pair Plus $2.00" in heard
