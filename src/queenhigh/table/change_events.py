"""The events of a change that is announced before it holds."""

from typing import Any

from msgspec import Struct, field

from queenhigh.table.commands import Settings
from queenhigh.table.event_base import Event

__all__ = ["Amounts", "ChangeAnnounced", "ChangeWithdrawn"]


class Amounts(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The amounts of a table: the tables of its rulebook that state them, and the least bank."""

    fees: dict[str, Any]
    limits: dict[str, Any]
    least_bank: int


class ChangeAnnounced(Event, frozen=True, kw_only=True, gc=False, tag="change.announced/1"):
    """Other fees or limits are announced (CA-6).

    Rounds that open from ``starts`` on are played by this rulebook and these settings. Until then
    the table plays by what it has.
    """

    #: Stored as ``from``.
    starts: int = field(name="from")
    old: Amounts
    new: Amounts
    rulebook: dict[str, Any]
    digest: str
    settings: Settings
    reason: str


class ChangeWithdrawn(Event, frozen=True, kw_only=True, gc=False, tag="change.withdrawn/1"):
    """The announced change will not come, and why."""

    reason: str
