"""A hand as it is entered, whole or not; and as a line of the settle format."""

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from queenhigh.cards import format_cards, parse_cards
from queenhigh.errors import InvalidRound
from queenhigh.game import Move
from queenhigh.games.three_card_poker.lines import PokerLine, SeatLine, known_move

__all__ = [
    "MOST_CENTS",
    "MOST_DIGITS",
    "SPOTS",
    "EnteredSeat",
    "Entry",
    "Wrong",
    "entry_of",
    "line_of",
]

#: The bets that a seat may have before the deal, in the order in which a felt prints them.
SPOTS = ("ante", "bonus", "pair_plus")
#: How many digits an amount has at most before its cents, and the largest amount.
MOST_DIGITS = 12
MOST_CENTS = 100 * 10**MOST_DIGITS - 1

_Value = TypeVar("_Value", int, str)


class EnteredSeat(Struct, frozen=True):
    """A seat with what is entered of it so far; ``stakes`` are cents by the name of the bet."""

    seat: int
    stakes: Mapping[str, int] = {}
    cards: tuple[int, ...] = ()
    move: Move | None = None


class Wrong(Struct, frozen=True, omit_defaults=True):
    """Something that went wrong with the round, with a seat's hand or with one of its bets."""

    kind: str
    seat: int | None = None
    wager: str | None = None


class Entry(Struct, frozen=True):
    """A hand with what is entered of it so far; ``first`` is where action starts."""

    dealer: tuple[int, ...] = ()
    bank: int | None = None
    first: int | None = None
    seats: tuple[EnteredSeat, ...] = ()
    wrong: tuple[Wrong, ...] = ()

    def seat(self, number: int) -> EnteredSeat:
        """Return a seat; one without anything if it is not entered."""
        return next((seat for seat in self.seats if seat.seat == number), EnteredSeat(number))

    def with_seat(self, seat: EnteredSeat) -> "Entry":
        """Return the hand with a seat put into its place."""
        others = [each for each in self.seats if each.seat != seat.seat]
        return replace(self, seats=tuple(sorted([*others, seat], key=lambda each: each.seat)))


def line_of(entry: Entry) -> dict[str, Any]:
    """Return a hand in the settle format, without what is not entered."""
    line: dict[str, Any] = {}
    if entry.dealer:
        line["dealer"] = format_cards(entry.dealer)
    if entry.bank is not None:
        line["bank"] = entry.bank
    if entry.first is not None or entry.bank is not None:
        line["first"] = 1 if entry.first is None else entry.first
    line["seats"] = [_seat_line(seat) for seat in entry.seats]
    if entry.wrong:
        line["irregularities"] = [_wrong_line(each) for each in entry.wrong]
    return line


def _seat_line(seat: EnteredSeat) -> dict[str, Any]:
    line: dict[str, Any] = {"seat": seat.seat}
    if seat.cards:
        line["cards"] = format_cards(seat.cards)
    line |= {spot: seat.stakes[spot] for spot in SPOTS if spot in seat.stakes}
    return line | ({"move": seat.move} if seat.move else {})


def _wrong_line(wrong: Wrong) -> dict[str, Any]:
    seat = {} if wrong.seat is None else {"seat": wrong.seat}
    wager = {} if wrong.wager is None else {"wager": wrong.wager}
    return {"kind": wrong.kind, **seat, **wager}


def entry_of(line: PokerLine) -> Entry:
    """Return a line of the settle format as a hand that may be entered further."""
    wrong = [] if line.irregularities is UNSET else line.irregularities
    seats = [_entered_seat(f"seats[{index}]", raw) for index, raw in enumerate(line.seats)]
    return Entry(
        _cards(line.dealer),
        _number("bank", line.bank),
        _number("first", line.first),
        tuple(sorted(seats, key=lambda seat: seat.seat)),
        tuple([Wrong(each.kind, _given(each.seat), _given(each.wager)) for each in wrong]),
    )


def _entered_seat(name: str, raw: SeatLine) -> EnteredSeat:
    number = _number(f"{name}.seat", raw.seat) or 0
    stakes = {}
    for spot in SPOTS:
        cents = _number(f"{name}.{spot}", getattr(raw, spot))
        if cents is not None:
            stakes[spot] = cents
    move = None if raw.move is UNSET else known_move(number, raw.move)
    return EnteredSeat(number, stakes, _cards(raw.cards), move)


def _number(name: str, number: int | UnsetType) -> int | None:
    """Return a number of a line; refuse one that is larger than any amount at a desk."""
    if number is not UNSET and number > MOST_CENTS:
        raise InvalidRound("json.shape", f"{name} is too large")
    return _given(number)


def _given(value: _Value | UnsetType) -> _Value | None:
    return None if value is UNSET else value


def _cards(text: object) -> tuple[int, ...]:
    return parse_cards(text) if isinstance(text, str) else ()
