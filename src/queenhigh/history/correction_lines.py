"""Corrections from their events: who asked, what became of it, what moved."""

from collections.abc import Iterable

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from queenhigh.table.correction_events import (
    CorrectionAsked,
    CorrectionMade,
    CorrectionRejected,
    Facts,
    MovedChips,
    MovedDifference,
)
from queenhigh.table.events import TableEvent

__all__ = ["Correction", "corrections_of"]


class Correction(Struct, frozen=True):
    """A correction: asked for, made or rejected."""

    table: str
    correction: int
    round: int
    at: int
    asked_by: str
    reason: str
    facts: Facts
    #: Whether it is waiting, made or rejected.
    status: str = "waiting"
    decided_by: str | None = None
    decided_at: int | None = None
    #: Why it was rejected.
    why: str | None = None
    moved: tuple[MovedDifference, ...] = ()
    chips: tuple[MovedChips, ...] = ()
    #: From when on the reader may approve it, if that is later than now, and who made or changed
    #: their login, or the asker's, less than a day before. An empty name is the command line.
    approve_from: int | UnsetType = UNSET
    made_by: str | UnsetType = UNSET


def corrections_of(events: Iterable[tuple[str, TableEvent]]) -> list[Correction]:
    """Return corrections from their events, each with its table; the newest first."""
    lines: dict[tuple[str, int], Correction] = {}
    for table, event in events:
        if isinstance(event, CorrectionAsked):
            lines[table, event.correction] = _asked(table, event)
        elif isinstance(event, CorrectionMade | CorrectionRejected):
            asked = lines[table, event.correction]
            lines[table, event.correction] = _decided(asked, event)
    return [*reversed(lines.values())]


def _asked(table: str, event: CorrectionAsked) -> Correction:
    return Correction(
        table, event.correction, event.round, event.at, event.staff, event.reason, event.facts
    )


def _decided(asked: Correction, event: CorrectionMade | CorrectionRejected) -> Correction:
    decided = replace(asked, decided_by=event.staff, decided_at=event.at)
    if isinstance(event, CorrectionRejected):
        return replace(decided, status="rejected", why=event.reason)
    return replace(decided, status="made", moved=event.moved, chips=event.chips)
