"""The layout of a wheel with a chip for every kind of bet, and what each pays."""

from collections.abc import Iterator
from itertools import count
from math import ceil, dist
from string import ascii_uppercase
from typing import NamedTuple

from queenhigh.rulebook.fact_words import bet_name, covers_words
from queenhigh.rulebook.roulette_book import RouletteRulebook, Spot
from queenhigh.sheets.format import count_of, words
from queenhigh.sheets.printed import svg
from queenhigh.sheets.printed.blocks import Block, Picture
from queenhigh.sheets.printed.common import between, step_words
from queenhigh.sheets.printed.layout import Box, box_of, outside_boxes, place_of
from queenhigh.wheel import RED

__all__ = ["felt", "limits"]

_WIDE, _UNIT, _TOP = 1100.0, 71.0, 46.0
_CLOTH, _LINE, _BRASS = "#1f6049", "#fbf6e8", "#e8c66a"
_RED, _BLACK = "#b3262e", "#16191b"


class _Chip(NamedTuple):
    """A kind of bet that has no box of its own: its words, and where its chip may lie."""

    words: str
    #: What is written on its chip, and where that lies; nothing for a bet without a place.
    letter: str = ""
    place: tuple[float, float] | None = None


def felt(book: RouletteRulebook) -> Iterator[Block]:
    """Yield the layout of a wheel."""
    left = _left(book)
    inside = _inside(book)
    outside = _outside(book)
    below = _TOP + _UNIT * (3 - min([0.0, *(box.low for _, box in outside)]))
    chips = [
        svg.group(*_at(*chip.place, left), 0, _chip(chip.letter)) for chip in inside if chip.place
    ]
    high = below + 46 + 42 * ceil(len(inside) / _columns(inside)) + 66
    parts = [
        svg.rectangle(0, 0, _WIDE, high, rx=22, fill=_CLOTH),
        svg.rectangle(10, 10, _WIDE - 20, high - 20, rx=15, fill="none", stroke=_BRASS),
        *(_pocket(book, pocket, left) for pocket in book.pockets),
        *(_outside_box(book, spot, box, left) for spot, box in outside),
        *chips,
        *_legend(inside, below + 52),
        svg.text(_WIDE / 2, high - 34, limits(book), 21, fill=_BRASS),
    ]
    spoken = [f"{chip.letter}: {chip.words}" if chip.place else chip.words for chip in inside]
    spoken += [f"{_outside_name(book, spot)}: {spot.pays}" for spot, _ in outside]
    yield Picture(svg.document(_WIDE, high, *parts), (*spoken, limits(book)))


def limits(book: RouletteRulebook) -> str:
    """Return the limits of each bet and the step in which bets go."""
    step = step_words(book.increment)
    said = f"Each bet is {between(*book.limits[:2])}{step and ', '}{step}"
    if book.zero and book.zero.halves and book.increment % 2:
        said += f"; even-money bets go {step_words(2 * book.increment)}"
    return said


def _left(book: RouletteRulebook) -> float:
    """Return where the first row of numbers begins, so that all is in the middle."""
    behind = 2 if book.zeros == 3 else 1
    return (_WIDE - _UNIT * (13 + behind)) / 2 + _UNIT * behind


def _at(u: float, v: float, left: float) -> tuple[float, float]:
    return left + _UNIT * u, _TOP + _UNIT * (3 - v)


def _inside(book: RouletteRulebook) -> list[_Chip]:
    """Return a chip for every kind of bet that has no box of its own."""
    kinds: dict[tuple[str, int, str], list[Spot]] = {}
    for spot in book.spots.values():
        if not outside_boxes([spot.pockets]):
            key = (spot.bet, len(spot.pockets), str(spot.pays))
            kinds.setdefault(key, []).append(spot)
    chips: list[_Chip] = []
    letters = _letters()
    for index, ((bet, numbers, ratio), spots) in enumerate(kinds.items()):
        name = words("straight up" if bet == "straight" else bet_name(bet))
        written = f"{name}, {count_of(numbers, 'number')}, pays {ratio}"
        taken = [chip.place for chip in chips if chip.place]
        place = _free_place(book, spots, 3 + 34 * index // len(kinds), taken)
        chips.append(_Chip(written, next(letters), place) if place else _Chip(written))
    return chips


def _letters() -> Iterator[str]:
    """Yield what is written on the chips: A to Z, then A2 to Z2, and so on."""
    yield from ascii_uppercase
    for number in count(2):
        for letter in ascii_uppercase:
            yield f"{letter}{number}"


def _free_place(
    book: RouletteRulebook, spots: list[Spot], wanted: int, taken: list[tuple[float, float]]
) -> tuple[float, float] | None:
    """Return where the chip of a kind of bets lies, near a number and apart from other chips."""
    places = [(spot, _place(book, spot)) for spot in spots]
    shown = [(_distance(spot, wanted), place) for spot, place in places if place]
    free = [
        (far, place) for far, place in shown if all(dist(place, other) > 0.45 for other in taken)
    ]
    return min(free)[1] if free else None


def _distance(spot: Spot, wanted: int) -> tuple[bool, int]:
    """Return how far a spot lies from a number; those of zeros come last."""
    has_zero = any(pocket.startswith("0") for pocket in spot.pockets)
    return has_zero, abs(min(map(int, spot.pockets)) - wanted)


def _place(book: RouletteRulebook, spot: Spot) -> tuple[float, float] | None:
    """Return where a chip lies, beside the number if it is on a single one."""
    place = place_of(spot.pockets, book.pockets, book.zeros)
    if place is None or len(spot.pockets) > 1:
        return place
    return place[0] + 0.29, place[1] + 0.29


def _outside(book: RouletteRulebook) -> list[tuple[Spot, Box]]:
    boxes = outside_boxes([spot.pockets for spot in book.spots.values()])
    return [(spot, boxes[spot.pockets]) for spot in book.spots.values() if spot.pockets in boxes]


def _outside_name(book: RouletteRulebook, spot: Spot) -> str:
    """Return what is printed in a box outside the numbers."""
    if spot.bet in ("low", "high", "dozen"):
        return covers_words(sorted(spot.pockets, key=book.places.__getitem__))
    return words(spot.bet)


# Drawing


def _box(box: Box, left: float, fill: str = "none") -> str:
    x, y = _at(box.left, box.high, left)
    size = (_UNIT * (box.right - box.left), _UNIT * (box.high - box.low))
    return svg.rectangle(x, y, *size, fill=fill, stroke=_LINE, stroke_width=2)


def _middle(box: Box, left: float) -> tuple[float, float]:
    return _at((box.left + box.right) / 2, (box.low + box.high) / 2, left)


def _pocket(book: RouletteRulebook, pocket: str, left: float) -> str:
    box = box_of(pocket, book.zeros)
    x, y = _middle(box, left)
    fill = "none" if pocket.startswith("0") else _RED if pocket in RED else _BLACK
    name = svg.text(x, y + 9, pocket, 28, fill=_LINE, font_weight="bold")
    return _box(box, left, fill) + name


def _outside_box(book: RouletteRulebook, spot: Spot, box: Box, left: float) -> str:
    x, y = _middle(box, left)
    fill = {"red": _RED, "black": _BLACK}.get(spot.bet, "none")
    if box.right - box.left == 1:
        return _box(box, left, fill) + svg.text(x, y + 7, str(spot.pays), 21, fill=_BRASS)
    name = svg.text(x, y - 3, _outside_name(book, spot), 21, fill=_LINE)
    pays = svg.text(x, y + 21, str(spot.pays), 19, fill=_BRASS)
    return _box(box, left, fill) + name + pays


def _chip(letter: str) -> str:
    disc = svg.circle(0, 0, 14, fill=_LINE, stroke=_BRASS, stroke_width=3)
    size = 17 if len(letter) == 1 else 13
    return disc + svg.text(0, 6, letter, size, fill="#1d2a24", font_weight="bold")


def _columns(chips: list[_Chip]) -> int:
    """Return in how many columns the legend is written."""
    return 2 if len(chips) <= 8 else 3


def _legend(chips: list[_Chip], y: float) -> Iterator[str]:
    """Yield the words of every chip, in columns from left to right."""
    columns = _columns(chips)
    width = (_WIDE - 120) / columns
    for index, chip in enumerate(chips):
        row, column = divmod(index, columns)
        x, down = (190 if columns == 2 else 84) + width * column, y + 42 * row
        if chip.place:
            yield svg.group(x, down, 0, _chip(chip.letter))
        yield svg.text(
            x + 26,
            down + 7,
            chip.words,
            21 if columns == 2 else 17,
            fill=_LINE,
            text_anchor="start",
        )
