"""What every game is: six pure functions over frozen values.

Chance is a step like any other: ``chance`` says what must be drawn, and the answer is applied.
Who draws it, a shuffle at the table, a sampler, or a loop over every deal, is not the game's
business.
"""

from fractions import Fraction
from typing import Any, Literal, Protocol

from queenhigh.rulebook.book import Rulebook

__all__ = ["Game", "Move", "better_move", "game_of"]

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


def game_of(book: Rulebook) -> Game:
    """Return the game a rulebook is for."""
    from queenhigh.games import roulette, three_card_poker  # noqa: PLC0415 (they import this)

    games: dict[str, Any] = {"three_card_poker": three_card_poker, "roulette": roulette}
    game: Game = games[book.document["game"]]
    return game


def better_move(play: Fraction, fold: Fraction) -> Move:
    """Return the move that is worth more; where both are worth the same, fold (TCP-5)."""
    return "play" if play > fold else "fold"
