"""Best play: for every information set, as a chart, and as a rule to remember.

A chart tells hands apart by strength and up cards by rank. Where suits matter, some deals of one
cell are better played and others folded; the chart then takes the better of the two for the whole
cell, and its cost says what that gives away.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np

from queenhigh.cards import RANKS, Hand, Ranking, describe, parse_cards
from queenhigh.errors import IllegalRound, InvalidRound
from queenhigh.game import Move
from queenhigh.games.moves import better_move
from queenhigh.price import poker
from queenhigh.price.results import html_rows
from queenhigh.price.tables import STRENGTHS, Ints, tables
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["Advice", "Line", "Strategy", "advise", "hand_text", "play_text", "read_deal",
           "strategy", "up_text"]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a rule: with these up cards play this strength or better."""

    #: Ranks of the up cards, those of two together; an empty one if none is up.
    ups: tuple[tuple[int, ...], ...]
    #: The least strength to play; 0 plays everything, 741 nothing.
    least: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Strategy:
    """Best play of a rulebook. The costs are in units of the Ante, lost on average."""

    book: PokerRulebook
    #: The value of best play.
    ev: Fraction
    #: Deals of hand and up cards, how many of them are played, and how many are worth the same
    #: either way and so folded (TCP-5).
    sets: int
    played: int
    level: int
    #: By up cards and strength: deals, deals that are played, and what playing all of them is worth
    #: above folding, over ``scale``.
    cells: Ints
    plays: Ints
    gains: Ints
    scale: int
    #: The cost of the best chart by rank alone, and of the best rule, against best play.
    chart_cost: Fraction
    rule_cost: Fraction
    rule: tuple[Line, ...]

    def least(self, up: int) -> int:
        """Return the hand from which on to play with an up card of a rank (0 if none is up)."""
        return _first_there(self.cells[up], _least(self.gains[up])[0])

    def ranks(self, up: int) -> tuple[int, ...]:
        """Return the ranks of the up cards in a row of the cells."""
        return _ranks(self.book.up, up)

    def exceptions(self, up: int) -> tuple[list[int], list[int]]:
        """Return the hands the chart plays below that one, and those it folds above."""
        there, plays = np.flatnonzero(self.cells[up]).tolist(), self.gains[up] > 0
        least = self.least(up)
        below = [h for h in there if h < least and plays[h]]
        return below, [h for h in there if h >= least and not plays[h]]

    @cached_property
    def suit_cells(self) -> list[tuple[tuple[int, ...], int]]:
        """The cells where suits matter: up cards and strength."""
        mixed = (self.plays > 0) & (self.plays < self.cells)
        return [(self.ranks(up), h) for up, h in np.argwhere(mixed).tolist()]

    def _repr_html_(self) -> str:
        return html_rows({up_text(line): play_text(self.book, line) for line in self.rule})


def strategy(book: PokerRulebook) -> Strategy:
    """Find best play, the best chart by rank and the best rule."""
    ups = 1 if book.up == 0 else 13**book.up
    cells, plays, gains = (np.zeros((ups, STRENGTHS), dtype=np.int64) for _ in range(3))
    best = sets = level = 0
    for block in poker.information_sets(book):
        cell, weight, gain = (block.up, block.strength), block.weight, block.gain
        np.add.at(cells, cell, weight)
        np.add.at(plays, cell, weight * (gain > 0))
        np.add.at(gains, cell, weight * gain)
        best += int((weight * np.maximum(gain, 0)).sum())
        level += int((weight * (gain == 0)).sum())
        sets += int(weight.sum())
    scale = poker.payoffs(book).scale * poker.dealer_hand_count(book)
    chart = int(np.maximum(gains, 0).sum())
    rule, worth = _best_rule(book, gains, cells)
    return Strategy(
        book=book,
        ev=_fold_everything(book) + Fraction(best, sets * scale),
        sets=sets,
        played=int(plays.sum()),
        level=level,
        cells=cells,
        plays=plays,
        gains=gains,
        scale=scale,
        chart_cost=Fraction(best - chart, sets * scale),
        rule_cost=Fraction(best - worth, sets * scale),
        rule=rule,
    )


def _fold_everything(book: PokerRulebook) -> Fraction:
    """Return what it is worth to fold every hand."""
    lookup, worth = tables(book.ace_low), poker.payoffs(book)
    kinds = lookup.classes[lookup.strength(*lookup.hands.T)]
    folded = np.array(worth.folded, dtype=np.int64)[kinds]
    return Fraction(int((folded * lookup.weights).sum()), 22100 * worth.scale)


def _best_rule(book: PokerRulebook, gains: Ints, cells: Ints) -> tuple[tuple[Line, ...], int]:
    """Return the best rule of at most five lines, and what it is worth above folding everything.

    A line gives one least hand for up cards of neighbouring ranks. With two cards up there is no
    short rule: each pair of ranks has its own least hand.
    """
    groups = [up for up in range(len(gains)) if cells[up].any()]
    if book.up == 2:
        runs = [[up] for up in groups]
    else:
        runs = _runs(groups, {up: gains[up] for up in groups})
    lines: dict[int, list[tuple[int, ...]]] = {}
    worth = 0
    for run in runs:
        least, gained = _least(gains[run].sum(axis=0))
        worth += gained
        weakest = _first_there(cells[run].sum(axis=0), least)
        lines.setdefault(weakest, []).extend(_ranks(book.up, up) for up in run)
    return tuple(Line(tuple(ups), least) for least, ups in lines.items()), worth


def _least(gains: Ints) -> tuple[int, int]:
    """Return the strength from which on it is best to play, and what that gains."""
    from_here = np.concatenate((np.cumsum(gains[::-1])[::-1], [0]))
    least = int(from_here.argmax())
    return least, int(from_here[least])


def _runs(groups: list[int], gains: dict[int, Ints], most: int = 5) -> list[list[int]]:
    """Cut the up cards into at most so many runs of neighbours, each with one least hand."""
    ends = range(len(groups) + 1)
    worth = {
        (i, j): _least(sum((gains[up] for up in groups[i:j]), np.zeros(STRENGTHS, np.int64)))[1]
        for i in ends
        for j in ends
        if i < j
    }
    best: dict[int, tuple[int, list[list[int]]]] = {0: (0, [])}
    for _ in range(most):
        longer = dict(best)
        for i, (gained, runs) in best.items():
            for j in range(i + 1, len(groups) + 1):
                total = gained + worth[i, j]
                if j not in longer or total > longer[j][0]:
                    longer[j] = (total, [*runs, groups[i:j]])
        best = longer
    return best[len(groups)][1]


def _first_there(cells: Ints, least: int) -> int:
    """Return the weakest hand there is from a strength on; 0 if that is the weakest of all."""
    there = np.flatnonzero(cells)
    index = int(np.searchsorted(there, least))
    if index == 0:
        return 0
    return int(there[index]) if index < len(there) else STRENGTHS


def _ranks(up: int, key: int) -> tuple[int, ...]:
    return {0: (), 1: (key,), 2: (key // 13, key % 13)}[up]


# Words


def hand_text(order: Ranking, strength: int) -> str:
    """Write a hand by its ranks: ``Q-6-4``; a class where that says it better."""
    ranks = order.ranks[strength]
    if len(ranks) == 3 and describe(order, strength).endswith("-high"):
        return "-".join(RANKS[rank].replace("T", "10") for rank in ranks)
    return describe(order, strength)


def up_text(line: Line) -> str:
    """Write the up cards of a line: ``2 to J``, ``K, A``."""
    if line.ups == ((),):
        return "any"
    if len(line.ups[0]) == 2:
        return ", ".join("-".join(RANKS[rank] for rank in pair) for pair in line.ups)
    ranks = [ups[0] for ups in line.ups]
    parts, start = [], 0
    for i in range(len(ranks)):
        if i + 1 == len(ranks) or ranks[i + 1] != ranks[i] + 1:
            run = [RANKS[rank].replace("T", "10") for rank in ranks[start : i + 1]]
            parts.append(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}")
            start = i + 1
    return ", ".join(parts)


def play_text(book: PokerRulebook, line: Line) -> str:
    """Write what a line plays."""
    if line.least == 0:
        return "everything"
    if line.least == STRENGTHS:
        return "nothing"
    return f"{hand_text(book.ranking, line.least)} or better"


# One hand


@dataclass(frozen=True, slots=True)
class Advice:
    """The value of both moves with one hand, in units of the Ante."""

    play: Fraction
    fold: Fraction
    best: Move

    @property
    def cost(self) -> Fraction:
        """The average loss by the other move."""
        return abs(self.play - self.fold)

    def _repr_html_(self) -> str:
        return html_rows({"play": self.play, "fold": self.fold, "best": self.best})


def advise(book: PokerRulebook, hand: Hand, up: tuple[int, ...] = ()) -> Advice:
    """Return what both moves are worth, by going through every hand the dealer may have."""
    if len(up) != book.up:
        wanted = ("no dealer card is", "one dealer card is", "two dealer cards are")[book.up]
        raise IllegalRound("up.count", f"{wanted} up in this game")
    seen = {*hand, *up}
    if len(seen) != 3 + len(up):
        raise IllegalRound("cards.twice", "a card appears twice")
    order, worth = book.ranking, poker.payoffs(book)
    strength = order.strength(hand)
    kind = int(tables(book.ace_low).classes[strength])
    total = hands = 0
    rest = [card for card in range(52) if card not in seen]
    for others in combinations(rest, 3 - len(up)):
        a, b, c = (*up, *others)
        dealer = order.strength((a, b, c))
        total += worth.cases[book.case(strength, dealer)]
        hands += 1
    play = Fraction(total, hands * worth.scale) + Fraction(worth.played[kind], worth.scale)
    fold = Fraction(worth.folded[kind], worth.scale)
    return Advice(play, fold, better_move(play, fold))


def read_deal(book: PokerRulebook, hand: str, up: str | None) -> tuple[Hand, tuple[int, ...]]:
    """Read a hand and the dealer's up cards, as many as the game shows, from text."""
    cards = parse_cards(hand)
    if len(cards) != 3:
        raise InvalidRound("cards.count", f"a hand has three cards, not {len(cards)}")
    shown = parse_cards(up or "")
    if len(shown) != book.up or (up is not None and book.up == 0):
        names = ("no card is", "one card is", "two cards are")
        remedy = "remove --up" if book.up == 0 else f'write --up "{"Kd 7c"[: 3 * book.up - 1]}"'
        raise InvalidRound("up.count", f"{names[book.up]} up in this game: {remedy}")
    a, b, c = cards
    return (a, b, c), shown
