"""The odds of every bet of Three Card Poker, from counted deals."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from queenhigh.cards import HAND_CLASSES
from queenhigh.price import poker
from queenhigh.price.results import BetOdds, Distribution, gain_of, in_order
from queenhigh.rulebook.book import PokerRulebook, SideBet

__all__ = ["bets_of", "poker_bets"]


@dataclass(frozen=True)
class _AnteGame:
    """All that the counting of deals depends on: side bets, limits and fees do not matter."""

    payoffs: poker.Payoffs
    up: int
    ace_low: bool
    qualifying_strength: int
    book: PokerRulebook = field(compare=False)


@lru_cache(maxsize=32)
def _count(game: _AnteGame) -> poker.Counts:
    return poker.count(game.book)


def poker_bets(book: PokerRulebook) -> dict[str, BetOdds]:
    """Return the odds of the Ante, played best, and of each side bet beside it."""
    worth = poker.payoffs(book)
    game = _AnteGame(worth, book.up, book.ace_low, book.qualifying_strength, book)
    return bets_of(book, _count(game))


def bets_of(book: PokerRulebook, counts: poker.Counts) -> dict[str, BetOdds]:
    """Return the odds of every bet from counted deals."""
    ante = BetOdds(
        name="ante",
        deals=counts.deals,
        distribution=_ante(book, counts),
        wagered=1 + counts.play_rate,
        play_rate=counts.play_rate,
    )
    sides = {
        bet.name: BetOdds(
            name=bet.name, deals=counts.deals, distribution=_side_bet(book, bet, counts)
        )
        for bet in book.side_bets
    }
    return {"ante": ante, **sides}


def _ante(book: PokerRulebook, counts: poker.Counts) -> Distribution:
    worth = poker.payoffs(book)
    counted: Counter[Fraction] = Counter()
    for kind in range(len(HAND_CLASSES)):
        for case, gain in enumerate(worth.cases):
            value = Fraction(gain + worth.played[kind], worth.scale)
            counted[value] += counts.played[kind][case]
        counted[Fraction(worth.folded[kind], worth.scale)] += counts.folded[kind]
    return in_order(counted)


def _side_bet(book: PokerRulebook, bet: SideBet, counts: poker.Counts) -> Distribution:
    """Count a side bet on a hand whose Ante is played best: a fold may lose it (CA-13)."""
    counted: Counter[Fraction] = Counter()
    for kind, pays in enumerate(poker.by_class(book, bet.pays)):
        gain = gain_of(pays)
        counted[gain] += sum(counts.played[kind])
        counted[Fraction(-1) if bet.lost_on_fold else gain] += counts.folded[kind]
    return in_order(counted)
