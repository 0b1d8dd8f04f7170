"""The values a round of Three Card Poker is made of."""

from collections.abc import Mapping

from msgspec import Struct

from queenhigh.cards import Hand
from queenhigh.game import (
    Chosen,
    Deal,
    Dealt,
    GameRound,
    Move,
    SettledRound,
    SettledSeat,
    SettledWager,
    View,
)

__all__ = [
    "Chosen",
    "Deal",
    "Dealt",
    "Round",
    "Seat",
    "SettledRound",
    "SettledSeat",
    "SettledWager",
    "View",
    "seat_of_stakes",
]


class Seat(Struct, frozen=True, gc=False):
    """A seat in a round: its wagers in cents (0 is none), its cards, its move."""

    seat: int
    ante: int = 0
    bonus: int = 0
    pair_plus: int = 0
    cards: Hand | None = None
    move: Move | None = None

    @property
    def stakes(self) -> tuple[tuple[str, int], ...]:
        """The wagers made before the deal, each with its stake."""
        return ("ante", self.ante), ("bonus", self.bonus), ("pair_plus", self.pair_plus)

    def stake_on(self, side_bet: str) -> int:
        """Return the stake on a side bet by its name."""
        return self.bonus if side_bet == "bonus" else self.pair_plus


class Round(Struct, GameRound, frozen=True, gc=False):
    """A round. ``bank`` and ``first`` mean something only where a player banks."""

    seats: tuple[Seat, ...]
    bank: int | None = None
    first: int = 1
    dealer: Hand | None = None

    @property
    def is_over(self) -> bool:
        """Return whether the cards are out and every seat with an Ante has moved."""
        for seat in self.seats:
            if seat.move is None and seat.ante:
                return False
        return self.dealer is not None


def seat_of_stakes(seat: int, stakes: Mapping[str, int]) -> Seat:
    """Return a seat with stakes by the name of their wager, before it has cards."""
    return Seat(seat, stakes.get("ante", 0), stakes.get("bonus", 0), stakes.get("pair_plus", 0))
