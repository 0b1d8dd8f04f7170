"""A player's own rounds in the room and on the page: some to look at, and where they are shown."""

from contextlib import AbstractContextManager
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.companions import Companions
from tests.browser.room import Room
from tests.browser.rounds import at_table, bank, cookie_of, play
from tests.server.player_client import PlayerClient


class Player:
    """The guest of a page, who plays rounds over a socket at tables of their own.

    ``ho`` is a table against the house, ``ca`` one in California, ``ro`` a wheel.
    """

    def __init__(self, page: Page, companions: Companions, room: Room) -> None:
        self._page, self._others, self._room = page, companions, room
        self.ho, self.ca, self.ro = (
            room.open_table(rulebook) for rulebook in ("house", "california", "roulette")
        )

    def play(self, *, house: int = 0, wheel: int = 0) -> None:
        """Play so many rounds at each table: against the house every third is folded."""
        for table, count in ((self.ho, house), (self.ro, wheel)):
            if count:
                with self.at(table) as ann:
                    for n in range(count):
                        self._others.do(play(ann, self._wagers(table, n), self._move(n)))

    def _wagers(self, table: str, n: int) -> dict[str, int]:
        if table == self.ro:
            return {"red": 500, "straight 17": 100}
        return {"ante": 400} if n % 2 else {"ante": 300, "pair_plus": 100}

    def _move(self, n: int) -> str:
        return "fold" if n % 3 == 2 else "play"

    def play_california(self) -> tuple[int, str]:
        """Play a round that somebody else banks; return its number and the banker's name."""
        with (
            self.at(self.ca, 2) as ann,
            at_table(self._others, self._room, self.ca, "Ben", 7) as ben,
        ):
            self._others.do(bank(ben, 10_000, [ann, ben]))
            number = self._others.do(play(ann, {"ante": 1000, "bonus": 200}))
        assert ben.name
        return number, ben.name

    def at(self, table: str, place: int = 3) -> AbstractContextManager[PlayerClient]:
        """Sit at a table."""
        cookie = cookie_of(self._page)
        return at_table(self._others, self._room, table, "Ann", place, cookie)

    def ask(self, path: str) -> Any:
        """Return what the room answers this player."""
        with self._room.http(cookie_of(self._page)) as client:
            answer = client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()


def rows(page: Page) -> Locator:
    return page.get_by_role("main").locator("ol > li")


def money(cents: int, *, signed: bool = True) -> str:
    sign = "−" if cents < 0 else "+" if cents > 0 and signed else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02}"
