"""Best play as a policy that a table, a simulation or a coach can use."""

import numpy as np

from queenhigh.games.policy import HANDS, UPS, Policy
from queenhigh.price.poker import plays_with
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["best_policy"]


def best_policy(book: PokerRulebook) -> Policy:
    """Return best play, every information set with its own move."""
    hands = np.array(HANDS, dtype=np.int32)
    rows = [plays_with(book, hands, up) for up in UPS[book.up]]
    return Policy("best", np.stack(rows).astype(np.uint8))
