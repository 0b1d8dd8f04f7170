"""Hands to practise on: mostly those where playing and folding are worth nearly the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from queenhigh.cards import Hand
from queenhigh.game import Move
from queenhigh.games.moves import better_move
from queenhigh.price import poker
from queenhigh.price.tables import Bools, Floats, tables
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["Exercise", "exercises"]

#: A decision worth this many Antes is e times rarer than one that is worth nothing.
_CLOSE = 0.05
#: One in so many is any deal at all.
_EASY = 5


@dataclass(frozen=True, slots=True)
class Exercise:
    """A hand to decide, with what both moves are worth in units of the Ante."""

    hand: Hand
    up: tuple[int, ...]
    play: Fraction
    fold: Fraction
    #: How many of the dealer's hands fall into each case.
    cases: tuple[int, ...]

    @property
    def best(self) -> Move:
        """The better move."""
        return better_move(self.play, self.fold)


def exercises(book: PokerRulebook, count: int, chance: np.random.Generator) -> list[Exercise]:
    """Deal ``count`` different hands, hard ones more often, about as many to play as to fold."""
    weight, closeness, plays, widths = _sets(book)
    easy = count // _EASY
    to_play = (count - easy) // 2 + int(chance.integers(2)) * ((count - easy) % 2)
    picked: list[int] = []
    for wanted, likely in (
        (to_play, closeness * plays),
        (count - easy - to_play, closeness * ~plays),
        (easy, weight),
        (count, closeness),  # where one of the moves is never best
    ):
        picked += _pick(likely, picked, min(wanted, count - len(picked)), chance)
    chance.shuffle(picked)
    return [_exercise(book, index, widths, chance) for index in picked]


def _sets(book: PokerRulebook) -> tuple[Floats, Floats, Bools, list[int]]:
    """Return how often each information set is dealt, how close it is, and whether it is played.

    They stand in a row, block after block, with the number of columns of each block.
    """
    unit = poker.payoffs(book).scale * poker.dealer_hand_count(book) * _CLOSE
    weights, closeness, plays, widths = [], [], [], []
    for block in poker.information_sets(book):
        weight = np.broadcast_to(block.weight, block.gain.shape).astype(float)
        weights.append(weight.ravel())
        closeness.append((weight * np.exp(-np.abs(block.gain) / unit)).ravel())
        plays.append(block.plays.ravel())
        widths.append(block.gain.shape[1])
    return np.concatenate(weights), np.concatenate(closeness), np.concatenate(plays), widths


def _pick(likely: Floats, taken: list[int], count: int, chance: np.random.Generator) -> list[int]:
    """Pick ``count`` indexes that are not taken, or as many as there are."""
    left = likely.copy()
    left[taken] = 0
    count = min(count, int((left > 0).sum()))
    if count <= 0:
        return []
    drawn = chance.choice(len(left), size=count, replace=False, p=left / left.sum())
    return [int(index) for index in drawn]


def _exercise(
    book: PokerRulebook, index: int, widths: list[int], chance: np.random.Generator
) -> Exercise:
    """Return the information set at an index, with its suits renamed and its cards shuffled."""
    hands, worth = tables(book.ace_low).hands, poker.payoffs(book)
    row, up = _locate(book.up, index, widths, len(hands))
    suits = chance.permutation(4)
    named = [int(card & ~3 | suits[card & 3]) for card in (*hands[row], *up)]
    chance.shuffle(held := named[:3])
    hand, ups = (held[0], held[1], held[2]), tuple(named[3:])
    block = poker.info_sets_for(book, np.array([hand], dtype=np.int32), ups)
    kind = int(tables(book.ace_low).classes[block.strength[0, 0]])
    fold = Fraction(worth.folded[kind], worth.scale)
    play = fold + Fraction(int(block.gain[0, 0]), worth.scale * poker.dealer_hand_count(book))
    return Exercise(hand, ups, play, fold, tuple(block.cases[:, 0, 0].tolist()))


def _locate(up: int, index: int, widths: list[int], rows: int) -> tuple[int, tuple[int, ...]]:
    """Return the row of a hand and the up cards of an index."""
    for block, (start, width) in enumerate(_blocks(widths, rows)):
        if index < start + rows * width:
            row, column = divmod(index - start, width)
            return row, {0: (), 1: (column,), 2: (block, block + 1 + column)}[up]
    raise IndexError(index)


def _blocks(widths: list[int], rows: int) -> Iterator[tuple[int, int]]:
    start = 0
    for width in widths:
        yield start, width
        start += rows * width
