"""The games as pure functions over frozen values: no clock, no entropy, no files."""

from types import MappingProxyType
from typing import cast

from queenhigh.games.roulette.game import Roulette
from queenhigh.games.three_card_poker.game import ThreeCardPoker
from queenhigh.rulebook.book import AnyGame, Games, Rulebook

__all__ = ["GAMES", "game_of"]

#: The games that come with the package, by their names in rulebook files.
GAMES: Games = MappingProxyType(
    {game.name: game for game in (cast("AnyGame", ThreeCardPoker()), cast("AnyGame", Roulette()))}
)


def game_of(book: Rulebook) -> AnyGame:
    """Return the game a rulebook is for."""
    return book.game
