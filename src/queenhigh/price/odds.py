"""The exact odds of every bet of a rulebook."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

from queenhigh.cards import HAND_CLASSES
from queenhigh.money import Pays
from queenhigh.price import poker
from queenhigh.price.results import BetOdds, Odds
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook, SideBet, Spot

__all__ = ["bets_of", "odds"]

_Distribution = Mapping[Fraction, int]


def odds(book: Rulebook) -> Odds:
    """Return the exact odds of every bet, the Ante played best and a side bet beside it."""
    if isinstance(book, PokerRulebook):
        bets = _poker(book)
    else:
        assert isinstance(book, RouletteRulebook)
        bets = _roulette(book)
    deals = next(iter(bets.values())).deals
    return Odds(rulebook=book.name, digest=book.digest, deals=deals, bets=MappingProxyType(bets))


def _sorted(counted: Mapping[Fraction, int]) -> _Distribution:
    return MappingProxyType({gain: n for gain, n in sorted(counted.items()) if n})


# Three Card Poker


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


def _poker(book: PokerRulebook) -> dict[str, BetOdds]:
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


def _ante(book: PokerRulebook, counts: poker.Counts) -> _Distribution:
    worth = poker.payoffs(book)
    counted: Counter[Fraction] = Counter()
    for kind in range(len(HAND_CLASSES)):
        for case, gain in enumerate(worth.cases):
            value = Fraction(gain + worth.played[kind], worth.scale)
            counted[value] += counts.played[kind][case]
        counted[Fraction(worth.folded[kind], worth.scale)] += counts.folded[kind]
    return _sorted(counted)


def _side_bet(book: PokerRulebook, bet: SideBet, counts: poker.Counts) -> _Distribution:
    """Count a side bet on a hand whose Ante is played best: a fold may lose it (CA-13)."""
    counted: Counter[Fraction] = Counter()
    for kind, pays in enumerate(poker.by_class(book, bet.pays)):
        gain = _gain(pays)
        counted[gain] += sum(counts.played[kind])
        counted[Fraction(-1) if bet.lost_on_fold else gain] += counts.folded[kind]
    return _sorted(counted)


def _gain(pays: Pays | None) -> Fraction:
    return Fraction(*pays) if pays else Fraction(-1)


# Roulette


def _roulette(book: RouletteRulebook) -> dict[str, BetOdds]:
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


def _spot(book: RouletteRulebook, spot: Spot, fold: int) -> _Distribution:
    pockets, covered = len(book.pockets), len(spot.pockets)
    counted: Counter[Fraction] = Counter({_gain(spot.pays): covered * fold})
    lost, zeros = pockets - covered, book.zeros
    rule = book.zero.on_zero if book.zero and spot.even_money else "lose"
    if rule == "lose":
        counted[Fraction(-1)] += lost * fold
        return _sorted(counted)
    counted[Fraction(-1)] += (lost - zeros) * fold
    if rule == "la_partage":
        counted[Fraction(-1, 2)] += zeros * fold
    else:
        for gain, ways in _held(book, covered).items():
            counted[gain] += zeros * ways
    return _sorted(counted)


def _held(book: RouletteRulebook, covered: int) -> dict[Fraction, int]:
    """Return the ways in which a held bet ends (RO-22)."""
    assert book.zero is not None
    pockets, zeros = len(book.pockets), book.zeros
    taken = pockets - zeros - covered
    if book.zero.second_zero == "stay":  # it waits until the ball leaves the zeros
        return {Fraction(0): covered, Fraction(-1): taken}
    if book.zero.second_zero == "half":
        return {Fraction(0): covered, Fraction(-1): taken, Fraction(-1, 2): zeros}
    return {Fraction(0): covered, Fraction(-1): taken + zeros}
