"""How events of corrections change a table."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from queenhigh.table import events
from queenhigh.table.correction_events import MovedDifference
from queenhigh.table.state import AskedCorrection, CorrectedRound, State

__all__ = ["asked", "made", "owed_to", "rejected"]

_Changes = dict[str, Any]


def asked(state: State, event: events.CorrectionAsked) -> _Changes:
    """Return the corrections with one that was asked for."""
    waiting = AskedCorrection(event.round, event.facts, event.staff, event.reason, event.at)
    corrections = state.corrections
    changed = replace(
        corrections,
        count=event.correction,
        asked={**corrections.asked, event.correction: waiting},
    )
    return {"corrections": changed}


def rejected(state: State, event: events.CorrectionRejected) -> _Changes:
    """Return the corrections without one that was rejected."""
    return {"corrections": replace(state.corrections, asked=_without(state, event.correction))}


def made(state: State, event: events.CorrectionMade) -> _Changes:
    """Return the corrections with one that was made; with more chips a player may bank again."""
    corrections = state.corrections
    before = corrections.rounds.get(event.round, CorrectedRound())
    nets, fees = dict(before.nets), dict(before.fees)
    for row in event.moved:
        if row.against == "fees":
            fees[row.place] = fees.get(row.place, 0) - row.cents
            continue
        nets[row.place] = nets.get(row.place, 0) + row.cents
        if event.banker is not None:
            nets[event.banker] = nets.get(event.banker, 0) - row.cents
    changed = replace(
        corrections,
        asked=_without(state, event.correction),
        rounds={**corrections.rounds, event.round: CorrectedRound(nets, fees)},
        latest=event,
    )
    return {"corrections": changed, "offer": replace(state.offer, declined_by_all=False)}


def _without(state: State, correction: int) -> dict[int, AskedCorrection]:
    return {n: waiting for n, waiting in state.corrections.asked.items() if n != correction}


def owed_to(moved: Iterable[MovedDifference], place: int, banker: int | None) -> int:
    """Return what a place is still owed after a correction; below zero: what it owes."""
    owed = 0
    for row in moved:
        owed += row.owed if row.place == place else 0
        owed -= row.owed if row.against == "bank" and place == banker else 0
    return owed
