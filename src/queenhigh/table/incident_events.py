"""Events of irregularities: what the floor ruled, and a hand that is void."""

from typing import Literal

from queenhigh.table.event_base import Event

__all__ = ["HandVoided", "IncidentKind", "IncidentRuled", "RuledAs"]

#: What can go wrong at a table whose cards the server deals.
IncidentKind = Literal["misdeal", "exposed_player", "exposed_dealer", "player_gone"]
#: What follows: nothing, a void round or hand, a round dealt again, or the table's default move.
RuledAs = Literal["play_on", "void", "redeal", "void_hand", "default_move"]


class IncidentRuled(Event, frozen=True, kw_only=True, gc=False, tag="incident.ruled/1"):
    """The floor ruled on an irregularity by its clause; what follows comes in the same step."""

    round: int
    kind: IncidentKind
    place: int | None = None
    clause: str
    ruling: RuledAs
    staff: str
    reason: str


class HandVoided(Event, frozen=True, kw_only=True, gc=False, tag="hand.voided/1"):
    """A place has no part in the round any more.

    ``cents`` is all that was held of it, ``fee`` what had been collected: both are returned.
    """

    round: int
    place: int
    cents: int
    fee: int = 0
