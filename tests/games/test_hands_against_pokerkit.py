"""All 22,100 hands in the order PokerKit gives them, an independent implementation."""

import warnings
from itertools import combinations, pairwise
from typing import Any

from queenhigh.cards import DECK, Hand, format_cards, ranking

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pokerkit import RhodeIslandHoldemHand


def disagreements(order: Any, steps: list[tuple[Hand, Hand, int]]) -> int:
    """Count neighbours, in their order, that ours puts otherwise."""
    return sum(
        (order(hand) > order(other)) - (order(hand) < order(other)) != theirs
        for hand, other, theirs in steps
    )


def their_hands() -> dict[Hand, Any]:
    return {
        hand: RhodeIslandHoldemHand(format_cards(hand).replace(" ", ""))
        for hand in combinations(DECK, 3)
    }


def test_hands_are_ordered_as_in_pokerkit() -> None:
    theirs = their_hands()
    assert len(theirs) == 22100
    steps = [
        (hand, other, 0 if theirs[hand] == theirs[other] else -1)
        for hand, other in pairwise(sorted(theirs, key=theirs.__getitem__))
    ]
    assert sum(step for _, _, step in steps) == -740, "741 hands can be told apart"
    assert disagreements(ranking(True).strength, steps) == 0
    assert disagreements(ranking(False).strength, steps) > 0, "the check can fail"
