"""Slow odds: every dealer hand for every player hand, no symmetry and no shortcut.

Strengths come from the plain settlement beside this; nothing of the package is used.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numba import njit

from tests.oracle.plain import ANTE_BONUS, BONUS, ORDER, PAIR_PLUS, rank_hand

DECK = [rank + suit for rank in ORDER for suit in "cdhs"]
HANDS = list(combinations(range(52), 3))
NUMBER = {hand: number for number, hand in enumerate(HANDS)}
CARDS = np.array(HANDS, dtype=np.int64)
Counted = Counter[int]


@cache
def ranked(ace_low: bool) -> tuple[np.ndarray[Any, Any], list[str], int]:
    """Return each hand's place among the ranks, its class, and the place of queen-high."""
    results = [rank_hand(" ".join(DECK[card] for card in hand), ace_low) for hand in HANDS]
    order = sorted({(kind, tuple(ranks)) for (kind, ranks), _ in results})
    place = {rank: i for i, rank in enumerate(order)}
    places = np.array([place[kind, tuple(ranks)] for (kind, ranks), _ in results], dtype=np.int64)
    queen = min(i for rank, i in place.items() if rank[0] > 1 or rank[1][0] >= ORDER.index("Q"))
    return places, [name for _, name in results], queen


def _count_cases(
    cards: Any, places: Any, queen: int, hand: int, up: int
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Go through every dealer hand and count it by the cards that are up and by its case.

    The cases: a short dealer first, and in each half the player behind, level, ahead.
    """
    counts = np.zeros((1 if up == 0 else 52**up, 6), np.int64)
    held, strength = cards[hand], places[hand]
    for dealer in range(len(cards)):
        a, b, c = cards[dealer]
        if a in held or b in held or c in held:
            continue
        case = 4 if places[dealer] >= queen else 1
        if strength > places[dealer]:
            case += 1
        if strength < places[dealer]:
            case -= 1
        if up == 0:
            counts[0, case] += 1
        elif up == 1:
            for seen in (a, b, c):
                counts[seen, case] += 1
        else:
            for seen, too in ((a, b), (a, c), (b, c)):
                counts[52 * seen + too, case] += 1
    return counts


_count_compiled = njit(cache=True)(_count_cases)  # the same loops: they are too many for Python


def count_cases(hand: int, up: int, ace_low: bool) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Count the dealer's hands against one hand, a row for each set of up cards."""
    places, _, queen = ranked(ace_low)
    counts: np.ndarray[Any, np.dtype[np.int64]] = _count_compiled(CARDS, places, queen, hand, up)
    return counts


def enumerate_deals(
    game: str, up: int, reading: dict[str, Any], hands: Sequence[int]
) -> dict[str, dict[Fraction, int]]:
    """Play every deal of some hands best and count the gains of each bet."""
    ace_low = reading.get("ace_low", True)
    ante, side = Counter[int](), Counter[int]()
    for hand in hands:
        counts = count_cases(hand, up, ace_low)
        _play_best(game, reading, ranked(ace_low)[1][hand], counts, ante, side)
    name = "bonus" if game == "california" else "pair_plus"
    return {bet: _as_fractions(counted) for bet, counted in (("ante", ante), (name, side))}


def _as_fractions(counted: Counted) -> dict[Fraction, int]:
    return {Fraction(gain): count for gain, count in counted.items() if count}


def worth_of(game: str, reading: dict[str, Any], name: str) -> tuple[list[int], int]:
    """Return the gain of the Ante game in each case if played, and if folded, for a class."""
    bonus = ANTE_BONUS.get(name, 0) if game == "house" else 0
    folded = bonus if reading.get("ante_bonus_on_fold") == "pay" else 0
    return [gain + bonus for gain in _gains(game, reading)], folded - 1


def _play_best(
    game: str,
    reading: dict[str, Any],
    name: str,
    counts: np.ndarray[Any, np.dtype[np.int64]],
    ante: Counted,
    side: Counted,
) -> None:
    """Decide for each set of up cards and count its deals."""
    gains, fold = worth_of(game, reading, name)
    plays = counts @ np.array(gains) > counts.sum(axis=1) * fold
    for gain, deals in zip(gains, counts[plays].sum(axis=0).tolist(), strict=True):
        ante[gain] += deals
    ante[fold] += (folded := int(counts[~plays].sum()))
    pays = (BONUS if game == "california" else PAIR_PLUS).get(name, -1)
    side[pays] += int(counts[plays].sum())
    key = "bonus_on_fold" if game == "california" else "pair_plus_on_fold"
    default = "forfeit" if game == "california" else "resolve"
    side[-1 if reading.get(key, default) == "forfeit" else pays] += folded


def _gains(game: str, reading: dict[str, Any]) -> list[int]:
    """Ante and Play together, short dealer first, player behind, level, ahead."""
    tie = {"push": 0, "win": 2, "lose": -2}[reading.get("tie", "push")]
    if game == "house":
        short = [1, 1, 1]
    else:
        short = {"ahead": [0, 0, 1], "win": [1, 1, 1], "push": [0, 0, 0]}[
            reading.get("short_ante", "ahead")
        ]
    return [*short, -2, tie, 2]


# Two seats


@cache
def plays_of(game: str, up: int, reading: tuple[tuple[str, Any], ...], hand: int) -> Any:
    """Return whether a hand is played, by the place of the up cards."""
    ace_low = dict(reading).get("ace_low", True)
    gains, fold = worth_of(game, dict(reading), ranked(ace_low)[1][hand])
    counts = count_cases(hand, up, ace_low)
    return counts @ np.array(gains) > counts.sum(axis=1) * fold


def gain_of(
    game: str, reading: dict[str, Any], hand: int, dealer: tuple[int, int, int], up: tuple[int, ...]
) -> int:
    """Return the gain of a seat on an Ante of one, played best."""
    places, names, queen = ranked(reading.get("ace_low", True))
    gains, fold = worth_of(game, reading, names[hand])
    seen = sum(card * 52**place for place, card in enumerate(reversed(up)))
    if not plays_of(game, len(up), tuple(reading.items()), hand)[seen]:
        return fold
    own, theirs = places[hand], places[NUMBER[dealer]]
    case = 4 if theirs >= queen else 1
    return gains[case + (1 if own > theirs else -1 if own < theirs else 0)]


def mean_product(game: str, up: int, reading: dict[str, Any], deck: Sequence[int]) -> Fraction:
    """Return the mean product of the gains of two seats, over every deal of a short deck.

    Both play as is best with the whole deck.
    """
    total = deals = 0
    for dealer in combinations(sorted(deck), 3):
        left = [card for card in sorted(deck) if card not in dealer]
        hands = list(combinations(left, 3))
        held = np.array([sum(1 << card for card in hand) for hand in hands])
        apart = (held[:, None] & held[None, :]) == 0
        for seen in combinations(dealer, up):
            gains = np.array([gain_of(game, reading, NUMBER[hand], dealer, seen) for hand in hands])
            total += int((gains[:, None] * gains[None, :])[apart].sum())
            deals += int(apart.sum())
    return Fraction(total, deals)
