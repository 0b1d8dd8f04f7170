"""Hands entered at a desk, in the page or a terminal: what the oracle says of them, and mistakes.

Lines are as the page writes them: cards with spaces, amounts that a browser counts exactly.
"""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import queenhigh as qh
from queenhigh.cards import format_cards, parse_cards
from queenhigh.settle_format import read_line, settle_checked
from queenhigh.sheets import rule_sheet
from tests.oracle import irregular, plain, rounds
from tests.readings import READINGS
from tests.rules.short_rounds import load

Json = dict[str, Any]

_MAKERS = {"california": rounds.california, "house": rounds.house}
_SETTLERS: dict[str, Callable[[Json, Json], Json]] = {
    "california": plain.settle_california,
    "house": plain.settle_house,
}
#: As much as a browser's numbers count exactly.
_MOST_BANK = 10**12


class EnteredHand(NamedTuple):
    """A hand under a rulebook, what the oracle says is due, and the hand with a mistake."""

    book: qh.Rulebook
    line: Json
    settled: Json
    mistake: Json


def entered_hands(draw: random.Random, count: int, readings: int) -> Json:
    """Return rules of random readings, and hands entered under each with what is due."""
    rules: list[Json] = []
    hands: list[Json] = []
    mistakes: list[Json] = []
    for index, drawn in enumerate(drawn_hands(draw, count, readings)):
        sheet = rule_sheet.as_json(drawn[0].book)
        rules.append({key: sheet[key] for key in ("document", "betting")})
        for book, line, settled, mistake in drawn:
            hands.append({"rules": index, "line": line, "settled": settled})
            accepted = is_accepted(book, mistake)
            mistakes.append({"rules": index, "line": mistake, "accepted": accepted})
    return {"rules": rules, "hands": hands, "mistakes": mistakes}


def drawn_hands(draw: random.Random, count: int, readings: int) -> Iterator[list[EnteredHand]]:
    """Yield random hands, and hands in which something went wrong, under random readings."""
    for index in range(readings):
        name = ("california", "house")[index % 2]
        reading = {key: draw.choice(values) for key, values in READINGS[name].items()}
        # The oracle of irregular hands knows these readings, and none of the others.
        odd = irregular.reading(draw, name)
        for is_odd, given in ((False, reading), (True, odd)):
            book = load(name, plain.changes_of(given))
            hands = []
            for _ in range(count // (2 * readings)):
                line = written(_MAKERS[name](draw, given))
                if is_odd:
                    line = written(irregular.spoil(draw, name, line, given))
                settle = irregular.settle if is_odd else _regular
                settled = settle(name, line, given)
                hands.append(EnteredHand(book, line, settled, mistaken(draw, line)))
            yield hands


def _regular(name: str, line: Json, reading: Json) -> Json:
    return _SETTLERS[name](line, reading)


def written(line: Json) -> Json:
    """Return a line as the page writes it, without a name."""
    line = {key: value for key, value in line.items() if key != "id"}
    if "dealer" in line:
        line["dealer"] = _spaced(line["dealer"])
    if "bank" in line:
        line["bank"] = min(line["bank"], _MOST_BANK)
        line.setdefault("first", 1)
    line["seats"] = [_seat(seat) for seat in line["seats"]]
    return line


def _seat(seat: Json) -> Json:
    """Return a seat; the page leaves out cards that are not entered."""
    if not seat.get("cards"):
        return {key: value for key, value in seat.items() if key != "cards"}
    return {**seat, "cards": _spaced(seat["cards"])}


def _spaced(cards: str) -> str:
    return format_cards(parse_cards(cards))


# Mistakes


def mistaken(draw: random.Random, line: Json) -> Json:
    """Return a line with something changed as people do by mistake; some remain possible."""
    line = json.loads(json.dumps(line))
    seats = line["seats"]
    seat, other = draw.choice(seats), draw.choice(seats)
    wager = draw.choice([key for key in ("ante", "bonus", "pair_plus") if key in seat])
    changes: list[Callable[[], Any]] = [
        lambda: seat.pop("move", None),
        lambda: seat.update(move=draw.choice(["play", "fold"])),
        lambda: seat.pop("cards", None),
        lambda: seat.update(cards=other.get("cards", "As Kd 9h")),
        lambda: seat.update(cards=" ".join(seat.get("cards", "As Kd 9h").split()[:2])),
        lambda: seat.update(cards=f"{seat.get('cards', 'As Kd')} 7c"),
        lambda: line.pop("dealer", None),
        lambda: line.update(dealer="Qs 7d"),
        lambda: seat.update({wager: draw.choice([1, 99, 499, 10_050, 100_001, 5_000_000])}),
        lambda: seat.pop("ante", None),
        lambda: seat.update(bonus=500),
        lambda: seat.update(pair_plus=100),
        lambda: seat.update(seat=draw.choice([0, 3, 8, 11])),
        lambda: line.pop("bank", None) and line.pop("first"),
        lambda: line.update(bank=100_000, first=1),
        lambda: line.update(first=11) if "bank" in line else None,
        lambda: line.setdefault("irregularities", []).append(_irregularity(draw, seat, wager)),
        lambda: line.setdefault("irregularities", []).append(_irregularity(draw, other, wager)),
    ]
    for change in draw.sample(changes, draw.choice([1, 1, 2])):
        change()
    return line


def _irregularity(draw: random.Random, seat: Json, wager: str) -> Json:
    kind = draw.choice(list(irregular.CLAUSES))
    if kind in ("misdeal", "exposed_dealer", "foul_deck"):
        return {"kind": kind}
    entry = {"kind": kind, "seat": seat["seat"]}
    return {**entry, "wager": wager} if kind == "outside_limits" else entry


def is_accepted(book: qh.Rulebook, line: Json) -> bool:
    """Return whether `queenhigh settle` takes a line."""
    try:
        settle_checked(book, read_line(book, json.dumps(line).encode())[1])
    except qh.QueenhighError:
        return False
    return True
