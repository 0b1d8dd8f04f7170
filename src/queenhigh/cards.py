"""Cards, and the strength of three of them (TCP-1 to TCP-3).

A card is a number from 0 to 51, four times its rank (0 for a deuce to 12 for an ace) plus its
suit. A strength is a number from 0 to 740: the higher one wins, equal ones tie.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations

from queenhigh.errors import InvalidRound

__all__ = [
    "DECK",
    "HAND_CLASSES",
    "RANKS",
    "SUITS",
    "Hand",
    "Ranking",
    "describe",
    "format_cards",
    "parse_cards",
    "ranking",
]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = range(52)
Hand = tuple[int, int, int]

#: The classes of hands from lowest to highest. A rulebook may count the suited A-K-Q, the highest
#: straight flush, as a class of its own for payouts; the order of hands is the same either way.
HAND_CLASSES = (
    "high_card",
    "pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
    "royal_flush",
)

_RANK_NAMES = (
    "deuce", "three", "four", "five", "six", "seven", "eight",
    "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
_PIECE = re.compile(r"\s*((?:10|[2-9tjqka])[cdhs])", re.IGNORECASE | re.ASCII)


def _spellings(card: int) -> set[str]:
    rank, suit = RANKS[card // 4], SUITS[card % 4]
    ranks = {rank, rank.lower()} | ({"10"} if rank == "T" else set())
    return {r + s for r in ranks for s in (suit, suit.upper())}


_CARDS = {spelling: card for card in DECK for spelling in _spellings(card)}


def parse_cards(text: str) -> tuple[int, ...]:
    """Read ``As Kd 9h``: ``10h`` or ``Th``, either case, with or without spaces."""
    try:
        return tuple([_CARDS[piece] for piece in text.split()])
    except KeyError:
        return _parse_unspaced(text)


def _parse_unspaced(text: str) -> tuple[int, ...]:
    cards, start = [], 0
    stripped = text.rstrip()
    while start < len(stripped):
        if not (match := _PIECE.match(stripped, start)):
            raise InvalidRound("card.unknown", f"unknown card {_excerpt(stripped[start:])}")
        cards.append(_CARDS[match[1]])
        start = match.end()
    return tuple(cards)


def _excerpt(text: str) -> str:
    word = text.split(maxsplit=1)[0]
    return repr(word if len(word) <= 12 else word[:12] + "…")


def format_cards(cards: tuple[int, ...]) -> str:
    """Write cards as ``parse_cards`` reads them: ``As Kd 9h``."""
    return " ".join(RANKS[card // 4] + SUITS[card % 4] for card in cards)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The order of all three-card hands, as two small tables."""

    #: Strength by ``rank * 169 + rank * 13 + rank`` in any order; suited hands come 2197 later.
    strengths: tuple[int, ...]
    #: Index into ``HAND_CLASSES`` by strength, the suited A-K-Q counted as a straight flush.
    classes: tuple[int, ...]
    #: The ranks by strength, the ones that matter most first.
    ranks: tuple[tuple[int, ...], ...]

    def strength(self, hand: Hand) -> int:
        """Return the hand's place in the order, 0 to 740."""
        a, b, c = hand
        index = (a >> 2) * 169 + (b >> 2) * 13 + (c >> 2)
        if a & 3 == b & 3 == c & 3:
            index += 2197
        return self.strengths[index]

    def lowest(self, wanted: str, high: int = 0) -> int:
        """Return the lowest strength of a class whose deciding rank is at least ``high``."""
        kind = HAND_CLASSES.index(wanted)
        return next(
            strength
            for strength, ranks in enumerate(self.ranks)
            if self.classes[strength] == kind and ranks[0] >= high
        )


def _key(ranks: tuple[int, ...], *, suited: bool, ace_low: bool) -> tuple[int, tuple[int, ...]]:
    """Return the sort key of a hand: first the class, then the ranks that matter."""
    high, middle, low = sorted(ranks, reverse=True)
    if high == low:
        return HAND_CLASSES.index("three_of_a_kind"), (high,)
    if middle in (high, low):
        return HAND_CLASSES.index("pair"), (middle, low if high == middle else high)
    if ace_low and (high, middle, low) == (12, 1, 0):
        straight, order = True, (1, 0, -1)
    else:
        straight, order = high - low == 2, (high, middle, low)
    kind = {
        (True, True): "straight_flush",
        (True, False): "straight",
        (False, True): "flush",
        (False, False): "high_card",
    }[straight, suited]
    return HAND_CLASSES.index(kind), order


@cache
def ranking(ace_low: bool) -> Ranking:
    """Return the order of hands, with A-2-3 as the lowest straight or as none (TCP-2)."""
    hands = [(ranks, False) for ranks in combinations_with_replacement(range(13), 3)]
    hands += [(ranks, True) for ranks in combinations(range(13), 3)]
    keys = {hand: _key(hand[0], suited=hand[1], ace_low=ace_low) for hand in hands}
    order = sorted(set(keys.values()))
    place = {key: strength for strength, key in enumerate(order)}
    table = [0] * (2 * 2197)
    for (ranks, suited), key in keys.items():
        for a, b, c in permutations(ranks):
            table[suited * 2197 + a * 169 + b * 13 + c] = place[key]
    return Ranking(tuple(table), tuple(kind for kind, _ in order), tuple(r for _, r in order))


def describe(order: Ranking, strength: int) -> str:
    """Name a hand as a dealer would call it: ``queen-high``, ``pair of nines``."""
    kind, top = HAND_CLASSES[order.classes[strength]], order.ranks[strength][0]
    name = _RANK_NAMES[top]
    plural = "sixes" if name == "six" else name + "s"
    return {
        "high_card": f"{name}-high",
        "pair": f"pair of {plural}",
        "flush": f"{name}-high flush",
        "straight": f"{name}-high straight",
        "three_of_a_kind": f"three {plural}",
        "straight_flush": "suited A-K-Q" if top == 12 else f"{name}-high straight flush",
    }[kind]
