"""What can be typed at the desk, once it is read."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from queenhigh.desk.entry import Wrong
from queenhigh.game import Move

__all__ = [
    "Amount",
    "Bank",
    "Cards",
    "Command",
    "CommandName",
    "First",
    "Line",
    "Moves",
    "Remove",
    "Request",
    "Seat",
    "WentWrong",
]

CommandName = Literal[
    "help", "undo", "missing", "hand", "settle", "line", "new", "yes", "no", "quit", "wrong"
]


class Command(Struct, frozen=True):
    """A word that enters nothing."""

    name: CommandName


class Line(Struct, frozen=True):
    """A hand as a line of the settle format."""

    text: str


class Bank(Struct, frozen=True):
    """The bank, in cents."""

    cents: int


class First(Struct, frozen=True):
    """The seat where action starts."""

    seat: int


class Amount(Struct, frozen=True):
    """An amount alone: the bank or an Ante, whichever comes next."""

    cents: int


class Cards(Struct, frozen=True):
    """Cards of the dealer, seat 0; or of the hand that comes next, ``None``."""

    cards: tuple[int, ...]
    seat: int | None = None


class Seat(Struct, frozen=True):
    """A seat with its bets, its move and its cards; ``None`` is the seat that comes next."""

    seat: int | None
    stakes: Mapping[str, int] = {}
    #: Amounts without a name, which go to the spots in their order.
    amounts: tuple[int, ...] = ()
    move: Move | None = None
    #: The amount of a Play bet, if it was typed.
    play: int | None = None
    cards: tuple[int, ...] = ()


class Moves(Struct, frozen=True):
    """The same move of some seats."""

    move: Move
    seats: tuple[int, ...]


class WentWrong(Struct, frozen=True):
    """Something that went wrong at the table."""

    wrong: Wrong


class Remove(Struct, frozen=True):
    """Something to take away: of the round, or of a seat; ``what`` is ``None`` for a whole seat."""

    what: str | None
    seat: int | None = None


Request = Command | Line | Bank | First | Amount | Cards | Seat | Moves | WentWrong | Remove
