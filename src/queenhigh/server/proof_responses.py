"""The types of the proof of a round."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from queenhigh.game import Move
from queenhigh.table.commands import Bet
from queenhigh.table.correction_events import Facts, MovedDifference
from queenhigh.table.events import Charge, RoundSettled, RoundVoided, SpinSettled
from queenhigh.table.incident_events import IncidentKind, RuledAs
from queenhigh.table.settled_rows import SettledPlace, SettledPlayer
from queenhigh.table.staff import Making

__all__ = [
    "CommittedSeed",
    "Proof",
    "ProvedCorrection",
    "ProvedHand",
    "ProvedIncident",
    "VoidedHand",
]


class ProvedHand(Struct, frozen=True):
    """A place's part in a round: its seat, its wagers before the deal, and its move."""

    place: int
    seat: int
    wagers: list[Bet]
    move: Move | UnsetType = UNSET


class VoidedHand(Struct, frozen=True):
    """A hand that a ruling made void: its wagers, all that was held of it, and its collected fee.

    Both were returned.
    """

    place: int
    seat: int
    wagers: list[Bet]
    cents: int
    fee: int


class ProvedIncident(Struct, frozen=True):
    """What a person of the floor ruled in the round, by its clause, and why."""

    kind: IncidentKind
    place: int | None
    clause: str
    ruling: RuledAs
    staff: str
    reason: str


class ProvedCorrection(Struct, frozen=True):
    """A correction of the round: its facts as they should have been, and what moved.

    ``places`` are seats at cards, ``spins`` the players at a wheel, ``fees`` all fees of the round.
    ``makers`` is there where two people had to make it: who made or changed the logins of the two
    in the day before.
    """

    correction: int
    at: int
    asked_by: str
    approved_by: str
    reason: str
    facts: Facts
    net: int
    moved: list[MovedDifference]
    void: bool | UnsetType = UNSET
    places: list[SettledPlace] | UnsetType = UNSET
    spins: list[SettledPlayer] | UnsetType = UNSET
    fees: list[Charge] | UnsetType = UNSET
    makers: list[Making] | UnsetType = UNSET


class CommittedSeed(Struct, frozen=True):
    """A seed that a player committed to, and its bytes if they were shown, in hexadecimal."""

    place: int
    player: str
    commitment: str
    shown: str | None
    bot: bool | UnsetType = UNSET


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
    voided: list[VoidedHand] | UnsetType = UNSET
    incidents: list[ProvedIncident] | UnsetType = UNSET
    corrections: list[ProvedCorrection] | UnsetType = UNSET
