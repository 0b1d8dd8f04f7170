"""The value of a decision in money, for the wagers that are down.

A fold may forfeit a side bet or an ante bonus, so that the best move for all wagers together need
not be the best one for the Ante alone. What each wager is due comes from the settlement itself.
The bank is taken to be without limit: a wager that a short bank does not cover is luck here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from msgspec.structs import replace

from queenhigh.cards import Hand
from queenhigh.errors import IllegalRound
from queenhigh.game import Move
from queenhigh.games.moves import better_move
from queenhigh.games.three_card_poker import Seat, check_stakes, dues, fee
from queenhigh.price import poker
from queenhigh.price.strategy import Advice, advise, read_deal
from queenhigh.price.tables import STRENGTHS, Ints
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["Coaching", "DecisionValue", "coach", "count_cases", "evaluate", "seat_with",
           "value_before_deal"]  # fmt: skip

#: Nothing beyond this many cents is counted: the sums would not be whole numbers of the machine.
_MOST = 10**12


@dataclass(frozen=True, slots=True)
class DecisionValue:
    """The value of both moves in cents, on average, for one hand and its wagers.

    Fees that are paid whatever the move are not in ``play`` and ``fold``; a fee on the Play wager
    is in ``play``.
    """

    play: Fraction
    fold: Fraction
    best: Move
    #: The value of the round before the deal for a player who plays best, all fees included.
    value_before_deal: Fraction

    @property
    def cost(self) -> Fraction:
        """The average loss by the other move."""
        return abs(self.play - self.fold)


@dataclass(frozen=True, slots=True)
class Coaching:
    """All that a coach knows of a decision; ``value`` is for wagers, where there are some."""

    advice: Advice
    #: How many of the dealer's hands fall into each of the six cases.
    cases: tuple[int, ...]
    value: DecisionValue | None


def coach(
    book: PokerRulebook, hand: str, up: str | None, wagers: Mapping[str, int] | None
) -> Coaching:
    """Return what both moves are worth with a hand, given as text; in money too for wagers."""
    cards, ups = read_deal(book, hand, up)
    advice, cases = advise(book, cards, ups), count_cases(book, cards, ups)
    value = None if wagers is None else evaluate(book, cards, ups, seat_with(book, wagers))
    return Coaching(advice, cases, value)


def seat_with(book: PokerRulebook, wagers: Mapping[str, int]) -> Seat:
    """Return a seat with wagers in cents, an Ante among them, that the rulebook allows."""
    ante, bonus, pair_plus = (wagers.get(name, 0) for name in ("ante", "bonus", "pair_plus"))
    seat = Seat(1, ante, bonus, pair_plus)
    check_stakes(book, seat, to_player=True)
    if not seat.ante:
        message = "without an Ante there is nothing to decide"
        raise IllegalRound("ante.missing", message, clause=book.ante_clause)
    return seat


def count_cases(book: PokerRulebook, hand: Hand, up: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many of the dealer's hands fall into each of the six cases."""
    block = poker.info_sets_for(book, np.array([hand], dtype=np.int32), up)
    return tuple(block.cases[:, 0, 0].tolist())


def evaluate(book: PokerRulebook, hand: Hand, up: tuple[int, ...], seat: Seat) -> DecisionValue:
    """Return what both moves are worth with the wagers of a seat, whatever the bank would cover."""
    played, folded = gains = _gains(book, seat)
    strength, cases = book.ranking.strength(hand), count_cases(book, hand, up)
    total = sum(n * int(gain) for n, gain in zip(cases, played[:, strength], strict=True))
    play, fold = Fraction(total, sum(cases)), Fraction(int(folded[strength]))
    return DecisionValue(play, fold, better_move(play, fold), _value_before_deal(book, seat, gains))


def value_before_deal(book: PokerRulebook, seat: Seat, hands: Ints | None = None) -> Fraction:
    """Return what a round is worth before the deal to a player who plays best, less all fees.

    With ``hands``, what it is worth to a player who will be dealt one of these.
    """
    return _value_before_deal(book, seat, _gains(book, seat), hands)


def _value_before_deal(
    book: PokerRulebook, seat: Seat, gains: tuple[Ints, Ints], hands: Ints | None = None
) -> Fraction:
    played, folded = gains
    dealers, worth, sets = poker.dealer_hand_count(book), 0, 0
    for block in poker.information_sets(book, hands):
        fold = dealers * folded[block.strength]
        play = sum(n * gain[block.strength] for n, gain in zip(block.cases, played, strict=True))
        worth += _sum(block.weight * np.maximum(fold, play))
        sets += int(block.weight.sum())
    return Fraction(worth, sets * dealers) - _fees(book, replace(seat, move="fold"))


def _gains(book: PokerRulebook, seat: Seat) -> tuple[Ints, Ints]:
    """Return what a hand of each strength gains when it is played, by case, and when folded."""
    plays, folds = (replace(seat, move=move) for move in ("play", "fold"))
    extra = _fees(book, plays) - _fees(book, folds)

    def gain(moved: Seat, strength: int, case: int) -> int:
        return sum(due[2] for due in dues(book, moved, strength, case))

    every = range(STRENGTHS)
    played = [[gain(plays, strength, case) - extra for strength in every] for case in range(6)]
    folded = [gain(folds, strength, 0) for strength in every]
    if max(map(abs, (*folded, *(cents for row in played for cents in row)))) > _MOST:
        message = "the possible winnings are too large: lower the limits or the pays"
        raise IllegalRound("rulebook.huge", message)
    return np.array(played, dtype=np.int64), np.array(folded, dtype=np.int64)


def _fees(book: PokerRulebook, seat: Seat) -> int:
    return fee(book, seat) or 0


def _sum(amounts: Ints) -> int:
    """Sum without running over: the upper and the lower halves apart."""
    return (int((amounts >> 32).sum()) << 32) + int((amounts & 0xFFFFFFFF).sum())
