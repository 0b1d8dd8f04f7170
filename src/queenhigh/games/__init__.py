"""The games as pure functions over frozen values: no clock, no entropy, no files, no JSON."""

from queenhigh.games import roulette, three_card_poker
from queenhigh.games.game import Game
from queenhigh.rulebook.book import PokerRulebook, Rulebook

__all__ = ["game_of"]


def game_of(book: Rulebook) -> Game:
    """Return the game a rulebook is for: a module of six pure functions."""
    return three_card_poker if isinstance(book, PokerRulebook) else roulette
