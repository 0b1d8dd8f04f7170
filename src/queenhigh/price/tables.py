"""Counting tables: how many dealer hands are weaker than a strength, by the cards they hold.

Suits are equal, so the hands that hold one card are counted by its rank, and the hands that hold
two by their ranks and whether they share a suit. With these few rows every count that is needed
comes from inclusion and exclusion of the cards a player holds, and no deal is ever dealt.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from queenhigh.cards import HAND_CLASSES, ranking

__all__ = ["STRENGTHS", "Bools", "Floats", "Ints", "Tables", "tables"]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    #: Whole numbers. The tables are narrow, int16 and int32, because speed is memory here.
    Ints: TypeAlias = NDArray[np.integer[Any]]
    Bools: TypeAlias = NDArray[np.bool_]
    Floats: TypeAlias = NDArray[np.float64]
else:  # numpy.typing takes as long to load as a game takes to count
    Ints = Bools = Floats = Any
STRENGTHS = 741
_ROYAL = HAND_CLASSES.index("royal_flush")


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Counts of hands with a strength below t, for t from 0 to 741."""

    #: Strength by ``suited * 2197 + rank * 169 + rank * 13 + rank``.
    strengths: Ints
    #: The class of a hand by its strength, the royal flush apart.
    classes: Ints
    #: Of all 22,100 hands.
    of_all: Ints
    #: Of those that hold a card, by its rank.
    with_card: Ints
    #: Of those that hold two, by ``suited * 169 + rank * 13 + rank``.
    with_pair: Ints
    #: One hand of each kind that differs by more than a renaming of suits.
    hands: Ints
    #: How many hands each of them stands for.
    weights: Ints

    def strength(self, *cards: Ints) -> Ints:
        """Return the strength of hands given as three arrays of cards."""
        a, b, c = cards
        suited = ((a & 3) == (b & 3)) & ((b & 3) == (c & 3))
        index: Ints = suited * 2197 + (a >> 2) * 169 + (b >> 2) * 13 + (c >> 2)
        return self.strengths[index]

    def pair(self, a: Ints, b: Ints) -> Ints:
        """Return the row of ``with_pair`` for two cards."""
        row: Ints = ((a & 3) == (b & 3)) * 169 + (a >> 2) * 13 + (b >> 2)
        return row


@cache
def tables(ace_low: bool) -> Tables:
    """Build the tables for one reading of the lowest straight."""
    order = ranking(ace_low)
    strengths = np.array(order.strengths, dtype=np.int16)
    classes = np.array(order.classes, dtype=np.int16)
    classes[-1] = _ROYAL
    cards = np.arange(52, dtype=np.int32)
    empty = np.zeros((0, 0), dtype=np.int16)
    partial = Tables(strengths, classes, empty, empty, empty, empty, empty)
    with_pair = _count_pairs(partial, cards)
    # A card's hands are those of its pairs, each counted twice: of every other rank it is paired
    # with one card in its own suit and three in others. All hands are counted by card three times.
    apart, together = with_pair.reshape(2, 13, 13, -1).sum(axis=2)
    with_card = (together + 3 * apart) // 2
    of_all = with_card.sum(axis=0) * 4 // 3
    narrow = (of_all.astype(np.int16), with_card.astype(np.int16), with_pair)
    return Tables(strengths, classes, *narrow, *_kinds())


def _count_pairs(partial: Tables, cards: Ints) -> Ints:
    """Count the 50 hands of each two cards by their strength."""
    two = [(4 * a, 4 * b + 1) for a, b in combinations_with_replacement(range(13), 2)]
    two += [(4 * a, 4 * b) for a, b in combinations(range(13), 2)]
    first, second = np.array(two, dtype=np.int32).T[:, :, None]
    third = (cards != first) & (cards != second)
    index = np.arange(len(two))[:, None] * STRENGTHS + partial.strength(first, second, cards)
    counted = np.bincount(index[third], minlength=len(two) * STRENGTHS).reshape(-1, STRENGTHS)
    with_pair = np.zeros((338, STRENGTHS + 1), dtype=np.int16)
    below = np.cumsum(counted, axis=1)
    with_pair[partial.pair(first, second)[:, 0], 1:] = below
    with_pair[partial.pair(second, first)[:, 0], 1:] = below
    return with_pair


@cache
def _kinds() -> tuple[Ints, Ints]:
    """Return the 1,755 hands that differ by more than a renaming of suits, and their numbers."""
    patterns = {
        1: [((0, 1, 2), 4)],  # three of a kind
        2: [((0, 1, 0), 12), ((0, 1, 2), 12)],  # a pair: the other card in one of its suits or not
        3: [((0, 0, 0), 4), ((0, 0, 1), 12), ((0, 1, 0), 12), ((1, 0, 0), 12), ((0, 1, 2), 24)],
    }
    hands, weights = [], []
    for ranks in combinations_with_replacement(range(13), 3):
        a, b, c = ranks if ranks[0] == ranks[1] else ranks[::-1]
        for suits, weight in patterns[len(set(ranks))]:
            hands.append((4 * a + suits[0], 4 * b + suits[1], 4 * c + suits[2]))
            weights.append(weight)
    return np.array(hands, dtype=np.int32), np.array(weights, dtype=np.int64)
