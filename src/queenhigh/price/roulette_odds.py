"""The odds of every bet on a wheel, by the pockets it covers and what happens on a zero."""

from collections import Counter
from fractions import Fraction

from queenhigh.price.results import BetOdds, Distribution, gain_of, in_order
from queenhigh.rulebook.roulette_book import RouletteRulebook, Spot, ZeroRule

__all__ = ["roulette_bets"]


def roulette_bets(book: RouletteRulebook) -> dict[str, BetOdds]:
    """Return the odds by the name of the bet: its spots all pay the same on as many pockets."""
    spots = {spot.bet: spot for spot in book.spots.values()}
    fold = _spins(book)
    deals = len(book.pockets) * fold
    return {
        name: BetOdds(name=name, deals=deals, distribution=_spot(book, spot, fold))
        for name, spot in spots.items()
    }


def _spins(book: RouletteRulebook) -> int:
    """Return how many ways a bet held on a zero can go on, all equally likely."""
    if not book.zero or book.zero.on_zero != "en_prison":
        return 1
    waits = book.zeros if book.zero.second_zero == "stay" else 0
    return len(book.pockets) - waits


def _spot(book: RouletteRulebook, spot: Spot, fold: int) -> Distribution:
    pockets, covered = len(book.pockets), len(spot.pockets)
    counted: Counter[Fraction] = Counter({gain_of(spot.pays): covered * fold})
    lost, zeros = pockets - covered, book.zeros
    rule = book.zero if spot.even_money else None
    if rule is None or rule.on_zero == "lose":
        counted[Fraction(-1)] += lost * fold
        return in_order(counted)
    counted[Fraction(-1)] += (lost - zeros) * fold
    if rule.on_zero == "la_partage":
        counted[Fraction(-1, 2)] += zeros * fold
    else:
        for gain, ways in _held(book, rule, covered).items():
            counted[gain] += zeros * ways
    return in_order(counted)


def _held(book: RouletteRulebook, rule: ZeroRule, covered: int) -> dict[Fraction, int]:
    """Return the ways in which a held bet ends (RO-22)."""
    pockets, zeros = len(book.pockets), book.zeros
    taken = pockets - zeros - covered
    if rule.second_zero == "stay":  # it waits until the ball leaves the zeros
        return {Fraction(0): covered, Fraction(-1): taken}
    if rule.second_zero == "half":
        return {Fraction(0): covered, Fraction(-1): taken, Fraction(-1, 2): zeros}
    return {Fraction(0): covered, Fraction(-1): taken + zeros}
