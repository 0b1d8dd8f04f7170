"""The types of a player's own rounds, as the history has them."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from queenhigh.history.own_corrections import CorrectedPart

__all__ = ["BankrollRow", "CorrectedPart", "Credits", "Recalled", "SettledLine"]


class SettledLine(Struct, frozen=True):
    """A wager and what it brought."""

    wager: str
    stake: int
    net: int
    clause: str


class Credits(Struct, frozen=True):
    """A player's chips at a table before a round and after it."""

    before: int
    after: int


class Recalled(Struct, frozen=True, kw_only=True):
    """A round as one of its players may recall it.

    ``events`` are those of the log, without cards and the table's seed, with the player's name.
    """

    n: int
    table: str
    number: int
    round: str
    at: int
    ended: Literal["settled", "voided"]
    place: int
    game: str
    up: int
    ace_low: bool
    players: dict[str, str]
    seats: dict[str, int]
    banker: int | None
    first: int | None
    net: int
    fee: int
    wagers: list[SettledLine]
    credits: Credits
    seed: str
    commitment: str
    steps: list[str]
    events: list[dict[str, Any]]
    #: Of a void round.
    reason: str | UnsetType = UNSET
    #: Of a round that the player banked.
    banked: int | UnsetType = UNSET
    #: Of a spin.
    pocket: str | UnsetType | None = UNSET
    #: Of a round of poker.
    seat: int | UnsetType | None = UNSET
    hands: dict[str, str] | UnsetType = UNSET
    dealer: str | UnsetType = UNSET
    #: The clause by which the floor made the player's hand void.
    void_hand: str | UnsetType = UNSET
    #: What corrected the player's part since; ``net`` and ``fee`` are as the round was settled.
    corrections: list[CorrectedPart] | UnsetType = UNSET


class BankrollRow(Struct, frozen=True):
    """A round of a player, and what all of them came to until then, as corrected since."""

    n: int
    at: int
    table: str
    round: int
    net: int
    fee: int
    count: int
    fees: int
    total: int
