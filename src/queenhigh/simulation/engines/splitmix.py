"""Chance as a function: word ``k`` of round ``i`` under a seed, and the draws made from words.

SplitMix64 is a sequence of 64-bit numbers with direct access to each. Output ``k // 2`` of the
sequence of the seed starts another sequence; output ``i`` of that one holds words ``k`` and
``k + 1`` of round ``i``, the low half first. This module is the definition, in plain whole numbers;
the compiled engines compute the same in their own ways.
"""

from collections.abc import Iterator
from math import prod

from queenhigh.cards import DECK

__all__ = ["GAMMA", "MIX", "SEEDS", "deal", "draw", "output", "refused_below", "words"]

#: Seeds are whole numbers below this.
SEEDS = 2**64
#: SplitMix64's step from one state to the next, and the two factors that mix a state.
GAMMA = 0x9E3779B97F4A7C15
MIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)

_WORDS = 2**32


def output(seed: int, index: int) -> int:
    """Return output ``index`` of SplitMix64, counted from 0: 64 bits."""
    state = (seed + (index + 1) * GAMMA) % SEEDS
    state = (state ^ state >> 30) * MIX[0] % SEEDS
    state = (state ^ state >> 27) * MIX[1] % SEEDS
    return state ^ state >> 31


def words(seed: int, round: int) -> Iterator[int]:
    """Yield the words of a round, 32 bits each, without end."""
    index = 0
    while True:
        both = output(output(seed, index), round)
        yield both % _WORDS
        yield both // _WORDS
        index += 1


def refused_below(*bounds: int) -> int:
    """Return the rest below which a word is refused, so that every draw is equally likely."""
    return _WORDS % prod(bounds)


def draw(source: Iterator[int], *bounds: int) -> list[int]:
    """Draw one number below each bound, all from one word; a refused word gives way to the next.

    The word is a fraction of 2^32. Times a bound, its whole part is a number below the bound and
    the rest is a fraction again. Each combination has as many words as every other once the words
    with the smallest last rests are refused.
    """
    least = refused_below(*bounds)
    for rest in source:
        numbers = []
        for bound in bounds:
            number, rest = divmod(rest * bound, _WORDS)  # noqa: PLW2901 (the rest goes on)
            numbers.append(number)
        if rest >= least:
            return numbers
    raise ValueError("the source ran out of words")


def deal(source: Iterator[int], hands: int, each: int = 3) -> tuple[int, ...]:
    """Deal hands of ``each`` cards, a word a hand: Fisher and Yates, from the end of the deck.

    A number drawn below the cards left swaps that card with the last one left, which is dealt.
    """
    deck = list(DECK)
    left = len(deck)
    for _ in range(hands):
        for number in draw(source, *range(left, left - each, -1)):
            left -= 1
            deck[number], deck[left] = deck[left], deck[number]
    return tuple(deck[left:][::-1])
