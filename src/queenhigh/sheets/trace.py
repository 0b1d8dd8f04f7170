"""A settled round as a dealer would tell it, each amount with its clause."""

from queenhigh.game import GameRound, Settled
from queenhigh.rulebook.book import Rulebook
from queenhigh.text import one_line

__all__ = ["trace"]


def trace(book: Rulebook, name: str, finished: GameRound, settled: Settled) -> str:
    """Return the story of a round in a few lines; ``name`` is what the round is called."""
    return "\n".join(book.game.describe(book, one_line(name, 80), finished, settled)) + "\n"
