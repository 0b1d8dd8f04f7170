"""A guest at a table of Three Card Poker: what they press, and what they can read off the felt."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.oracle import plain

_RANKS = dict(
    zip(
        ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
         "king", "ace"),
        "23456789TJQKA",
        strict=True,
    )
)  # fmt: skip
_MONEY = re.compile(r"([+−]?)\$([\d,]+\.\d\d)")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def sit(page: Page) -> None:
    button(page, "Sit").click()
    expect(button(page, "Leave")).to_be_visible()


def until_bets(page: Page) -> None:
    """Wait until one may bet; leave the bank to others."""
    bets, declines = button(page, "Deal me in"), button(page, "Decline")
    for _ in range(20):
        expect(bets.or_(declines).first).to_be_visible()
        if bets.is_visible():
            return
        declines.click()
    raise AssertionError("nobody wants the bank")


def bet(page: Page, *spots: str) -> None:
    until_bets(page)
    for spot in spots:
        button(page, spot).click()
    button(page, "Deal me in").click()


def cards(page: Page, whose: str) -> list[str]:
    """Return the cards that lie open in a group, as ``Qs``; ``?`` is one face down."""
    shown = page.get_by_role("group", name=whose).get_by_role("img").all()
    return [card_of(one.get_attribute("aria-label") or "") for one in shown]


def card_of(label: str) -> str:
    """Read a card as the page names it: ``Qs``; ``?`` is one face down."""
    rank, _, suit = label.partition(" of ")
    return f"{_RANKS[rank]}{suit[0]}" if suit else "?"


def showdown(page: Page) -> None:
    """Wait until the dealer's three cards lie open."""
    dealer = page.get_by_role("group", name="The dealer's cards")
    expect(dealer.get_by_role("img", name=re.compile(" of "))).to_have_count(3)


def cents(text: str) -> int:
    """Read an amount of money as the page writes it."""
    found = _MONEY.search(text)
    assert found, text
    sign = -1 if found[1] == "−" else 1
    return sign * int(found[2].replace(",", "").replace(".", ""))


def settled(page: Page) -> Locator:
    """Return the row about oneself in the list of how a round ended."""
    return page.get_by_role("region", name=re.compile("Round")).locator("li.you")


def net(page: Page) -> int:
    """Return what the last round came to, as the page says."""
    return cents(settled(page).locator("strong.money").inner_text())


def expected(page: Page, game: str, wagers: dict[str, int], mine: list[str], move: str) -> int:
    """Return what a round should come to by the slow oracle, from the cards on the felt."""
    dealer = cards(page, "The dealer's cards")
    assert "?" not in dealer
    seat = {"seat": 1, "cards": " ".join(mine), "move": move, **wagers}
    round: dict[str, Any] = {"dealer": " ".join(dealer), "seats": [seat]}
    if game == "california":
        result = plain.settle_california({**round, "bank": 10**9}, {})
    else:
        result = plain.settle_house(round, {})
    return int(result["seats"][0]["net"])
