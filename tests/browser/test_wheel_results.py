"""Whose result it is at a wheel: the player who bet has it, wherever they sit since."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.room import Room
from tests.browser.roulette_page import Seat, sit_beside, take_seat, until_zero
from tests.browser.rounds import play
from tests.browser.wheel_oracle import money, offered

pytestmark = pytest.mark.full


def gain(cents: int) -> str:
    """Write what somebody won or lost as the page does."""
    return f"{'+' if cents > 0 else ''}{money(cents)}"


def others_in(seat: Seat, round: int) -> Locator:
    """Return what the page says of the others in a round."""
    region = seat.page.get_by_role("region", name=f"Round {round}", exact=True)
    return region.locator(".others li")


def test_new_player_has_no_part_in_the_last_result(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(1))
    companions.do(play(ben, {"red": 2_500}))
    net = ben.view["last"]["end"]["places"][0]["net"]
    companions.do(ben.do("leave", when="now"))
    seat = take_seat(guest, table)
    for _ in range(2):
        expect(others_in(seat, 1)).to_have_text(f"{ben.name} {gain(net)}")
        expect(seat.page.get_by_text("You had no bet in this round.")).to_be_visible()
        expect(seat.page.get_by_text(re.compile("You (won|lost) "))).to_have_count(0)
        seat.page.reload()


def test_leaving_mid_spin_shows_result_only_after_ball_lands(
    guest: Guests, companions: Companions, room: Room
) -> None:
    seat, ben = sit_beside(guest, companions, room)
    wallet = seat.page.locator(".who .money")
    expect(wallet).to_have_text("$4,000.00")
    seat.spot("Odd").click()
    seat.button("Spin").click()
    expect(seat.page.get_by_text("Waiting for Ben")).to_be_visible()
    seat.button("Leave").click()
    hears(seat.page, "You'll leave after this spin. Your chips return to your balance.")
    expect(seat.page.locator(".felt")).to_be_focused()
    companions.do(play(ben, {"black": 100}))
    expect(seat.page.get_by_text("The ball is rolling.")).to_be_visible()
    seat.page.wait_for_timeout(500)  # so that it would be seen if it were looked up
    expect(wallet).to_have_text("$4,000.00")
    seat.page.keyboard.press("Escape")
    expect(seat.button("Sit")).to_be_visible()
    pocket, bets = ben.view["last"]["round"]["pocket"], offered("roulette")
    odd = bets["Odd"].net(pocket, 100)
    expect(wallet).to_have_text(money(500_000 + odd))
    text = f"You {'won' if odd > 0 else 'lost'} $1.00."
    expect(seat.page.get_by_text(text, exact=True)).to_be_visible()
    hears(seat.page, text)
    seat.rounds = 1
    assert seat.settled() == [bets["Odd"].sentence(pocket, 100)]
    expect(others_in(seat, 1)).to_have_text(f"{ben.name} {gain(bets['Black'].net(pocket, 100))}")


def test_leaving_with_a_held_bet_shows_its_result(
    guest: Guests, companions: Companions, room: Room
) -> None:
    gentle = {"zeros": 3, "zero.on_zero": "en_prison"}
    table = room.open_table("roulette-american", gentle)
    seat, _ = until_zero(guest, companions, room, table)
    expect(seat.page.get_by_role("row", name="Red held $2.00")).to_be_visible()
    seat.button("Leave").click()
    expect(seat.button("Sit")).to_be_visible()
    seat.rounds += 1
    expect(
        seat.page.get_by_role("heading", name=f"Round {seat.rounds}", exact=True)
    ).to_be_visible()
    (text,) = seat.settled()
    assert text in ("Red is free: $2.00 is returned.", "Red loses $2.00.")
    expect(others_in(seat, seat.rounds)).to_have_count(0)


@pytest.mark.parametrize(
    ("second", "what"), [("half", "takes half of it"), ("stay", "holds it again")]
)
def test_held_bet_is_described_by_the_rules(
    guest: Guests, companions: Companions, room: Room, second: str, what: str
) -> None:
    gentle = {"zeros": 3, "zero.on_zero": "en_prison", "zero.second_zero": second}
    table = room.open_table("roulette-american", gentle)
    seat, _ = until_zero(guest, companions, room, table)
    row = seat.page.get_by_role("row", name="Red held $2.00")
    expect(row).to_contain_text(f"The next spin frees it, takes it, or on a zero {what}.")
    text = f"Red is held: the next spin frees its $2.00, takes it, or on a zero {what}."
    assert seat.settled() == [text]
    # A new bet on the same spot does not hide it.
    seat.spot("Red").click(click_count=2)
    chips = seat.page.locator(".chips")
    expect(chips.locator(".own, .held")).to_have_count(2)
    apart = "(chips) => chips.map((chip) => chip.querySelector('svg').getBoundingClientRect().left)"
    first, other = sorted(chips.locator(".own, .held").evaluate_all(apart))
    assert other - first >= 32


def test_zero_rule_is_shown_in_lobby_and_at_table(guest: Guests, room: Room) -> None:
    page = guest("Zoe")
    gentle: list[tuple[str, dict[str, object], str]] = [
        (
            "roulette",
            {"zeros": 3},
            "Three zeros; straight up pays 35 to 1; a zero takes every outside bet.",
        ),
        (
            "roulette-european",
            {"zero.on_zero": "la_partage"},
            "One zero; straight up pays 35 to 1; la partage: a zero takes half of an even-money"
            " bet.",
        ),
        (
            "roulette-american",
            {"zero.on_zero": "en_prison", "zero.second_zero": "half"},
            "Two zeros; straight up pays 35 to 1; en prison: a zero holds an even-money bet, a"
            " second one takes half of it.",
        ),
    ]
    for rulebook, changes, line in gentle:
        table = room.open_table(rulebook, changes)
        page.goto(f"{room.address}/#/")
        lobby = page.get_by_role("article").filter(has=page.get_by_role("heading", name=table))
        expect(lobby).to_contain_text(line)
        page.goto(f"{room.address}/#/table/{table}")
        expect(page.get_by_text(f"$1 to $100 on each bet. {line}", exact=True)).to_be_visible()
