"""Two seats at one table: they share the dealer's hand, so their results go together.

The mean of the product of two seats' results is a sum over dealer hands and over pairs of hands
with no card in common. Such pairs are counted by inclusion and exclusion of the cards they would
share: all pairs, less those with a common card, plus those with two, less equal hands. That needs
only sums of one seat's result over the hands that hold a card, and over those that hold two.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np

from queenhigh.price.poker import Payoffs, plays_with
from queenhigh.price.tables import STRENGTHS, Bools, Ints, tables
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["product_mean", "product_means"]

_FULL = tuple(range(52))
_CARDS = np.arange(52, dtype=np.int32)


def product_mean(book: PokerRulebook, worth: Payoffs, deck: Sequence[int] = _FULL) -> Fraction:
    """Return the mean of the product of two seats' results, both played best.

    ``worth`` is what a seat gains, side bets and all; decisions are those of the Ante alone.
    ``deck`` may hold fewer ranks, which is how this is checked against plain loops; the decisions
    are those of the whole game.
    """
    return product_means(book, [worth], deck)[0]


def product_means(
    book: PokerRulebook, worths: Sequence[Payoffs], deck: Sequence[int] = _FULL
) -> list[Fraction]:
    """Return the same mean for several payoffs, which share most of the work."""
    totals, deals = [0] * len(worths), 0
    for up, weight in _kinds_of(deck, (), book.up):
        dealer = SharedDealer(book, deck, up)
        seats = [SeatSums(dealer, worth) for worth in worths]
        for rest, times in _kinds_of(deck, up, 3 - book.up):
            for index, each in enumerate(seats):
                totals[index] += weight * times * each.pairs(rest)
            deals += weight * times
    left = len(deck) - 3
    pairs = deals * comb(left, 3) * comb(left - 3, 3)
    return [
        Fraction(total, pairs * worth.scale**2) for total, worth in zip(totals, worths, strict=True)
    ]


def _kinds_of(
    deck: Sequence[int], held: tuple[int, ...], count: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield sets of cards that differ by more than a renaming of suits, and how many each is.

    Renamings leave the suits of the cards already held where they are.
    """
    fixed = {card & 3 for card in held}
    free = [suit for suit in range(4) if suit not in fixed]
    renamings = [
        {**{suit: suit for suit in fixed}, **dict(zip(free, order, strict=True))}
        for order in permutations(free)
    ]
    counted: Counter[tuple[int, ...]] = Counter()
    for cards in combinations([card for card in deck if card not in held], count):
        counted[
            min(tuple(sorted((c & ~3) | names[c & 3] for c in cards)) for names in renamings)
        ] += 1
    yield from counted.items()


class SharedDealer:
    """What all dealer hands with the same up cards share, whatever the payoffs are."""

    def __init__(self, book: PokerRulebook, deck: Sequence[int], up: tuple[int, ...]) -> None:
        self.book, self.up = book, up
        lookup = tables(book.ace_low)
        a, b, c = _CARDS[:, None, None], _CARDS[None, :, None], _CARDS[None, None, :]
        self.strength = lookup.strength(a, b, c)
        there = np.zeros(52, dtype=bool)
        there[[card for card in deck if card not in up]] = True
        self.valid = (a != b) & (b != c) & (a != c) & there[a] & there[b] & there[c]
        self.plays = self.valid & _decisions(book, up)
        self.classes = lookup.classes
        self.below = self._count_below()
        self.by_strength = np.bincount(self.strength[self.plays], minlength=STRENGTHS) // 6

    def _count_below(self) -> Ints:
        """Count, for every two cards, the played hands below each strength."""
        index = self.strength.reshape(2704, 52).astype(np.int64) * 2704
        index += np.arange(2704)[:, None]
        counted = np.bincount(index[self.plays.reshape(2704, 52)], minlength=STRENGTHS * 2704)
        below = np.zeros((STRENGTHS + 1, 52, 52), dtype=np.int16)
        np.cumsum(counted.reshape(STRENGTHS, 52, 52), axis=0, out=below[1:])
        return below

    def played(self, low: int, high: int) -> Ints:
        """Count the played hands from one strength to below another, by two of their cards."""
        between: Ints = self.below[high].astype(np.int64) - self.below[low]
        return between


class SeatSums:
    """The sums of one seat's results, by its payoffs, for dealer hands with the same up cards."""

    def __init__(self, dealer: SharedDealer, worth: Payoffs) -> None:
        self.dealer, self.worth = dealer, worth
        self.bonus = np.array(worth.played, dtype=np.int64)[dealer.classes]
        self.fold = np.array(worth.folded, dtype=np.int64)[dealer.classes]
        strength = dealer.strength
        steady = np.where(dealer.plays, self.bonus[strength], self.fold[strength])
        self.steady = (steady * dealer.valid).sum(axis=2)
        folded = dealer.valid & ~dealer.plays
        self.fold_squares = _sum_squares(self.fold[strength[folded]]) // 6

    def pairs(self, rest: tuple[int, ...]) -> int:
        """Sum the product of the results of two hands over all pairs with no card in common."""
        a, b, c = (*self.dealer.up, *rest)
        book, played = self.dealer.book, self.dealer.played
        dealer = book.ranking.strength((a, b, c))
        case = book.level_case(dealer)
        behind, level, ahead = self.worth.cases[case - 1 : case + 2]
        by_two = self.steady + behind * played(0, dealer)
        by_two += level * played(dealer, dealer + 1)
        by_two += ahead * played(dealer + 1, STRENGTHS)
        value = self.bonus + ahead
        value[dealer] += level - ahead
        value[:dealer] += behind - ahead
        lost = [self._with_card(card, value) for card in rest]
        for matrix in lost:
            by_two -= matrix
        by_two[list(rest)] = 0
        by_two[:, list(rest)] = 0
        by_one = by_two.sum(axis=1) // 2
        everything = int(by_one.sum()) // 3
        squares = self._squares(value, rest, lost)
        pairs: int = everything**2 - _sum_squares(by_one) + _sum_squares(by_two) // 2 - squares
        return pairs

    def _with_card(self, card: int, value: Ints) -> Ints:
        """Return the result of every hand with a card, by its other two."""
        strength = self.dealer.strength[card]
        result = np.where(self.dealer.plays[card], value[strength], self.fold[strength])
        valid: Ints = result * self.dealer.valid[card]
        return valid

    def _squares(self, value: Ints, rest: tuple[int, ...], lost: list[Ints]) -> int:
        """Sum the squares of one seat's results over the hands the dealer's cards leave."""
        total = self.fold_squares + _sum_squares(value, self.dealer.by_strength)
        total -= sum(_sum_squares(matrix) // 2 for matrix in lost)
        for i, j in combinations(range(len(rest)), 2):
            total += _sum_squares(lost[i][rest[j]])
        if len(rest) == 3:
            total -= int(lost[0][rest[1], rest[2]]) ** 2
        return int(total)


def _sum_squares(values: Ints, times: Ints | None = None) -> int:
    """Sum squares exactly, each so many times: in machine words if they fit, else in Python's."""
    many = int(times.sum()) if times is not None else values.size
    wide = values.astype(np.int64)
    if int(abs(wide).max(initial=0)) ** 2 * many < 2**63:
        squares = wide * wide
        return int((squares if times is None else squares * times).sum())
    counts = [1] * many if times is None else times.tolist()
    return sum(n * int(value) ** 2 for n, value in zip(counts, wide.ravel().tolist(), strict=True))


def _decisions(book: PokerRulebook, up: tuple[int, ...]) -> Bools:
    """Return where best play plays, by all three cards of the hand, for these up cards."""
    hands = np.array(list(combinations(range(52), 3)), dtype=np.int32)
    played = hands[plays_with(book, hands, up)]
    tensor = np.zeros((52, 52, 52), dtype=bool)
    for order in permutations(range(3)):
        a, b, c = played[:, order].T
        tensor[a, b, c] = True
    return tensor
