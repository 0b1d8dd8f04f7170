"""The odds page: how it is opened, written into and read; and edges counted the plain way."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.guests import Guests

Look = Callable[..., Page]


def classes() -> dict[str, int]:
    """Count every three-card hand by its class, the plain way."""
    counted: dict[str, int] = {}
    for hand in combinations(range(52), 3):
        ranks = sorted(card // 4 for card in hand)
        suited = len({card % 4 for card in hand}) == 1
        straight = ranks in ([0, 1, 12], [ranks[0], ranks[0] + 1, ranks[0] + 2])
        names = {3: "three_of_a_kind", 2: "pair"}
        same = max(ranks.count(rank) for rank in ranks)
        name = names.get(same) or (
            ("royal_flush" if ranks == [10, 11, 12] else "straight_flush")
            if suited and straight
            else "straight" if straight else "flush" if suited else "high_card"
        )  # fmt: skip
        counted[name] = counted.get(name, 0) + 1
    return counted


def side_bet(**pays: int) -> Fraction:
    """Return the edge of a bet that pays so much to one on each class, and loses on the others."""
    counted = classes()
    assert sum(counted.values()) == 22100
    gained = sum(pays.get(name, -1) * count for name, count in counted.items())
    return Fraction(-gained, 22100)


BONUS = {"royal_flush": 50, "straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 3,
         "pair": 1}  # fmt: skip


def look_at(guest: Guests, rulebook: str, **context: Any) -> Page:
    """Open the odds of a rulebook, and wait until they are there."""
    page = guest("Ann", f"/#/odds/{rulebook}", **context)
    expect(page.get_by_role("heading", name="Rules", exact=True)).to_be_visible()
    if not rulebook.startswith("roulette"):
        expect(page.locator(".rule")).to_be_visible()
    return page


def exact(page: Page, bet: str) -> Locator:
    return page.locator(f'section[data-bet="{bet}"] [data-edge]')


def expect_edge(page: Page, bet: str, edge: Fraction) -> None:
    """Expect the fraction to be there, exactly, and in percent, rounded."""
    figure = exact(page, bet)
    expect(figure).to_have_attribute("data-edge", str(edge))
    expect(figure).to_have_text(f"{float(edge):,.4%}".replace("-", "−"))


def pays(page: Page, key: str) -> Locator:
    return page.locator(f'[data-field="{key}"] input')


def reading(page: Page, key: str) -> Locator:
    return page.locator(f'[data-field="{key}"] select')
