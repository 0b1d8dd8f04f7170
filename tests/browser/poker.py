"""A guest at a table of Three Card Poker: what they press, and what they can read off the felt."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.oracle import plain

_RANKS = dict(
    zip(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
         "king", "ace"),
        "23456789TJQKA",
        strict=True,
    )
)  # fmt: skip
#: Notes the labels of both hands in the first frame that has three of the dealer's cards open.
_WATCH = """() => {
    const lying = (whose) => [...document.querySelectorAll(`[aria-label="${whose}"] [role=img]`)]
        .map((card) => card.ariaLabel);
    window.turned = null;
    const watch = new MutationObserver(() => {
        const dealer = lying("The dealer's cards");
        if (dealer.filter((card) => card.includes(" of ")).length < 3) return;
        window.turned = [lying("Your cards"), dealer];
        watch.disconnect();
    });
    watch.observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
#: What a player pays for an Ante of $5 to $100 in California (CA-7).
_FEE = 100
_MONEY = re.compile(r"([+−]?)\$([\d,]+\.\d\d)")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def sit(page: Page) -> None:
    button(page, "Sit").click()
    expect(button(page, "Leave")).to_be_visible()


def until_bets(page: Page) -> None:
    """Wait until one may bet; leave the bank to others."""
    bets, declines = button(page, "Deal me in"), button(page, "Pass")
    for _ in range(20):
        expect(bets.or_(declines).first).to_be_visible()
        if bets.is_visible():
            return
        declines.click()
        expect(declines).to_be_hidden()
    raise AssertionError("nobody wants the bank")


def bet(page: Page, *spots: str) -> None:
    until_bets(page)
    for spot in spots:
        button(page, spot).click()
    button(page, "Deal me in").click()


def cards(page: Page, whose: str) -> list[str]:
    """Return the cards that lie open in a group, as ``Qs``; ``?`` is one face down."""
    shown = page.get_by_role("group", name=whose).get_by_role("img").all()
    return [card_of(card.get_attribute("aria-label") or "") for card in shown]


def card_of(label: str) -> str:
    """Read a card as the page names it: ``Qs``; ``?`` is one face down."""
    rank, _, suit = label.partition(" of ")
    return f"{_RANKS[rank]}{suit[0]}" if suit else "?"


def watch(page: Page) -> None:
    """Make the page note the cards at the showdown: the next round clears them away."""
    page.evaluate(_WATCH)


def showdown(page: Page) -> tuple[list[str], list[str]]:
    """Wait for a showdown that is watched for; return the player's cards and the dealer's."""
    page.wait_for_function("() => window.turned")
    mine, dealer = page.evaluate("window.turned")
    return [card_of(card) for card in mine], [card_of(card) for card in dealer]


def cents(text: str) -> int:
    """Read an amount of money as the page writes it."""
    match = _MONEY.search(text)
    assert match, text
    sign = -1 if match[1] == "−" else 1
    return sign * int(match[2].replace(",", "").replace(".", ""))


def last_hand(page: Page) -> Locator:
    """Show the list of how the last round ended, and return it."""
    tab = page.get_by_role("tab", name="Hand", exact=True)
    if tab.get_attribute("aria-selected") != "true":
        tab.press("Enter")
    return page.get_by_role("region", name=re.compile("Round"))


def settled(page: Page) -> Locator:
    """Return the row about oneself in the list of how a round ended."""
    return last_hand(page).locator("li.you")


def net(page: Page) -> int:
    """Wait until a round is settled on the felt; return what it came to, as the page says."""
    expect(page.get_by_text(re.compile("^(Dealer turns|Paying out)"))).to_have_count(0)
    return cents(settled(page).locator("strong.money").inner_text())


def expected(
    game: str, wagers: dict[str, int], mine: list[str], dealer: list[str], move: str
) -> int:
    """Return what a round should come to after the fee, by the slow oracle, from the cards."""
    seat = {"seat": 1, "cards": " ".join(mine), "move": move, **wagers}
    round: dict[str, Any] = {"dealer": " ".join(dealer), "seats": [seat]}
    if game == "california":
        result = plain.settle_california({**round, "bank": 10**9}, {})
        return int(result["seats"][0]["net"]) - _FEE
    result = plain.settle_house(round, {})
    return int(result["seats"][0]["net"])
