"""What one unit of each wager means for the banker, so that any table follows from a few numbers.

A seat's result is linear in its Ante and its side bet, so the mean and the variance of a whole
table are sums over these figures. A page can add them up for every bet that is placed.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from queenhigh.cards import HAND_CLASSES
from queenhigh.price import poker
from queenhigh.price.bank import SeatPairs, side_gains
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["BankFigures", "Loss", "Moments", "bank_figures"]


class Moments(NamedTuple):
    """The banker's gain from one unit of a wager; ``covariance`` is that of two seats."""

    mean: Fraction
    variance: Fraction
    covariance: Fraction


class Loss(NamedTuple):
    """The most that a hand can win from the banker, for a unit of each wager."""

    ante: Fraction
    side: Fraction


@dataclass(frozen=True, kw_only=True)
class BankFigures:
    """The banker's gain per unit of Ante and of side bet, before fees, if seats play best.

    ``ante`` is Ante, Play and Ante bonus together. ``same_seat`` is the covariance of an Ante and
    the side bet beside it, ``two_seats`` that of an Ante and the side bet of another seat.
    """

    ante: Moments
    side: Moments | None
    same_seat: Fraction
    two_seats: Fraction
    play_rate: Fraction
    #: What the hands that cost the banker most win; every other hand wins less on both wagers.
    losses: tuple[Loss, ...]


def bank_figures(book: PokerRulebook) -> BankFigures:
    """Return the figures of a rulebook's bank, which is taken to cover every wager."""
    counts = poker.count(book)
    none, one, minus = (Fraction(share) for share in (0, 1, -1))
    pairs = SeatPairs(book, counts, {none, one, minus} if book.side_bets else {none})
    mean, variance = pairs.means[none], pairs.variances[none]
    ante = Moments(mean, variance, pairs.covariance(none, none))
    side, same_seat, two_seats = None, Fraction(0), Fraction(0)
    if book.side_bets:
        plus_variance, minus_variance = pairs.variances[one], pairs.variances[minus]
        mixed, plain = pairs.covariance(none, one), pairs.covariance(one, one)
        same_seat, two_seats = (plus_variance - minus_variance) / 4, mixed - ante.covariance
        side = Moments(
            pairs.means[one] - mean,
            (plus_variance + minus_variance) / 2 - variance,
            plain - ante.covariance - 2 * two_seats,
        )
    return BankFigures(
        ante=ante,
        side=side,
        same_seat=same_seat,
        two_seats=two_seats,
        play_rate=counts.play_rate,
        losses=_losses(book),
    )


def _losses(book: PokerRulebook) -> tuple[Loss, ...]:
    """Return the largest wins, without those that another hand exceeds on both wagers."""
    worth = poker.payoffs(book)
    played, folded = side_gains(book)
    wins = set()
    for kind in range(len(HAND_CLASSES)):
        best = Fraction(max(worth.cases) + worth.played[kind], worth.scale)
        wins.add(Loss(best, played[kind]))
        wins.add(Loss(Fraction(worth.folded[kind], worth.scale), folded[kind]))
    return tuple(
        sorted(
            win
            for win in wins
            if not any(
                win != other and win.ante <= other.ante and win.side <= other.side for other in wins
            )
        )
    )
