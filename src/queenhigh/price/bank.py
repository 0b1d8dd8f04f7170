"""The banker's book: what banking a table is worth, what it risks, and what the fees do."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt

from queenhigh.cards import HAND_CLASSES
from queenhigh.errors import IllegalRound
from queenhigh.money import dollars
from queenhigh.price import poker
from queenhigh.price.results import html_rows
from queenhigh.price.ruin import Night, night_by_curve, night_on_lattice
from queenhigh.price.seats import product_mean
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["BankBook", "bank"]


@dataclass(frozen=True, kw_only=True)
class BankBook:
    """A full table as its banker sees it. Amounts are in units of one Ante unless they say cents.

    ``mean``, ``variance`` and ``seat_covariance`` are a round's, before fees.
    """

    seats: int
    ante_cents: int
    bonus_cents: int
    mean: Fraction
    variance: Fraction
    seat_variance: Fraction
    seat_covariance: Fraction
    fee_player: Fraction
    fee_banker: Fraction
    rounds_per_hour: int
    night: Night

    @property
    def sd(self) -> float:
        """The standard deviation of a round."""
        return sqrt(self.variance)

    @property
    def correlation(self) -> Fraction:
        """How far the results of two seats go together."""
        return self.seat_covariance / self.seat_variance if self.seat_variance else Fraction(0)

    @property
    def player_edge(self) -> Fraction:
        """What a player loses on average, before fees."""
        return self.mean / self.seats

    @property
    def player_edge_after_fee(self) -> Fraction:
        """What a player loses on average, the fee with it."""
        return self.player_edge + self.fee_player

    @property
    def mean_after_fee(self) -> Fraction:
        """What the banker gains on average in a round, after the fee."""
        return self.mean - self.fee_banker

    @property
    def per_hour_cents(self) -> Fraction:
        """What the banker gains on average in an hour, after fees."""
        return self.mean_after_fee * self.ante_cents * self.rounds_per_hour

    @property
    def break_even(self) -> Fraction | None:
        """How many Antes a round must bring to pay the banker's fee; none if it never does."""
        return self.fee_banker / self.player_edge if self.player_edge > 0 else None

    def _repr_html_(self) -> str:
        rows = {
            "seats": self.seats,
            "mean": f"{float(self.mean):.4f}",
            "sd": f"{self.sd:.4f}",
            "after fee": f"{float(self.mean_after_fee):.4f}",
            "an hour": dollars(round(self.per_hour_cents), signed=True),
        }
        return html_rows(rows)


def bank(
    book: PokerRulebook,
    *,
    seats: int,
    ante: int | None = None,
    bonus: int = 0,
    rounds_per_hour: int = 40,
    hours: int = 8,
) -> BankBook:
    """Return the banker's book for a table whose seats all wager the same and play best.

    The bank is taken to cover every wager; side bets are decided as if they were not there.
    """
    stake = book.limits["ante"].min if ante is None else ante
    _check(book, seats, stake, bonus)
    counts = poker.count(book)
    gains = _seat_gains(book, counts, Fraction(bonus, stake))
    mean = _moment(gains, counts.deals, 1)
    variance = _moment(gains, counts.deals, 2) - mean**2
    covariance = _covariance(book, Fraction(bonus, stake), mean)
    fee_player, fee_banker = _fees(book, stake, bonus, counts.play_rate)
    table_mean = seats * mean
    table_variance = seats * variance + seats * (seats - 1) * covariance
    rounds = rounds_per_hour * hours
    night = night_on_lattice(gains, fee_banker, rounds, cents=stake) if seats == 1 else None
    if night is None:
        night = night_by_curve(float(table_mean - fee_banker), sqrt(table_variance), rounds)
    return BankBook(
        seats=seats,
        ante_cents=stake,
        bonus_cents=bonus,
        mean=table_mean,
        variance=table_variance,
        seat_variance=variance,
        seat_covariance=covariance,
        fee_player=fee_player,
        fee_banker=fee_banker,
        rounds_per_hour=rounds_per_hour,
        night=night,
    )


def _check(book: PokerRulebook, seats: int, ante: int, bonus: int) -> None:
    if not 1 <= seats <= book.seats:
        raise IllegalRound("seats.range", f"a table has 1 to {book.seats} seats, not {seats}")
    stakes = [("ante", ante)]
    if bonus and not book.side_bets:
        raise IllegalRound("wager.unknown", "there is no side bet in this game")
    if bonus:
        stakes.append((book.side_bets[0].name, bonus))
    for name, stake in stakes:
        least, most, clause = book.limits[name]
        charged = book.fees and (name == "ante" or book.fees.fee_per == "wager")
        if charged and book.fees and least <= stake <= most and not book.fees.covers(stake):
            told = f"{dollars(stake)} on the {name} is in no collection range"
            raise IllegalRound("wager.rate", told, clause=book.fees.clause)
        if not least <= stake <= most or stake % book.increment:
            told = (
                f"{dollars(stake)} is no {name}: the limits are {dollars(least)} to {dollars(most)}"
            )
            raise IllegalRound("wager.limits", told, clause=clause)


def _moment(gains: Mapping[Fraction, int], deals: int, power: int) -> Fraction:
    return sum((gain**power * count for gain, count in gains.items()), Fraction(0)) / deals


def _side_gains(book: PokerRulebook) -> tuple[list[Fraction], list[Fraction]]:
    """Return what one unit on the side bet gains, by hand class: played, and folded."""
    if not book.side_bets:
        return [Fraction(0)] * len(HAND_CLASSES), [Fraction(0)] * len(HAND_CLASSES)
    bet = book.side_bets[0]
    played = [Fraction(*p) if p else Fraction(-1) for p in poker.by_class(book, bet.pays)]
    return played, [Fraction(-1)] * len(played) if bet.lost_on_fold else played


def _seat_gains(
    book: PokerRulebook, counts: poker.Counts, share: Fraction
) -> Mapping[Fraction, int]:
    """Count deals by what the banker gains from one seat with ``share`` of its Ante on the side."""
    worth = poker.payoffs(book)
    played, folded = _side_gains(book)
    gains: Counter[Fraction] = Counter()
    for kind in range(len(HAND_CLASSES)):
        for case, gain in enumerate(worth.cases):
            value = Fraction(gain + worth.played[kind], worth.scale) + share * played[kind]
            gains[-value] += counts.played[kind][case]
        gains[-Fraction(worth.folded[kind], worth.scale) - share * folded[kind]] += counts.folded[
            kind
        ]
    return {gain: count for gain, count in gains.items() if count}


def _covariance(book: PokerRulebook, share: Fraction, mean: Fraction) -> Fraction:
    """Return the covariance of two seats' results."""
    worth = poker.payoffs(book)
    played, folded = _side_gains(book)
    side = [share * gain for gain in (*played, *folded)]
    scale = lcm(worth.scale, *(gain.denominator for gain in side))
    times = scale // worth.scale
    whole = [int(gain * scale) for gain in side]
    kinds = len(HAND_CLASSES)
    result = poker.Payoffs(
        scale,
        tuple(gain * times for gain in worth.cases),
        tuple(worth.played[k] * times + whole[k] for k in range(kinds)),
        tuple(worth.folded[k] * times + whole[kinds + k] for k in range(kinds)),
    )
    return product_mean(book, result) - mean**2


def _fees(
    book: PokerRulebook, ante: int, bonus: int, play_rate: Fraction
) -> tuple[Fraction, Fraction]:
    """Return what a player and the banker pay in a round, in units of the Ante."""
    if book.fees is None:
        return Fraction(0), Fraction(0)
    rate = book.fees.rate(ante)
    player = Fraction(rate.player)
    if book.fees.fee_per == "wager":
        player *= 1 + play_rate
        player += book.fees.rate(bonus).player if bonus else 0
    return player / ante, Fraction(rate.banker, ante)
