"""The exact odds of every bet of a rulebook."""

from fractions import Fraction
from types import MappingProxyType

from queenhigh.price.games import pricing_of
from queenhigh.price.results import Odds
from queenhigh.rulebook.book import Rulebook

__all__ = ["edges", "odds"]


def odds(book: Rulebook) -> Odds:
    """Return the exact odds of every bet, the Ante played best and a side bet beside it."""
    bets = pricing_of(book).bets(book)
    deals = next(iter(bets.values())).deals
    return Odds(
        rulebook=book.name,
        digest=book.digest,
        rules_digest=book.rules_digest,
        deals=deals,
        bets=MappingProxyType(bets),
    )


def edges(book: Rulebook) -> dict[str, Fraction]:
    """Return the edge of every bet."""
    return {name: bet.edge for name, bet in odds(book).bets.items()}
