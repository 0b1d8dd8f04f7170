"""The sheets of roulette, every figure computed from the rulebook."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from queenhigh.price.odds import edges
from queenhigh.rulebook.fact_words import bet_name, covers_words
from queenhigh.rulebook.roulette_book import RouletteRulebook, Spot
from queenhigh.sheets.format import percent, words
from queenhigh.sheets.printed.blocks import Block, Figures, Lines
from queenhigh.sheets.printed.common import changes, clauses, no_sheet
from queenhigh.sheets.printed.roulette_felt import felt, limits
from queenhigh.sheets.roulette import in_a_line, zero_lines

__all__ = ["fees", "felt", "pays", "rule_card", "strategy"]

_HEAD = ("Bet", "Numbers", "Pays", "House edge")


class _Row(NamedTuple):
    """Bets that pay the same on as many numbers, and their clauses."""

    name: str
    numbers: int
    pays: str
    edge: Fraction
    clauses: tuple[str, ...]


def rule_card(book: RouletteRulebook) -> Iterator[Block]:
    """Yield the rules of a wheel in words: limits, bets, zeros and every clause."""
    yield Lines((f"{in_a_line(book)}.",))
    yield from changes(book)
    rows = tuple((*_cells(row), ", ".join(row.clauses)) for row in _rows(book))
    yield Figures(title="Bets", head=(*_HEAD, "Clause"), rows=rows, right=(1, 2, 3))
    zeros = (line.replace("_", " ") for line in zero_lines(book))
    yield Lines((_limits(book), *zeros), "Limits and zeros")
    yield Lines(("No collection fees are charged at this table.",), "Collection fees")
    yield from clauses(book)


def fees(book: RouletteRulebook) -> Iterator[Block]:
    """Refuse: a wheel charges no fees."""
    reason = "no collection fees are charged, so there is no fee sign; choose another sheet"
    raise no_sheet(book, reason)


def strategy(book: RouletteRulebook) -> Iterator[Block]:
    """Refuse: nothing is decided after the bets."""
    reason = "there is nothing to decide, so there is no strategy card; choose another sheet"
    raise no_sheet(book, reason)


def pays(book: RouletteRulebook) -> Iterator[Block]:
    """Yield what every bet pays and costs on average."""
    yield Figures(head=_HEAD, rows=tuple(map(_cells, _rows(book))), right=(1, 2, 3))
    on_zero = [line for line in zero_lines(book) if "cover a zero" not in line]
    yield Lines((_limits(book), *on_zero))


def _limits(book: RouletteRulebook) -> str:
    return f"{limits(book)}."


def _cells(row: _Row) -> tuple[str, ...]:
    return row.name, str(row.numbers), row.pays, percent(row.edge, 2)


def _rows(book: RouletteRulebook) -> list[_Row]:
    """Return the bets in the order of the rulebook, those alike together."""
    edge_of = edges(book)
    rows: dict[tuple[str, int, str], _Row] = {}
    for spot in book.spots.values():
        key = (_name(book, spot), len(spot.pockets), str(spot.pays))
        known = rows.get(key)
        ids = known.clauses if known else ()
        own = () if spot.clause in ids else (spot.clause,)
        rows[key] = _Row(*key, edge_of[spot.bet], (*ids, *own))
    return [*rows.values()]


def _name(book: RouletteRulebook, spot: Spot) -> str:
    """Return what a bet is called, with its numbers where that says it better."""
    name = words("straight up" if spot.bet == "straight" else bet_name(spot.bet))
    if spot.bet in ("low", "high"):
        return f"{name}, {covers_words(sorted(spot.pockets, key=book.places.__getitem__))}"
    return name
