"""The types of the proof of a round."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from queenhigh.game import Move
from queenhigh.table.commands import Bet
from queenhigh.table.events import Charge, RoundSettled, RoundVoided, SpinSettled

__all__ = ["CommittedSeed", "Proof", "ProvedHand"]


class ProvedHand(Struct, frozen=True):
    """A place's part in a round: its seat, its wagers before the deal, and its move."""

    place: int
    seat: int
    wagers: list[Bet]
    move: Move | UnsetType = UNSET


class CommittedSeed(Struct, frozen=True):
    """A seed that a player committed to, and its bytes if they were shown, in hexadecimal."""

    place: int
    player: str
    commitment: str
    shown: str | None


class Proof(Struct, frozen=True, kw_only=True):
    """All it takes to verify a round that is over."""

    table: str
    round: int
    at: int
    ended: Literal["settled", "voided"]
    digest: str
    rulebook: dict[str, Any]
    commitment: str
    seed: str
    seeds: dict[str, str]
    #: The chain and the link of the room's seed; 0 in a round of scheme 1.
    chain: int
    link: int
    committed: list[CommittedSeed]
    banker: int | None
    bank: int | None
    first: int | None
    hands: list[ProvedHand]
    fees: list[Charge]
    places: list[int]
    cards: list[int]
    pocket: str | None
    end: RoundSettled | SpinSettled | RoundVoided
