"""What rounds came to for the bank, beside what the exact odds say they should have.

A wager counts here only if the bank was sure to cover it, whatever the cards. That is known before
the deal, so that what counts does not depend on how it came out; what a bank that ran short
returned, or might have, counts nowhere but in the net.
"""

import json
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from math import ceil, lcm, sqrt
from typing import Any

from queenhigh.games import roulette
from queenhigh.games.three_card_poker import Seat, SettledWager
from queenhigh.money import Pays
from queenhigh.price import poker
from queenhigh.price.odds import odds
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.table.events import RoundSettled, SpinSettled
from queenhigh.table.state import Live

__all__ = ["Tally", "Worth", "expectations"]

#: What a side bet is called that has no Ante beside it, and a bet that a zero put in prison.
_ALONE, _HELD = "{} alone", "{} held"


def expectations(book: Rulebook) -> dict[str, Fraction]:
    """Return what a cent on each bet gains its player on average, the Ante played best.

    Beside the bets: side bets without an Ante where a fold would lose them, and bets in prison.
    """
    worth = {name: bet.ev for name, bet in odds(book).bets.items()}
    if isinstance(book, PokerRulebook):
        return worth | _alone(book)
    assert isinstance(book, RouletteRulebook)
    return worth | _held(book, worth)


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
    """Return what a bet in prison is still worth: what is left of its odds without the others."""
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


class Worth:
    """A rulebook's wagers as the bank has them: whole numbers, all over one ``scale``."""

    def __init__(self, book: Rulebook, expected: dict[str, Fraction]) -> None:
        self.book = book
        self.scale = lcm(*[each.denominator for each in expected.values()])
        #: What the bank gains on a cent of each bet.
        self._gains = {name: int(-each * self.scale) for name, each in expected.items()}
        self._most = _most(book) if isinstance(book, PokerRulebook) else {}

    def of(self, bet: str) -> int:
        """Return what the bank gains on a cent of a bet."""
        return self._gains[bet]

    def held(self, bet: str) -> int:
        """Return what the bank gains on a cent of a bet in prison."""
        return self._gains[_HELD.format(bet)]

    def of_seat(self, one: Seat) -> int:
        """Return what the bank gains on a seat, its Ante played best."""
        assert isinstance(self.book, PokerRulebook)
        gain = one.ante * self._gains["ante"] if one.ante else 0
        for bet in self.book.side_bets:
            alone = _ALONE.format(bet.name)
            name = bet.name if one.ante or alone not in self._gains else alone
            gain += one.stake_on(bet.name) * self._gains[name]
        return gain

    def most_of_seat(self, one: Seat) -> int:
        """Return the most that a seat's wagers can move between it and the bank."""
        sides = [one.stake_on(name) * most for name, most in self._most.items() if name != "ante"]
        return ceil(one.ante * self._most["ante"] + sum(sides))


def _most(book: PokerRulebook) -> dict[str, Fraction]:
    """Return the most that can change hands for a cent of each bet: the Ante's has its Play bet."""
    bonus = book.ante_bonus.pays if book.ante_bonus else ()
    most = {bet.name: max(_largest(bet.pays), Fraction(1)) for bet in book.side_bets}
    return {"ante": 2 + _largest(bonus), **most}


def _largest(pays: tuple[Pays | None, ...]) -> Fraction:
    return max([Fraction(*each) for each in pays if each], default=Fraction(0))


@dataclass
class Tally:
    """What some rounds of one rulebook came to, in cents.

    ``net`` is what the bank gained in all. ``counted`` is what it gained on wagers it was sure to
    cover and ``expected`` what the odds say of those, both times the rulebook's scale; ``squares``
    sums the squares of what they differ by, round by round.
    """

    rounds: int = 0
    net: int = 0
    counted: int = 0
    expected: int = 0
    squares: int = 0
    wagered: dict[str, int] = field(default_factory=dict)

    def add(self, worth: Worth, live: Live, end: RoundSettled | SpinSettled) -> None:
        """Count one more round that was settled."""
        if isinstance(end, RoundSettled):
            counted, expected = self._round(worth, live, end)
        else:
            counted, expected = self._spin(worth, end)
        self.rounds += 1
        self.net += end.net
        self.counted += counted
        self.expected += expected
        self.squares += (counted - expected) ** 2

    def _round(self, worth: Worth, live: Live, end: RoundSettled) -> tuple[int, int]:
        """Count a round of poker, seat after seat in order of action."""
        book, dealt = worth.book, live.poker
        assert isinstance(book, PokerRulebook)
        assert dealt is not None
        first, left = dealt.first, end.bank
        rows = {one.seat: one for one in end.places}
        counted = expected = 0
        for one in sorted(dealt.seats, key=lambda one: (one.seat - first) % book.seats):
            row = rows[one.seat]
            for wager in row.wagers:
                self._wager(wager.wager, covered(book, wager))
            left -= worth.most_of_seat(one) if end.banker is not None else 0
            if left >= 0:
                counted -= row.net
                expected += worth.of_seat(one)
        return counted * worth.scale, expected

    def _spin(self, worth: Worth, end: SpinSettled) -> tuple[int, int]:
        """Count a spin. A bet in prison counts for what it is worth when it goes there."""
        assert isinstance(worth.book, RouletteRulebook)
        counted = expected = 0
        for bet in [bet for one in end.places for bet in one.bets]:
            name = roulette.find_spot(worth.book, bet.bet).bet
            counted -= bet.net * worth.scale
            if bet.held:
                counted += bet.held * worth.held(name)
            if bet.in_prison:
                counted -= bet.stake * worth.held(name)
            else:
                self._wager(name, bet.stake)
                expected += bet.stake * worth.of(name)
        return counted, expected

    def _wager(self, name: str, cents: int) -> None:
        if cents:
            self.wagered[name] = self.wagered.get(name, 0) + cents

    def report(self, scale: int) -> dict[str, Any]:
        """Return the sums in cents, the standard deviation, and how many of it lie between.

        ``sd`` is estimated: the root of the sum of the squares of what each round in fact deviated
        by. Rounds do not depend on one another, and seats that share a dealer are in one round.
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
        """Write the sums down; some are too large for a machine's word."""
        return json.dumps(asdict(self))

    @staticmethod
    def read(text: str) -> "Tally":
        """Read sums back."""
        return Tally(**json.loads(text))


def covered(book: PokerRulebook, wager: SettledWager) -> int:
    """Return how much of a wager's stake the bank put something up against."""
    if wager.action:
        return min(wager.stake, wager.action)
    is_uncovered = book.bank is not None and wager.clause == book.bank.unmatched
    return 0 if is_uncovered else wager.stake
