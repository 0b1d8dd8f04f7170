"""All 22,100 hands in the order PokerKit gives them, an independent implementation."""

import warnings
from itertools import combinations, pairwise
from typing import Any

from queenhigh.cards import DECK, format_cards, ranking

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pokerkit import RhodeIslandHoldemHand


def disagreements(order: Any, theirs: dict[tuple[int, int, int], Any]) -> int:
    """Count neighbours, in their order, that ours puts otherwise."""
    by_theirs = sorted(theirs, key=lambda hand: theirs[hand])
    wrong = 0
    for one, next_ in pairwise(by_theirs):
        ours = (order(one) > order(next_)) - (order(one) < order(next_))
        other = (theirs[one] > theirs[next_]) - (theirs[one] < theirs[next_])
        wrong += ours != other
    return wrong


def their_hands() -> dict[tuple[int, int, int], Any]:
    return {
        hand: RhodeIslandHoldemHand(format_cards(hand).replace(" ", ""))
        for hand in combinations(DECK, 3)
    }


def test_all_hands_are_ordered_as_pokerkit_orders_them() -> None:
    theirs = their_hands()
    assert len(theirs) == 22100
    assert disagreements(ranking(True).strength, theirs) == 0
    assert disagreements(ranking(False).strength, theirs) > 0, "the check can fail"
