"""The felt of any table: nothing on it lies on something else."""

import re
from itertools import combinations
from math import cos, hypot, radians, sin
from typing import NamedTuple

import pytest

import queenhigh as qh
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.sheets.printed import poker_felt
from queenhigh.sheets.printed.blocks import Picture
from tests.oracle.printed import document
from tests.own_rulebooks import ante_alone, book, three_bets

LONG = {
    "increment": 7,
    "ante_bonus.pays.straight": "9999999 to 7",
    "pair_plus.pays.pair": "1234567 to 1",
    "limits.ante.min": 105,
    "limits.ante.max": 123_456_788,
    "limits.pair_plus.min": 105,
    "limits.pair_plus.max": 112,
}
TABLES = {
    "california": qh.load("california"),
    "house": qh.load("house"),
    "sixteen": book(document("california", {"seats": 16, "up": 2})),
    "one": qh.load("house", {"seats": 1, "limits.scope": "total"}),
    "long": book(document("house", LONG)),
    "three": book(three_bets()),
    "three in all": book(three_bets("house", **{"limits.scope": "total", "seats": 16})),
    "three of a player": book(three_bets("california")),
    "three of sixteen": book(three_bets("california", seats=16, qualifier="ace-high")),
    "ante": book(ante_alone()),
}


class Spot(NamedTuple):
    """A bet of a place."""

    x: float
    y: float
    r: float


class Words(NamedTuple):
    """The box of a text, with letters half as wide as high; or of a card."""

    left: float
    right: float
    top: float
    low: float


def spots(drawing: str) -> list[Spot]:
    """Return all bets, each as the circle around it; corners of squares are round."""
    result = []
    groups = r'<g transform="translate\((\S+) (\S+)\) rotate\((\S+)\)">(.*?)</g>'
    for x, y, turned, inner in re.findall(groups, drawing):
        angle = radians(float(turned))
        circles = re.findall(r'<circle cx="0" cy="(\S+)" r="(\S+)"', inner)
        squares = re.findall(r'<rect x="\S+" y="(\S+)" width="(\S+)"', inner)
        bets = [(float(down), float(r)) for down, r in circles]
        bets += [(float(top) + float(side) / 2, 0.55 * float(side)) for top, side in squares]
        result += [
            Spot(float(x) - down * sin(angle), float(y) + down * cos(angle), r) for down, r in bets
        ]
    return result


def boxes(drawing: str) -> list[Words]:
    """Return the boxes of all texts that are not turned, and of the dealer's cards."""
    plain = re.sub(r"<g .*?</g>|<textPath.*?</textPath>", "", drawing)
    lying = []
    texts = r'<text x="(\S+)" y="(\S+)" font-size="(\S+)" text-anchor="(\w+)"[^>]*>([^<]+)<'
    for x, y, size, anchor, text in re.findall(texts, plain):
        if text != "Face up":
            wide = 0.48 * float(size) * len(text)
            left = float(x) - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * wide
            lying.append(Words(left, left + wide, float(y) - 0.7 * float(size), float(y)))
    cards = r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"'
    for x, y, wide, high in re.findall(cards, plain):
        left, top = float(x), float(y)
        lying.append(Words(left, left + float(wide), top, top + float(high)))
    return lying


def arc(drawing: str) -> list[tuple[float, float]]:
    """Return points in the middle of the words along the arc."""
    (words,) = re.findall(r"<textPath[^>]*>([^<]+)<", drawing)
    half = 0.5 * len(words) * (0.42 * 27 + 1)
    points, length, step = [], 0.0, 0.005
    rx, ry = 276 - 9, 300 - 9
    for index in range(400):
        angle = index * step
        if length > half:
            break
        for side in (-1, 1):
            points.append((550 + side * rx * sin(angle), 190 + ry * cos(angle)))
        length += step * hypot(rx * cos(angle), ry * sin(angle))
    return points


def meet(one: Spot | Words, other: Spot | Words) -> bool:
    """Return whether two things lie on each other."""
    if isinstance(one, Words) and isinstance(other, Words):
        across = min(one.right, other.right) - max(one.left, other.left)
        return across > 0 and min(one.low, other.low) > max(one.top, other.top)
    if isinstance(one, Words):
        one, other = other, one
    assert isinstance(one, Spot)
    if isinstance(other, Spot):
        return hypot(one.x - other.x, one.y - other.y) < one.r + other.r
    x = min(max(one.x, other.left), other.right)
    y = min(max(one.y, other.top), other.low)
    return hypot(one.x - x, one.y - y) < one.r


def overlaps(table: PokerRulebook) -> list[tuple[object, object]]:
    """Return everything that lies on something else, or on the rim."""
    (picture,) = poker_felt.felt(table)
    assert isinstance(picture, Picture)
    things: list[Spot | Words] = [*spots(picture.svg), *boxes(picture.svg)]
    assert len(things) > 10
    lying: list[tuple[object, object]] = [
        pair for pair in combinations(things, 2) if meet(pair[0], pair[1])
    ]
    letters = [Spot(x, y, 10) for x, y in arc(picture.svg)]
    lying += [(letter, thing) for letter in letters for thing in things if meet(letter, thing)]
    lying += [
        ("rim", thing)
        for thing in things
        if isinstance(thing, Words) and (thing.top < 31 or thing.right > 1067)
    ]
    return lying


@pytest.mark.parametrize("name", TABLES)
def test_nothing_on_the_felt_lies_on_something_else(name: str) -> None:
    assert overlaps(TABLES[name]) == []


def test_bets_that_are_too_large_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poker_felt, "_scale", lambda spots, bets: 1.0)
    assert overlaps(TABLES["three"])
    assert overlaps(TABLES["three of sixteen"])


def test_all_bets_of_a_felt_are_drawn() -> None:
    for name, places, bets in (("three of sixteen", 17, 4), ("one", 1, 3), ("ante", 7, 2)):
        (picture,) = poker_felt.felt(TABLES[name])
        assert isinstance(picture, Picture)
        assert len(spots(picture.svg)) == places * bets


def test_one_table_of_pays_has_every_hand_of_every_bet() -> None:
    """Three bets pay on hands: a row for each hand, a column for each bet."""
    (picture,) = poker_felt.felt(TABLES["three"])
    assert isinstance(picture, Picture)
    cells = re.findall(r'text-anchor="end"[^>]*>([^<]+)<', picture.svg)[1:]
    assert cells == [
        "Bonus", "9 to 1", "–", "6 to 1", "4 to 1", "–",
        "Pair Plus", "40 to 1", "30 to 1", "6 to 1", "3 to 1", "1 to 1",
        "Ante bonus", "5 to 1", "4 to 1", "1 to 1", "–", "–",
    ]  # fmt: skip
