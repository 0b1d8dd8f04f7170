"""Best play as a policy that a table, a simulation or a coach can use."""

from itertools import permutations

import numpy as np

from queenhigh.games.policy import HANDS, UPS, Policy
from queenhigh.price.poker import plays_with
from queenhigh.price.tables import Ints
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["best_policy"]


def best_policy(book: PokerRulebook) -> Policy:
    """Return best play, every information set with its own move.

    Suits are equal: up cards that another naming of the suits turns into some seen before are
    played as those were, with the hands renamed likewise.
    """
    hands = np.array(HANDS, dtype=np.int32)
    places = {up: place for place, up in enumerate(UPS[book.up])}
    namings = [(suits, _renamed(hands, suits)) for suits in permutations(range(4))]
    plays = np.zeros((len(places), len(hands)), dtype=np.uint8)
    todo = set(places)
    for up in places:
        if up in todo:
            played = plays_with(book, hands, up)
            for suits, hand_places in namings:
                renamed = tuple(sorted(card & ~3 | suits[card & 3] for card in up))
                if renamed in todo:
                    plays[places[renamed], hand_places] = played
                    todo.remove(renamed)
    return Policy("best", plays)


def _renamed(hands: Ints, suits: tuple[int, ...]) -> Ints:
    """Return the place of each hand once its suits are renamed."""
    low, middle, high = np.sort(hands & ~3 | np.array(suits)[hands & 3], axis=1).T
    place: Ints = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low
    return place
