"""The pricing of each game: the odds of its bets, and the differences between its rulebooks."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.price.differences import DIFFERENCES, Difference
from queenhigh.price.poker_odds import poker_bets
from queenhigh.price.results import BetOdds
from queenhigh.price.roulette_odds import roulette_bets
from queenhigh.rulebook.book import PokerRulebook, Rulebook

__all__ = ["PRICING", "Pricing", "poker_only", "pricing_of"]


class Pricing(NamedTuple):
    """The functions a game must have to be priced. Each takes rulebooks of this game only."""

    bets: Callable[[Any], dict[str, BetOdds]]
    differences: Callable[[Any, Any], Iterator[Difference]]


#: By the game that a rulebook names.
PRICING = {
    "three_card_poker": Pricing(poker_bets, DIFFERENCES["three_card_poker"]),
    "roulette": Pricing(roulette_bets, DIFFERENCES["roulette"]),
}


def pricing_of(book: Rulebook) -> Pricing:
    """Return how the game of a rulebook is priced; refuse a game that nobody has priced."""
    game = book.game.name
    if game not in PRICING:
        message = f"{book.title}: there are no odds for the game {game} yet"
        raise QueenhighError("game.unpriced", message)
    return PRICING[game]


def poker_only(book: Rulebook) -> PokerRulebook:
    """Return the rulebook if its game has a decision; refuse it otherwise."""
    if not isinstance(book, PokerRulebook):
        raise QueenhighError("game.poker", f"{book.title}: there is nothing to decide or to bank")
    return book
