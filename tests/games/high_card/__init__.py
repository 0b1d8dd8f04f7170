"""A third game, complete and small: it proves that the seam is real."""

from tests.games.high_card.game import HighCard, HighCardBook, HighCardPlan

__all__ = ["HighCard", "HighCardBook", "HighCardPlan"]
