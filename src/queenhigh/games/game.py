"""What every game is: six pure functions over frozen values.

Chance is a step like any other: ``chance`` says what must be drawn, and the answer is applied.
Who draws it, a shuffle at the table, a sampler, or a loop over every deal, is not the game's
business.
"""

from fractions import Fraction
from typing import Any, Literal, Protocol

__all__ = ["Game", "Move", "better_move"]

Move = Literal["play", "fold"]


class Game(Protocol):
    """A module with these functions is a game; ``state`` is its own frozen round."""

    def open(self, book: Any, wagers: Any, /, **terms: Any) -> Any:
        """Return a round with its wagers made, or raise ``IllegalRound``."""

    def chance(self, book: Any, state: Any, /) -> Any:
        """Return what must be drawn next, or ``None``."""

    def moves(self, book: Any, state: Any, seat: int, /) -> tuple[Move, ...]:
        """Return what a seat may choose now."""

    def apply(self, book: Any, state: Any, step: Any, /) -> Any:
        """Return the round after a draw or a choice."""

    def settle(self, book: Any, state: Any, /) -> Any:
        """Return what a finished round moves, every amount with its clause."""

    def view(self, book: Any, state: Any, seat: int | None = None, /) -> Any:
        """Return what a seat may see, or with ``None`` what everyone may."""


def better_move(play: Fraction, fold: Fraction) -> Move:
    """Return the move that is worth more; where both are worth the same, fold (TCP-5)."""
    return "play" if play > fold else "fold"
