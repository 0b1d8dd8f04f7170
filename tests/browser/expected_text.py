"""What the page should say about money and cards, worked out by the oracle."""

import re
from dataclasses import dataclass
from fractions import Fraction

from playwright.sync_api import Locator

from tests.oracle import decisions

RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
         "king", "ace"]  # fmt: skip
SUITS = ["clubs", "diamonds", "hearts", "spades"]


def text_of(card: int) -> str:
    """Write a card's number as the oracle reads it."""
    return "23456789TJQKA"[card >> 2] + "cdhs"[card & 3]


def cards_in(group: Locator) -> str:
    """Read the cards that lie face up in a group, by what they are called."""
    names = [card.get_attribute("aria-label") or "" for card in group.get_by_role("img").all()]
    up = [name.split(" of ") for name in names if " of " in name]
    return " ".join("23456789TJQKA"[RANKS.index(rank)] + suit[0] for rank, suit in up)


def rounded(exact: Fraction) -> int:
    """Return the nearest whole number, halves away from nought."""
    whole = int(abs(exact) + Fraction(1, 2))
    return whole if exact >= 0 else -whole


def dollars(cents: int, *, signed: bool = False) -> str:
    """Write cents as the page does."""
    sign = "−" if cents < 0 else "+" if signed and cents else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def cents(text: str) -> int:
    """Read money that the page has written."""
    match = re.fullmatch(r"([−+]?)\$([\d,]+)\.(\d\d)", text.strip())
    assert match, text
    whole = int(match[2].replace(",", "")) * 100 + int(match[3])
    return -whole if match[1] == "−" else whole


def antes(exact: Fraction, *, signed: bool = True) -> str:
    """Write Antes as the drill shows them, to a thousandth."""
    thousandths = rounded(exact * 1000)
    sign = "−" if thousandths < 0 else "+" if signed and thousandths else ""
    return f"{sign}{abs(thousandths) // 1000}.{abs(thousandths) % 1000:03d}"


def given_away(exact: Fraction) -> str:
    """Write what a move gives away, in Antes, as a sentence of the drill has it."""
    if exact == 1:
        return "1 Ante"
    amount = antes(exact, signed=False)
    return "less than 0.001 Antes" if amount == "0.000" else f"{amount} Antes"


@dataclass(frozen=True)
class DecisionValues:
    """A decision as the oracle sees it."""

    play: Fraction
    fold: Fraction

    @property
    def best(self) -> str:
        """The better move; on a tie the fold."""
        return "play" if self.play > self.fold else "fold"

    @property
    def worst(self) -> str:
        """The other move."""
        return "fold" if self.best == "play" else "play"

    @property
    def cost(self) -> Fraction:
        """What the worse move gives away."""
        return abs(self.play - self.fold)


def decision_values(game: str, hand: str, up: str, wagers: dict[str, int]) -> DecisionValues:
    """Return the value of both moves, by the slow oracle."""
    return DecisionValues(*decisions.weigh(game, hand, up, wagers))
