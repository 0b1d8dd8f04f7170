"""The layout of any wheel: a chip for each kind of bet that has a place, and a name for each."""

import re
from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.rulebook.load import from_document
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.sheets.printed.blocks import Picture
from queenhigh.sheets.printed.layout import outside_boxes, place_of
from queenhigh.sheets.printed.roulette_felt import felt
from tests.oracle.printed import document

Json = dict[str, Any]
#: Bets of other houses: some are on the layout, others have numbers that lie apart.
APART: list[Json] = [
    {"name": "far", "spots": [[1, 36], [2, 35]], "pays": "17 to 1"},
    {"name": "diagonal", "spots": [[1, 5]], "pays": "17 to 1"},
    {"name": "gap", "spots": [[1, 3]], "pays": "17 to 1"},
    {"name": "snake", "covers": [1, 5, 9, 12], "pays": "8 to 1"},
    {"name": "rows", "covers": [1, 2, 3, 7, 8, 9], "pays": "5 to 1"},
    {"name": "block", "covers": [1, 2, 3, 4, 5, 6, 7, 8, 9], "pays": "3 to 1"},
]
BESIDE: list[Json] = [
    {"name": "upright", "spots": [[10, 13], [14, 17]], "pays": "16 to 1"},
    {"name": "square", "covers": [31, 32, 34, 35], "pays": "7 to 1"},
    {"name": "six", "covers": [25, 26, 27, 28, 29, 30], "pays": "4 to 1"},
]


def wheel(bets: list[Json], zeros: int = 1) -> RouletteRulebook:
    plain = document("roulette", {"zeros": zeros})
    names = {each["name"] for each in bets}
    plain["name"] = "ours"
    plain["bets"] = [each for each in plain["bets"] if each["name"] not in names]
    for each in plain["bets"]:
        each["aliases"] = [alias for alias in each.get("aliases", []) if alias not in names]
    plain["bets"] += [{"clause": "RO-1"} | each for each in bets]
    plain["refused"] = []
    book = from_document(plain)
    assert isinstance(book, RouletteRulebook)
    return book


def drawn(book: RouletteRulebook) -> tuple[list[str], tuple[str, ...]]:
    """Return what is written on the chips of the layout and of the legend, and all words."""
    (picture,) = felt(book)
    assert isinstance(picture, Picture)
    chips = re.findall(r"<g [^>]*><circle.*?>([A-Z]\d*)</text></g>", picture.svg)
    return chips, picture.words


def test_bets_whose_numbers_lie_apart_have_no_chip() -> None:
    before, _ = drawn(wheel([]))
    chips, said = drawn(wheel(APART))
    assert len(chips) == len(before)
    for name in ("Far, 2", "Diagonal, 2", "Gap, 2", "Snake, 4", "Rows, 6", "Block, 9"):
        assert any(line.startswith(name) for line in said), name


def test_bets_that_touch_have_a_chip() -> None:
    before, _ = drawn(wheel([]))
    chips, said = drawn(wheel(BESIDE))
    assert len(chips) == len(before) + 2 * len(BESIDE)
    assert sum(bool(re.match(r"[A-Z]: (Upright|Square|Six),", line)) for line in said) == 3


@pytest.mark.parametrize("zeros", [1, 2, 3])
def test_a_place_means_these_numbers_and_no_others(zeros: int) -> None:
    """No two bets of the layout have one place, and pairs have one where their boxes touch."""
    pockets = ["0", "00", "000"][:zeros] + [str(number) for number in range(1, 37)]
    for one, other in combinations(range(1, 37), 2):
        beside = other - one == 3 or (other - one == 1 and one % 3 != 0)
        place = place_of([str(one), str(other)], pockets, zeros)
        assert (place is not None) == beside, (one, other)
    for name in ("roulette-american", "roulette-european", "roulette"):
        book = qh.load(name)
        assert isinstance(book, RouletteRulebook)
        inside = [spot for spot in book.spots.values() if not outside_boxes([spot.pockets])]
        places = Counter(place_of(spot.pockets, book.pockets, book.zeros) for spot in inside)
        assert None not in places
        assert set(places.values()) == {1}


def test_chips_have_different_names() -> None:
    """There are more kinds of bets than letters, and each chip is in the legend and above it."""
    names = [f"bet_{a}{b}" for a, b in product("abcdef", "ghijklm")]
    spots = [[[number, number + 3]] for number in range(1, 34)]
    many = [
        {"name": name, "spots": spot, "pays": f"{index + 2} to 1"}
        for index, (name, spot) in enumerate(zip(names, spots, strict=False))
    ]
    book = wheel([{"name": "split", "covers": [1, 36], "pays": "1 to 1"}, *many])
    chips, said = drawn(book)
    assert {*Counter(chips).values()} == {2}
    assert len({*chips}) > 26
    listed = [line.partition(":")[0] for line in said if re.match(r"[A-Z]\d*: ", line)]
    assert sorted(listed) == sorted({*chips})
    assert len({*said}) == len(said)
