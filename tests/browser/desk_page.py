"""The settlement desk in the browser: hands entered as a dealer does, and its payouts read."""

import json
import re
from typing import Any, Literal

from playwright.sync_api import Locator, Page, expect

from queenhigh.cards import parse_cards

Json = dict[str, Any]
Press = Literal["click", "tap"]

SPOTS = {"ante": "Ante", "bonus": "Bonus", "pair_plus": "Pair Plus"}
_RANKS = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen",
          "King", "Ace")  # fmt: skip
_SUITS = ("Clubs", "Diamonds", "Hearts", "Spades")


class DeskPage:
    """A desk that is open; ``press`` is how its buttons are pressed, ``is_narrow`` on a phone."""

    def __init__(self, page: Page, press: Press = "click", *, is_narrow: bool = False) -> None:
        self.page, self._press, self._is_narrow = page, press, is_narrow
        expect(page.get_by_role("heading", name="Settlement desk")).to_be_visible()

    def press(self, name: str, within: Locator | None = None) -> None:
        """Press a button by its whole name."""
        button = (within or self.page).get_by_role("button", name=name, exact=True)
        button.tap() if self._press == "tap" else button.click()

    def turn_to(self, what: str) -> None:
        """Turn to a hand or an amount: "The dealer's cards", "Ante of seat 3"."""
        button = self.page.get_by_role("button", name=re.compile(rf"^{re.escape(what)}: "))
        button.tap() if self._press == "tap" else button.click()

    def card(self, card: int) -> None:
        """Press a card of the pad: at once, or its rank and its suit."""
        rank, suit = _RANKS[card // 4], _SUITS[card % 4]
        if self._is_narrow:
            self.press(rank, self.page.get_by_role("group", name="Rank"))
            self.press(suit, self.page.get_by_role("group", name="Suit"))
        else:
            self.press(f"{rank.lower()} of {suit.lower()}")

    def hand(self, whose: str, cards: str) -> None:
        """Enter the cards of a hand."""
        for card in parse_cards(cards):
            # After the third card the desk turns to what comes next.
            self.turn_to(whose)
            self.card(card)

    def bet(self, seat: int, spot: str, cents: int) -> None:
        """Enter the amount of a bet."""
        self.turn_to(f"{SPOTS[spot]} of seat {seat}")
        self.amount(SPOTS[spot], cents)

    def amount(self, name: str, cents: int) -> None:
        """Type an amount at the chips."""
        pad = self.page.get_by_role("group", name=re.compile(r"^Tap chips"))
        pad.get_by_role("textbox", name=name, exact=True).fill(str(cents / 100))

    def move(self, seat: int, move: str) -> None:
        """Enter a move."""
        moves = self.page.get_by_role("group", name=f"Move of seat {seat}", exact=True)
        self.press(move.capitalize(), moves)

    def round(self, line: Json) -> None:
        """Enter what a line has of the whole round."""
        if "bank" in line:
            self.turn_to("Bank")
            self.amount("Bank", line["bank"])
            self.page.get_by_label("Action starts at seat").select_option(str(line.get("first", 1)))

    def seat(self, seat: Json) -> None:
        """Enter a seat of a line."""
        number = seat["seat"]
        self.press(f"Add seat {number}")
        for spot in SPOTS:
            if spot in seat:
                self.bet(number, spot, seat[spot])
        if seat.get("cards"):
            self.hand(f"Cards of seat {number}", seat["cards"])
        if "move" in seat:
            self.move(number, seat["move"])

    def enter(self, line: Json) -> None:
        """Enter a regular hand of the settle format."""
        self.round(line)
        for seat in line["seats"]:
            self.seat(seat)
        if "dealer" in line:
            self.hand("The dealer's cards", line["dealer"])

    def payouts(self) -> Locator:
        """Return the payouts."""
        return self.page.get_by_role("region", name="Payouts")

    def line(self) -> Json:
        """Return the line for the settle format that the desk shows."""
        line: Json = json.loads(self.page.locator(".line code").inner_text())
        return line
