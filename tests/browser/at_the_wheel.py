"""A guest at a wheel: what they do, and what they are told."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

import queenhigh as qh
from tests.browser.guests import Guests
from tests.browser.others import Others
from tests.browser.rounds import play
from tests.server.people import Person
from tests.server.served import AT_ONCE, Served

#: Numbers of a bet that no layout has a place for.
SNAKE = [1, 5, 9, 12, 14, 16, 19, 23, 27, 30, 32, 34]
#: The chance that none of so many spins with three zeros brings one is below one in a million.
MANY = 180
_numbers = count(1)


@contextmanager
def wheels(folder: Path, pace: Mapping[str, int] = AT_ONCE) -> Iterator[Served]:
    """Serve a room for wheels that are opened in it; a few that cannot be are there already."""
    added = f'[[bets]]\nclause = "RO-1"\nname = "snake"\ncovers = {SNAKE}\npays = "2 to 1"\n\n'
    shipped = (Path(qh.__file__).parent / "rulebooks" / "roulette.toml").read_text()
    edited = folder / "edited.toml"
    edited.write_text(shipped.replace("[[refused]]", f"{added}[[refused]]", 1))
    rooms = {
        "snake": {"rulebook": str(edited), "pace": AT_ONCE},
        "hurried": {"rulebook": "roulette", "pace": {**AT_ONCE, "bets": 4_000}},
        "slow": {"rulebook": "roulette", "pace": {**AT_ONCE, "pause": 60_000}},
    }
    paces = {"quick": pace}
    with Served(folder / "room.db", rooms=rooms, paces=paces, standing=[]) as served:
        yield served
        assert served.errors() == ""


class Seat:
    """A guest at a wheel: what they do, and what they are told."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.layout = page.get_by_role("group", name="The layout")
        self.rounds = 0

    def sit(self) -> None:
        self.button("Sit").click()
        expect(self.page.get_by_text("Bets are open. Choose a chip")).to_be_visible()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def spot(self, name: str) -> Locator:
        return self.layout.get_by_role("button", name=re.compile(rf"^{name},"))

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
        told = region.locator(".mine li").all_inner_texts()
        return [re.sub(r"\s*RO-\d+\s*$", "", one) for one in told]

    def bets(self) -> dict[str, str]:
        """Return the table of one's own bets: stakes by name."""
        rows = self.page.get_by_role("region", name="Your bets").locator("tbody tr")
        read = "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
        return {name: stake for name, _, stake, *_ in rows.evaluate_all(read)}

    def run_for_ever(self) -> None:
        """Let the ball run until somebody lets it lie."""
        self.page.add_init_script(
            "const real = setTimeout; window.setTimeout = (what, ms, ...more) =>"
            " ms === 4000 ? 0 : real(what, ms, ...more)"
        )
        self.page.reload()

    def alert(self) -> Locator:
        return self.page.get_by_role("alert")


def open_table(room: Served, rulebook: str, **changes: object) -> str:
    """Open a table that nobody else is at."""
    name = f"wheel-{next(_numbers)}"
    spec = {"name": name, "rulebook": rulebook, "set": changes, "pace": "quick"}
    with room.floor() as floor:
        answer = floor.post("/api/floor/tables", json=spec)
    assert answer.status_code == 201, answer.text
    return name


def take_seat(guest: Guests, table: str, *, moves: bool = False, **context: Any) -> Seat:
    """Come to a table as a guest, and sit down."""
    motion = "no-preference" if moves else "reduce"
    page = guest(f"Ann {next(_numbers)}", f"/#/table/{table}", reduced_motion=motion, **context)
    seat = Seat(page)
    seat.sit()
    return seat


def sit_beside(guest: Guests, others: Others, room: Served) -> tuple[Seat, Person]:
    """Sit down where Ben sits too, who has no browser; the ball runs until it is let lie."""
    table = open_table(room, "roulette")
    ben = others.arrive(room, table, "Ben")
    others.do(ben.sit(8))
    seat = take_seat(guest, table, moves=True)
    seat.run_for_ever()
    return seat, ben


async def until_zero(person: Person) -> int:
    """Put $2 on red over a socket, round after round, until a zero comes; return its round."""
    async with person:
        for _ in range(MANY):
            round = await play(person, {"red": 200})
            if person.view["last"]["round"]["pocket"].startswith("0"):
                return round
    raise AssertionError(f"no zero in {MANY} spins")
