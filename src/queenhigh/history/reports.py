"""Results of rounds for the bank, beside what the exact odds predict.

A wager counts here only if the bank was sure to cover it with any cards. That is known before
the deal, so that the choice does not depend on the outcome; wagers that a bank could have been too
small for count nowhere but in the net.
"""

import json
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import ceil, lcm, sqrt
from typing import Any, cast

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.games import roulette
from queenhigh.games.three_card_poker import Round, Seat, SettledWager, turns
from queenhigh.money import Pays
from queenhigh.price import poker
from queenhigh.price.games import poker_only
from queenhigh.price.odds import odds
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.table.events import RoundSettled, SpinSettled
from queenhigh.table.state import ActiveRound

__all__ = ["VALUES", "Actuals", "Counted", "WagerValues", "expectations", "wager_values"]

#: The names of a side bet without an Ante beside it, and of a bet that a zero put in prison.
_ALONE, _HELD = "{} alone", "{} held"


def expectations(book: Rulebook) -> dict[str, Fraction]:
    """Return a player's average gain on a cent of each bet, the Ante played best.

    It includes side bets without an Ante, where a fold would lose them, and bets in prison.
    """
    evs = {name: bet.ev for name, bet in odds(book).bets.items()}
    return evs | _values_type(book).further(book, evs)


@dataclass
class Counted:
    """The figures of a round: the bank's actual and expected gain, and the stakes it covered."""

    actual: int = 0
    expected: int = 0
    wagered: dict[str, int] = field(default_factory=dict)

    def wager(self, name: str, cents: int) -> None:
        """Add a stake."""
        if cents:
            self.wagered[name] = self.wagered.get(name, 0) + cents


class WagerValues(ABC):
    """The bank's average gains on a rulebook's wagers: whole numbers, all over one ``scale``."""

    def __init__(self, book: Rulebook, expected: dict[str, Fraction]) -> None:
        self.book = book
        self.scale = lcm(*[each.denominator for each in expected.values()])
        #: The bank's gain on a cent of each bet.
        self._gains = {name: int(-each * self.scale) for name, each in expected.items()}

    @staticmethod
    @abstractmethod
    def further(book: Rulebook, evs: dict[str, Fraction]) -> dict[str, Fraction]:
        """Return the averages of bets that the odds of a rulebook do not list."""

    @abstractmethod
    def count(self, live: ActiveRound, end: RoundSettled | SpinSettled) -> Counted:
        """Return the figures of a settled round."""


class PokerValues(WagerValues):
    """Values of Three Card Poker, seat by seat."""

    @staticmethod
    def further(book: Rulebook, evs: dict[str, Fraction]) -> dict[str, Fraction]:
        """Return the averages of side bets without an Ante."""
        return _alone(poker_only(book))

    def count(self, live: ActiveRound, end: RoundSettled | SpinSettled) -> Counted:
        """Return the figures of a round: seats that the bank was sure to cover."""
        book, play = poker_only(self.book), live.play
        if not isinstance(play, Round) or not isinstance(end, RoundSettled):
            raise BrokenLog(f"round {live.number} is not a poker round")
        counted = Counted()
        rows = {row.seat: row for row in end.places}
        order = book.in_action_order(play.seats, play.first)
        short = set() if end.banker is None else _uncertain_seats(book, order, end.bank)
        for seat in order:
            row = rows[seat.seat]
            for wager in row.wagers:
                counted.wager(wager.wager, covered(book, wager))
            if seat.seat not in short:
                counted.actual -= row.net * self.scale
                counted.expected += self._expected(book, seat)
        return counted

    def _expected(self, book: PokerRulebook, seat: Seat) -> int:
        """Return the bank's gain on a seat, its Ante played best."""
        gain = seat.ante * self._gains["ante"] if seat.ante else 0
        for bet in book.side_bets:
            alone = _ALONE.format(bet.name)
            name = bet.name if seat.ante or alone not in self._gains else alone
            gain += seat.stake_on(bet.name) * self._gains[name]
        return gain


class RouletteValues(WagerValues):
    """Values of a wheel. A bet in prison counts for its average value when it goes there."""

    @staticmethod
    def further(book: Rulebook, evs: dict[str, Fraction]) -> dict[str, Fraction]:
        """Return the averages of bets in prison."""
        return _held(cast("RouletteRulebook", book), evs)

    def count(self, live: ActiveRound, end: RoundSettled | SpinSettled) -> Counted:
        """Return the figures of a spin: every bet."""
        if not isinstance(end, SpinSettled):
            raise BrokenLog(f"round {live.number} is not a roulette round")
        book, counted = cast("RouletteRulebook", self.book), Counted()
        for bet in [bet for row in end.places for bet in row.bets]:
            name = roulette.find_spot(book, bet.bet).bet
            counted.actual -= bet.net * self.scale
            if bet.held:
                counted.actual += bet.held * self._gains[_HELD.format(name)]
            if bet.in_prison:
                counted.actual -= bet.stake * self._gains[_HELD.format(name)]
            else:
                counted.wager(name, bet.stake)
                counted.expected += bet.stake * self._gains[name]
        return counted


#: By the game that a rulebook names.
VALUES: dict[str, type[WagerValues]] = {
    "three_card_poker": PokerValues,
    "roulette": RouletteValues,
}


def wager_values(book: Rulebook, expected: dict[str, Fraction]) -> WagerValues:
    """Return the values of a rulebook's wagers, from their averages."""
    return _values_type(book)(book, expected)


def _values_type(book: Rulebook) -> type[WagerValues]:
    if book.game.name not in VALUES:
        message = f"{book.title}: no reports for the game {book.game.name} yet"
        raise QueenhighError("game.unreported", message)
    return VALUES[book.game.name]


def _alone(book: PokerRulebook) -> dict[str, Fraction]:
    bets = [bet for bet in book.side_bets if bet.lost_on_fold and not book.ante_required]
    if not bets:
        return {}
    counts = poker.count(book)
    hands = [sum(row) + folded for row, folded in zip(counts.played, counts.folded, strict=True)]
    worth = {}
    for bet in bets:
        gains = [
            Fraction(*pays) if pays else Fraction(-1) for pays in poker.by_class(book, bet.pays)
        ]
        total = sum([gain * count for gain, count in zip(gains, hands, strict=True)])
        worth[_ALONE.format(bet.name)] = total / Fraction(counts.deals)
    return worth


def _held(book: RouletteRulebook, worth: dict[str, Fraction]) -> dict[str, Fraction]:
    """Return the average gain on a bet in prison: its odds without the pockets that ended it."""
    if book.zero is None or book.zero.on_zero != "en_prison":
        return {}
    pockets, zeros = len(book.pockets), book.zeros
    held = {}
    for spot in book.spots.values():
        if spot.even_money:
            won = len(spot.pockets)
            lost = pockets - zeros - won
            held[_HELD.format(spot.bet)] = (worth[spot.bet] * pockets - won + lost) / zeros
    return held


def _uncertain_seats(book: PokerRulebook, order: list[Seat], bank: int) -> set[int]:
    """Return the seats that the bank could be too small for, whatever cards come (CA-20).

    Wagers are met in their turn, and each may move as much as it can. A forfeit that needs no cover
    moves less than the seat could.
    """
    moved = [_most_moved(_max_exposure(book), seat) for seat in order]
    short, left = set(), bank
    for turn, place in turns(book, [list(wagers) for wagers in moved]):
        left -= list(moved[turn].values())[place]
        if left < 0:
            short.add(order[turn].seat)
    return short


def _most_moved(exposures: dict[str, Fraction], seat: Seat) -> dict[str, int]:
    """Return the most that each wager of a seat can move between it and the bank."""
    stakes = {
        name: seat.ante if name in _OF_THE_ANTE else seat.stake_on(name) for name in exposures
    }
    moved = {name: ceil(stakes[name] * most) for name, most in exposures.items()}
    return {name: cents for name, cents in moved.items() if cents}


#: The wagers whose size is the Ante's, in the order of the game.
_OF_THE_ANTE = ("ante", "play", "ante_bonus")


@lru_cache(maxsize=16)
def _max_exposure(book: PokerRulebook) -> dict[str, Fraction]:
    """Return the most that can change hands for a cent of each wager, in the order of the game."""
    bonus = _largest(book.ante_bonus.pays if book.ante_bonus else ())
    sides = {bet.name: max(_largest(bet.pays), Fraction(1)) for bet in book.side_bets}
    return {**dict(zip(_OF_THE_ANTE, (Fraction(1), Fraction(1), bonus), strict=True)), **sides}


def _largest(pays: tuple[Pays | None, ...]) -> Fraction:
    return max([Fraction(*each) for each in pays if each], default=Fraction(0))


@dataclass
class Actuals:
    """The results of some rounds of one rulebook, in cents.

    ``net`` is the bank's gain in all. ``counted`` is its gain on wagers it was sure to cover and
    ``expected`` the gain that the odds predict for those, both times the rulebook's scale;
    ``squares`` sums the squares of their differences, round by round.
    """

    rounds: int = 0
    net: int = 0
    counted: int = 0
    expected: int = 0
    squares: int = 0
    wagered: dict[str, int] = field(default_factory=dict)

    def add(self, counted: Counted, end: RoundSettled | SpinSettled) -> None:
        """Count one more round that was settled, from its figures."""
        self.rounds += 1
        self.net += end.net
        self.counted += counted.actual
        self.expected += counted.expected
        self.squares += (counted.actual - counted.expected) ** 2
        for name, cents in counted.wagered.items():
            self.wagered[name] = self.wagered.get(name, 0) + cents

    def report(self, scale: int) -> dict[str, Any]:
        """Return the sums in cents, the standard deviation, and how many of it lie between.

        ``sd`` is estimated as the root of the sum of the squares of each round's actual deviation.
        Rounds do not depend on one another, and seats that share a dealer are in one round.
        """
        sd = sqrt(self.squares)
        return {
            "rounds": self.rounds,
            "wagered": dict(sorted(self.wagered.items())),
            "net": self.net,
            "counted": float(Fraction(self.counted, scale)),
            "theoretical": float(Fraction(self.expected, scale)),
            "sd": sd / scale,
            "z": (self.counted - self.expected) / sd if sd else None,
        }

    def write(self) -> str:
        """Return the sums as JSON; some are too large for 64 bits."""
        return json.dumps(asdict(self))

    @staticmethod
    def read(text: str) -> "Actuals":
        """Return sums from JSON."""
        return Actuals(**json.loads(text))


def covered(book: PokerRulebook, wager: SettledWager) -> int:
    """Return the part of a wager's stake that the bank covered."""
    if wager.action:
        return min(wager.stake, wager.action)
    is_uncovered = book.bank is not None and wager.clause == book.bank.unmatched
    return 0 if is_uncovered else wager.stake
