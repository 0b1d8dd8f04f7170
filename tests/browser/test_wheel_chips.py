"""Chips at a wheel that are not down yet: for which round they are meant, and what one lacks."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser import PHONE
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.room import Room
from tests.browser.roulette_page import Seat, sit_beside, take_seat
from tests.browser.rounds import cookie_of, play
from tests.browser.wheel_oracle import money
from tests.server.player_client import PlayerClient


def twin(companions: Companions, room: Room, table: str, seat: Seat) -> PlayerClient:
    """Return the guest of a page once more: at the same place, over another socket."""
    person = companions.arrive(room, table, "twin", cookie_of(seat.page))
    companions.do(person.until_phase("betting"))
    return person


def stack(person: PlayerClient) -> int:
    (own,) = [place for place in person.view["places"] if place["place"] == person.own["place"]]
    return int(own["stack"])


def back(cents: int) -> str:
    return f"Bets closed before your {money(cents)} was placed. It is back in your stack."


@pytest.mark.full
def test_chips_survive_a_reconnect_but_not_their_round(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    seat = take_seat(guest, table)
    lines: list[WebSocketRoute] = []
    gone = False

    def between(line: WebSocketRoute) -> None:
        if not gone:
            line.connect_to_server()
        lines.append(line)

    def drop() -> None:
        """End the line, and wait until the page has come again."""
        before = len(lines)
        lines[-1].close()
        while len(lines) == before:
            seat.page.wait_for_timeout(20)

    seat.page.route_web_socket(re.compile("socket"), between)
    seat.page.reload()
    seat.spot("Black").click()
    assert seat.bets() == {"Black": "$1.00"}
    drop()
    other = twin(companions, room, table, seat)
    companions.do(other.bet({"odd": 500}, ready=False))
    expect(seat.page.get_by_text("Bet $6.00")).to_be_visible()
    assert seat.bets() == {"Odd": "$5.00", "Black": "$1.00"}
    gone = True
    drop()
    companions.do(play(other, {"odd": 100}))
    companions.do(other.until_phase("betting", 2))
    assert seat.bets() == {"Odd": "$5.00", "Black": "$1.00"}
    gone = False
    drop()
    expect(seat.alert()).to_have_text(back(100))
    assert seat.bets() == {}
    expect(seat.page.get_by_text(f"Stack {money(stack(other))}")).to_be_visible()
    expect(seat.button("Undo")).to_be_disabled()
    seat.spot("Red").click()
    expect(seat.alert()).to_have_count(0)
    seat.rounds = 1
    seat.spin()
    assert len(seat.settled()) == 1


@pytest.mark.full
def test_only_placed_bets_are_called_down(
    guest: Guests, companions: Companions, room: Room
) -> None:
    """In another window one has bet and is done; what lies here was not sent."""
    seat, ben = sit_beside(guest, companions, room)
    other = twin(companions, room, ben.table, seat)
    seat.spot("Red").click(click_count=2)
    companions.do(other.bet({"black": 100}))
    rows = seat.page.get_by_role("region", name="Your bets").locator("tbody tr")
    expect(rows.filter(has_text="Black").get_by_role("cell").last).to_have_text("placed")
    expect(rows.filter(has_text="Red")).to_contain_text("not placed yet")
    companions.do(play(ben, {"odd": 100}))
    expect(seat.page.get_by_text("The ball is rolling.")).to_be_visible()
    expect(seat.alert()).to_have_text(back(200))
    expect(seat.page.get_by_text("Stack $999.00")).to_be_visible()
    assert seat.bets() == {"Black": "$1.00"}
    companions.do(other.until_phase("betting", 2))
    seat.page.keyboard.press("Escape")
    expect(seat.page.get_by_text(f"Stack {money(stack(other))}")).to_be_visible()
    expect(seat.alert()).to_have_text(back(200))
    assert seat.bets() == {}


@pytest.mark.full
def test_late_bets_come_back(guest: Guests, companions: Companions, room: Room) -> None:
    table = room.open_table("roulette")
    seat = take_seat(guest, table)
    waiting: list[Callable[[], None]] = []

    def slow(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def send(said: str | bytes) -> None:
            late = "place_wagers" in str(said) and not waiting
            waiting.append(lambda: server.send(said)) if late else server.send(said)

        line.on_message(send)

    seat.page.route_web_socket(re.compile("socket"), slow)
    seat.page.reload()
    seat.spot("Red").click()
    seat.button("Spin").click()
    expect(seat.page.get_by_text("Sending your bets…", exact=True)).to_be_visible()
    other = twin(companions, room, table, seat)
    companions.do(play(other, {"odd": 100}))
    expect(seat.page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    waiting[0]()
    expect(seat.alert().filter(has_text=back(100))).to_be_visible()
    assert seat.bets() == {}
    seat.spot("Red").click()
    seat.rounds = 1
    seat.spin()
    assert len(seat.settled()) == 1


@pytest.mark.full
def test_lack_of_chips_is_shown_at_the_layout(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette", {"limits.max": 100_000_000})
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(8))
    seat = Seat(guest("Una", f"/#/table/{table}", viewport=PHONE))
    expect(seat.button("Sit")).to_be_visible()
    una = companions.arrive(room, table, "Una", cookie_of(seat.page))
    companions.do(una.sit(1, 10_000))

    async def lose() -> None:
        """Put everything on a number again and again: one in 38 goes on."""
        while stack(una):
            await una.until_phase("betting")
            await una.bet({"straight 1": stack(una)})
            await una.until_over(await play(ben, {"red": 100}))

    companions.do(lose())
    text = "You have no chips here. Add chips to bet."
    expect(seat.page.locator(".status-line")).to_have_text(text)
    companions.do(ben.ask("leave", when="now"))
    seat.page.reload()  # nobody can bet here now, and no bets open
    expect(seat.page.locator(".status-line")).to_have_text(text)
    seat.spot("Red").click()
    expect(seat.alert()).to_have_text(text)
    bring = seat.button("Add $4,900.00")
    expect(bring).to_be_in_viewport(ratio=1)
    bring.click()
    expect(seat.page.get_by_text("Bets are open. Choose a chip")).to_be_visible()
    expect(seat.alert()).to_have_count(0)
    expect(bring).to_have_count(0)
