"""Odds by the slow way: every dealer hand for every player hand, no symmetry and no shortcut.

Strengths come from the plain settlement beside this; nothing of the package is used.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from tests.oracle.plain import ANTE_BONUS, BONUS, ORDER, PAIR_PLUS, rank_hand

DECK = [rank + suit for rank in ORDER for suit in "cdhs"]
HANDS = list(combinations(range(52), 3))
BITS = np.array([(1 << a) | (1 << b) | (1 << c) for a, b, c in HANDS], dtype=np.uint64)
CARDS = np.array(HANDS, dtype=np.int64)
Counted = Counter[int]


@cache
def ranked(ace_low: bool) -> tuple[np.ndarray[Any, Any], list[str], int]:
    """Return each hand's place among the ranks, its class, and the place of queen-high."""
    found = [rank_hand(" ".join(DECK[card] for card in hand), ace_low) for hand in HANDS]
    order = sorted({(kind, tuple(ranks)) for (kind, ranks), _ in found})
    place = {rank: i for i, rank in enumerate(order)}
    places = np.array([place[kind, tuple(ranks)] for (kind, ranks), _ in found], dtype=np.int64)
    queen = min(i for rank, i in place.items() if rank[0] > 1 or rank[1][0] >= ORDER.index("Q"))
    return places, [name for _, name in found], queen


def enumerate_deals(
    game: str, up: int, reading: dict[str, Any], hands: Sequence[int]
) -> dict[str, dict[Fraction, int]]:
    """Play every deal of some hands best and count what each bet gains."""
    ace_low = reading.get("ace_low", True)
    places, names, queen = ranked(ace_low)
    ante, side = Counter[int](), Counter[int]()
    short = places < queen
    for at in hands:
        free = (BITS & BITS[at]) == 0
        mine = places[at]
        case = np.where(short, 0, 3) + np.sign(mine - places) + 1
        for ups in _by_up(case[free], CARDS[free], up):
            counts = [int(n) for n in np.bincount(ups, minlength=6)]
            _one_set(game, reading, names[at], counts, ante, side)
    name = "bonus" if game == "california" else "pair_plus"
    return {bet: _as_fractions(found) for bet, found in (("ante", ante), (name, side))}


def _as_fractions(found: Counted) -> dict[Fraction, int]:
    return {Fraction(gain): count for gain, count in found.items() if count}


def _by_up(cases: Any, dealers: Any, up: int) -> list[Any]:
    """Sort the dealer's hands by what is seen of them."""
    if up == 0:
        return [cases]
    groups: dict[tuple[int, ...], list[Any]] = {}
    for places in combinations(range(3), up):
        seen = sum(dealers[:, place] * 52**i for i, place in enumerate(places))
        order = np.argsort(seen, kind="stable")
        cuts = np.flatnonzero(np.diff(seen[order])) + 1
        for part in np.split(order, cuts):
            groups.setdefault((int(seen[part[0]]),), []).append(cases[part])
    return [np.concatenate(parts) for parts in groups.values()]


def _one_set(
    game: str,
    reading: dict[str, Any],
    name: str,
    counts: list[int],
    ante: Counted,
    side: Counted,
) -> None:
    """Decide one information set and count its deals."""
    total = sum(counts)
    gains = _gains(game, reading)
    bonus = ANTE_BONUS.get(name, 0) if game == "house" else 0
    pays_folded = bonus if reading.get("ante_bonus_on_fold") == "pay" else 0
    play = sum((gain + bonus) * n for gain, n in zip(gains, counts, strict=True))
    fold = (pays_folded - 1) * total
    table = BONUS if game == "california" else PAIR_PLUS
    pays = table.get(name, -1)
    if play > fold:
        for gain, n in zip(gains, counts, strict=True):
            ante[gain + bonus] += n
        side[pays] += total
    else:
        ante[pays_folded - 1] += total
        key = "bonus_on_fold" if game == "california" else "pair_plus_on_fold"
        default = "forfeit" if game == "california" else "resolve"
        side[-1 if reading.get(key, default) == "forfeit" else pays] += total


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
