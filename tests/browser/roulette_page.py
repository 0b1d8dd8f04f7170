"""A guest at a wheel: what they do, and what the page says to them."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.companions import Companions
from tests.browser.guests import MOTION, Guests
from tests.browser.room import Room
from tests.browser.rounds import cookie_of, play
from tests.server.player_client import PlayerClient

#: The chance that none of so many spins brings a zero, of which a wheel has at least one, is below
#: one in a million.
MANY = 520


class Seat:
    """A guest at a wheel: what they do, and what the page says to them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.layout = page.get_by_role("group", name="Betting layout")
        self.rounds = 0

    def sit(self) -> None:
        self.button("Sit").click()
        expect(self.page.get_by_text("Bets are open. Choose a chip")).to_be_visible()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def spot(self, name: str) -> Locator:
        return self.layout.get_by_role("button", name=re.compile(rf"^{name},"))

    def press(self, *labels: str) -> None:
        """Press the mouse on the middle of each of these spots."""
        middles: dict[str, list[float]] = self.layout.get_by_role("button").evaluate_all(
            """(spots) => {
                spots[0].closest("svg").scrollIntoView();
                return Object.fromEntries(spots.map((spot) => {
                    const box = spot.getBoundingClientRect();
                    return [spot.ariaLabel, [box.x + box.width / 2, box.y + box.height / 2]];
                }));
            }"""
        )
        for label in labels:
            self.page.mouse.click(*middles[label])

    def choose(self, chip: str) -> None:
        self.page.get_by_role("radio", name=f"{chip} chip").check(force=True)

    def spin(self) -> str:
        """Press Spin, wait until the round is over, and return where the ball lies."""
        self.button("Spin").click()
        self.rounds += 1
        expect(
            self.page.get_by_role("heading", name=f"Round {self.rounds}", exact=True)
        ).to_be_visible()
        newest = self.page.get_by_role("list", name="Last numbers").get_by_role("listitem").first
        return (newest.text_content() or "").split(",")[0]

    def settled(self) -> list[str]:
        """Return what became of each bet, without its clause."""
        region = self.page.get_by_role("region", name=f"Round {self.rounds}", exact=True)
        lines = region.locator(".mine li").all_inner_texts()
        return [re.sub(r"\s*RO-\d+\s*$", "", line) for line in lines]

    def bets(self) -> dict[str, str]:
        """Return the list of the player's own bets: stakes by name."""
        rows = self.page.get_by_role("region", name="Your bets").locator("tbody tr")
        read = "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
        return {name: stake for name, _, stake, *_ in rows.evaluate_all(read)}

    def run_for_ever(self) -> None:
        """Keep the ball running until a test lands it."""
        self.page.add_init_script(
            "const real = setTimeout; window.setTimeout = (what, ms, ...more) =>"
            " ms === 4000 ? 0 : real(what, ms, ...more)"
        )
        self.page.reload()

    def alert(self) -> Locator:
        return self.page.get_by_role("alert")


def take_seat(guest: Guests, table: str, *, moves: bool = False, **context: Any) -> Seat:
    """Come to a table as a guest, and sit down."""
    seat = Seat(guest("Ann", f"/#/table/{table}", **{**context, **(MOTION if moves else {})}))
    seat.sit()
    return seat


def sit_beside(guest: Guests, companions: Companions, room: Room) -> tuple[Seat, PlayerClient]:
    """Sit down where Ben sits too, who has no browser; the ball runs until it is landed."""
    table = room.open_table("roulette")
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(8))
    seat = take_seat(guest, table, moves=True)
    seat.run_for_ever()
    return seat, ben


def until_zero(guest: Guests, companions: Companions, room: Room, table: str) -> tuple[Seat, str]:
    """Put $2 on red over a socket until a zero comes; return the seat and where the ball lies."""
    seat = Seat(guest("Ann", None))
    person = PlayerClient(room, table, "Ann", cookie_of(seat.page))

    async def play_on() -> str:
        async with person:
            await person.sit(3)
            for _ in range(MANY):
                seat.rounds = await play(person, {"red": 200})
                pocket = str(person.view["last"]["round"]["pocket"])
                if pocket.startswith("0"):
                    return pocket
        raise AssertionError(f"no zero in {MANY} spins")

    pocket = companions.do(play_on())
    seat.page.goto(f"/#/table/{table}")
    heading = seat.page.get_by_role("heading", name=f"Round {seat.rounds}", exact=True)
    expect(heading).to_be_visible()
    return seat, pocket
