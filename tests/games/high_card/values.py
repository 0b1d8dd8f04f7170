"""The rulebook of High Card, and the values of a round."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from queenhigh.game import GameRound, Line, Move
from queenhigh.rulebook.book import Limits, Rulebook
from queenhigh.rulebook.schema import ClauseId, GameDocument, LimitsTable
from queenhigh.rulebook.terms import BettingTerms, StakeRange, WagerTerms


class HighCardDocument(GameDocument):
    """The shape of a rulebook file."""

    game: Literal["high_card"]
    seats: int
    tie: Literal["push", "lose"]
    tie_clause: ClauseId
    limits: LimitsTable


@dataclass(frozen=True, kw_only=True, eq=False)
class HighCardBook(Rulebook):
    """The rules, ready for use."""

    increment: int
    increment_clause: str
    seats: int
    limits: Limits
    tie: Literal["push", "lose"]
    tie_clause: str

    @cached_property
    def betting(self) -> BettingTerms:
        least, most, _ = self.limits
        ranges = (StakeRange(least, most),)
        return BettingTerms({"bet": WagerTerms(self.increment, True, 0, least, most, ranges)})


class Seat(Struct, frozen=True):
    seat: int
    bet: int
    cards: tuple[int, ...] | None = None
    move: Move | None = None


class Round(Struct, GameRound, frozen=True):
    seats: tuple[Seat, ...]
    dealer: int | None = None


class SeatLine(Struct, forbid_unknown_fields=True):
    seat: int
    bet: int
    card: str


class HighCardLine(Line, forbid_unknown_fields=True):
    dealer: str
    seats: list[SeatLine]
    id: str | UnsetType = UNSET

    def count_keys(self) -> int:
        return 3 - (self.id is UNSET) + 3 * len(self.seats)

    @property
    def name(self) -> str | None:
        return None if self.id is UNSET else self.id
