"""The values a round of Three Card Poker is made of."""

from msgspec import Struct

from queenhigh.cards import Hand
from queenhigh.games.game import Move

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
]


class Seat(Struct, frozen=True, gc=False):
    """A seat in a round: its wagers in cents (0 is none), its cards, its move."""

    seat: int
    ante: int = 0
    bonus: int = 0
    pair_plus: int = 0
    cards: Hand | None = None
    move: Move | None = None

    def stake_on(self, side_bet: str) -> int:
        """Return the stake on a side bet by its name."""
        return self.bonus if side_bet == "bonus" else self.pair_plus


class Round(Struct, frozen=True, gc=False):
    """A round. ``bank`` and ``first`` mean something only where a player banks."""

    seats: tuple[Seat, ...]
    bank: int | None = None
    first: int = 1
    dealer: Hand | None = None

    @property
    def is_over(self) -> bool:
        """Tell whether the cards are out and every seat with an Ante has moved."""
        for one in self.seats:
            if one.move is None and one.ante:
                return False
        return self.dealer is not None


class Deal(Struct, frozen=True):
    """What chance must bring: so many cards, and the seat action starts at if that is drawn."""

    cards: int
    first_among: tuple[int, ...] = ()


class Dealt(Struct, frozen=True):
    """What chance brought: three cards for each seat in order, then the dealer's three."""

    cards: tuple[int, ...]
    first: int | None = None


class Chosen(Struct, frozen=True):
    """A seat's move."""

    seat: int
    move: Move


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
    """A round settled; the last two only where a player banks."""

    seats: tuple[SettledSeat, ...]
    banker: int
    banker_fee: int | None = None
    bank_left: int | None = None


class View(Struct, frozen=True):
    """A round as someone may see it: cards they may not see are ``None``."""

    you: int | None
    seats: tuple[Seat, ...]
    dealer: tuple[int | None, ...]
    bank: int | None
    first: int
