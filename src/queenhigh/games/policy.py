"""How a seat decides: a table of moves for all that a player may know, and how often it errs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

import numpy as np

from queenhigh.cards import DECK, Hand
from queenhigh.errors import QueenhighError
from queenhigh.game import Move
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["HANDS", "UPS", "Policy", "mimic", "q64", "threshold", "with_errors"]

#: All hands, by ``hand_index``; ``UPS`` likewise the cards that may be up, by how many are.
HANDS: tuple[Hand, ...] = tuple(
    sorted(((a, b, c) for a, b, c in combinations(DECK, 3)), key=lambda hand: hand[::-1])
)
UPS: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((),),
    tuple((card,) for card in DECK),
    tuple(sorted(combinations(DECK, 2), key=lambda up: up[::-1])),
)


def hand_index(hand: Hand) -> int:
    """Return a hand's place among all 22,100, in any order of its cards."""
    a, b, c = sorted(hand)
    return c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a


def up_index(up: tuple[int, ...]) -> int:
    """Return the place of the up cards among all that may be up."""
    if len(up) < 2:
        return up[0] if up else 0
    low, high = sorted(up)
    return high * (high - 1) // 2 + low


@dataclass(frozen=True, eq=False)
class Policy:
    """The move for each hand against each up card, and the share of moves that go wrong.

    ``plays`` has a row for the up cards and a column for the hand; 1 is play.
    """

    name: str
    plays: np.ndarray[tuple[int, int], np.dtype[np.uint8]]
    errors: Fraction = Fraction(0)

    def move(self, hand: Hand, up: tuple[int, ...], *, errs: bool = False) -> Move:
        """Return the move with a hand against the up cards; the other one if the seat errs."""
        plays = bool(self.plays[up_index(up), hand_index(hand)])
        return "play" if plays != errs else "fold"


def threshold(book: PokerRulebook, name: str, least: Mapping[tuple[int, ...], int]) -> Policy:
    """Return the policy that plays a least strength or better, by the ranks of the up cards."""
    strengths = np.array([book.ranking.strength(hand) for hand in HANDS], dtype=np.int16)
    rows = [least[tuple(sorted(card >> 2 for card in up))] for up in UPS[book.up]]
    plays = strengths[None, :] >= np.array(rows, dtype=np.int16)[:, None]
    return Policy(name, plays.astype(np.uint8))


def q64(book: PokerRulebook) -> Policy:
    """Play queen, six, four or better, whatever is up."""
    return _same(book, "q64", book.ranking.strength((40, 17, 10)))


def mimic(book: PokerRulebook) -> Policy:
    """Return the policy that plays hands with which the dealer would qualify."""
    return _same(book, "mimic", book.qualifying_strength)


def _same(book: PokerRulebook, name: str, least: int) -> Policy:
    ups = {tuple(sorted(card >> 2 for card in up)) for up in UPS[book.up]}
    return threshold(book, name, dict.fromkeys(ups, least))


def with_errors(policy: Policy, errors: Fraction) -> Policy:
    """Return the policy with that share of wrong moves."""
    if not 0 <= errors <= 1 or errors.denominator > 10**6:
        raise QueenhighError("policy.errors", "errors are a share from 0% to 100%: write 2%")
    return replace(policy, name=f"{policy.name}+errors:{float(100 * errors):g}%", errors=errors)
