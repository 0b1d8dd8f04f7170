"""The protocol of a game, and the values that pass between a game and its users.

A game is a set of pure functions over frozen values. Chance is a step like any other: ``chance``
returns the draw that is needed, and the result is applied as a step. The source of the draw, a
shuffle at a table, a sampler or a loop over every deal, is not the game's business. Tables,
histories, bots, the settle format, samplers and sheets know a game by this protocol and by nothing
else; a rulebook carries its game as ``book.game``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Protocol, TypeVar

from msgspec import Struct
from pydantic import BaseModel

from queenhigh.rulebook.problem import Finding

__all__ = [
    "Bet",
    "Chosen",
    "Deal",
    "Dealt",
    "Draw",
    "Game",
    "GameRound",
    "Landed",
    "Line",
    "Move",
    "Places",
    "Settled",
    "SettledBet",
    "SettledRound",
    "SettledSeat",
    "SettledSpin",
    "SettledWager",
    "ShownSeat",
    "Step",
    "View",
    "Wheel",
    "Whims",
]

Move = Literal["play", "fold"]


# Before the cards


class Bet(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Cents on a spot: ``ante``, ``bonus``, ``pair_plus``, or a bet on the wheel."""

    spot: str
    cents: int
    in_prison: bool = False


class Places(Struct, frozen=True):
    """How many players may sit at a table of a game: the least, the most, and the usual number."""

    least: int
    most: int
    usual: int


class GameRound:
    """A round of any game: a frozen struct that the game defines."""

    __slots__ = ()


# Steps


class Deal(Struct, frozen=True):
    """A draw of cards, and of the seat that action starts at if that is drawn.

    ``each`` is how many cards a hand has.
    """

    cards: int
    first_among: tuple[int, ...] = ()
    each: int = 3


class Wheel(Struct, frozen=True):
    """A draw of one of these pockets."""

    pockets: tuple[str, ...]


Draw = Deal | Wheel


class Dealt(Struct, frozen=True):
    """Cards that were drawn: those of each seat in order, then the dealer's."""

    cards: tuple[int, ...]
    first: int | None = None


class Landed(Struct, frozen=True):
    """The pocket that the ball landed in."""

    pocket: str


class Chosen(Struct, frozen=True):
    """A seat's move."""

    seat: int
    move: Move


Step = Dealt | Landed | Chosen


# Settled


class SettledWager(Struct, frozen=True, gc=False):
    """One wager settled: the player's gain, the cents that changed hands, and by which clause."""

    wager: str
    stake: int
    net: int
    action: int
    clause: str


class SettledSeat(Struct, frozen=True, omit_defaults=True, gc=False):
    """A seat settled; ``fee`` only where fees are charged."""

    seat: int
    wagers: tuple[SettledWager, ...]
    net: int
    fee: int | None = None


class SettledRound(Struct, frozen=True, omit_defaults=True, gc=False):
    """A round settled seat by seat; the last two only where a player banks."""

    seats: tuple[SettledSeat, ...]
    banker: int
    banker_fee: int | None = None
    bank_left: int | None = None


class SettledBet(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A bet settled; ``held`` is the stake that waits for the next round."""

    player: str | None = None
    bet: str
    stake: int
    in_prison: bool | None = None
    net: int
    clause: str
    held: int = 0


class SettledSpin(Struct, frozen=True):
    """A round settled bet by bet, in the order they came."""

    wagers: tuple[SettledBet, ...]
    banker: int


Settled = SettledRound | SettledSpin


# Views


class ShownSeat(Protocol):
    """A seat as somebody may see it: its cards are ``None`` if they are hidden."""

    @property
    def seat(self) -> int:
        """The number of the seat."""

    @property
    def cards(self) -> tuple[int, ...] | None:
        """Its cards, if they may be seen."""

    @property
    def move(self) -> Move | None:
        """The move that it chose."""


class View(Struct, frozen=True):
    """A round as somebody may see it: cards they may not see are ``None``."""

    you: int | None
    seats: tuple[ShownSeat, ...] = ()
    dealer: tuple[int | None, ...] = ()
    bank: int | None = None
    first: int = 1
    pocket: str | None = None


# The settle format


class Line(Struct, forbid_unknown_fields=True, gc=False):
    """A finished round as a line of JSON has it; each game adds its own keys."""

    def count_keys(self) -> int:
        """Return how many keys the line has. As many colons mean that no key stands twice."""
        raise NotImplementedError

    @property
    def name(self) -> str | None:
        """The id of the round, if it was given one."""
        raise NotImplementedError


# Bots


class Whims(Protocol):
    """Where the choices of a bot come from."""

    def random(self) -> float:
        """Return a number from 0 to 1, without 1."""

    def randint(self, least: int, most: int, /) -> int:
        """Return a whole number from the least to the most."""

    def choice(self, among: Sequence[int], /) -> int:
        """Return one of some numbers."""

    def sample(self, among: Sequence[str], count: int, /) -> list[str]:
        """Return some of the texts, each at most once."""


# The game

Book = TypeVar("Book")
Round = TypeVar("Round", bound=GameRound)
Document = TypeVar("Document", bound=BaseModel)
LineT = TypeVar("LineT", bound=Line)

#: The bets of a round by seat.
Bets = Mapping[int, Sequence[Bet]]


class Game(Protocol[Book, Round, Document, LineT]):
    """The rules of a game. ``book`` is its rulebook, ``round`` its own frozen round."""

    def __hash__(self) -> int:
        """Return a hash: a game is a value that others may remember results by."""

    # Its rulebooks

    @property
    def name(self) -> str:
        """The name of the game in rulebook files."""

    @property
    def document_type(self) -> type[Document]:
        """The shape of a rulebook file."""

    def check(self, document: Document, /) -> Iterator[Finding]:
        """Yield everything wrong with a document whose shape is right."""

    def compile(self, document: Document, /) -> Book:
        """Return the rulebook that a checked document means."""

    # Its tables

    def places(self, book: Book, /) -> Places:
        """Return how many may sit at a table."""

    def least_bank(self, book: Book, /) -> int:
        """Return the least bank that a table asks for unless it says otherwise."""

    def spell(self, book: Book, bets: Sequence[Bet], /) -> tuple[Bet, ...]:
        """Return bets with their spots as the rulebook writes them, or raise ``IllegalRound``."""

    def check_bets(self, book: Book, seat: int, bets: Sequence[Bet], /) -> None:
        """Raise ``IllegalRound`` for bets of a seat that the rules do not allow.

        The sentence speaks to the player: the number of a seat says nothing at a table.
        """

    def banker_fee(self, book: Book, bets: Bets, /) -> int:
        """Return the fee of a player who banks a round with these bets."""

    def bot_bets(self, book: Book, stack: int, whims: Whims, /) -> tuple[Bet, ...]:
        """Return bets that a bot with a stack could make; none if it has too little."""

    # A round

    @property
    def round_type(self) -> type[Round]:
        """The struct of a round."""

    def start(self, book: Book, bets: Bets, /, *, bank: int | None = None, first: int = 1) -> Round:
        """Return a round of bets that ``check_bets`` has allowed."""

    def first_seat(self, book: Book, previous: int | None, /) -> int | None:
        """Return the seat action starts at after ``previous``; ``None`` if it is drawn."""

    def chance(self, book: Book, round: Round, /) -> Draw | None:
        """Return the next draw, or ``None``."""

    def deciding(self, book: Book, round: Round, /) -> Sequence[int]:
        """Return the seats that have a move to make."""

    def moves(self, book: Book, round: Round, seat: int, /) -> tuple[Move, ...]:
        """Return the moves that a seat may choose now."""

    def apply(self, book: Book, round: Round, step: Step, /) -> Round:
        """Return the round after a draw or a choice."""

    def settle(self, book: Book, round: Round, /) -> Settled:
        """Return all amounts that a finished round moves, each with its clause."""

    def amended(
        self, book: Book, round: Round, bets: Bets, moves: Mapping[int, Move], /
    ) -> Round | None:
        """Return a finished round with other bets or moves of some seats, every rule checked.

        A seat with no bets has no part in it; ``None`` if no seat is left.
        """

    def held(self, book: Book, settled: Settled, /) -> Round | None:
        """Return the round in which bets that are held go on, or ``None`` if none is."""

    def hand(self, round: Round, seat: int, /) -> tuple[int, ...] | None:
        """Return the cards of a seat, which only its player may see."""

    def view(self, book: Book, round: Round, seat: int | None = None, /) -> View:
        """Return the view of a seat, or with ``None`` the public one."""

    # In words

    @property
    def line_type(self) -> type[LineT]:
        """A finished round in the settle format."""

    def from_line(self, book: Book, line: LineT, /) -> Round:
        """Return the finished round of a line, every rule checked."""

    def complete(self, book: Book, round: Round, /) -> Round:
        """Return a finished round that was written down whole, every rule checked."""

    def to_line(self, book: Book, round: Round, players: Mapping[int, str], /) -> dict[str, object]:
        """Return a finished round in the settle format; ``players`` are the names by seat."""

    def without(self, round: Round, seats: set[int], /) -> Round | None:
        """Return a round without some seats; ``None`` if no seat is left."""

    def describe(self, book: Book, name: str, round: Round, settled: Settled, /) -> Iterator[str]:
        """Yield the lines of a settled round as a dealer would tell it."""
