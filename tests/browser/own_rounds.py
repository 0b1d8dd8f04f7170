"""One's own rounds in the room and on the page: some to look at, and where they stand."""

from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.others import Others
from tests.browser.rounds import at_table, bank, cookie_of, play
from tests.server.served import Served


def ask(room: Served, page: Page, path: str) -> Any:
    """Return what the room tells the guest of a page."""
    with room.http(cookie_of(page)) as client:
        answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def play_some(page: Page, others: Others, room: Served, house: int = 0, wheel: int = 0) -> None:
    """Let the guest of a page play rounds: against the house every third is folded."""
    for table, count in (("ho", house), ("ro", wheel)):
        if not count:
            continue
        with at_table(others, room, table, "Ann", 3, cookie_of(page)) as ann:
            for n in range(count):
                wagers = {"red": 500, "straight 17": 100}
                if table == "ho":
                    wagers = {"ante": 400} if n % 2 else {"ante": 300, "pair_plus": 100}
                others.do(play(ann, wagers, "fold" if n % 3 == 2 else "play"))


def play_california(page: Page, others: Others, room: Served) -> int:
    """Let the guest of a page play a round that Ben banks."""
    with (
        at_table(others, room, "ca", "Ann", 2, cookie_of(page)) as ann,
        at_table(others, room, "ca", "Ben", 7) as ben,
    ):
        others.do(bank(ben, 10_000, [ann, ben]))
        return others.do(play(ann, {"ante": 1000, "bonus": 200}))


def rows(page: Page) -> Locator:
    return page.get_by_role("main").locator("ol > li")


def money(cents: int, *, signed: bool = True) -> str:
    sign = "−" if cents < 0 else "+" if cents > 0 and signed else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02}"
