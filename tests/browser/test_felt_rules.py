"""The felt of Three Card Poker where the rules are other than as shipped, or change."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import poker
from tests.browser.ends import Json, outcome, play, with_end
from tests.browser.guests import Guests
from tests.browser.hearing import hears
from tests.browser.meddling import rewrite
from tests.browser.others import Others
from tests.browser.panels import unfold
from tests.browser.room import LINGERING, UNHURRIED, Room
from tests.browser.rounds import bank

pytestmark = pytest.mark.full


# What is told


def test_a_bonus_the_bank_did_not_reach_is_no_money_that_came_back(
    guest: Guests, room: Room
) -> None:
    def banked(document: Json) -> None:
        document["bank"] = {"clause": "HO-1", "unmatched_clause": "HO-2", "coverage": "action"}

    page, table = guest("Ann", None), room.open_table("house", pace=LINGERING)
    rewrite(page, banked)
    game = [outcome("ante", 100, "HO-9"), outcome("play", 0, "HO-2")]
    with_end(page, table, "5h 6d 7c", "Ks Td 7h", [*game, outcome("ante_bonus", 0, "HO-2")])
    play(page)
    mine = poker.settled(page)
    expect(mine).to_contain_text("The bank did not reach: $1.00 of Play came back. HO-2")
    expect(mine).to_contain_text("The bank did not reach for what Ante bonus won. HO-2")
    expect(mine).not_to_contain_text("$0.00")


@pytest.mark.parametrize(
    ("dealer", "said"),
    [
        ("Ks Td 7h", "Dealer has king-high. You were ahead: Ante pays $1.00 and Play"),
        ("Js Td 7h", "Dealer has no queen: Play pays $1.00. You were ahead: Ante pays"),
    ],
)
def test_whether_the_dealer_qualifies_is_told_by_the_cards(
    guest: Guests, room: Room, dealer: str, said: str
) -> None:
    """One clause may settle all cases."""

    def one_clause(document: Json) -> None:
        for row in document["settlement"]:
            row["clause"] = "HO-9"

    page, table = guest("Ann", None), room.open_table("house", pace=LINGERING)
    rewrite(page, one_clause)
    game = [outcome(wager, 100, "HO-9") for wager in ("ante", "play")]
    with_end(page, table, "Ah 8d 4c", dealer, game)
    play(page)
    expect(poker.settled(page)).to_contain_text(said)


def test_a_bank_that_has_grown_says_so(guest: Guests, others: Others, room: Room) -> None:
    net = {"bank.coverage": "net"}
    table = room.open_table("california", net, pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    people = [others.arrive(room, table, name) for name in ("Ben", "Cat")]
    for place, one in zip((2, 3), people, strict=True):
        others.do(one.sit(place))
    ben, cat = people
    others.do(bank(ben, 5_000, people))
    others.do(cat.until_phase("betting"))
    expect(page.get_by_text("all of it left")).to_be_visible()
    others.do(cat.bet({"ante": 500}))
    others.do(cat.until_phase("deciding"))
    others.do(cat.do("choose", round=cat.round, move="fold"))
    expect(page.get_by_text("$55.00 now")).to_be_visible()
    left = page.get_by_label("What is left of the bank")
    assert left.evaluate("(one) => one.value") == 5_500


def test_no_play_is_told_of_where_none_will_come(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=UNHURRIED)}")
    page.get_by_label("Bring").fill("1")
    poker.sit(page)
    poker.until_bets(page)
    poker.button(page, "Pair Plus").click()
    expect(page.get_by_text("$1.00 on the felt.", exact=True)).to_be_visible()
    poker.button(page, "Pair Plus").click()
    poker.button(page, "Deal me in").click()
    short = "You have $1 here. These wagers need $2: put down less or bring more."
    expect(page.get_by_text(short)).to_be_visible()
    poker.button(page, "Ante").click()
    poker.button(page, "Deal me in").click()
    expect(page.get_by_text("These wagers with Play need $4:")).to_be_visible()


def test_a_round_is_explained_by_the_rules_it_was_played_by(guest: Guests, room: Room) -> None:
    page, table = guest("Ann", None), room.open_table("house", pace=LINGERING)
    game = [outcome(wager, 100, "HO-9") for wager in ("ante", "play")]
    with_end(page, table, "5h 5d 5c", "Ks Td 7h", [*game, outcome("pair_plus", 3_000, "HO-4")])

    def change() -> None:
        more = {"pair_plus.pays.three_of_a_kind": "90 to 1"}
        room.order(f"tables/{table}/rules", set=more, reason="a test")

    play(page, change)
    unfold(page, "This table")
    expect(page.get_by_role("cell", name="90 to 1")).to_be_visible()
    said = "Pair Plus: three of a kind pays 30 to 1, $30.00."
    expect(poker.settled(page)).to_contain_text(said)
    hears(page, said)


# What may be put down


def test_chips_go_in_the_steps_of_the_table(guest: Guests, room: Room) -> None:
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


def test_a_wager_without_a_rate_is_told_before_it_is_sent(guest: Guests, room: Room) -> None:
    gap = {"fees.rates.1.min": 20_001}
    table = room.open_table("california", gap, bots=4, pace=UNHURRIED)
    page = guest("Ann", f"/#/table/{table}")
    poker.sit(page)
    poker.until_bets(page)
    page.get_by_role("radio", name="$100.00 chip").check(force=True)
    poker.button(page, "Ante").click()
    page.get_by_role("radio", name="$5.00 chip").check(force=True)
    poker.button(page, "Ante").click()
    poker.button(page, "Deal me in").click()
    ranges = "they are $5 to $100, $200.01 to $300 and $300.01 to $1,000."
    said = f"$105.00 on Ante is in no collection range: {ranges}"
    expect(page.get_by_role("alert").get_by_text(said)).to_be_visible()


def test_the_least_ante_is_one_with_a_rate(guest: Guests, room: Room) -> None:
    def low(document: Json) -> None:
        document["limits"]["ante"] = {"clause": "CA-7", "min": 100, "max": 100_000}

    page = guest("Ann", None)
    rewrite(page, low)
    page.goto(f"/#/table/{room.open_table('california', pace=LINGERING)}")
    expect(page.get_by_text("$11 to $5,000", exact=True)).to_be_visible()
    unfold(page, "This table")
    limits = page.get_by_role("row", name=re.compile("^Ante"))
    expect(limits.first).to_contain_text("$5 to $1,000")
