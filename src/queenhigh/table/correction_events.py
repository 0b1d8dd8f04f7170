"""Events of corrections: a settled round is never edited, a correction moves the difference."""

from typing import Literal

from msgspec import Struct

from queenhigh.game import Bet, Move
from queenhigh.table.event_base import Event
from queenhigh.table.settled_rows import Charge, SettledPlace, SettledPlayer

__all__ = [
    "CorrectionAsked",
    "CorrectionMade",
    "CorrectionRejected",
    "Facts",
    "MovedChips",
    "MovedDifference",
]


class Facts(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts of a round that were wrong, as they should have been; both by place.

    A place with no bets had no part in the round: its hand is void. ``void``: nobody had.
    """

    moves: dict[int, Move] = {}
    wagers: dict[int, tuple[Bet, ...]] = {}
    void: bool = False


class CorrectionAsked(Event, frozen=True, kw_only=True, gc=False, tag="correction.asked/1"):
    """A person of the staff asks to correct a settled round; corrections of a table are counted."""

    correction: int
    round: int
    facts: Facts
    staff: str
    reason: str


class CorrectionRejected(Event, frozen=True, kw_only=True, gc=False, tag="correction.rejected/1"):
    """A correction that was asked for will not be made; the asker may withdraw it too."""

    correction: int
    staff: str
    reason: str


class MovedDifference(
    Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """What a correction moves between a place and the bank, or the fees.

    ``cents`` is the gain of the place. ``owed`` is what the payer's chips did not cover, with the
    same sign.
    """

    place: int
    against: Literal["bank", "fees"]
    cents: int
    owed: int = 0


class MovedChips(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Where the chips of a place of the round are now, and how many moved there.

    ``player`` is the name of today. ``seat`` is the place at this table where the player sits now;
    with ``None`` the wallet's event follows.
    """

    place: int
    player: str
    seat: int | None
    cents: int


class CorrectionMade(Event, frozen=True, kw_only=True, gc=False, tag="correction.made/1"):
    """A correction that a second person approved: the round settled again, and the difference.

    ``places`` are seats at cards, ``spins`` the players at a wheel; none of a round that is void
    now. ``fees`` are all fees of the round as corrected.
    """

    correction: int
    round: int
    staff: str
    void: bool = False
    places: tuple[SettledPlace, ...] = ()
    spins: tuple[SettledPlayer, ...] = ()
    net: int
    banker: int | None = None
    fees: tuple[Charge, ...] = ()
    moved: tuple[MovedDifference, ...]
    chips: tuple[MovedChips, ...] = ()
