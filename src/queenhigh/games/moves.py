"""How two moves compare."""

from fractions import Fraction

from queenhigh.game import Move

__all__ = ["better_move"]


def better_move(play: Fraction, fold: Fraction) -> Move:
    """Return the move that is worth more; where both are worth the same, fold (TCP-5)."""
    return "play" if play > fold else "fold"
