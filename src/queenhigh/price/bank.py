"""The banker's book: what banking a table is worth, what it risks, and what the fees do."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import NamedTuple

from queenhigh.cards import HAND_CLASSES
from queenhigh.errors import IllegalRound
from queenhigh.money import amount_each, dollars
from queenhigh.price import poker
from queenhigh.price.covariance import product_means
from queenhigh.price.results import html_rows
from queenhigh.price.ruin import SessionRisk, approximate, exact_for_one_seat
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["AverageFees", "BankBook", "SeatPairs", "Stake", "average_fees", "bank", "side_gains"]


class Stake(NamedTuple):
    """The wagers of a seat, in cents: its Ante, and its side bet."""

    ante: int
    bonus: int

    @property
    def share(self) -> Fraction:
        """The side bet for each cent of the Ante."""
        return Fraction(self.bonus, self.ante)


@dataclass(frozen=True, kw_only=True)
class BankBook:
    """A table as its banker sees it, in units of the first seat's Ante unless a name says cents.

    ``mean`` and ``variance`` are a round's, before fees. ``seat_variance`` and ``seat_covariance``
    are those of seats that wager what the first one does; ``fee_player`` is for a unit of Ante.
    """

    stakes: tuple[Stake, ...]
    mean: Fraction
    variance: Fraction
    seat_variance: Fraction
    seat_covariance: Fraction
    fee_player: Fraction
    fee_banker: Fraction
    rounds_per_hour: int
    night: SessionRisk

    @property
    def seats(self) -> int:
        """The number of seats that play."""
        return len(self.stakes)

    @property
    def unit_cents(self) -> int:
        """The unit of all figures: the first seat's Ante."""
        return self.stakes[0].ante

    @property
    def antes(self) -> Fraction:
        """All Antes of a round together."""
        return Fraction(sum(stake.ante for stake in self.stakes), self.unit_cents)

    @property
    def sd(self) -> float:
        """The standard deviation of a round."""
        return sqrt(self.variance)

    @property
    def correlation(self) -> Fraction:
        """The correlation of two seats' results."""
        return self.seat_covariance / self.seat_variance if self.seat_variance else Fraction(0)

    @property
    def player_edge(self) -> Fraction:
        """The players' average loss for a unit of Ante, before fees."""
        return self.mean / self.antes

    @property
    def player_edge_after_fee(self) -> Fraction:
        """The players' average loss for a unit of Ante, fees included."""
        return self.player_edge + self.fee_player

    @property
    def mean_after_fee(self) -> Fraction:
        """The banker's average gain in a round, after the fee."""
        return self.mean - self.fee_banker

    @property
    def per_hour_cents(self) -> Fraction:
        """The banker's average gain in an hour, after fees."""
        return self.mean_after_fee * self.unit_cents * self.rounds_per_hour

    @property
    def break_even(self) -> Fraction | None:
        """The Antes that a round must bring to pay the banker's fee; ``None`` if it never does."""
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
    seats: int | None = None,
    ante: int | Sequence[int] | None = None,
    bonus: int | Sequence[int] = 0,
    rounds_per_hour: int = 40,
    hours: int = 8,
) -> BankBook:
    """Return the banker's book for a table whose seats play best.

    ``ante`` and ``bonus`` are an amount for all seats, or one for each. Without ``seats`` there are
    as many as amounts are listed, or else the whole table.
    The bank is taken to cover every wager, so that neither the order in which it meets them nor
    forfeits beyond it matter; side bets are decided as if they were not there.
    """
    stakes = _stakes(book, seats, ante, bonus)
    counts = poker.count(book)
    pairs = SeatPairs(book, counts, {stake.share for stake in stakes})
    first, antes = stakes[0], [Fraction(stake.ante, stakes[0].ante) for stake in stakes]
    mean = sum((a * pairs.means[s.share] for a, s in zip(antes, stakes, strict=True)), Fraction(0))
    variance = _variance(antes, [stake.share for stake in stakes], pairs)
    fees = average_fees(book, stakes, counts.play_rate)
    fee_player = sum(fees.seats, Fraction(0)) / sum(stake.ante for stake in stakes)
    fee_banker = fees.banker / first.ante
    rounds, gains = rounds_per_hour * hours, pairs.gains[first.share]
    alone = len(stakes) == 1
    night = exact_for_one_seat(gains, fee_banker, rounds, cents=first.ante) if alone else None
    if night is None:
        night = approximate(float(mean - fee_banker), sqrt(variance), rounds)
    return BankBook(
        stakes=stakes,
        mean=mean,
        variance=variance,
        seat_variance=pairs.variances[first.share],
        seat_covariance=pairs.covariance(first.share, first.share),
        fee_player=fee_player,
        fee_banker=fee_banker,
        rounds_per_hour=rounds_per_hour,
        night=night,
    )


def _stakes(
    book: PokerRulebook,
    seats: int | None,
    ante: int | Sequence[int] | None,
    bonus: int | Sequence[int],
) -> tuple[Stake, ...]:
    """Return what each seat wagers, every amount checked."""
    antes = book.limits["ante"].min if ante is None else ante
    listed = [len(each) for each in (antes, bonus) if not isinstance(each, int)]
    count = max(listed, default=book.seats) if seats is None else seats
    if not 1 <= count <= book.seats:
        raise IllegalRound("seats.range", f"a table has 1 to {book.seats} seats, not {count}")
    both = amount_each("ante", antes, count), amount_each("bonus", bonus, count)
    stakes = tuple(Stake(*each) for each in zip(*both, strict=True))
    for stake in dict.fromkeys(stakes):
        _check(book, stake)
    return stakes


def _check(book: PokerRulebook, stake: Stake) -> None:
    if stake.bonus and not book.side_bets:
        raise IllegalRound("wager.unknown", "there is no side bet in this game")
    _check_limits(book, "ante", stake.ante)
    if stake.bonus:
        name = book.side_bets[0].name
        _check_limits(book, name, stake.bonus)
        _check_total(book, (("ante", stake.ante), (name, stake.bonus)))


def _check_total(book: PokerRulebook, stakes: Sequence[tuple[str, int]]) -> None:
    if book.betting.fits(stakes):
        return
    _, most, clause = book.limits["ante"]
    total = dollars(sum(cents for _, cents in stakes))
    message = f"the bets of a seat total {total}, above the maximum of {dollars(most)}"
    raise IllegalRound("wager.limits", message, clause=clause)


def _check_limits(book: PokerRulebook, name: str, stake: int) -> None:
    least, most, clause = book.limits[name]
    in_limits = least <= stake <= most
    if in_limits and book.fees and book.betting.of(name).find(stake) is None:
        message = f"{dollars(stake)} on the {name} is outside every collection range"
        raise IllegalRound("wager.rate", message, clause=book.fees.clause)
    if not least <= stake <= most or stake % book.increment:
        limits = f"{dollars(least)} to {dollars(most)}"
        message = f"{dollars(stake)} is not a valid {name}: the limits are {limits}"
        raise IllegalRound("wager.limits", message, clause=clause)


class SeatPairs:
    """The banker's gain from seats and the covariance of two of them, by their share on the side.

    A seat's result is that of its Ante and ``share`` times that of its side bet, so the covariance
    of two seats is linear in the share of each. One share is counted directly; for several it
    follows from the shares 0, 1 and -1.
    """

    def __init__(self, book: PokerRulebook, counts: poker.Counts, shares: set[Fraction]) -> None:
        counted = shares if len(shares) == 1 else {*shares, *map(Fraction, (0, 1, -1))}
        self.gains = {share: _seat_gains(book, counts, share) for share in counted}
        self.means = {s: _moment(gains, counts.deals, 1) for s, gains in self.gains.items()}
        self.variances = {
            share: _moment(gains, counts.deals, 2) - self.means[share] ** 2
            for share, gains in self.gains.items()
        }
        known = list(shares) if len(shares) == 1 else [Fraction(share) for share in (0, 1, -1)]
        products = product_means(book, [_payoffs(book, share) for share in known])
        self.same = {
            share: product - self.means[share] ** 2
            for share, product in zip(known, products, strict=True)
        }

    def covariance(self, first: Fraction, second: Fraction) -> Fraction:
        """Return the covariance of two seats with these shares, for a unit of Ante each."""
        if len(self.same) == 1:
            return self.same[first]
        none, plus, minus = (self.same[Fraction(share)] for share in (0, 1, -1))
        mixed, side = (plus - minus) / 4, (plus + minus) / 2 - none
        return none + (first + second) * mixed + first * second * side


def _variance(antes: list[Fraction], shares: list[Fraction], pairs: SeatPairs) -> Fraction:
    """Return the variance of all seats together, each with its Ante and its share on the side."""
    seats = list(enumerate(zip(antes, shares, strict=True)))
    return sum(
        (
            a * b * (pairs.variances[s] if i == j else pairs.covariance(s, t))
            for i, (a, s) in seats
            for j, (b, t) in seats
        ),
        Fraction(0),
    )


def _moment(gains: Mapping[Fraction, int], deals: int, power: int) -> Fraction:
    return sum((gain**power * count for gain, count in gains.items()), Fraction(0)) / deals


def side_gains(book: PokerRulebook) -> tuple[list[Fraction], list[Fraction]]:
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
    played, folded = side_gains(book)
    gains: Counter[Fraction] = Counter()
    for kind in range(len(HAND_CLASSES)):
        for case, gain in enumerate(worth.cases):
            value = Fraction(gain + worth.played[kind], worth.scale) + share * played[kind]
            gains[-value] += counts.played[kind][case]
        gains[-Fraction(worth.folded[kind], worth.scale) - share * folded[kind]] += counts.folded[
            kind
        ]
    return {gain: count for gain, count in gains.items() if count}


def _payoffs(book: PokerRulebook, share: Fraction) -> poker.Payoffs:
    """Return what a seat gains with ``share`` of its Ante on the side."""
    worth = poker.payoffs(book)
    played, folded = side_gains(book)
    side = [share * gain for gain in (*played, *folded)]
    scale = lcm(worth.scale, *(gain.denominator for gain in side))
    times = scale // worth.scale
    whole = [int(gain * scale) for gain in side]
    kinds = len(HAND_CLASSES)
    return poker.Payoffs(
        scale,
        tuple(gain * times for gain in worth.cases),
        tuple(worth.played[k] * times + whole[k] for k in range(kinds)),
        tuple(worth.folded[k] * times + whole[kinds + k] for k in range(kinds)),
    )


class AverageFees(NamedTuple):
    """The fees of a round on average, in cents."""

    seats: tuple[Fraction, ...]
    banker: Fraction


def average_fees(book: PokerRulebook, stakes: Sequence[Stake], play_rate: Fraction) -> AverageFees:
    """Return the exact average of what each seat and the banker pay in a round.

    ``play_rate`` is the share of hands that are played.
    """
    if book.fees is None:
        return AverageFees((Fraction(0),) * len(stakes), Fraction(0))
    seats = tuple(_player_fee(book, stake, play_rate) for stake in stakes)
    banker = book.fees.banker_fee(max(stake.ante for stake in stakes))
    return AverageFees(seats, Fraction(banker))


def _player_fee(book: PokerRulebook, stake: Stake, play_rate: Fraction) -> Fraction:
    """Return what a player pays on average in a round, in cents."""
    side = [(book.side_bets[0].name, stake.bonus)] if stake.bonus else []
    stakes = [("ante", stake.ante), *side]
    return book.betting.fee(stakes) + play_rate * book.betting.reserve_fee(stakes)
