"""Roulette on the sheets: its bets, its wheel and its zeros."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from queenhigh.money import dollars
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.sheets.format import words
from queenhigh.sheets.tables import Block, heading, line, table

if TYPE_CHECKING:
    from queenhigh.history.records import Record

__all__ = ["as_json", "hands", "in_a_line", "sections", "zero_lines"]


def in_a_line(book: RouletteRulebook) -> str:
    """Return how many zeros a wheel has, what a number pays, and what a zero takes."""
    zeros = ("", "One zero", "Two zeros", "Three zeros")[book.zeros]
    straight = [spot.pays for spot in book.spots.values() if spot.bet == "straight"][:1]
    on_zero = _ON_ZERO[book.zero.on_zero if book.zero else "lose"]
    if book.zero and book.zero.on_zero == "en_prison":
        on_zero += f", a second one {_SECOND_ZERO[book.zero.second_zero]}"
    return "; ".join([zeros, *(f"straight up pays {pays}" for pays in straight), on_zero])


_ON_ZERO = {
    "lose": "a zero takes every outside bet",
    "la_partage": "la partage: a zero takes half of an even-money bet",
    "en_prison": "en prison: a zero holds an even-money bet",
}


def as_json(book: RouletteRulebook) -> dict[str, Any]:
    """Return a wheel's pockets and every bet it offers, as a wager names it."""
    spots = [
        {
            "spot": text,
            "bet": spot.bet,
            "pockets": sorted(spot.pockets, key=book.places.__getitem__),
            "pays": str(spot.pays),
            "clause": spot.clause,
        }
        for text, spot in book.spots.items()
    ]
    return {"pockets": list(book.pockets), "spots": spots}


def sections(book: RouletteRulebook) -> Iterator[Block]:
    """Yield bets, pockets and what happens on a zero."""
    yield heading(f"Bets, each {dollars(book.limits.min)} to {dollars(book.limits.max)}")
    rows = {}
    for text, spot in book.spots.items():
        name = text if spot.bet in ("dozen", "column") else spot.bet
        rows[name, spot.clause] = (
            words(name), str(len(spot.pockets)), str(spot.pays), spot.clause,
        )  # fmt: skip
    yield table(("Bet", "Numbers", "Pays", "Clause"), rows.values(), right=("Numbers", "Pays"))
    for sentence in zero_lines(book):
        yield line(sentence)


def zero_lines(book: RouletteRulebook) -> Iterator[str]:
    """Yield sentences about the wheel's pockets and what happens on a zero."""
    zeros = book.pockets[: book.zeros]
    yield f"The wheel has {len(book.pockets)} pockets: 1 to 36 and {' and '.join(zeros)}."
    joined = [
        text
        for text, spot in book.spots.items()
        if spot.bet != "straight" and spot.pockets & set(zeros)
    ]
    if joined:
        yield f"Besides straight-up bets, these cover a zero: {', '.join(joined)}."
    if book.zero:
        yield f"On a zero an even-money bet {_EVEN_MONEY_ON_ZERO[book.zero.on_zero]}."
    if book.zero and book.zero.on_zero == "en_prison":
        yield f"A second zero {_SECOND_ZERO[book.zero.second_zero]}."


_EVEN_MONEY_ON_ZERO = {
    "lose": "loses",
    "la_partage": "loses half (la partage)",
    "en_prison": "is held for the next spin (en prison)",
}
_SECOND_ZERO = {"lose": "takes it", "half": "takes half of it", "stay": "holds it again"}


def hands(book: RouletteRulebook, record: "Record") -> list[Block]:
    """Return nothing: no hands are dealt at a wheel."""
    return []
