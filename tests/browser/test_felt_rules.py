"""The felt of Three Card Poker where the rules are other than as shipped, or change."""

import pytest
from playwright.sync_api import expect

from tests.browser import poker
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.panels import unfold
from tests.browser.room import LINGERING, UNHURRIED, Room
from tests.browser.round_endings import outcome, play, with_end
from tests.browser.rounds import bank

pytestmark = pytest.mark.full


# What the page says


def test_grown_bank_shows_its_amount(guest: Guests, companions: Companions, room: Room) -> None:
    net = {"bank.coverage": "net"}
    table = room.open_table("california", net, pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    people = [companions.arrive(room, table, name) for name in ("Ben", "Cat")]
    for place, person in zip((2, 3), people, strict=True):
        companions.do(person.sit(place))
    ben, cat = people
    companions.do(bank(ben, 5_000, people))
    companions.do(cat.until_phase("betting"))
    expect(page.get_by_text("$50 to cover bets")).to_be_visible()
    companions.do(cat.bet({"ante": 500}))
    companions.do(cat.until_phase("deciding"))
    companions.do(cat.do("choose", round=cat.round, move="fold"))
    expect(page.get_by_text("$55 to cover bets · bank +$3.00")).to_be_visible()
    left = page.get_by_label("Left to cover bets")
    assert left.evaluate("(one) => one.value") == 5_500


def test_cost_of_play_is_shown_only_with_an_ante(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=UNHURRIED)}")
    page.get_by_label("Buy in for").fill("1")
    poker.sit(page)
    poker.until_bets(page)
    poker.button(page, "Pair Plus").click()
    expect(page.get_by_text("Bet $1.00.", exact=True)).to_be_visible()
    poker.button(page, "Pair Plus").click()
    poker.button(page, "Deal me in").click()
    short = "You have $1 here. These bets need $2: bet less or add chips."
    expect(page.get_by_text(short)).to_be_visible()
    poker.button(page, "Ante").click()
    poker.button(page, "Deal me in").click()
    expect(page.get_by_text("These bets with Play need $4:")).to_be_visible()


def test_round_is_explained_by_its_own_rules(guest: Guests, room: Room) -> None:
    page, table = guest("Ann", None), room.open_table("house", pace=LINGERING)
    game = [outcome(wager, 100, "HO-9") for wager in ("ante", "play")]
    with_end(page, table, "5h 5d 5c", "Ks Td 7h", [*game, outcome("pair_plus", 3_000, "HO-4")])

    def change() -> None:
        more = {"pair_plus.pays.three_of_a_kind": "90 to 1"}
        room.order(f"tables/{table}/rules", set=more, reason="a test")

    play(page, change)
    unfold(page, "This table")
    expect(page.get_by_role("cell", name="90 to 1")).to_be_visible()
    said = "Pair Plus wins $30.00: three of a kind pays 30 to 1."
    expect(poker.settled(page)).to_contain_text(said)
    hears(page, said)


# What may be put down


def test_chips_fit_the_increment_of_the_table(guest: Guests, room: Room) -> None:
    limits = {f"limits.{bet}.{end}": cents for bet in ("ante", "pair_plus")
              for end, cents in (("min", 102), ("max", 399))}  # fmt: skip
    table = room.open_table("house", {"increment": 3, **limits}, pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    poker.sit(page)
    poker.until_bets(page)
    expect(page.get_by_role("radio")).to_have_count(1)
    expect(page.get_by_role("radio", name="$1.02 chip")).to_be_checked()
    poker.button(page, "Ante").click()
    poker.bet(page, "Ante")
    expect(poker.button(page, "Play")).to_be_visible()
    expect(page.get_by_text("Ante $2.04", exact=True)).to_be_visible()
