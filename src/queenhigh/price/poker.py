"""Every information set of Three Card Poker, counted exactly and played best.

An information set is what a player knows when deciding: three cards, and the dealer's up cards.
For each one the dealer's hands fall into the six cases of the settlement table; how many fall into
each is all that any figure needs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

import numpy as np

from queenhigh.cards import HAND_CLASSES
from queenhigh.money import Pays
from queenhigh.price.tables import STRENGTHS, Bools, Ints, Tables, tables
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["Counts", "InfoSets", "Payoffs", "by_class", "count", "dealer_hand_count",
           "info_sets_for", "information_sets", "payoffs",
           "plays_with"]  # fmt: skip

_CLASSES = len(HAND_CLASSES)


@dataclass(frozen=True, slots=True)
class Payoffs:
    """The payoffs of the Ante game, in units of the Ante, all over one ``scale`` to be whole."""

    scale: int
    #: Ante and Play together, by case.
    cases: tuple[int, ...]
    #: The ante bonus of a hand that is played, and of one that is folded, by hand class.
    played: tuple[int, ...]
    folded: tuple[int, ...]


def payoffs(book: PokerRulebook) -> Payoffs:
    """Return the payoffs of the Ante game as whole numbers over one scale."""
    bonus = [Fraction(*pays) if pays else Fraction(0) for pays in _ante_bonus(book)]
    scale = lcm(*(share.denominator for share in bonus))
    whole = tuple(int(share * scale) for share in bonus)
    on_fold = whole if book.ante_bonus and book.ante_bonus.paid_on_fold else (0,) * _CLASSES
    cases = tuple((cell.ante + cell.play) * scale for cell in book.cells)
    return Payoffs(scale, cases, whole, tuple(share - scale for share in on_fold))


def _ante_bonus(book: PokerRulebook) -> tuple[Pays | None, ...]:
    return by_class(book, book.ante_bonus.pays if book.ante_bonus else (None,) * _CLASSES)


def by_class(book: PokerRulebook, pays: tuple[Pays | None, ...]) -> tuple[Pays | None, ...]:
    """Return a pay table in which the royal flush is paid, as its own class or as what it is."""
    return (*pays[:-1], (pays[-1] if book.royal_flush else None) or pays[-2])


@dataclass(frozen=True, slots=True, eq=False)
class InfoSets:
    """Some information sets in arrays of one shape: hands by rows, up cards by columns."""

    #: How many deals of hand and up cards each stands for; 0 where a card would be there twice.
    weight: Ints
    strength: Ints
    #: The rank of the up card, or of both as ``13 * high + low``; 0 if none is up.
    up: Ints
    #: How many of the dealer's hands fall into each case, the cases by the first axis.
    cases: Ints
    #: The value of playing above folding, over ``scale`` and the dealer's hands.
    gain: Ints

    @property
    def plays(self) -> Bools:
        """Where playing is best; equal worth is a fold (TCP-5)."""
        return self.gain > 0


def dealer_hand_count(book: PokerRulebook) -> int:
    """Return how many hands the dealer may have, for a player who knows the up cards."""
    return comb(49 - book.up, 3 - book.up)


def information_sets(book: PokerRulebook, hands: Ints | None = None) -> Iterator[InfoSets]:
    """Yield every information set of the game, or only those of some hands, in blocks."""
    lookup, worth = tables(book.ace_low), payoffs(book)
    cards = (lookup.hands if hands is None else hands).T[:, :, None]
    every = np.arange(52, dtype=np.int32)[None, :]
    strength = lookup.strength(*cards)
    free = (cards[0] != every) & (cards[1] != every) & (cards[2] != every)
    weight = lookup.weights[:, None] if hands is None else np.ones((len(hands), 1), np.int64)
    if book.up == 0:
        below = _none_up(lookup, cards, strength, book.qualifying_strength)
        yield _info_sets(book, worth, weight, strength, weight * 0, below)
    elif book.up == 1:
        below = _one_up(lookup, cards, every, strength, book.qualifying_strength)
        yield _info_sets(book, worth, weight * free, strength, every >> 2, below)
    else:
        for first in range(51):
            second = every[:, first + 1 :]
            both = free[:, first, None] & free[:, first + 1 :]
            below = _two_up(lookup, cards, first, second, strength, book.qualifying_strength)
            up = (second >> 2) * 13 + (first >> 2)
            yield _info_sets(book, worth, weight * both, strength, up, below)


def _info_sets(
    book: PokerRulebook, worth: Payoffs, weight: Ints, strength: Ints, up: Ints, below: list[Ints]
) -> InfoSets:
    weaker, not_better, short = below
    total = dealer_hand_count(book)
    short_ahead = np.minimum(weaker, short)
    short_level = np.minimum(not_better, short) - short_ahead
    short_behind = short - short_ahead - short_level
    cases = np.stack(
        (
            short_behind,
            short_level,
            short_ahead,
            total - not_better - short_behind,
            not_better - weaker - short_level,
            weaker - short_ahead,
        )
    )
    kind = tables(book.ace_low).classes[strength]
    bonus = (np.array(worth.played, np.int64) - np.array(worth.folded, np.int64))[kind]
    gain = total * bonus
    for each, counted in zip(worth.cases, cases, strict=True):
        if each:
            gain = gain + each * counted.astype(np.int64)
    shape = cases[0].shape
    return InfoSets(
        weight, np.broadcast_to(strength, shape), np.broadcast_to(up, shape), cases, gain
    )


def plays_with(book: PokerRulebook, hands: Ints, up: tuple[int, ...]) -> Bools:
    """Return which hands best play plays against given up cards; none that holds one of them."""
    ups = np.array([up], dtype=np.int32)
    free = ~(hands[:, :, None] == ups[:, None, :]).any(axis=(1, 2)) if up else True
    played: Bools = info_sets_for(book, hands, up).plays[:, 0] & free
    return played


def info_sets_for(book: PokerRulebook, hands: Ints, up: tuple[int, ...]) -> InfoSets:
    """Return the information sets of some hands against given up cards, in one column.

    A hand that holds one of them is counted as if it could be; its row means nothing.
    """
    lookup = tables(book.ace_low)
    cards = hands.T[:, :, None]
    strength, qualifying = lookup.strength(*cards), book.qualifying_strength
    ups = np.array([up], dtype=np.int32)
    if book.up == 0:
        below = _none_up(lookup, cards, strength, qualifying)
    elif book.up == 1:
        below = _one_up(lookup, cards, ups, strength, qualifying)
    else:
        below = _two_up(lookup, cards, up[0], ups[:, 1:], strength, qualifying)
    return _info_sets(book, payoffs(book), strength * 0 + 1, strength, strength * 0, below)


# How many dealer hands are weaker than the player's, not better than it, and short. Each is a
# count of hands below a strength, without the cards the player holds.


def _none_up(lookup: Tables, cards: Ints, strength: Ints, qualifying: int) -> list[Ints]:
    a, b, c = cards
    pairs = [lookup.pair(a, b), lookup.pair(a, c), lookup.pair(b, c)]
    counts = []
    for top in (strength, strength + 1, np.full_like(strength, qualifying)):
        count = lookup.of_all[top] - (strength < top)
        count = count - sum(lookup.with_card[card >> 2, top] for card in cards)
        counts.append(count + sum(lookup.with_pair[pair, top] for pair in pairs))
    return counts


def _one_up(lookup: Tables, cards: Ints, up: Ints, strength: Ints, qualifying: int) -> list[Ints]:
    a, b, c = cards
    triples = [lookup.strength(a, b, up), lookup.strength(a, c, up), lookup.strength(b, c, up)]
    up_row = (up >> 2) * (STRENGTHS + 1)
    held_rows = [lookup.pair(card, up) * (STRENGTHS + 1) for card in cards]
    counts = []
    for top in (strength, strength + 1, qualifying):
        count = lookup.with_card.take(up_row + top)
        for row, triple in zip(held_rows, triples, strict=True):
            count = count - lookup.with_pair.take(row + top) + (triple < top)
        counts.append(count)
    return counts


def _two_up(
    lookup: Tables, cards: Ints, first: int, second: Ints, strength: Ints, qualifying: int
) -> list[Ints]:
    first_up = np.full_like(second, first)
    row = lookup.pair(first_up, second)
    thirds = [lookup.strength(card, first_up, second) for card in cards]
    return [
        lookup.with_pair[row, top] - sum((third < top) for third in thirds)
        for top in (strength, strength + 1, np.full_like(strength, qualifying))
    ]


@dataclass(frozen=True, slots=True)
class Counts:
    """All deals of the game, played best, by hand class: in each case, and folded."""

    deals: int
    played: tuple[tuple[int, ...], ...]
    folded: tuple[int, ...]
    #: The share of hands that are played.
    play_rate: Fraction


def count(book: PokerRulebook, hands: Ints | None = None) -> Counts:
    """Count every deal under best play, or only the deals of some hands."""
    classes = tables(book.ace_low).classes
    total = dealer_hand_count(book)
    played = np.zeros((6, _CLASSES), dtype=np.int64)
    folded = np.zeros(_CLASSES, dtype=np.int64)
    sets = 0
    for block in information_sets(book, hands):
        kind = classes[block.strength[:, 0]]
        dealt = block.weight * block.plays
        for case in range(6):
            played[case] += _summed(kind, (dealt * block.cases[case]).sum(axis=1))
        folded += _summed(kind, (block.weight - dealt).sum(axis=1)) * total
        sets += int(block.weight.sum())
    deals = sets * total
    return Counts(
        deals,
        tuple(tuple(row) for row in played.T.tolist()),
        tuple(folded.tolist()),
        Fraction(int(played.sum()), deals),
    )


def _summed(kind: Ints, numbers: Ints) -> Ints:
    """Sum by hand class."""
    total = np.zeros(_CLASSES, dtype=np.int64)
    np.add.at(total, kind, numbers)
    return total
